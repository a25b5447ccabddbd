import { deleteAccount } from '@officium/contract/auth';
import { castVote, createCommunityPoll, createPoll, readPoll, removePoll, retractVote } from '@officium/contract/polls';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { openSession } from '#server/access/sessions.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

let author: TestPerson;
let voter: TestPerson;
let stranger: TestPerson;
let community: TestCommunity;

beforeAll(async () => {
  author = await makePerson(test);
  voter = await makePerson(test, { role: 'non-public-servant' });
  stranger = await makePerson(test);
  community = await makeCommunity(db);
  await makeMember(db, community, author);
  await makeMember(db, community, voter);
});

type Made = { id: string; optionIds: [string, string, string] };

async function makePoll(settings: object = {}): Promise<Made> {
  const { body } = await test.call(createCommunityPoll, author.as, {
    params: { slug: community.slug },
    body: {
      title: 'Which one?',
      options: ['A', 'B', 'C'].map((body, index) => ({ position: index + 1, body })),
      settings,
    },
  });
  return body;
}

const vote = (optionId: string, as: As = voter.as, body?: unknown) =>
  test.call(castVote, as, { params: { id: optionId }, body });
const retract = (id: string, as: As = voter.as) => test.call(retractVote, as, { params: { id } });
const read = async (id: string, as: As = voter.as) => (await test.call(readPoll, as, { params: { id } })).body.poll;
const close = async ({ id }: { id: string }) =>
  await sql`update polls set deadline_at = clock_timestamp() - interval '1 millisecond' where id = ${id}`.execute(db);

/** The counters beside the counted rows. */
async function counts(pollId: string) {
  const { rows } = await sql<{
    counted: number[];
    rows: number[];
    votes: number;
    voters: number;
    all: number;
    people: number;
  }>`
    select (select array_agg(vote_count order by position) from poll_options where poll_id = p.id) as counted,
      (select array_agg((select count(*)::int from poll_votes where option_id = o.id) order by position)
       from poll_options o where poll_id = p.id) as rows,
      p.vote_count as votes, p.voter_count as voters,
      (select count(*)::int from poll_votes where poll_id = p.id) as all,
      (select count(distinct user_id)::int from poll_votes where poll_id = p.id) as people
    from polls p where id = ${pollId}`.execute(db);
  return rows[0]!; // the poll exists
}

async function expectCounts(pollId: string, expected: number[]) {
  const { counted, rows, votes, voters, all, people } = await counts(pollId);
  expect({ counted, rows, votes, voters }).toEqual({ counted: expected, rows: expected, votes: all, voters: people });
}

async function makeVoters(count: number): Promise<As[]> {
  const ids = Array.from({ length: count }, () => newId());
  await sql`
    insert into users (id, name, email, role, email_proven_at)
    select id, 'Voter', id || '@example.gov', 'public-servant', now() from unnest(${ids}::uuid[]) id`.execute(db);
  await sql`
    insert into community_members (community_id, user_id) select ${community.id}, id from unnest(${ids}::uuid[]) id`.execute(
    db,
  );
  return await Promise.all(ids.map(async (userId) => ({ token: await openSession(db, { userId }) })));
}

