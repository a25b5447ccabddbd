import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { confirmSignUp, createAccount } from '@officium/contract/auth';
import { readProfile } from '@officium/contract/account';
import { createActivity } from '@officium/contract/community';
import { castVote } from '@officium/contract/polls';
import type { Drill } from '../drill.ts';
import { FAKETIME_LIBRARY } from '../faketime.ts';
import { none } from '../figures.ts';
import { ask, openSandbox, request, type SandboxNode } from '../sandbox.ts';
import { startMailSink } from '../mail-sink.ts';
import { scaled, until, inTurn } from '../measures.ts';
import { makeFixture } from '../fixture.ts';
import { inCommunity } from '../writes.ts';

const HOUR_MS = 3_600_000;
const DECISIONS = 10_000;
const POSTS = 300;
const SCHEDULE_SECONDS = 190;
/** Two clocks disagree by five minutes, the others by hours and days. */
const OFFSETS_MS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS, 150_000, -150_000];

/** Shifts the clock of a process: with Debian's libfaketime where installed, else by replacing Date. */
function skewed(offsetMs: number): Record<string, string> {
  if (FAKETIME_LIBRARY === undefined) {
    const hook = fileURLToPath(new URL('../skewed-clock.ts', import.meta.url));
    return { NODE_OPTIONS: `--import ${hook}`, CLOCK_OFFSET_MS: String(offsetMs) };
  }
  const offset = `${offsetMs < 0 ? '' : '+'}${offsetMs / 1000}s`;
  return { LD_PRELOAD: FAKETIME_LIBRARY, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_NO_CACHE: '1' };
}

/** A decision that must use the database clock; a process that used its own would decide wrong. */
type Decision = { decide(node: SandboxNode, nth: number): Promise<boolean> };

