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
import { withWorkshop } from '../topology/workshop.ts';
import { exitFigure, underLoad } from '../under-load.ts';
import { get } from '../read-back.ts';
import { ask, type Fixture } from '../fixture.ts';
import { inCommunity } from '../writes.ts';
import { until } from '../measures.ts';

const STEP_SECONDS = 600;
/** Sessions that end before the clock goes back, half by sign-out and half by expiry. */
const ENDING = 20;
const THREADS = 20;

export const drill: Drill = {
  name: 'database-clock',
  description:
    'The database clock jumps back ten minutes under load. Sessions that had ended, by sign-out or expiry, must stay ended; feeds and replies are paged through to the end.',
  async run({ scale, print }) {
    const library = FAKETIME_LIBRARY;
    if (library === undefined) throw new Error('This drill needs Debian’s package libfaketime.');
    return await withWorkshop(async (workshop) => {
      const clock = join(workshop.folder, 'clock');
      const setClock = (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}s\n`, { mode: 0o644 });
      await setClock(0);
      const installation = await setUp(workshop, {
        databaseEnv: {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_CACHE_DURATION: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      });
      const { webs, fixture, databaseUrl } = installation;
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
        print,
        async work() {
          const ended = await endSessions(databaseUrl, fixture, urls[0] ?? '');
          await pause(Math.max(10_000, 60_000 * scale));
          await setClock(-STEP_SECONDS);
          await until(
            'the database clock is back by ten minutes',
            async () => (await secondsAhead()) < -STEP_SECONDS + 5,
          );
          print('the clock has jumped back');
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
      const { isEndless, twice } = await pageThrough(urls[0] ?? '', fixture);
      const [ids] = await ask<{ twice: number }>(
        databaseUrl,
        `select count(*)::int as twice from (
           select id from (select id from activities union all select id from reactions union all select id from poll_votes) made
           group by id having count(*) > 1) shared`,
      );
      return [
        ...figures,
        exitFigure(installation),
        none('ended sessions that became valid again', revived, looks),
        none('duplicate ids', ids?.twice ?? 1),
        none('lists whose pages never end', isEndless),
        none('rows on two pages of one list', twice),
      ];
    });
  },
};

async function statusOf(url: string, cookie: string): Promise<number> {
  const answer = await fetch(`${url}/api/account/accounts/me/profile`, { headers: { cookie: `session=${cookie}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Returns cookies of sessions that have ended and that a process has rejected. */
async function endSessions(databaseUrl: string, { people }: Fixture, url: string): Promise<string[]> {
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
          if (!answer.ok) throw new Error(`sign-out: ${answer.status}`);
        }),
    );
    await pause(10_000);
    for (const cookie of cookies)
      if ((await statusOf(url, cookie)) !== 401) throw new Error('an ended session is still accepted');
    return cookies;
  } finally {
    await close();
  }
}

/**
 * Pages through the lists with a cursor or an offset. A list that exceeds the possible number of rows counts as
 * endless.
 */
async function pageThrough(
  url: string,
  { people, forum, wall }: Fixture,
): Promise<{ isEndless: number; twice: number }> {
  const http = createHttp([url]);
  const [viewer] = people;
  if (!viewer) throw new Error('the fixture has no people');
  let [isEndless, twice] = [0, 0];
  const walk = async (first: string, next: (results: { id: string }[], page: number) => string) => {
    const seen = new Set<string>();
    let path: string | undefined = first;
    for (let page = 1; path !== undefined; page++) {
      const { results } = (await get(http, viewer, path)) as { results: { id: string }[] };
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
