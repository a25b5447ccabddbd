import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type VoteRow = { id: string; pollId: string; optionId: string };

/** A poll as one voter finds it. */
export type Ballot = { isRemoved: boolean; isOpen: boolean; allowsSeveral: boolean; votes: VoteRow[] };

/** Read after `lockPoll`: only a statement begun under the lock sees what came before, and the time it is. */
export async function getBallot(db: Db, ballot: { pollId: string; userId: string }): Promise<Ballot | undefined> {
  const { rows } = await sql<Ballot>`
    select a.deleted_at is not null as "isRemoved",
           p.deadline_at is null or clock_timestamp() < p.deadline_at as "isOpen",
           p.allow_multiple_votes as "allowsSeveral",
           coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'pollId', v.poll_id, 'optionId', v.option_id))
                     from poll_votes v where v.poll_id = p.id and v.user_id = ${ballot.userId}), '[]') as votes
    from polls p join activities a on a.id = p.id
    where p.id = ${ballot.pollId}`.execute(db);
  return rows[0];
}

/** Someone's own vote; another's is as absent as one that never was. */
export async function getOwnVote(db: Db, vote: { id: string; userId: string }): Promise<VoteRow | undefined> {
  const { rows } = await sql<VoteRow>`
    select id, poll_id as "pollId", option_id as "optionId" from poll_votes
    where id = ${vote.id} and user_id = ${vote.userId}`.execute(db);
  return rows[0];
}

export async function insertVote(
  db: Db,
  vote: VoteRow & { userId: string; isOnly: boolean; isFirst: boolean; detail: object },
): Promise<void> {
  await sql`
    with vote as (
      insert into poll_votes (id, poll_id, option_id, user_id, is_only, detail)
      values (${vote.id}, ${vote.pollId}, ${vote.optionId}, ${vote.userId}, ${vote.isOnly}, ${JSON.stringify(vote.detail)})
    ), option as (
      update poll_options set vote_count = vote_count + 1 where id = ${vote.optionId}
    )
    update polls set vote_count = vote_count + 1, voter_count = voter_count + ${vote.isFirst ? 1 : 0}
    where id = ${vote.pollId}`.execute(db);
}

/** The vote stays the same row, for another option. */
export async function moveVote(db: Db, vote: VoteRow, to: { optionId: string; detail: object }): Promise<void> {
  await sql`
    with vote as (
      update poll_votes set option_id = ${to.optionId}, detail = ${JSON.stringify(to.detail)} where id = ${vote.id}
    )
    update poll_options set vote_count = vote_count + case id when ${to.optionId}::uuid then 1 else -1 end
    where id in (${vote.optionId}, ${to.optionId})`.execute(db);
}

export async function deleteVote(db: Db, vote: VoteRow & { isLast: boolean }): Promise<void> {
  await sql`
    with vote as (
      delete from poll_votes where id = ${vote.id}
    ), option as (
      update poll_options set vote_count = vote_count - 1 where id = ${vote.optionId}
    )
    update polls set vote_count = vote_count - 1, voter_count = voter_count - ${vote.isLast ? 1 : 0}
    where id = ${vote.pollId}`.execute(db);
}
