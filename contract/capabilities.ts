/** Rights that roles include. Administrators have every capability everywhere. */
export const CAPABILITIES = [
  'edit-content',
  'manage-cohort',
  'mark-answers',
  'moderate-community',
  'moderate-lessons',
  'publish-content',
  'read-audit',
  'read-cases',
  'read-cohort',
  'read-content',
  'read-reports',
  'translate-content',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
