import { sql } from 'kysely';
import { ensureJobTasks } from './areas/ai/job-task.jobs.ts';
import { ensureAdministrator } from './areas/auth/user.service.ts';
import type { Ctx } from './ctx.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './demo/people.ts';

/**
 * What a new installation needs before it serves: its administrator, the statements of jobs' tasks and, unless it keeps
 * its own database or was told otherwise, the demo. Run at every start; what is there already is left as it is.
 */
export async function firstStart(ctx: Ctx, say: (line: string) => void): Promise<void> {
  const isNew = await isEmpty(ctx);
  await ensureAdministrator(ctx);
  await ensureJobTasks(ctx);
  const { demoContent, databaseUrl, publicUrl } = ctx.config;
  if (!(demoContent ?? (isNew && databaseUrl === undefined))) return;
  const isFirst = isNew || !(await hasDemo(ctx));
  const { loadDemo } = await import('./demo/load.ts');
  await loadDemo(ctx);
  if (!isFirst) return;
  say('The demo content is in place; all people and places in it are invented.');
  say(`Sign in at ${publicUrl}/login as ${DEMO_ACCOUNTS.join(', ')}: the password of each is ${DEMO_PASSWORD}`);
}

async function isEmpty(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`select 1 where exists (select from users) or exists (select from entries)`.execute(ctx.db);
  return rows.length === 0;
}

async function hasDemo(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`select 1 from users where email = ${DEMO_ACCOUNTS[0]}`.execute(ctx.db);
  return rows.length > 0;
}
