import type { Ctx } from '#server/ctx.ts';
import { isSameSecret } from '#server/http/session.ts';
import type { UserRow } from './user.repository.ts';

type Account = Pick<UserRow, 'id' | 'password_hash'>;

/**
 * What a browser keeps that has signed in to an account, so that wrong passwords from elsewhere do not hold it up. It
 * names nobody and ends with the password; undefined without one, where there is nothing to guess.
 */
export function deviceMarkOf(ctx: Ctx, { id, password_hash }: Account): string | undefined {
  if (password_hash === null) return undefined;
  return ctx.seal.hash(`device:${password_hash}`, id).toString('base64url');
}

/** Whether a browser has signed in to this account before, under the password it has now. */
export function isKnownDevice(ctx: Ctx, account: Account | undefined, mark: string | undefined): boolean {
  const expected = account && deviceMarkOf(ctx, account);
  return expected !== undefined && mark !== undefined && isSameSecret(expected, mark);
}
