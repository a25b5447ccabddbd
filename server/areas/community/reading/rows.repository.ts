// Raw SQL: prepared, a hot read: the rows of four kinds whose cached copies are out of date, in one statement.
import type { Locale } from '@officium/contract/common';
import type { Badges } from '@officium/contract/community';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type Db, prepared } from '#server/db/client.ts';
import type { Versioned } from './row.cache.ts';

/** A post or a poll. Timestamps are ISO 8601 with microseconds, as PostgreSQL writes them in JSON. */
export type ActivityRow = Versioned & {
  verb: 'post' | 'poll';
  title: string | null;
  body: string | null;
  bodyHtml: string | null;
  locale: Locale;
  categories: string[];
  additionalData: Record<string, unknown>;
  authorId: string;
  likeCount: number;
  replyCount: number;
  isPinned: boolean;
  createdAt: string;
  updatedAt: string;
  editedAt: string | null;
};

/** A person as shown beside a post; `badges` omits those of communities that are not public. */
export type ShownPersonRow = Versioned & {
  name: string;
  isErased: boolean;
  isAdministrator: boolean;
  visibility: 'default' | 'public' | 'private';
  thumbnail: string | null;
  jobTitle: string | null;
  organization: string | null;
  badges: z.output<typeof Badges>;
};

export type PollRow = Versioned & {
  allowMultipleVotes: boolean;
  deadlineAt: string | null;
  hideParticipants: boolean;
  numberOfWinners: number;
  resultsVisibility: 'always' | 'after-voting';
  totalVotes: number;
  options: { id: string; position: number; body: string; votes: number }[];
};

export type ReactionRow = Versioned & {
  kind: 'like' | 'pin' | 'reply';
  activityId: string;
  parentId: string | null;
  depth: number;
  userId: string;
  body: string | null;
  bodyHtml: string | null;
  locale: Locale;
  additionalData: Record<string, unknown>;
  /** A deleted reply with replies stays as an empty one. */
  isDeleted: boolean;
  likeCount: number;
  replyCount: number;
  createdAt: string;
  updatedAt: string;
  editedAt: string | null;
};

export type Rows = { activities: ActivityRow[]; people: ShownPersonRow[]; polls: PollRow[]; reactions: ReactionRow[] };

/** The columns of an ActivityRow except its version, for a row `a`. */
export const ACTIVITY_COLUMNS = `a.id, a.verb, a.title, a.body, a.body_html as "bodyHtml", a.locale, a.categories,
  a.additional_data as "additionalData", a.author_id as "authorId", a.like_count as "likeCount",
  a.reply_count as "replyCount", a.pin_count > 0 as "isPinned", a.created_at as "createdAt",
  a.updated_at as "updatedAt", a.edited_at as "editedAt"`;

/** The columns of a ShownPersonRow except its version, for a row `u`. */
export const PERSON_COLUMNS = `u.id, u.name, u.erased_at is not null as "isErased",
  u.role = 'administrator' as "isAdministrator", u.visibility, u.image_thumbnail as thumbnail,
  u.job_title as "jobTitle", u.organization, u.public_badges as badges`;

/** The version of a poll `p`: that of its row and of its options, whose rows count the votes. */
export const POLL_VERSION = `(
  select concat_ws(' ', p.xmin, string_agg(o.xmin::text, ' ' order by o.position)) from poll_options o where o.poll_id = p.id)`;

const POLL_COLUMNS = `p.id, p.allow_multiple_votes as "allowMultipleVotes", p.deadline_at as "deadlineAt",
  p.hide_participants as "hideParticipants", p.number_of_winners as "numberOfWinners",
  p.results_visibility as "resultsVisibility", p.vote_count as "totalVotes", (
    select json_agg(json_build_object('id', o.id, 'position', o.position, 'body', o.body, 'votes', o.vote_count)
      order by o.position)
    from poll_options o where o.poll_id = p.id) as options`;

/** The columns of a ReactionRow except its version, for a row `r`. */
export const REACTION_COLUMNS = `r.id, r.kind, r.activity_id as "activityId", r.parent_id as "parentId", r.depth,
  r.user_id as "userId", r.body, r.body_html as "bodyHtml", r.locale, r.additional_data as "additionalData",
  r.deleted_at is not null as "isDeleted", r.like_count as "likeCount", r.reply_count as "replyCount",
  r.created_at as "createdAt", r.updated_at as "updatedAt", r.edited_at as "editedAt"`;

const asJson = (columns: string, version: string, from: string) => `(
  select coalesce(json_agg(row_to_json(found)), '[]') from (select ${columns}, ${version} as version from ${from}) found)`;

// The lists come from subqueries, so that one plan serves any number of ids.
const FIND = prepared<Rows>(
  () => sql<Rows>`
    select ${sql.raw(asJson(ACTIVITY_COLUMNS, 'a.xmin', 'activities a where a.id = any((select $1::uuid[])::uuid[])'))} as activities,
      ${sql.raw(asJson(PERSON_COLUMNS, 'u.xmin', 'users u where u.id = any((select $2::uuid[])::uuid[])'))} as people,
      ${sql.raw(asJson(POLL_COLUMNS, POLL_VERSION, 'polls p where p.id = any((select $3::uuid[])::uuid[])'))} as polls,
      ${sql.raw(asJson(REACTION_COLUMNS, 'r.xmin', 'reactions r where r.id = any((select $4::uuid[])::uuid[])'))} as reactions`,
);

/** The current rows by their ids, in one statement. */
export async function findRows(db: Db, ids: Record<keyof Rows, string[]>): Promise<Rows> {
  const [rows] = await FIND(db, [ids.activities, ids.people, ids.polls, ids.reactions]);
  return rows!; // a select without `from` returns one row
}
