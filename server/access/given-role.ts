import { AppError } from '../errors.ts';
import { requireRecentSignIn } from './recent.ts';
import { isAdministrator, isUser, type Role, type Viewer } from './viewer.ts';

/** A role for an account, and who assigns it; `system` is the product itself, for example at its first start. */
export type GivenRole = { role: Role; by: Viewer | 'system' };

/**
 * Throws unless the role may be assigned. A service key assigns every role but administrator, and changes no
 * administrator. Administrators assign every role, never to themselves, and need a recent sign-in to change rights.
 * `former` is the account before the change; undefined for a new one.
 */
export function requireMayGiveRole({ role, by }: GivenRole, former?: { id: string; role: string }): void {
  if (by === 'system') return;
  const isService = by.kind === 'service';
  if (!isService && !isAdministrator(by)) throw new AppError('auth.forbidden');
  if (isUser(by) && by.id === former?.id) throw new AppError('people.own_rights');
  const isOfAdministrators = role === 'administrator' || former?.role === 'administrator';
  if (isService && isOfAdministrators) throw new AppError('auth.forbidden');
  if (role === former?.role) return;
  if (former || isOfAdministrators) requireRecentSignIn(by);
}
