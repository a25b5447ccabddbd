import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { type Case, type Limit, tryCase } from './cases.ts';
import { readCases } from './cases-read.ts';
import { writeCases } from './cases-write.ts';
import { startLimits } from './limits-process.ts';
import { CONNECTIONS, type Machine, measure, REQUESTS, SECONDS } from './measure.ts';
import { isSelected } from './only.ts';
import { circumstances, record } from './record.ts';
import type { Things } from './seed.ts';
import { type Limits, type Row, table, verdictOf } from './table.ts';

export const POSTS = 10_000;
const READY_SECONDS = 3;
const IDLE_MB = 200;

type Started = { databaseUrl: string; things: Things; idleMb: number; seconds: number };

/** Measures every operation against the baselines of this machine. */
export async function measureOperations(
  machine: Machine,
  { databaseUrl, things, idleMb, seconds }: Started,
): Promise<void> {
  const { client, url } = machine;
  const database = openDatabase(databaseUrl, { onError: () => {} });
  const cookies: string[] = [];
  for (const userId of things.personIds) cookies.push(`session=${await openSession(database.db, { userId })}`);

  await database.close();

  const cases: Case[] = [...readCases(things, cookies[0] ?? ''), ...writeCases(things, cookies)].filter(isSelected);
  const limit = await startLimits(databaseUrl, things.communityId);
  try {
    const ofLimits: Machine = { url: limit.url, pid: limit.pid, client };
    const limits = {} as Limits; // the loop fills all four
    for (const name of ['S', 'Q', 'R', 'I'] as Limit[])
      limits[name] = await measure(name, ofLimits, {
        request: () => ({ method: name === 'I' ? 'POST' : 'GET', path: `/${name.toLowerCase()}` }),
      });

    const rows: Row[] = [];
    for (const one of cases) {
      await tryCase(one, url);
      rows.push({ name: one.name, target: one.target, measured: await measure(one.name, machine, one) });
    }
    await client.query('drop table bench_inserts');
    const missed = rows.filter((row) => !verdictOf(row, limits).isMet);
    await record(
      'bench',
      [
        `${POSTS} posts, 100 people, ${CONNECTIONS} connections, ${REQUESTS > 0 ? `${REQUESTS} requests` : `${SECONDS} s`} each, ${circumstances()}.`,
        table(rows, limits),
        `Start to ready with this data: ${seconds.toFixed(1)} s (target: ${READY_SECONDS} s). Resident memory of the idle server: ${idleMb.toFixed(0)} MB (target: ${IDLE_MB} MB).`,
        `${missed.length} of ${rows.length} miss their target${missed.length > 0 ? `: ${missed.map(({ name }) => name).join('; ')}` : ''}.`,
      ].join('\n\n'),
    );
  } finally {
    await limit.stop();
  }
}
