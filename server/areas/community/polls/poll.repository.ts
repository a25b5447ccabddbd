// Raw SQL: prepared, because every vote reads the place of its poll first.
import { sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { type Db, prepared } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type ReadAccess } from '../members/access.repository.ts';
import { VIEWER, viewerValues, showsProfile } from '../viewer.sql.ts';

export type NewPollRow = {
  id: string;
  allowMultipleVotes: boolean;
  deadlineAt: Date | null;
  hideParticipants: boolean;
  numberOfWinners: number;
  resultsVisibility: 'always' | 'after-voting';
  options: { id: string; position: number; body: string }[];
};

/** The poll of an existing activity, with its options. */
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

/** Compares with the database's current clock, not with the start of the transaction. */
export async function isPast(db: Db, moment: Date): Promise<boolean> {
  const { past } = await db
    .selectNoFrom(sql<boolean>`${moment}::timestamptz <= clock_timestamp()`.as('past'))
    .executeTakeFirstOrThrow();
  return past;
}

/** The place of a poll, and its author. Undefined for a removed poll. */
export type PollPlace = {
  pollId: string;
  authorId: string;
  /** Whether the viewer sees the author's full profile. */
  showsAuthor: boolean;
  isInCommunity: boolean;
  /** The viewer's access to the community; undefined outside communities and in a withdrawn one. */
  community: ReadAccess | undefined;
};

type PlaceRow = Omit<PollPlace, 'community'> & (ReadAccess | { id: null });

const placeOf = (pollId: string) =>
  prepared<PlaceRow>(
    () => sql<PlaceRow>`
      select a.id as "pollId", a.author_id as "authorId", ${sql.raw(showsProfile('u'))} as "showsAuthor",
        a.community_id is not null as "isInCommunity", access.*, access::text as text
      from ${sql.raw(VIEWER)} cross join activities a join users u on u.id = a.author_id
        left join lateral (
          select ${sql.raw(ACCESS_COLUMNS)} from ${sql.raw(ACCESS_SOURCE)} where c.id = a.community_id) access on true
      where a.id = ${sql.raw(pollId)} and a.verb = 'poll' and a.deleted_at is null`,
  );
const PLACE_OF_POLL = placeOf('$5');
const PLACE_OF_OPTION = placeOf('(select poll_id from poll_options where id = $5)');

/** The poll with this id, or with this option. */
export async function getPollPlace(
  db: Db,
  viewer: Viewer,
  by: { pollId: string } | { optionId: string },
): Promise<PollPlace | undefined> {
  const values = viewerValues(viewer, 'en');
  const [row] = await ('pollId' in by
    ? PLACE_OF_POLL(db, [...values, by.pollId])
    : PLACE_OF_OPTION(db, [...values, by.optionId]));
  return row && { ...row, community: row.id === null ? undefined : row };
}
