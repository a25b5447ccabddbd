import type { Role } from '#server/access/viewer.ts';

export type GroupRoles = { administrators: readonly string[]; publicServants: readonly string[] };

/** The role somebody's groups give them; the highest of several. */
export function roleOfGroups(
  groups: readonly string[],
  { administrators, publicServants }: GroupRoles,
): Role | undefined {
  const isIn = (named: readonly string[]) => groups.some((group) => named.includes(group));
  if (isIn(administrators)) return 'administrator';
  return isIn(publicServants) ? 'public-servant' : undefined;
}

type Standing = {
  /** What the organisation gave last and may take again; null where somebody here gave the role. */
  granted: Role | null;
  now: Role;
};

/**
 * What a sign-in makes of somebody's role: the role to give, if another, and what counts as given by the organisation.
 * Whoever was made inactive stays so, and what an administrator of ours gave is not taken away.
 */
export function settleRole(given: Role | undefined, { granted, now }: Standing): { role?: Role; granted: Role | null } {
  if (now === 'inactive') return { granted };
  if (given === undefined) return { granted: null, ...(granted === now ? { role: 'non-public-servant' } : {}) };
  if (given === now) return { granted: granted === given ? given : null };
  if (now === 'administrator' && granted !== 'administrator') return { granted: null };
  return { role: given, granted: given };
}
