// Raw SQL: votes are cast and retracted by functions that lock; casting is prepared, with numbered values.
import { sql } from 'kysely';
import { type Db, prepared } from '#server/db/client.ts';
import { type Expected, expectedValues, IS_EXPECTED } from '../members/access.repository.ts';

/** closed: the deadline had passed by the database's clock; gone: the poll was removed, or the vote was retracted. */
export type VoteOutcome = 'done' | 'closed' | 'gone';

/** outdated: the access is no longer the expected one. */
export type CastOutcome = VoteOutcome | 'outdated';

/** A vote to cast; with a community, only for an option of a poll there. */
export type NewVote = { id: string; optionId: string; userId: string; detail: object; communityId?: string };

const CAST = prepared<{ outcome: CastOutcome; id: string }>(
  () => sql<{ outcome: CastOutcome; id: string }>`
    select case when expected.held then voted.outcome else 'outdated' end as outcome, voted.vote_id as id
    from (select ${sql.raw(IS_EXPECTED)} as held offset 0) expected
      cross join lateral cast_vote($4, case when expected.held then (
          select o.id from poll_options o join activities a on a.id = o.poll_id
          where o.id = $5 and ($6::uuid is null or a.community_id = $6)) end, $1, $7) voted`,
);

/**
 * Moves the user's vote in a single-choice poll, finds their vote for the option, or adds one with `id`; returns the
 * vote. `cast_vote` locks, checks the deadline and counts in the same statement. outdated: the access is no longer the
 * expected one.
 */
export async function castVote(
  db: Db,
  vote: NewVote,
  expected?: Expected,
): Promise<{ outcome: CastOutcome; id: string }> {
  const { id, optionId, userId, detail, communityId = null } = vote;
  const values = [...expectedValues(userId, expected), id, optionId, communityId, JSON.stringify(detail)];
  const [row] = await CAST(db, values);
  return row!; // a function with out parameters returns one row
}

export async function retractVote(db: Db, vote: { id: string; userId: string }): Promise<VoteOutcome> {
  const { rows } = await sql<{ outcome: VoteOutcome }>`
    select outcome from retract_vote(${vote.id}, ${vote.userId})`.execute(db);
  return rows[0]!.outcome; // a function with out parameters returns one row
}

/** The poll of the user's own vote; undefined for another's vote and an unknown id. */
export async function getPollOfVote(db: Db, vote: { id: string; userId: string }): Promise<string | undefined> {
  const row = await db
    .selectFrom('poll_votes')
    .select('poll_id')
    .where('id', '=', vote.id)
    .where('user_id', '=', vote.userId)
    .executeTakeFirst();
  return row?.poll_id;
}