export const drill: Drill = {
  name: 'clock',
  description:
    'Runs six processes with different clocks on one database: an hour and a day ahead and behind, and two that disagree by five minutes. Each decides about polls, codes and sessions that are about to expire or just expired. All of them post, and the feed is paged through. Each schedule must run once a minute.',
  async run({ scale, print }) {
    const sink = await startMailSink();
    const sandbox = await openSandbox();
    try {
      const fixture = await makeFixture(sandbox.databaseUrl, {
        size: { people: 60, posts: 4, polls: 40, lessons: 4, journeys: 2 },
      });
      const nodes: SandboxNode[] = [];
      for (const offset of OFFSETS_MS)
        nodes.push(await sandbox.start({ ...skewed(offset), LOG_LEVEL: 'fatal', SMTP_URL: sink.url }));
      print(
        `${nodes.length} processes run, their clocks shifted by ${FAKETIME_LIBRARY ? 'libfaketime' : 'a replaced Date'}`,
      );
      const nodeAt = inTurn(nodes);
      const personAt = inTurn(fixture.people);
      const startedAt = Date.now();

      const polls = fixture.polls.all.map(({ id }) => id);
      const [open, expired] = [polls.slice(0, 20), polls.slice(20)];
      await sandbox.rows(`update polls set deadline_at = now() + interval '10 minutes' where id = any($1)`, [open]);
      await sandbox.rows(`update polls set deadline_at = now() - interval '1 second' where id = any($1)`, [expired]);
      const ended = await sandbox.makePeople(20);
      const endedAt = inTurn(ended);
      await sandbox.rows(`update sessions set expires_at = now() - interval '1 second' where user_id = any($1)`, [
        ended.map(({ id }) => id),
      ]);
      const lasting = await sandbox.makePeople(20);
      const lastingAt = inTurn(lasting);
      await sandbox.rows(`update sessions set expires_at = now() + interval '10 minutes' where user_id = any($1)`, [
        lasting.map(({ id }) => id),
      ]);
      const poll = inTurn(fixture.polls.all);
      const decisions: Decision[] = [
        {
          decide: async (node, nth) => {
            const { id, options } = poll(nth);
            const { status } = await ask(node, castVote, { as: personAt(nth), params: { id: options[0] }, body: {} });
            return status === (open.includes(id) ? 201 : 409);
          },
        },
        {
          decide: async (node, nth) =>
            (await ask(node, readProfile, { as: endedAt(nth), params: { id: 'me' } })).status === 401,
        },
        {
          decide: async (node, nth) =>
            (await ask(node, readProfile, { as: lastingAt(nth), params: { id: 'me' } })).status === 200,
        },
      ];
      const decisionAt = inTurn(decisions);
      let wrong = 0;
      let made = 0;
      const decide = async () => {
        while (made < scaled(DECISIONS, scale)) {
          const nth = made++;
          const isRight = await decisionAt(nth).decide(nodeAt(nth), Math.floor(nth / decisions.length));
          if (!isRight) wrong += 1;
        }
      };
      await Promise.all(Array.from({ length: 8 }, decide));
      print(`${made} decisions, ${wrong} of them wrong`);

      // One fresh code and one expired code on each process.
      let wrongCodes = 0;
      for (const [nth, node] of nodes.entries())
        for (const isExpired of [false, true]) {
          const email = `code-${nth}-${isExpired}@example.gov`;
          await ask(node, createAccount, { body: { name: 'Noor', email } });
          await until('the code arrives', async () => sink.taken.some(({ to }) => to === email), 60_000, 100);
          const [code] = /^\d{6}\r?$/m.exec(sink.taken.find(({ to }) => to === email)?.text ?? '') ?? [];
          if (isExpired)
            await sandbox.rows(
              `update challenges set expires_at = now() - interval '1 second' where user_id = (select id from users where email = $1)`,
              [email],
            );
          const { status } = await ask(nodeAt(nth + 1), confirmSignUp, {
            body: { email, code: code?.trim() },
          });
          if (status < 300 !== !isExpired) wrongCodes += 1;
        }

      const titles = new Set<string>();
      for (let nth = 0; nth < scaled(POSTS, scale); nth += 1) {
        const title = `Post ${nth}`;
        const { status } = await ask(nodeAt(nth), createActivity, {
          as: personAt(nth),
          params: { slug: fixture.forum },
          body: { title, body: 'Words.' },
        });
        if (status === 201) titles.add(title);
      }
      const paged: string[] = [];
      for (let offset = 0; ; offset += 7) {
        const page = await request(
          `${nodeAt(offset).url}${inCommunity(fixture.forum)}/activities?ranking=recent_with_pin&limit=7&offset=${offset}`,
          { as: personAt(0) },
        );
        if (page.body.results.length === 0) break;
        paged.push(...page.body.results.map((post: { title: string }) => post.title));
      }
      const gaps = [...titles].filter((title) => !paged.includes(title)).length;

      const left = startedAt + SCHEDULE_SECONDS * 1000 - Date.now();
      await pause(Math.max(0, left));
      const runs = await sandbox.rows<{ minute: Date; n: number }>(
        `select date_trunc('minute', created_on) as minute, count(*)::int as n from jobs.job
         where name = 'platform.fold-tallies' group by 1 order by 1`,
      );
      const whole = runs.slice(1, -1); // the first and the last minute are incomplete
      const [first, last] = [whole[0]?.minute, whole.at(-1)?.minute];
      const minutes = first && last ? Math.round((+last - +first) / 60_000) + 1 : 0;
      return [
        none('wrong decisions about deadlines and sessions', wrong, made),
        none('wrong decisions about codes', wrongCodes, 2 * nodes.length),
        none('posts missing from all pages', gaps, titles.size),
        none('posts on two pages', paged.length - new Set(paged).size, paged.length),
        none('posts refused', scaled(POSTS, scale) - titles.size, scaled(POSTS, scale)),
        none('schedules that ran twice in their minute', whole.filter(({ n }) => n !== 1).length, minutes),
        {
          what: 'minutes in which a schedule ran once',
          result: String(whole.filter(({ n }) => n === 1).length),
          target: `${minutes}, at least 1`,
          isMet: minutes > 0 && whole.length === minutes,
        },
      ];
    } finally {
      await sandbox.close();
      await sink.close();
    }
  },
};
