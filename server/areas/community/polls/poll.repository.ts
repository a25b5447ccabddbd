import { sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { type Db, prepared } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type ReadAccess } from '../members/access.repository.ts';
import { READER, readerValues, showsProfile } from '../reader.sql.ts';

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
export type PollPlace = {
  pollId: string;
  authorId: string;
  /** May the reader see the author's profile in full? */
  showsAuthor: boolean;
  isInCommunity: boolean;
  /** How the reader stands to the community; undefined where there is none, and where it is withdrawn. */
  community: ReadAccess | undefined;
};

type PlaceRow = Omit<PollPlace, 'community'> & (ReadAccess | { id: null });

const placeOf = (pollId: string) =>
  prepared<PlaceRow>(
    () => sql<PlaceRow>`
      select a.id as "pollId", a.author_id as "authorId", ${sql.raw(showsProfile('u'))} as "showsAuthor",
        a.community_id is not null as "isInCommunity", access.*, access::text as text
      from ${sql.raw(READER)} cross join activities a join users u on u.id = a.author_id
        left join lateral (
          select ${sql.raw(ACCESS_COLUMNS)} from ${sql.raw(ACCESS_SOURCE)} where c.id = a.community_id) access on true
      where a.id = ${sql.raw(pollId)} and a.verb = 'poll' and a.deleted_at is null`,
  );
const PLACE_OF_POLL = placeOf('$5');
const PLACE_OF_OPTION = placeOf('(select poll_id from poll_options where id = $5)');

/** The poll with this id, or that which has this option. */
export async function getPollPlace(
  db: Db,
  viewer: Viewer,
  by: { pollId: string } | { optionId: string },
): Promise<PollPlace | undefined> {
  const reader = readerValues(viewer, 'en');
  const [row] = await ('pollId' in by
    ? PLACE_OF_POLL(db, [...reader, by.pollId])
    : PLACE_OF_OPTION(db, [...reader, by.optionId]));
  return row && { ...row, community: row.id === null ? undefined : row };
}
