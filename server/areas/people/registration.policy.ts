import type { Role } from '#server/access/viewer.ts';

export type RegistrationStatus = 'pending' | 'approved' | 'refused';

/** How a registration stands: as was decided, or, of an account that never signed up, as its role says. */
export function statusOf(user: { registration_status: string | null; role: string }): RegistrationStatus {
  if (user.registration_status !== null) return user.registration_status as RegistrationStatus; // the column's check says so
  return user.role === 'public-servant' || user.role === 'administrator' ? 'approved' : 'pending';
}

/** The role a decision leads to. Administrators stay what they are. */
export function roleAfter(status: RegistrationStatus, role: Role): Role {
  if (role === 'administrator') return role;
  if (status === 'approved') return 'public-servant';
  return role === 'public-servant' ? 'non-public-servant' : role;
}
