import { readProfile } from '@officium/contract/account';
import { listCommunities } from '@officium/contract/community';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { openInstallation, ask, request, type Answer } from '../installation.ts';
import { inMs, pause, quantile, share, steadily, times } from '../measures.ts';
import { makeWorld } from '../world.ts';
import { inCommunity } from '../writes.ts';

const SECONDS = 30;
const LONGEST_MS = 6_000;
const STORM = 200;

export const drill: Drill = {
  name: 'pool',
  does: `Lets one request a second run into a query that sleeps, locks a post for ${SECONDS} seconds to which five replies a second are written, and sends ${STORM} sleeping requests at once, more than there are connections, while others read what has nothing to do with it.`,
  async run({ scale, say }) {
    const house = await openInstallation();
    try {
      const ms = 1000 * SECONDS * Math.max(scale, 0.2);
      const world = await makeWorld(house.databaseUrl, {
        size: { people: 60, posts: 40, polls: 4, lessons: 4, journeys: 2 },
      });
      const node = await house.start({ LOG_LEVEL: 'fatal' });
      const somebody = (nth: number) => world.people[nth % world.people.length]!; // within the list
      const other = () =>
        steadily(20, async (nth) =>
          nth % 2 === 0
            ? await ask(node, readProfile, { as: somebody(nth), params: { id: 'me' } })
            : await ask(node, listCommunities, { as: somebody(nth) }),
        );
      const write = (path: string, body: object, nth: number) =>
        request(`${node.url}${path}`, {
          as: somebody(nth),
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        });
      const article = (nth: number) =>
        write(
          '/api/content/articles',
          {
            title: `Article that sleeps ${nth}`,
            subtitle: 'What an office wrote',
            body: 'What we learned from a case of last year.',
          },
          nth,
        );
      const hot = `${inCommunity(world.wall.slug)}/activities/${world.wall.posts[0]}`;
      const reply = (nth: number) => write(`${hot}/reactions`, { kind: 'reply', body: `Reply ${nth}` }, nth);

      const warm = other();
      await pause(3_000);
      await warm.stop();
      const quiet = other();
      await pause(ms);
      const usual = await quiet.stop();

      await house.rows(`create function sleep_long() returns trigger language plpgsql as $$
        begin perform pg_sleep(60); return new; end $$`);
      await house.rows(
        'create trigger sleep_long before insert on articles for each row execute function sleep_long()',
      );
      const besideSlow = other();
      const slow = steadily(1, article);
      await pause(ms);
      const [slept, others] = [await slow.stop(), await besideSlow.stop()];
      say('the slow queries are over');

      const client = await house.hold(`select 1 from activities where id = '${world.wall.posts[0]}' for update`);
      const besideLocked = other();
      const locked = steadily(5, reply);
      await pause(ms);
      await client.release();
      const [waited, more] = [await locked.stop(), await besideLocked.stop()];
      say('the locked post is free again');

      const besideStorm = other();
      const storm = await Promise.all(Array.from({ length: STORM }, (_, nth) => article(nth)));
      const during = await besideStorm.stop();
      const kinds = Map.groupBy([...slept, ...storm], ({ status }) => status);
      say(`blocked: ${[...kinds].map(([status, { length }]) => `${length} × ${status}`).join(', ')}`);
      await house.rows('drop trigger sleep_long on articles');
      const after = [
        await article(0),
        await reply(0),
        ...(await Promise.all(Array.from({ length: 20 }, (_, nth) => reply(nth)))),
      ];

      const blocked = [...slept, ...waited.filter(({ status }) => status !== 201), ...storm];
      const all = [...slept, ...others, ...waited, ...more, ...storm, ...during];
      const p95 = (answers: Answer[]) =>
        quantile(
          answers.map((answer) => answer.ms),
          0.95,
        );
      const isRefused = ({ status, retryAfter }: Answer) => status === 503 && retryAfter !== null;
      return [
        {
          ...none('', all.filter((answer) => answer.ms > LONGEST_MS).length, all.length),
          what: 'answers that took more than 6 s',
        },
        atMost('slowest answer', Math.max(...all.map((answer) => answer.ms)), LONGEST_MS, inMs),
        share('blocked requests answered 503 with Retry-After', blocked.filter(isRefused).length, blocked.length, 1),
        atMost('95th percentile of other requests beside slow queries, to usual', p95(others) / p95(usual), 1.5, times),
        atMost('the same beside a locked post', p95(more) / p95(usual), 1.5, times),
        none(
          'other requests not answered as usual beside these',
          [...others, ...more].filter(({ status }) => status !== 200).length,
          others.length + more.length,
        ),
        share(
          'other requests answered at all while every connection was taken',
          during.filter(({ status }) => status === 200 || status === 503).length,
          during.length,
          1,
        ),
        none('requests refused afterwards', after.filter(({ status }) => status !== 201).length, after.length),
      ];
    } finally {
      await house.close();
    }
  },
};
