/** What roles allow. Administrators have every capability everywhere. */
export const CAPABILITIES = ['manage-cohort', 'read-audit', 'read-cohort', 'read-reports'] as const;
export type Capability = (typeof CAPABILITIES)[number];
