import { setTimeout as pause } from 'node:timers/promises';
import { mountedPath, isStream } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import type { Drill } from '../drill.ts';
import { atMost, none, seconds } from '../figures.ts';
import { createHttp } from '../http.ts';
import { failuresOf, firstOkAfter } from '../load.ts';
import { API_TESTS, runApiTests } from '../topology/api-tests.ts';
import { promoteStandby, setUp, type Installation } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';
import { ask } from '../world.ts';

/** Operations that are read without knowing an id. */
const READS = ENDPOINTS.filter(
  (one) => one.method === 'GET' && !one.path.includes('{') && !isStream(one) && one.download === undefined,
);

/** Asks each of them as an administrator, through all of it; answers those that broke. */
async function askEach({ url, world, databaseUrl }: Installation): Promise<string[]> {
  const [administrator] = world.people;
  await ask(databaseUrl, `update users set role = 'administrator' where id = $1`, [administrator?.id]);
  await pause(5_000); // what is remembered of a session
  const http = createHttp([url]);
  const broken: string[] = [];
  for (const endpoint of READS) {
    const path = mountedPath(endpoint);
    const answer = await http.send({ method: 'GET', path, ...(administrator && { cookie: administrator.cookie }) });
    // What needs a query says 400, and what is for services 401 or 403; both are answers of the product.
    if (!('status' in answer) || answer.status >= 500) broken.push(`${endpoint.name}: ${JSON.stringify(answer)}`);
  }
  await http.close();
  return broken;
}

/** How many rows a server has read for the product. */
async function rowsRead(url: string): Promise<number> {
  const [row] = await ask<{ n: number }>(
    url,
    `select sum(tup_returned)::float8 as n from pg_stat_database where datname = 'officium'`,
  );
  return row?.n ?? 0;
}

export const drill: Drill = {
  name: 'topology',
  does: 'nginx, two web processes, two workers, PgBouncer in transaction mode, Redis, a primary and a synchronous standby that is read from: every operation that is read without an id is asked as an administrator through all of it, and so is what the tests of the API ask (at a scale below 1 those of posts only). Then people write and read through it for a minute, the primary is killed, the standby promoted, and they go on.',
  async run({ scale, say }) {
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop, { isFull: true, hasNginx: true, workers: 2 });
      const { url, primary } = installation;
      const standby = installation.standby!; // it is full
      const broken = await askEach(installation);
      for (const one of broken) say(one);
      const files = scale < 1 ? API_TESTS.filter((file) => file.includes('/activity.')) : API_TESTS;
      const tests = await runApiTests(shop, files, { primary, standby, say });
      const before = await rowsRead(standby.url);
      let after = before;
      let killedMs = 0;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: [url],
        say,
        async work() {
          await pause(Math.max(10_000, 60_000 * Math.min(scale, 1)));
          after = await rowsRead(standby.url);
          killedMs = await promoteStandby(installation);
          say('the standby is promoted');
          await pause(Math.max(10_000, 30_000 * Math.min(scale, 1)));
        },
      });
      const calm = loaded.attempts.filter(({ endedMs }) => endedMs < killedMs);
      const recovery = firstOkAfter(loaded.attempts, killedMs + 500);
      return [
        none('operations that broke', broken.length, READS.length),
        none('tests of the API that failed', tests.failed, tests.passed + tests.failed),
        {
          what: 'the standby is read from',
          reached: after > before ? 'yes' : 'no',
          demanded: 'yes',
          isReached: after > before,
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
