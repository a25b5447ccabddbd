/** Rights that roles include. Administrators have every capability everywhere. */
export const CAPABILITIES = [
  'manage-cohort',
  'moderate-community',
  'read-audit',
  'read-cases',
  'read-cohort',
  'read-reports',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
