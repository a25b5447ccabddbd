// Raw SQL: a probe that reads no table, and the age of a mail.
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx } from '#server/ctx.ts';
import { countJobs } from '#server/jobs/watch.ts';

export const PARTS = ['site', 'files', 'mail', 'jobs', 'search'] as const;
export type StatusPart = (typeof PARTS)[number];
/** `unknown`: it cannot be asked, because the database does not answer. */
export type PartState = 'works' | 'slow' | 'fails' | 'unknown';
export type SiteStatus = { checkedAt: Date; parts: Record<StatusPart, PartState> };

type Sources = Pick<Ctx, 'db' | 'files' | 'clock'>;

/** Everybody may ask, so the answer of the last seconds serves all. */
const KEPT_MS = 10_000;
/** Longer than any of these takes while all is well, and shorter than a reader waits. */
const PATIENCE_MS = 3_000;
const SLOW_MS = 1_000;
/** Seconds that a job or a mail has been due. A retry waits for minutes without anything being wrong. */
const LATE = { slow: 15 * 60, fails: 2 * 3600 };

const lateness = (seconds: number): PartState =>
  seconds > LATE.fails ? 'fails' : seconds > LATE.slow ? 'slow' : 'works';

/** Runs a check: its own finding, or whether it was quick enough. One that throws or hangs fails. */
async function check(work: () => Promise<PartState | void>): Promise<PartState> {
  const begun = performance.now();
  try {
    const late = setTimeout(PATIENCE_MS, 'fails' as const, { ref: false });
    const found = await Promise.race([work(), late]);
    return found ?? (performance.now() - begun > SLOW_MS ? 'slow' : 'works');
  } catch {
    return 'fails';
  }
}

async function look({ db, files, clock }: Sources): Promise<SiteStatus> {
  const [site, stored] = await Promise.all([
    check(async () => void (await sql`select 1`.execute(db))),
    // The key names nothing: the answer “no” also needs the store.
    check(async () => void (await files.exists('status/none', AbortSignal.timeout(PATIENCE_MS)))),
  ]);
  const asked = async (work: () => Promise<PartState | void>) => (site === 'fails' ? 'unknown' : await check(work));
  const [jobs, mail, search] = await Promise.all([
    asked(async () => lateness((await countJobs(db)).oldest)),
    asked(async () => lateness(await oldestMailSeconds(db))),
    asked(async () => void (await db.selectFrom('search_documents').select('object_id').limit(1).execute())),
  ]);
  return { checkedAt: clock.now(), parts: { site, files: stored, mail, jobs, search } };
}

async function oldestMailSeconds(db: Ctx['db']): Promise<number> {
  const row = await db
    .selectFrom('mails')
    .select(sql<number>`coalesce(extract(epoch from now() - min(created_at)), 0)::float8`.as('seconds'))
    .where('status', '=', 'queued')
    .executeTakeFirst();
  return row?.seconds ?? 0;
}

/** Reads the status, at most once in ten seconds however many ask. */
export function createStatus(sources: Sources, keptMs = KEPT_MS): () => Promise<SiteStatus> {
  let last: { at: number; status: Promise<SiteStatus> } | undefined;
  return async () => {
    const now = performance.now();
    if (!last || now - last.at > keptMs) last = { at: now, status: look(sources) };
    return await last.status;
  };
}

/** The worst state in one word, for monitors and the first sentence of the page. */
export function overallOf({ parts }: SiteStatus): 'works' | 'trouble' | 'down' {
  if (parts.site === 'fails') return 'down';
  return PARTS.every((part) => parts[part] === 'works') ? 'works' : 'trouble';
}
