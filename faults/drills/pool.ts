import { setTimeout as pause } from 'node:timers/promises';
import { readProfile } from '@officium/contract/account';
import { listCommunities } from '@officium/contract/community';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { openSandbox, ask, request, type Answer } from '../sandbox.ts';
import { inMs, share, steadily, times, inTurn, p95Of } from '../measures.ts';
import { makeFixture } from '../fixture.ts';
import { inCommunity } from '../writes.ts';

const SECONDS = 30;
const LONGEST_MS = 6_000;
const STORM = 200;

export const drill: Drill = {
  name: 'pool',
  description: `Sends one request a second that runs a sleeping query, locks a post for ${SECONDS} seconds that gets five replies a second, and sends ${STORM} sleeping requests at once, more than there are connections, while others read unrelated data.`,
  async run({ scale, print }) {
    const sandbox = await openSandbox();
    try {
      const ms = 1000 * SECONDS * Math.max(scale, 0.2);
      const fixture = await makeFixture(sandbox.databaseUrl, {
        size: { people: 60, posts: 40, polls: 4, lessons: 4, journeys: 2 },
      });
      const node = await sandbox.start({ LOG_LEVEL: 'fatal' });
      const personAt = inTurn(fixture.people);
      const other = () =>
        steadily(20, async (nth) =>
          nth % 2 === 0
            ? await ask(node, readProfile, { as: personAt(nth), params: { id: 'me' } })
            : await ask(node, listCommunities, { as: personAt(nth) }),
        );
      const write = (path: string, body: object, nth: number) =>
        request(`${node.url}${path}`, {
          as: personAt(nth),
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
      const hot = `${inCommunity(fixture.wall.slug)}/activities/${fixture.wall.posts[0]}`;
      const reply = (nth: number) => write(`${hot}/reactions`, { kind: 'reply', body: `Reply ${nth}` }, nth);

      const warm = other();
      await pause(3_000);
      await warm.stop();
      const quiet = other();
      await pause(ms);
      const baseline = await quiet.stop();

      await sandbox.rows(`create function sleep_long() returns trigger language plpgsql as $$
        begin perform pg_sleep(60); return new; end $$`);
      await sandbox.rows(
        'create trigger sleep_long before insert on articles for each row execute function sleep_long()',
      );
      const besideSlow = other();
      const slow = steadily(1, article);
      await pause(ms);
      const [slept, others] = [await slow.stop(), await besideSlow.stop()];
      print('the slow queries have finished');

      const client = await sandbox.hold(`select 1 from activities where id = '${fixture.wall.posts[0]}' for update`);
      const besideLocked = other();
      const locked = steadily(5, reply);
      await pause(ms);
      await client.release();
      const [waited, more] = [await locked.stop(), await besideLocked.stop()];
      print('the locked post is released');

      const besideStorm = other();
      const storm = await Promise.all(Array.from({ length: STORM }, (_, nth) => article(nth)));
      const during = await besideStorm.stop();
      const kinds = Map.groupBy([...slept, ...storm], ({ status }) => status);
      print(`blocked: ${[...kinds].map(([status, { length }]) => `${length} × ${status}`).join(', ')}`);
      await sandbox.rows('drop trigger sleep_long on articles');
      const after = [
        await article(0),
        await reply(0),
        ...(await Promise.all(Array.from({ length: 20 }, (_, nth) => reply(nth)))),
      ];

      const blocked = [...slept, ...waited.filter(({ status }) => status !== 201), ...storm];
      const all = [...slept, ...others, ...waited, ...more, ...storm, ...during];
      const isRefused = ({ status, retryAfter }: Answer) => status === 503 && retryAfter !== null;
      return [
        {
          ...none('', all.filter((answer) => answer.ms > LONGEST_MS).length, all.length),
          what: 'answers that took more than 6 s',
        },
        atMost('slowest answer', Math.max(...all.map((answer) => answer.ms)), LONGEST_MS, inMs),
        share('blocked requests answered 503 with Retry-After', blocked.filter(isRefused).length, blocked.length, 1),
        atMost(
          '95th percentile of other requests during slow queries, relative to normal',
          p95Of(others) / p95Of(baseline),
          1.5,
          times,
        ),
        atMost('the same during a locked post', p95Of(more) / p95Of(baseline), 1.5, times),
        none(
          'other requests that failed during these',
          [...others, ...more].filter(({ status }) => status !== 200).length,
          others.length + more.length,
        ),
        share(
          'other requests answered while every connection was in use',
          during.filter(({ status }) => status === 200 || status === 503).length,
          during.length,
          1,
        ),
        none('requests refused afterwards', after.filter(({ status }) => status !== 201).length, after.length),
      ];
    } finally {
      await sandbox.close();
    }
  },
};
