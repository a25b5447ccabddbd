import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type NewPollRow = {
  id: string;
  allowMultipleVotes: boolean;
  deadlineAt: Date | null;
  hideParticipants: boolean;
  numberOfWinners: number;
  resultsVisibility: 'always' | 'after-voting';
  options: { id: string; position: number; body: string }[];
};

/** The poll of an activity that is already there, with its options. */
export async function insertPoll(db: Db, poll: NewPollRow): Promise<void> {
  await db
    .insertInto('polls')
    .values({
      id: poll.id,
      allow_multiple_votes: poll.allowMultipleVotes,
      deadline_at: poll.deadlineAt,
      hide_participants: poll.hideParticipants,
      number_of_winners: poll.numberOfWinners,
      results_visibility: poll.resultsVisibility,
    })
    .execute();
  await db
    .insertInto('poll_options')
    .values(poll.options.map((option) => ({ ...option, poll_id: poll.id })))
    .execute();
}

/** By the database's clock at this very moment, not at the start of the transaction. */
export async function isPast(db: Db, moment: Date): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`select ${moment}::timestamptz <= clock_timestamp() as past`.execute(db);
  return rows[0]?.past ?? true;
}

/** Where a poll stands, and whose it is. A removed one has no place. */
export type PollPlace = { pollId: string; authorId: string; communitySlug: string | null };

const place = sql`
  select a.id as "pollId", a.author_id as "authorId", c.slug as "communitySlug"
  from activities a left join communities c on c.id = a.community_id`;

export async function getPollPlace(db: Db, pollId: string): Promise<PollPlace | undefined> {
  const { rows } = await sql<PollPlace>`
    ${place} where a.id = ${pollId} and a.verb = 'poll' and a.deleted_at is null`.execute(db);
  return rows[0];
}

export async function getPollPlaceOfOption(db: Db, optionId: string): Promise<PollPlace | undefined> {
  const { rows } = await sql<PollPlace>`
    ${place} join poll_options o on o.poll_id = a.id
    where o.id = ${optionId} and a.deleted_at is null`.execute(db);
  return rows[0];
}

/**
 * Every vote, retraction and removal of a poll takes this lock first, so they happen one after another, in one order of
 * locks. A shared lock would not do: each vote goes on to write the poll's own counters.
 */
export async function lockPoll(db: Db, pollId: string): Promise<void> {
  await sql`select 1 from polls where id = ${pollId} for no key update`.execute(db);
}
