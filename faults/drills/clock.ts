import { fileURLToPath } from 'node:url';
import { confirmSignUp, createAccount } from '@officium/contract/auth';
import { readProfile } from '@officium/contract/account';
import { createActivity } from '@officium/contract/community';
import { castVote } from '@officium/contract/polls';
import type { Drill } from '../drill.ts';
import { FAKETIME_LIBRARY } from '../faketime.ts';
import { none } from '../figures.ts';
import { ask, openInstallation, request, type Node } from '../installation.ts';
import { startMailSink } from '../mail-sink.ts';
import { pause, scaled, until } from '../measures.ts';
import { makeWorld } from '../world.ts';
import { inCommunity } from '../writes.ts';

const HOUR_MS = 3_600_000;
const DECISIONS = 10_000;
const POSTS = 300;
const SCHEDULE_SECONDS = 190;
/** Two of them disagree by five minutes, the others by hours and days. */
const OFFSETS_MS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS, 150_000, -150_000];

/** What makes a process take the time to be another: Debian's libfaketime where it is installed, else a Date of ours. */
function skewed(offsetMs: number): Record<string, string> {
  if (FAKETIME_LIBRARY === undefined) {
    const hook = fileURLToPath(new URL('../skewed-clock.ts', import.meta.url));
    return { NODE_OPTIONS: `--import ${hook}`, CLOCK_OFFSET_MS: String(offsetMs) };
  }
  const offset = `${offsetMs < 0 ? '' : '+'}${offsetMs / 1000}s`;
  return { LD_PRELOAD: FAKETIME_LIBRARY, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_NO_CACHE: '1' };
}

/** What is decided by the time of the database, and is decided wrong by a process that asks its own clock. */
type Decision = { decide(node: Node, nth: number): Promise<boolean> };

