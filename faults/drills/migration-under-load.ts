import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../server/db/migrate.ts';
import { readSchema } from '../../server/db/schema-files.ts';
import type { Drill } from '../drill.ts';
import { atMost, count, none, seconds } from '../figures.ts';
import type { Attempt } from '../http.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';
import { ask } from '../fixture.ts';

/** The kinds of change that CONTRIBUTING.md allows, on the largest tables. */
const CHANGES = [
  [
    'add-column',
    `alter table reactions add column drill_note text, add column drill_weight integer not null default 1`,
  ],
  ['add-check', `alter table reactions add constraint drill_positive check (drill_weight > 0) not valid`],
  ['validate-check', `alter table reactions validate constraint drill_positive`],
  [
    'add-table',
    `create table drill_marks (activity_id uuid not null references activities on delete cascade, mark text not null)`,
  ],
  [
    'replace-function',
    `create or replace function activity_hot(points integer, at timestamptz) returns double precision
     language sql stable return ln(1 + points) + extract(epoch from least(at, now())) / 75000`,
  ],
  [
    'drop-column',
    `alter table reactions drop constraint drill_positive, drop column drill_note, drop column drill_weight`,
  ],
] as const;

const ROWS = 1_000_000;
const REPLIES_PER_POST = 100;
const HELD_MS = 8_000;

/** The 99th percentile of request durations. */
function p99(attempts: readonly Attempt[]): number {
  const times = attempts.map(({ startedMs, endedMs }) => endedMs - startedMs).sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

export const drill: Drill = {
  name: 'migration-under-load',
  description: `Runs every kind of migration that a release may contain on a table of ${count(ROWS)} rows while two processes of the old release serve 300 requests a second, and while another transaction (such as a backup) holds the table for 8 s each time.`,
  async run({ scale, print }) {
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop);
      const { webs, databaseUrl, fixture } = installation;
      const rows = REPLIES_PER_POST * Math.max(100, Math.round((ROWS / REPLIES_PER_POST) * Math.min(scale, 1)));
      print(`inserting ${count(rows)} replies`);
      // Under their own posts, which the ledger does not read back.
      await ask(
        databaseUrl,
        `with home as (insert into activities (id, author_id, verb, title, hot, reply_count)
           select new_id(), $1, 'post', 'Large', 0, ${REPLIES_PER_POST} from generate_series(1, $2) returning id)
         insert into reactions (id, activity_id, depth, kind, user_id, body, body_html, created_at)
         select new_id(), home.id, 1, 'reply', $1, 'Words', '<p>Words</p>', now() - interval '30 days'
         from home, generate_series(1, ${REPLIES_PER_POST})`,
        [fixture.people[0]?.id, rows / REPLIES_PER_POST],
      );
      // Finish one-off work for so many new rows before measuring: fold figures, vacuum, checkpoint.
      await ask(databaseUrl, 'select fold_figures()');
      await ask(databaseUrl, 'vacuum (analyze)');
      await ask(databaseUrl, 'checkpoint');
      await pause(60_000 * Math.min(scale, 1));
      const known = await readSchema();
      const added = CHANGES.map(([name, sql], at) => ({ name: `90${at}0_${name}.sql`, sql, hash: name }));
      const spans: [number, number][] = [];
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        print,
        async work() {
          await pause(10_000);
          for (const [at, change] of added.entries()) {
            const holder = new pg.Client({ connectionString: databaseUrl });
            await holder.connect();
            const startedMs = performance.now();
            await holder.query('begin; select from reactions limit 1');
            const released = pause(HELD_MS).then(async () => {
              await holder.query('commit');
              await holder.end();
            });
            await migrate(databaseUrl, () => {}, {
              schema: { ...known, migrations: [...known.migrations, ...added.slice(0, at + 1)] },
            });
            await released;
            spans.push([startedMs, performance.now()]);
            print(change.name);
          }
        },
      });
      const isDuring = ({ startedMs, endedMs }: Attempt) =>
        spans.some(([from, to]) => endedMs >= from && startedMs <= to);
      const during = loaded.attempts.filter(isDuring);
      const failed = during.filter(({ status }) => status === undefined || status >= 500);
      const base = p99(loaded.attempts.filter((attempt) => !isDuring(attempt)));
      const longest = during.reduce((most, { startedMs, endedMs }) => Math.max(most, endedMs - startedMs), 0);
      return [
        ...figures,
        exitFigure(installation),
        none('requests that failed meanwhile', failed.length, during.length),
        atMost('99th percentile of requests meanwhile', p99(during), 2 * base, seconds),
        atMost(`longest request meanwhile, with a table of ${count(rows)} rows`, longest, 3_000, seconds),
      ];
    });
  },
};
