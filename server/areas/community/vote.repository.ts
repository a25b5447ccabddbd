import { sql } from 'kysely';
import { type Db, runPrepared } from '#server/db/client.ts';

/** closed: the deadline had passed by the database's clock; gone: the poll was removed, or the vote was taken back. */
export type VoteOutcome = 'done' | 'closed' | 'gone';

/**
 * Votes: moves the vote somebody has in a poll of one choice, finds the one they have for the option, or adds `id`.
 * Answers which vote it is. One statement, `cast_vote` of the migrations, with lock, clock and counters.
 */
export async function castVote(
  db: Db,
  vote: { id: string; optionId: string; userId: string; detail: object },
): Promise<{ outcome: VoteOutcome; id: string }> {
  const rows = await runPrepared(
    db,
    sql<{ outcome: VoteOutcome; id: string }>`
      select outcome, vote_id as id
      from cast_vote(${vote.id}, ${vote.optionId}, ${vote.userId}, ${JSON.stringify(vote.detail)})`,
  );
  return rows[0]!; // a function with out parameters answers one row
}

export async function retractVote(db: Db, vote: { id: string; userId: string }): Promise<VoteOutcome> {
  const { rows } = await sql<{ outcome: VoteOutcome }>`
    select outcome from retract_vote(${vote.id}, ${vote.userId})`.execute(db);
  return rows[0]!.outcome; // as above
}

/** The poll of somebody's own vote; another's vote is as absent as one that never was. */
export async function getPollOfVote(db: Db, vote: { id: string; userId: string }): Promise<string | undefined> {
  const { rows } = await sql<{ poll_id: string }>`
    select poll_id from poll_votes where id = ${vote.id} and user_id = ${vote.userId}`.execute(db);
  return rows[0]?.poll_id;
}
