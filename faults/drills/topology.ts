import { setTimeout as pause } from 'node:timers/promises';
import { mountedPath, isStream } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import type { Drill } from '../drill.ts';
import { atMost, none, seconds } from '../figures.ts';
import { createHttp } from '../http.ts';
import { failuresOf, recoveryTime } from '../load.ts';
import { API_TESTS, runApiTests } from '../topology/api-tests.ts';
import { promoteStandby, setUp, type Installation } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';
import { ask } from '../fixture.ts';

/** Reading operations whose path needs no id. */
const READS = ENDPOINTS.filter(
  (one) => one.method === 'GET' && !one.path.includes('{') && !isStream(one) && one.download === undefined,
);

/** Sends each of them through the whole topology as an administrator. Returns those that failed. */
async function askEach({ url, fixture, databaseUrl }: Installation): Promise<string[]> {
  const [administrator] = fixture.people;
  await ask(databaseUrl, `update users set role = 'administrator' where id = $1`, [administrator?.id]);
  await pause(5_000); // until the cached session expires
  const http = createHttp([url]);
  const broken: string[] = [];
  for (const endpoint of READS) {
    const path = mountedPath(endpoint);
    const answer = await http.send({ method: 'GET', path, ...(administrator && { cookie: administrator.cookie }) });
    // 400 (missing query), 401 and 403 (services only) are valid answers.
    if (!('status' in answer) || answer.status >= 500) broken.push(`${endpoint.name}: ${JSON.stringify(answer)}`);
  }
  await http.close();
  return broken;
}

/** Rows a server has read for the product. */
async function rowsRead(url: string): Promise<number> {
  const [row] = await ask<{ n: number }>(
    url,
    `select sum(tup_returned)::float8 as n from pg_stat_database where datname = 'officium'`,
  );
  return row?.n ?? 0;
}

export const drill: Drill = {
  name: 'topology',
  description:
    'Runs nginx, two web processes, two workers, PgBouncer in transaction mode, Redis, a primary and a synchronous standby used for reads. Sends every reading operation without an id through all of it as an administrator, and the requests of the API tests (below scale 1 only those of activities). Then people write and read for a minute, the primary is killed, the standby is promoted, and they continue.',
  async run({ scale, print }) {
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop, { isFull: true, hasNginx: true, workers: 2 });
      const { url, primary } = installation;
      const standby = installation.standby!; // the full topology has one
      const broken = await askEach(installation);
      for (const one of broken) print(one);
      const files = scale < 1 ? API_TESTS.filter((file) => file.includes('/activity.')) : API_TESTS;
      const tests = await runApiTests(workshop, files, { primary, standby, print });
      const before = await rowsRead(standby.url);
      let after = before;
      let killedMs = 0;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: [url],
        print,
        async work() {
          await pause(Math.max(10_000, 60_000 * Math.min(scale, 1)));
          after = await rowsRead(standby.url);
          killedMs = await promoteStandby(installation);
          print('the standby is promoted');
          await pause(Math.max(10_000, 30_000 * Math.min(scale, 1)));
        },
      });
      const calm = loaded.attempts.filter(({ endedMs }) => endedMs < killedMs);
      const recovery = recoveryTime(loaded.attempts, killedMs + 500);
      return [
        none('operations that failed', broken.length, READS.length),
        none('API tests that failed', tests.failed, tests.passed + tests.failed),
        {
          what: 'the standby serves reads',
          result: after > before ? 'yes' : 'no',
          target: 'yes',
          isMet: after > before,
        },
        ...figures,
        exitFigure(installation),
        none('requests that failed before the primary was killed', failuresOf(calm).failed, calm.length),
        answerFigure(loaded),
        atMost(
          'time from the kill to the first acknowledged write',
          recovery === undefined ? undefined : recovery + 500,
          60_000,
          seconds,
        ),
      ];
    });
  },
};
