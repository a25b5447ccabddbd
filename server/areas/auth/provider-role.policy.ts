import type { Role } from '#server/access/viewer.ts';

export type GroupRoles = { administrators: readonly string[]; publicServants: readonly string[] };

/** The highest role that any of the groups gives. */
export function roleOfGroups(
  groups: readonly string[],
  { administrators, publicServants }: GroupRoles,
): Role | undefined {
  const isIn = (named: readonly string[]) => groups.some((group) => named.includes(group));
  if (isIn(administrators)) return 'administrator';
  return isIn(publicServants) ? 'public-servant' : undefined;
}

type RoleState = {
  /** Role last given by the organisation, which it may take back; null if an administrator here gave it. */
  granted: Role | null;
  current: Role;
};

/**
 * Decides the role after a sign-in: the role to change to, if any, and what counts as given by the organisation.
 * Inactive accounts stay inactive, and a role that an administrator here gave is kept.
 */
export function settleRole(
  given: Role | undefined,
  { granted, current }: RoleState,
): { role?: Role; granted: Role | null } {
  if (current === 'inactive') return { granted };
  if (given === undefined) return { granted: null, ...(granted === current ? { role: 'non-public-servant' } : {}) };
  if (given === current) return { granted: granted === given ? given : null };
  if (current === 'administrator' && granted !== 'administrator') return { granted: null };
  return { role: given, granted: given };
}