export const drill: Drill = {
  name: 'clock',
  does: 'Runs one process of the product for each of six clocks, an hour and a day ahead and behind and two that disagree by five minutes, on one database; each decides about polls, codes and sessions that are just open or just over. All of them post, and the feed is paged through. Every minute each schedule must run once.',
  async run({ scale, say }) {
    const sink = await startMailSink();
    const house = await openInstallation();
    try {
      const world = await makeWorld(house.databaseUrl, {
        size: { people: 60, posts: 4, polls: 40, lessons: 4, journeys: 2 },
      });
      const nodes: Node[] = [];
      for (const offset of OFFSETS_MS)
        nodes.push(await house.start({ ...skewed(offset), LOG_LEVEL: 'fatal', SMTP_URL: sink.url }));
      say(`${nodes.length} processes run, their clocks set by ${FAKETIME_LIBRARY ? 'libfaketime' : 'a Date of ours'}`);
      const somebody = (nth: number) => world.people[nth % world.people.length]!; // within the list
      const begun = Date.now();

      const polls = world.polls.all.map(({ id }) => id);
      const [open, over] = [polls.slice(0, 20), polls.slice(20)];
      await house.rows(`update polls set deadline_at = now() + interval '10 minutes' where id = any($1)`, [open]);
      await house.rows(`update polls set deadline_at = now() - interval '1 second' where id = any($1)`, [over]);
      const ended = await house.makePeople(20);
      await house.rows(`update sessions set expires_at = now() - interval '1 second' where user_id = any($1)`, [
        ended.map(({ id }) => id),
      ]);
      const lasting = await house.makePeople(20);
      await house.rows(`update sessions set expires_at = now() + interval '10 minutes' where user_id = any($1)`, [
        lasting.map(({ id }) => id),
      ]);
      const poll = (nth: number) => world.polls.all[nth % polls.length]!; // within the list
      const decisions: Decision[] = [
        {
          decide: async (node, nth) => {
            const { id, options } = poll(nth);
            const { status } = await ask(node, castVote, { as: somebody(nth), params: { id: options[0] }, body: {} });
            return status === (open.includes(id) ? 201 : 409);
          },
        },
        {
          decide: async (node, nth) =>
            (await ask(node, readProfile, { as: ended[nth % 20]!, params: { id: 'me' } })).status === 401, // within the list
        },
        {
          decide: async (node, nth) =>
            (await ask(node, readProfile, { as: lasting[nth % 20]!, params: { id: 'me' } })).status === 200, // the same
        },
      ];
      let wrong = 0;
      let made = 0;
      const decide = async () => {
        while (made < scaled(DECISIONS, scale)) {
          const nth = made++;
          const { decide: one } = decisions[nth % decisions.length]!; // within the list
          if (!(await one(nodes[nth % nodes.length]!, Math.floor(nth / decisions.length)))) wrong += 1; // the same
        }
      };
      await Promise.all(Array.from({ length: 8 }, decide));
      say(`${made} decisions, ${wrong} of them wrong`);

      // Codes: one that is fresh, and one whose ten minutes are over, on each.
      let wrongCodes = 0;
      for (const [nth, node] of nodes.entries())
        for (const isOver of [false, true]) {
          const email = `code-${nth}-${isOver}@example.gov`;
          await ask(node, createAccount, { body: { name: 'Noor', email } });
          await until('the code arrives', async () => sink.taken.some(({ to }) => to === email), 60_000, 100);
          const [code] = /^\d{6}\r?$/m.exec(sink.taken.find(({ to }) => to === email)?.text ?? '') ?? [];
          if (isOver)
            await house.rows(
              `update challenges set expires_at = now() - interval '1 second' where user_id = (select id from users where email = $1)`,
              [email],
            );
          const { status } = await ask(nodes[(nth + 1) % nodes.length]!, confirmSignUp, {
            body: { email, code: code?.trim() },
          }); // within the list
          if (status < 300 !== !isOver) wrongCodes += 1;
        }

      const titles = new Set<string>();
      for (let nth = 0; nth < scaled(POSTS, scale); nth += 1) {
        const title = `Post ${nth}`;
        const { status } = await ask(nodes[nth % nodes.length]!, createActivity, {
          // within the list
          as: somebody(nth),
          params: { slug: world.forum },
          body: { title, body: 'Words.' },
        });
        if (status === 201) titles.add(title);
      }
      const paged: string[] = [];
      for (let offset = 0; ; offset += 7) {
        const page = await request(
          `${nodes[offset % nodes.length]!.url}${inCommunity(world.forum)}/activities?ranking=recent_with_pin&limit=7&offset=${offset}`, // the same
          { as: somebody(0) },
        );
        if (page.body.results.length === 0) break;
        paged.push(...page.body.results.map((post: { title: string }) => post.title));
      }
      const gaps = [...titles].filter((title) => !paged.includes(title)).length;

      const left = begun + SCHEDULE_SECONDS * 1000 - Date.now();
      await pause(Math.max(0, left));
      const runs = await house.rows<{ minute: Date; n: number }>(
        `select date_trunc('minute', created_on) as minute, count(*)::int as n from jobs.job
         where name = 'platform.fold-tallies' group by 1 order by 1`,
      );
      const whole = runs.slice(1, -1); // the first minute and the last are parts of one
      const [first, last] = [whole[0]?.minute, whole.at(-1)?.minute];
      const minutes = first && last ? Math.round((+last - +first) / 60_000) + 1 : 0;
      return [
        none('wrong decisions about deadlines and sessions', wrong, made),
        none('wrong decisions about codes', wrongCodes, 2 * nodes.length),
        none('posts that are on no page', gaps, titles.size),
        none('posts that are on two pages', paged.length - new Set(paged).size, paged.length),
        none('posts refused', scaled(POSTS, scale) - titles.size, scaled(POSTS, scale)),
        none('schedules that ran twice in their minute', whole.filter(({ n }) => n !== 1).length, minutes),
        {
          what: 'minutes in which a schedule ran once',
          reached: String(whole.filter(({ n }) => n === 1).length),
          demanded: `${minutes}, at least 1`,
          isReached: minutes > 0 && whole.length === minutes,
        },
      ];
    } finally {
      await house.close();
      await sink.close();
    }
  },
};
