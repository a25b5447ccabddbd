import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { issueSecret, TTL_SECONDS } from './challenge.service.ts';
import { linkTo } from './mails.service.ts';
import { resetFactors } from './second-factor.service.ts';
import { changeRole, getUserByEmail } from './user.service.ts';

// Acts of the operator of the machine, who needs no account. The audit log names the system as their actor.

/** Makes the account of an address an administrator and ends its sessions. */
export async function makeAdministrator(ctx: Ctx, email: string): Promise<'made' | 'was-one' | 'unknown'> {
  return await inTransaction(ctx.db, async (trx) => {
    const user = await getUserByEmail(trx, email);
    if (!user) return 'unknown';
    if (user.role === 'administrator') return 'was-one';
    await changeRole(ctx, trx, user.id, { role: 'administrator', by: 'system' });
    await recordAction(trx, 'system', { action: 'auth.make-administrator', object: user.id });
    return 'made';
  });
}

/** Removes all second factors of an account, ends its sessions and mails its person. False when there is none. */
export async function resetSecondFactorOf(ctx: Ctx, email: string): Promise<boolean> {
  return await inTransaction(ctx.db, async (trx) => {
    const user = await getUserByEmail(trx, email);
    if (!user) return false;
    await resetFactors(ctx, trx, 'system', user.id);
    ctx.sessions.forget(user.id);
    return true;
  });
}

/** A link that signs in once, like the mailed one; a second factor is still asked for. */
export async function makeSignInLink(
  ctx: Ctx,
  email: string,
): Promise<{ link: string; expiresInSeconds: number } | undefined> {
  return await inTransaction(ctx.db, async (trx) => {
    const user = await getUserByEmail(trx, email);
    if (!user) return undefined;
    const token = await issueSecret(trx, { kind: 'login-link', userId: user.id });
    await recordAction(trx, 'system', { action: 'auth.print-sign-in-link', object: user.id });
    return { link: linkTo(ctx, '/login/confirm', { token }), expiresInSeconds: TTL_SECONDS['login-link'] };
  });
}
