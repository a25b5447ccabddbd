import type { Role } from '#server/access/viewer.ts';

export type RegistrationStatus = 'pending' | 'approved' | 'refused';

/** Status of a registration: the recorded decision, or the role's equivalent for accounts that never signed up. */
export function statusOf(user: { registration_status: string | null; role: string }): RegistrationStatus {
  if (user.registration_status !== null) return user.registration_status as RegistrationStatus; // guaranteed by the column's check constraint
  return user.role === 'public-servant' || user.role === 'administrator' ? 'approved' : 'pending';
}

/** Whether auto-approval rules may approve a registration. A refused one stays refused. */
export const isOpenToRules = (registrationStatus: string | null) => registrationStatus !== 'refused';

/** The role after a decision. Administrators keep theirs. */
export function roleAfter(status: RegistrationStatus, role: Role): Role {
  if (role === 'administrator') return role;
  if (status === 'approved') return 'public-servant';
  return role === 'public-servant' ? 'non-public-servant' : role;
}
