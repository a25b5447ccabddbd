import { castVote, createCommunityPoll, readPoll, removePoll, retractVote } from '@officium/contract/polls';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeCommunity, makeMember } from '../factories/communities.ts';
import { type Nodes, tally } from './nodes.ts';

export function pollRaces({ test, ask, storm }: Nodes): void {
  const { db } = test.ctx;
  const makeVoters = async (count: number) => {
    const community = await makeCommunity(db);
    const voters: TestPerson[] = [];
    for (let nth = 0; nth < count; nth++) {
      voters.push(await makePerson(test));
      await makeMember(db, community, voters[nth]!); // just added
    }
    return { community, voters };
  };
  const startPoll = async (community: { slug: string }, author: TestPerson, settings: object) => {
    const options = [1, 2, 3, 4].map((position) => ({ position, body: `Option ${position}` }));
    const { body } = await ask(0, createCommunityPoll, author.as, {
      params: { slug: community.slug },
      body: { title: 'Which?', options, settings: { results_visibility: 'always', ...settings } },
    });
    return body as { id: string; optionIds: string[] };
  };
  const vote = (voter: TestPerson, optionId: string | undefined) =>
    [castVote, voter.as, { params: { id: optionId }, body: {} }] as [typeof castVote, object, object];
  /** The votes of a poll, after checking that every counter agrees with them. */
  const votesOf = async (pollId: string) => {
    const { rows } = await sql<{ id: string; option_id: string; user_id: string; created_at: Date }>`
      select id, option_id, user_id, created_at from poll_votes where poll_id = ${pollId}`.execute(db);
    const { rows: counted } = await sql`
      select p.vote_count, p.voter_count,
        (select json_agg(o.vote_count order by o.position) from poll_options o where o.poll_id = p.id) as options,
        (select json_agg((select count(*) from poll_votes v where v.option_id = o.id) order by o.position)
          from poll_options o where o.poll_id = p.id) as rows
      from polls p where p.id = ${pollId}`.execute(db);
    expect(counted).toEqual([
      {
        vote_count: rows.length,
        voter_count: new Set(rows.map((row) => row.user_id)).size,
        options: expect.anything(),
        rows: (counted[0] as { options: number[] }).options,
      },
    ]);
    return rows;
  };

  it('200 votes of one person in a single-choice poll count once', async () => {
    const { community, voters } = await makeVoters(1);
    const { id, optionIds } = await startPoll(community, voters[0]!, {});
    const answers = await storm(Array.from({ length: 200 }, (_, nth) => vote(voters[0]!, optionIds[nth % 4])));
    expect(tally(answers)).toEqual({ 201: 200 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await votesOf(id)).toHaveLength(1);
  });

  it('200 votes of one person for one option of a multiple-choice poll count once', async () => {
    const { community, voters } = await makeVoters(1);
    const { id, optionIds } = await startPoll(community, voters[0]!, { allow_multiple_votes: true });
    const answers = await storm(Array.from({ length: 200 }, () => vote(voters[0]!, optionIds[0])));
    expect(tally(answers)).toEqual({ 201: 200 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await votesOf(id)).toHaveLength(1);
  });

  it('votes cast, moved and retracted by many at once are all counted', async () => {
    const { community, voters } = await makeVoters(60);
    for (const allow_multiple_votes of [false, true]) {
      const { id, optionIds } = await startPoll(community, voters[0]!, { allow_multiple_votes });
      await Promise.all(
        voters.map(async (voter, nth) => {
          const node = nth % 2 === 0 ? 0 : 1;
          const first = await ask(node, ...vote(voter, optionIds[nth % 4]));
          const second = await ask(node === 0 ? 1 : 0, ...vote(voter, optionIds[(nth + 1) % 4]));
          expect([first.status, second.status]).toEqual([201, 201]);
          if (nth % 3 === 0) {
            const back = [retractVote, voter.as, { params: { id: second.body.id } }] as const;
            expect(tally(await storm([[...back], [...back]]))).toEqual({ 200: 1, '404 request.not_found': 1 });
          }
        }),
      );
      expect(await votesOf(id)).toHaveLength(allow_multiple_votes ? 100 : 40);
      const { body } = await ask(1, readPoll, voters[1]!.as, { params: { id } });
      expect(body.poll.totalVotes).toBe(allow_multiple_votes ? 100 : 40);
    }
  });

  it('a vote is stored before its poll is removed, or finds no poll', async () => {
    const { community, voters } = await makeVoters(60);
    const { id, optionIds } = await startPoll(community, voters[0]!, {});
    const requests = voters.map((voter, nth) => vote(voter, optionIds[nth % 4]));
    const answers = await storm([
      ...requests.slice(0, 20),
      [removePoll, voters[0]!.as, { params: { id } }],
      ...requests.slice(20),
    ]);
    const [removed] = answers.splice(20, 1);
    expect(removed?.status).toBe(200);
    const { 201: cast = 0, '404 request.not_found': missed = 0, ...others } = tally(answers);
    expect([cast + missed, others]).toEqual([60, {}]);
    expect(await votesOf(id)).toHaveLength(cast);
    expect(tally(await storm(requests))).toEqual({ '404 request.not_found': 60 });
  });

  it('a vote is stored before the deadline, or refused', async () => {
    const { community, voters } = await makeVoters(60);
    const { id, optionIds } = await startPoll(community, voters[0]!, {});
    await sql`update polls set deadline_at = clock_timestamp() + interval '150 ms' where id = ${id}`.execute(db);
    const answers = [];
    // Continue until the poll is closed, however long that takes.
    for (let round = 0; answers.at(-1)?.status !== 409; round++)
      answers.push(...(await storm(voters.map((voter, nth) => vote(voter, optionIds[(nth + round) % 4])))));
    const { 201: cast = 0, '409 community.poll_closed': refused = 0, ...others } = tally(answers);
    expect([cast + refused, others]).toEqual([answers.length, {}]);
    const { rows } = await sql`
      select 1 from poll_votes v join polls p on p.id = v.poll_id
      where p.id = ${id} and v.created_at > p.deadline_at`.execute(db);
    expect(rows).toEqual([]);
    await votesOf(id);
  });
}
