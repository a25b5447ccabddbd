import { AppError } from '../errors.ts';
import { requireRecentSignIn } from './recent.ts';
import { isAdministrator, isUser, type Role, type Viewer } from './viewer.ts';

/** A role for an account, and who gives it; `system` is the product itself, such as at its first start. */
export type GivenRole = { role: Role; by: Viewer | 'system' };

/**
 * Throws unless the role may be given. A service key gives every role but administrator, and decides nothing about an
 * administrator, not even that they stay one. Administrators give every role, never to themselves, and prove who they
 * are for what makes or changes an account’s rights. `former` is the account as it was; undefined for a new one.
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
