import type { Ctx } from '#server/ctx.ts';
import { isSameSecret } from '#server/access/secret.ts';
import type { UserRow } from './user.repository.ts';

type Account = Pick<UserRow, 'id' | 'password_hash'>;

/**
 * Token for the cookie of a browser that has signed in to the account, so that wrong passwords from elsewhere cannot
 * lock it out. It contains no identity and is void after a password change. Undefined for accounts without a password.
 */
export function deviceToken(ctx: Ctx, { id, password_hash }: Account): string | undefined {
  if (password_hash === null) return undefined;
  return ctx.seal.hash(`device:${password_hash}`, id).toString('base64url');
}

/** True if the browser has signed in to this account since its last password change. */
export function isKnownDevice(ctx: Ctx, account: Account | undefined, token: string | undefined): boolean {
  const expected = account && deviceToken(ctx, account);
  return expected !== undefined && token !== undefined && isSameSecret(expected, token);
}
