import type { Progress } from '#server/areas/importing/progress.policy.ts';
import { sql } from 'kysely';
import { loadDemo } from '../demo/load.ts';
import type { Ctx } from '../ctx.ts';
import type { Db } from '../db/client.ts';
import { foldTallies } from '../db/tallies.ts';
import { cohorts, members, uploads } from './cohorts.ts';
import { differences } from '#server/integrity/counters.ts';
import { figures } from './figures.ts';
import { completions, enrolments } from './learning.ts';
import { moderation } from './moderation.ts';
import { audit, mails, notifications } from './office.ts';
import { people, rules } from './people.ts';
import { makeIdFunction, type SeedPart } from './run.ts';
import { memberships, posts, reactions } from './talk.ts';
import { disableTriggers, enableTriggers } from './upkeep.ts';

const PARTS: readonly SeedPart[] = [
  rules,
  people,
  cohorts,
  members,
  uploads,
  enrolments,
  completions,
  memberships,
  posts,
  reactions,
  moderation,
  audit,
  notifications,
  mails,
  figures,
];

const SAME_EVERY_TIME = 0.4242;

/** Users created by neither the demo nor a seed. Any means that the product is in use. */
async function countOthers(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from users where erased_at is null and email not like '%@example.gov'`.execute(db);
  return rows[0]?.n ?? 0;
}

type Telling = { print: (line: string) => void; tell?: Progress | undefined };

/**
 * Fills the product like a country’s public service, beside the demo, in one transaction: an interrupted seed leaves
 * nothing. Returns the reason when it refuses; `isForced` allows a product that is in use.
 */
export async function seed(
  ctx: Ctx,
  { size, isForced, ...telling }: { size: number; isForced: boolean } & Telling,
): Promise<string | undefined> {
  const others = await countOthers(ctx.db);
  if (others > 0 && !isForced) return `There are ${others} people already. Nothing was added; --force adds to them.`;
  await loadDemo(ctx, { evenIfRemoved: true });
  await ctx.db.connection().execute(async (db) => {
    await sql`set statement_timeout = 0`.execute(db);
    await sql`set idle_in_transaction_session_timeout = 0`.execute(db);
    await db.transaction().execute(async (trx) => await fill(trx, size, telling));
    await sql`vacuum analyze`.execute(db);
    // The connection returns to the pool.
    await sql`reset statement_timeout`.execute(db);
    await sql`reset idle_in_transaction_session_timeout`.execute(db);
  });
  return undefined;
}

async function fill(db: Db, size: number, { print, tell }: Telling): Promise<void> {
  await sql`set local work_mem = '128MB'`.execute(db);
  // Each large statement runs once, so JIT compilation rarely pays for itself.
  await sql`set local jit = off`.execute(db);
  await sql`select setseed(${SAME_EVERY_TIME})`.execute(db);
  await makeIdFunction(db);
  const { rows } = await sql<{ before: number }>`
    select coalesce(max((sign_up->>'number')::int), 0) as before from users where sign_up->>'page' = 'seed'`.execute(
    db,
  );
  await disableTriggers(db);
  for (const [nth, part] of PARTS.entries()) {
    tell?.(nth, PARTS.length, part.name);
    const startedAt = performance.now();
    await part.fill({ db, people: size, before: rows[0]?.before ?? 0 });
    print(`${part.name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  await enableTriggers(db);
  await foldTallies(db);
  const wrong = await differences(db);
  if (wrong.length > 0) throw new Error(`counter drift found: ${wrong.join('; ')}`);
  print('All counters match their rows.');
}
