import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '../../server/access/sessions.ts';
import { openDatabase } from '../../server/db/client.ts';
import type { Drill } from '../drill.ts';
import { FAKETIME_LIBRARY } from '../faketime.ts';
import { none } from '../figures.ts';
import { createHttp } from '../http.ts';
import { setUp } from '../topology/installation.ts';
import { until } from '../topology/child.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';
import { get } from '../read-back.ts';
import { ask, type World } from '../world.ts';
import { inCommunity } from '../writes.ts';

const STEP_SECONDS = 600;
/** Sessions that end, half of them by their holder and half by themselves, before the clock goes back. */
const ENDING = 20;
const THREADS = 20;

export const drill: Drill = {
  name: 'database-clock',
  does: 'The clock of the database goes back ten minutes under load and goes on from there. Sessions that had ended, by signing out or by themselves, stay ended; feeds and replies are paged through from end to end.',
  async run({ scale, say }) {
    const library = FAKETIME_LIBRARY;
    if (library === undefined) throw new Error('This drill needs Debian’s package libfaketime.');
    return await withWorkshop(async (shop) => {
      const clock = join(shop.folder, 'clock');
      const setClock = (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}s\n`, { mode: 0o644 });
      await setClock(0);
      const installation = await setUp(shop, {
        databaseEnv: {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_CACHE_DURATION: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      });
      const { webs, world, databaseUrl } = installation;
      const urls = webs.map(({ url }) => url);
      const secondsAhead = async () => {
        const [row] = await ask<{ now: Date }>(databaseUrl, 'select now() as now');
        return (Number(row?.now) - Date.now()) / 1000;
      };

      let revived = 0;
      let looks = 0;
      const { figures } = await underLoad(installation, {
        perSecond: Math.max(20, 200 * Math.min(scale, 1)),
        urls,
        say,
        async work() {
          const ended = await endSessions(databaseUrl, world, urls[0] ?? '');
          await pause(Math.max(10_000, 60_000 * scale));
          await setClock(-STEP_SECONDS);
          await until(
            'the clock of the database has gone back',
            async () => (await secondsAhead()) < -STEP_SECONDS + 5,
          );
          say('the clock has gone back');
          const end = performance.now() + Math.max(20_000, 120_000 * scale);
          while (performance.now() < end) {
            for (const url of urls)
              for (const cookie of ended) {
                looks += 1;
                if ((await statusOf(url, cookie)) !== 401) revived += 1;
              }
            await pause(1_000);
          }
        },
      });
      const { isEndless, twice } = await pageThrough(urls[0] ?? '', world);
      const [ids] = await ask<{ twice: number }>(
        databaseUrl,
        `select count(*)::int as twice from (
           select id from (select id from activities union all select id from reactions union all select id from poll_votes) made
           group by id having count(*) > 1) shared`,
      );
      return [
        ...figures,
        exitFigure(installation),
        none('ended sessions that lived again', revived, looks),
        none('ids that were given twice', ids?.twice ?? 1),
        none('lists that do not end, page by page', isEndless),
        none('things on two pages of one list', twice),
      ];
    });
  },
};

async function statusOf(url: string, cookie: string): Promise<number> {
  const answer = await fetch(`${url}/api/account/accounts/me/profile`, { headers: { cookie: `session=${cookie}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** The cookies of sessions that have ended, and that a process has seen to be over. */
async function endSessions(databaseUrl: string, { people }: World, url: string): Promise<string[]> {
  const { db, close } = openDatabase(databaseUrl, { max: 2, onError: () => {} });
  try {
    const cookies = await Promise.all(
      people.slice(0, ENDING).map(({ id }, nth) =>
        openSession(db, {
          userId: id,
          ...(nth % 2 === 0 ? {} : { expiresAt: new Date(Date.now() + 5_000) }), // the clocks still agree
        }),
      ),
    );
    await Promise.all(
      cookies
        .filter((_, nth) => nth % 2 === 0)
        .map(async (cookie) => {
          const headers = { cookie: `session=${cookie}`, 'sec-fetch-site': 'same-origin' };
          const answer = await fetch(`${url}/api/auth/cookies/me`, { method: 'DELETE', headers });
          if (!answer.ok) throw new Error(`Signing out: ${answer.status}`);
        }),
    );
    await pause(10_000);
    for (const cookie of cookies)
      if ((await statusOf(url, cookie)) !== 401) throw new Error('A session that has ended is still served.');
    return cookies;
  } finally {
    await close();
  }
}

/** Reads the lists that go on from an id or an offset to their end; more than there can be is a list without one. */
async function pageThrough(url: string, { people, forum, wall }: World): Promise<{ isEndless: number; twice: number }> {
  const http = createHttp([url]);
  const [somebody] = people;
  if (!somebody) throw new Error('The world has nobody in it.');
  let [isEndless, twice] = [0, 0];
  const walk = async (first: string, next: (results: { id: string }[], page: number) => string) => {
    const seen = new Set<string>();
    let path: string | undefined = first;
    for (let page = 1; path !== undefined; page++) {
      const { results } = (await get(http, somebody, path)) as { results: { id: string }[] };
      for (const { id } of results) {
        if (seen.has(id)) twice += 1;
        seen.add(id);
      }
      if (page > 5_000) {
        isEndless += 1;
        return;
      }
      path = results.length === 0 ? undefined : next(results, page);
    }
  };
  try {
    for (const ranking of ['recent_with_pin', 'community_feed_live']) {
      const feed = `${inCommunity(forum)}/activities?ranking=${ranking}&limit=100`;
      await walk(feed, (_, page) => `${feed}&offset=${page * 100}`);
    }
    for (const post of wall.posts.slice(0, THREADS))
      for (const [cursor, first] of [
        ['id_lt', ''],
        ['id_gt', '&id_gt=00000000-0000-0000-0000-000000000000'],
      ] as const) {
        const replies = `${inCommunity(wall.slug)}/activities/${post}/reactions?kind=reply&limit=25`;
        await walk(replies + first, (results) => `${replies}&${cursor}=${results.at(-1)?.id}`);
      }
  } finally {
    await http.close();
  }
  return { isEndless, twice };
}
