import { setTimeout as pause } from 'node:timers/promises';
import { mountedPath, isStream } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import type { Drill } from '../drill.ts';
import { none } from '../figures.ts';
import { createHttp } from '../http.ts';
import { API_TESTS, runApiTests } from '../topology/api-tests.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';
import { ask } from '../world.ts';

/** Operations that are read without knowing an id. */
const READS = ENDPOINTS.filter(
  (one) => one.method === 'GET' && !one.path.includes('{') && !isStream(one) && one.download === undefined,
);

export const drill: Drill = {
  name: 'topology',
  does: 'nginx, two web processes, a worker, PgBouncer in transaction mode, Redis, a primary and a synchronous standby that is read from: every operation that is read without an id is asked as an administrator through all of it, the mixed load goes through it, and so do the tests of the API (at a scale below 1 those of posts only). Nothing is broken here.',
  async run({ scale, say }) {
    return await withWorkshop(async (shop) => {
      const installation = await setUp(shop, { isFull: true, hasNginx: true });
      const { url, world, databaseUrl, standby } = installation;
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
      for (const one of broken) say(one);
      const reads = async () =>
        (
          await ask<{ n: number }>(
            standby?.url ?? '',
            `select sum(tup_returned)::float8 as n from pg_stat_database where datname = 'officium'`,
          )
        )[0]?.n ?? 0;
      const before = await reads();
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 300 * Math.min(scale, 1)),
        urls: [url],
        say,
        work: async () => await pause(Math.max(10_000, 60_000 * Math.min(scale, 1))),
      });
      const failed = loaded.attempts.filter(({ status }) => status === undefined || status >= 500).length;
      const isRead = (await reads()) > before;
      const databases = { primary: installation.primary, standby: standby!, say }; // it is full, so there is one
      const tests = await runApiTests(
        shop,
        scale < 1 ? API_TESTS.filter((file) => file.includes('/activity.')) : API_TESTS,
        databases,
      );
      return [
        none('operations that broke', broken.length, READS.length),
        ...figures,
        exitFigure(installation),
        none('requests that failed', failed, loaded.attempts.length),
        none('tests of the API that failed', tests.failed, tests.passed + tests.failed),
        { what: 'the standby is read from', reached: isRead ? 'yes' : 'no', demanded: 'yes', isReached: isRead },
      ];
    });
  },
};