describe('castVote', () => {
  it('returns the vote, and the same one when the option is voted for again', async () => {
    const { id: pollId, optionIds } = await makePoll();
    const { status, body } = await vote(optionIds[0], voter.as, { why: 'I like it' });
    expect(status).toBe(201);
    expect(castVote.replies[201].parse(body)).toEqual({ id: body.id, pollId, optionId: optionIds[0] });
    expect((await vote(optionIds[0])).body).toEqual(body);
    await expectCounts(pollId, [1, 0, 0]);
    const kept = await db.selectFrom('poll_votes').select('detail').where('id', '=', body.id).executeTakeFirstOrThrow();
    expect(kept.detail).toEqual({ why: 'I like it' });
  });

  it('moves the vote in a single-choice poll and keeps its id', async () => {
    const { id: pollId, optionIds } = await makePoll();
    const first = (await vote(optionIds[0])).body;
    const moved = await vote(optionIds[2]);
    expect(moved).toMatchObject({ status: 201, body: { id: first.id, pollId, optionId: optionIds[2] } });
    await expectCounts(pollId, [0, 0, 1]);
  });

  it('takes one vote for each option with allow_multiple_votes', async () => {
    const { id: pollId, optionIds } = await makePoll({ allow_multiple_votes: true });
    const ids = [];
    for (const optionId of [...optionIds, ...optionIds]) ids.push((await vote(optionId)).body.id);
    expect(new Set(ids).size).toBe(3);
    await expectCounts(pollId, [1, 1, 1]);
    expect((await counts(pollId)).voters).toBe(1);
  });

  it('requires membership of the community', async () => {
    const { optionIds } = await makePoll();
    expect((await vote(optionIds[0], {})).status).toBe(401);
    expect((await vote(optionIds[0], stranger.as)).status).toBe(403);
    expect((await vote(newId())).status).toBe(404);
    expect((await vote('not-a-uuid')).status).toBe(400);
    await sql`update communities set privacy = 'closed-hidden' where id = ${community.id}`.execute(db);
    expect((await vote(optionIds[0], stranger.as)).status).toBe(404);
    expect((await vote(optionIds[0])).status).toBe(201);
    await sql`update communities set privacy = 'open-visible' where id = ${community.id}`.execute(db);
  });

  it("is narrowed by the session's token", async () => {
    const { optionIds } = await makePoll();
    const permissions = { communities: { [community.slug]: 0 } };
    const token = await openSession(db, { userId: voter.id, permissions });
    expect((await vote(optionIds[0], { token })).status).toBe(403);
  });

  it('is allowed to everybody who sees the profile with the poll', async () => {
    const body = {
      title: 'Mine',
      options: [
        { position: 1, body: 'A' },
        { position: 2, body: 'B' },
      ],
    };
    const { body: open } = await test.call(createPoll, author.as, { body });
    expect((await vote(open.optionIds[0], stranger.as)).status).toBe(201);
    const shy = await makePerson(test, { visibility: 'private' });
    const { body: hidden } = await test.call(createPoll, shy.as, { body });
    expect((await vote(hidden.optionIds[0], stranger.as)).status).toBe(404);
    expect((await vote(hidden.optionIds[0], shy.as)).status).toBe(201);
  });

  it("returns 409 once the deadline has passed by the database's clock", async () => {
    const poll = await makePoll({ deadline_at: '2100-01-01T00:00:00Z' });
    expect((await vote(poll.optionIds[0])).status).toBe(201);
    await close(poll);
    const { status, body } = await vote(poll.optionIds[0]);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'community.poll_closed' });
    await expectCounts(poll.id, [1, 0, 0]);
  });

  it('notices a deadline that passes while it waits for the lock', async () => {
    const poll = await makePoll({ deadline_at: '2100-01-01T00:00:00Z' });
    const waiting = await db.transaction().execute(async (trx) => {
      await sql`update polls set deadline_at = clock_timestamp() + interval '100 milliseconds' where id = ${poll.id}`.execute(
        trx,
      );
      const late = vote(poll.optionIds[0]);
      await sql`select pg_sleep(0.3)`.execute(trx);
      return { late };
    });
    expect((await waiting.late).status).toBe(409);
  });

  it('returns 404 after the poll was removed', async () => {
    const { id, optionIds } = await makePoll();
    const { body } = await vote(optionIds[0]);
    await test.call(removePoll, author.as, { params: { id } });
    expect((await vote(optionIds[0])).status).toBe(404);
    expect((await retract(body.id)).status).toBe(404);
  });

  it.each([
    ['a list', []],
    ['a text', '"yes"'],
    ['too much', { text: 'x'.repeat(4096) }],
    ['a NUL', { text: '\0' }],
    ['half a surrogate pair', '{"text":"\\ud800"}'],
    ['endless nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('refuses %s as its body', async (_, body) => {
    const { optionIds } = await makePoll();
    const { status } = await test.send('POST', `/api/community/poll-options/${optionIds[0]}/votes`, {
      as: voter.as,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(400);
  });

  it('counts one vote of a person who votes 200 times at once', async () => {
    const { id, optionIds } = await makePoll();
    const answers = await Promise.all(Array.from({ length: 200 }, () => vote(optionIds[1])));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await expectCounts(id, [0, 1, 0]);
  });

  it('counts everybody exactly while they move their votes at once', async () => {
    const single = await makePoll();
    const several = await makePoll({ allow_multiple_votes: true });
    const people = await makeVoters(30);
    const calls = people.flatMap((as, person) =>
      Array.from({ length: 6 }, (_, turn) => {
        const { optionIds } = turn % 2 === 0 ? single : several;
        return vote(optionIds[(person + turn) % 3]!, as); // three options
      }),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { counted, voters } = await counts(single.id);
    await expectCounts(single.id, counted);
    expect(voters).toBe(30);
    await expectCounts(several.id, (await counts(several.id)).counted);
  });

  it('counts 500 people who vote a hundred at once', async () => {
    const { id, optionIds } = await makePoll();
    const people = await makeVoters(500);
    for (let from = 0; from < people.length; from += 100) {
      const answers = await Promise.all(people.slice(from, from + 100).map((as) => vote(optionIds[0], as)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    }
    await expectCounts(id, [500, 0, 0]);
  });

  it('keeps the counters exact while votes are cast and retracted', async () => {
    const { id, optionIds } = await makePoll();
    const people = await makeVoters(20);
    await Promise.all(
      people.map(async (as, person) => {
        const { body } = await vote(optionIds[0], as);
        await Promise.all([vote(optionIds[1], as), retract(body.id, as), vote(optionIds[(person % 2) + 1]!, as)]); // 1 or 2
      }),
    );
    await expectCounts(id, (await counts(id)).counted);
  });
});

describe('retractVote', () => {
  it("retracts one's own vote, once", async () => {
    const { id: pollId, optionIds } = await makePoll();
    const { body } = await vote(optionIds[0]);
    expect((await retract(body.id, {})).status).toBe(401);
    expect((await retract(body.id, author.as)).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 10 }, () => retract(body.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(404)]);
    const done = answers.find(({ status }) => status === 200);
    expect(retractVote.replies[200].parse(done?.body)).toEqual({ id: body.id });
    await expectCounts(pollId, [0, 0, 0]);
    expect((await retract('not-a-uuid')).status).toBe(400);
  });

  it('returns 409 once the poll is closed', async () => {
    const poll = await makePoll({ deadline_at: '2100-01-01T00:00:00Z' });
    const { body } = await vote(poll.optionIds[0]);
    await close(poll);
    expect((await retract(body.id)).status).toBe(409);
  });

  it('counts a person until their last vote is retracted', async () => {
    const { id, optionIds } = await makePoll({ allow_multiple_votes: true });
    const [one, two] = [(await vote(optionIds[0])).body, (await vote(optionIds[1])).body];
    await retract(one.id);
    expect((await counts(id)).voters).toBe(1);
    await retract(two.id);
    expect((await counts(id)).voters).toBe(0);
  });
});

describe('votes of an erased person', () => {
  it('stay counted without their detail', async () => {
    const leaver = await makePerson(test);
    await makeMember(db, community, leaver);
    const { id, optionIds } = await makePoll({ results_visibility: 'always', allow_multiple_votes: true });
    await vote(optionIds[0], leaver.as, { why: 'I live there' });
    await vote(optionIds[1], leaver.as);
    await vote(optionIds[0]);
    expect((await test.call(deleteAccount, leaver.as, { params: { email: leaver.email } })).status).toBe(200);
    await expectCounts(id, [2, 1, 0]);
    expect(await read(id)).toMatchObject({ totalVotes: 3 });
    const { rows } = await sql<{ detail: object }>`
      select detail from poll_votes where poll_id = ${id} and user_id = ${leaver.id}`.execute(db);
    expect(rows).toEqual([{ detail: {} }, { detail: {} }]);
  });
});

describe('results', () => {
  const isCounted = (poll: { totalVotes?: number; options: { votes?: number }[] }) =>
    poll.totalVotes !== undefined && poll.options.every(({ votes }) => votes !== undefined);
  const isSilent = (poll: { totalVotes?: number; options: { votes?: number }[]; winners?: string[] }) =>
    poll.totalVotes === undefined &&
    poll.winners === undefined &&
    poll.options.every(({ votes }) => votes === undefined);

  it('are shown after voting to voters, and to the author no sooner than to others', async () => {
    const { id, optionIds } = await makePoll();
    const { body } = await vote(optionIds[0]);
    expect(isSilent(await read(id, author.as))).toBe(true);
    expect(isSilent(await read(id, stranger.as))).toBe(true);
    expect(await read(id)).toMatchObject({ totalVotes: 1, ownVotes: [{ id: body.id, optionId: optionIds[0] }] });
    await retract(body.id);
    expect(isSilent(await read(id))).toBe(true);
  });

  it('are shown to everybody, with the winners, once the poll is closed', async () => {
    const poll = await makePoll({ deadline_at: '2100-01-01T00:00:00Z', number_of_winners: 1 });
    await vote(poll.optionIds[0]);
    await vote(poll.optionIds[1], author.as);
    await close(poll);
    const shown = await read(poll.id, stranger.as);
    expect(isCounted(shown)).toBe(true);
    expect(shown).toMatchObject({ closed: true, winners: poll.optionIds.slice(0, 2), ownVotes: [] });
  });

  it('are always shown to all, without names', async () => {
    const { id, optionIds } = await makePoll({ results_visibility: 'always', hide_participants: false });
    await vote(optionIds[0]);
    const { body } = await test.call(readPoll, stranger.as, { params: { id } });
    expect(isCounted(body.poll)).toBe(true);
    expect(JSON.stringify(body)).not.toContain(voter.id);
  });

  it('do not change the score of the live feed', async () => {
    const { id, optionIds } = await makePoll({ results_visibility: 'always' });
    const hot = () =>
      db.selectFrom('activities').select(['hot', 'people_points']).where('id', '=', id).executeTakeFirst();
    const before = await hot();
    await vote(optionIds[0]);
    expect(await hot()).toEqual(before);
  });
});
