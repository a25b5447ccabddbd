/** The guides of the help, by reader. Each is `docs/guides/<guide>.md`. */
export const GUIDES = [
  'learner',
  'member',
  'author',
  'moderator',
  'administrator',
  'operator',
  'integrator',
  'contributor',
] as const;
export type Guide = (typeof GUIDES)[number];
