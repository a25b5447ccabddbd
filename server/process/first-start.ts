import { ensureJobTasks } from '#server/areas/ai/job-task.jobs.ts';
import { ensurePushKeys } from '#server/areas/notifications/push.service.ts';
import { ensureAdministrator } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { DEMO_ACCOUNTS, withdrawPublishedPassword, type Passwords } from '#server/demo/accounts.ts';
import { DEMO_PASSWORD } from '#server/published-password.ts';

type Say = (line: string) => void;

/**
 * Prepares a new installation: its administrator, the statements of jobs' tasks, its keys for push services and, if configured, the demo. Runs at
 * every start and changes nothing that exists, except a published password where others can reach the product.
 */
export async function firstStart(ctx: Ctx, say: Say): Promise<void> {
  const { demoContent, isLocal } = ctx.config;
  const isNew = await isEmpty(ctx);
  await ensureAdministrator(ctx);
  await ensureJobTasks(ctx);
  await ensurePushKeys(ctx);
  if (!isLocal) {
    const passwords = await withdrawPublishedPassword(ctx);
    if (passwords.size > 0)
      say('Others can reach this product now, so its demo accounts have lost their published password.');
    sayPasswords(passwords, say);
  }
  if (demoContent === 'always' || (demoContent === 'when-empty' && isNew)) await showDemo(ctx, say);
  if (!(await hasAdministrator(ctx)))
    say('There is no administrator: set ADMIN_EMAIL and ADMIN_PASSWORD and start again.');
}

async function showDemo(ctx: Ctx, say: Say): Promise<void> {
  const { isLocal, publicUrl } = ctx.config;
  const { loadDemo } = await import('#server/demo/load.ts');
  const passwords = await loadDemo(ctx);
  if (passwords.size === 0) return;
  say('The demo content is in place; all people and places in it are invented.');
  if (!isLocal) return sayPasswords(passwords, say);
  say(`Sign in at ${publicUrl}/login as ${DEMO_ACCOUNTS.join(', ')}: the password of each is ${DEMO_PASSWORD}`);
}

function sayPasswords(passwords: Passwords, say: Say): void {
  for (const [email, password] of passwords) say(`Sign in as ${email} with ${password} (shown only now)`);
}

async function isEmpty(ctx: Ctx): Promise<boolean> {
  const user = await ctx.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  const entry = await ctx.db.selectFrom('entries').select('id').limit(1).executeTakeFirst();
  return user === undefined && entry === undefined;
}

async function hasAdministrator(ctx: Ctx): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('erased_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
