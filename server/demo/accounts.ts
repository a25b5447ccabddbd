import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { endSessions } from '../access/sessions.ts';
import { deleteRule, findRulesOfValues } from '../areas/people/auto-approval.repository.ts';
import { hashPassword, isPassword } from '#server/areas/auth/password-hash.service.ts';
import { updatePassword } from '../areas/auth/user.repository.ts';
import { getUserByEmail, lockUser } from '../areas/auth/user.service.ts';
import type { Ctx } from '../ctx.ts';
import { inTransaction, type Db } from '../db/client.ts';
import { DEMO_PASSWORD } from '#server/published-password.ts';

/** Demo accounts that can sign in. The demo’s other people have no password. */
export const DEMO_ACCOUNTS = ['learner@example.gov', 'moderator@example.gov', 'admin@example.gov'] as const;

/** Approves addresses of the demo's government as public servants. Exists only with the published password. */
export const DEMO_RULE = { type: 'partialDomain', value: 'example.gov' } as const;

/** Passwords by address of the account. */
export type Passwords = Map<string, string>;

export function isDemoAccount(email: string): boolean {
  return DEMO_ACCOUNTS.some((account) => account === email);
}

/** Processes that start together take turns; the later ones find the demo loaded. */
export async function lockDemo(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db);
}

/** Sets the published password, or a random one where others can reach the product, and returns it. */
export async function setPassword(ctx: Ctx, id: string): Promise<string> {
  const password = ctx.config.isLocal ? DEMO_PASSWORD : randomBytes(15).toString('base64url');
  await updatePassword(ctx.db, { id, passwordHash: await hashPassword(password) });
  return password;
}

/**
 * A demo that was loaded on one machine may be opened to others later: gives the accounts that still have the published
 * password a random one, ends their sessions and removes the rule. Returns the new passwords.
 */
export async function withdrawPublishedPassword(ctx: Ctx): Promise<Passwords> {
  const passwords: Passwords = new Map();
  await inTransaction(ctx.db, async (db) => {
    await lockDemo(db);
    let hasDemo = false;
    for (const email of DEMO_ACCOUNTS) {
      const found = await getUserByEmail(db, email);
      const user = found && (await lockUser(db, found.id));
      hasDemo ||= user !== undefined;
      if (!user || !(await isPassword(DEMO_PASSWORD, user.password_hash))) continue;
      passwords.set(email, await setPassword({ ...ctx, db }, user.id));
      await endSessions(db, user.id);
    }
    if (!hasDemo) return;
    const rules = await findRulesOfValues(db, [DEMO_RULE.value]);
    for (const { id, type } of rules) if (type === DEMO_RULE.type) await deleteRule(db, id);
  });
  return passwords;
}
