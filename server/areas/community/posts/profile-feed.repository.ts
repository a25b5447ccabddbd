import { sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import type { Db } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow } from '../members/access.repository.ts';
import { type Reader, readerSql, showsProfile } from '../reader.sql.ts';
import {
  OWN_COLUMNS,
  type OwnPostPart,
  pageText,
  POSTS,
  type PostWords,
  TITLE,
} from '../reading/post-skeleton.repository.ts';

export type FeedOf = {
  authorId: string;
  /** The scopes whose audience the reader is in. */
  scopes: Scope[];
  seesAll: boolean;
  /** The communities the session may use a membership, or being an administrator, in; null: all. */
  slugs: string[] | null;
  limit: number;
  offset: number;
};
/** A community in which something of the page is said; `owners`: its author, if they own it. */
export type FeedPlace = CommunityAccessRow & { title: string; owners: string[] | null };

export type ProfileFeedRow = OwnPostPart & {
  posts: PostWords[];
  places: FeedPlace[];
  total: number;
  /** Closed communities on the page that the reader is no member of. */
  strangeIds: string[];
};

/**
 * A page of what a person said in communities whose content the reader may read and on their own profile, newest first; undefined
 * for nobody. The conditions are those of `communitySight`; an unlisted community shows only to
 * its members, and its own posts to their author. A profile the reader may not see shows nothing.
 */
export async function findProfileFeed(db: Db, reader: Reader, feed: FeedOf): Promise<ProfileFeedRow | undefined> {
  const counts = isOpenSlug('c.slug', feed.slugs);
  const hasContent = sql`${counts}
    and (${feed.seesAll} or (v.is_active and m.status = 'active' and (m.role = 'owner' or m.level is distinct from 0)))`;
  const isOpen = sql`(c.privacy = 'open-visible' or (c.privacy = 'open-hidden' and a.author_id = v.id and ${counts}))
    and (coalesce(p.can_view, 'private') = any(${feed.scopes}::text[]) or (${counts} and is_granted(v.id, c.entry_id)))`;
  const { rows } = await sql<ProfileFeedRow>`
    with seen as materialized (
      select a.id, case when c.privacy in ('closed-hidden', 'closed-visible') and m.status is distinct from 'active'
        then c.id end as strange_id
      from ${readerSql(reader.viewer, reader.locale)} cross join users u join activities a on a.author_id = u.id
        left join communities c on c.id = a.community_id
        left join entries e on e.id = c.entry_id and e.status = 'published'
        left join products p on p.entry_id = c.entry_id
        left join community_members m
          on m.community_id = c.id and m.user_id = v.id and (m.expires_on <= now()) is not true
      where u.id = ${feed.authorId} and ${sql.raw(showsProfile('u'))}
        and a.deleted_at is null and a.lesson_key is null
        and (a.community_id is null or (e.id is not null and ((${hasContent}) or (${isOpen}))))
    ), ranked as (
      select a.*, a.xmin as version, row_number() over (order by a.id desc) as nth from (
        select id from seen order by id desc limit ${feed.limit} offset ${feed.offset}) one
      join activities a on a.id = one.id
    ), ${sql.raw(pageText('select * from ranked'))}
    select (select count(*)::int from seen) as total,
      coalesce((select array_agg(distinct seen.strange_id) from seen join page on page.id = seen.id
        where seen.strange_id is not null), '{}') as "strangeIds",
      ${sql.raw(OWN_COLUMNS)}, ${sql.raw(POSTS)} as posts,
      (select coalesce(json_agg(row_to_json(place)), '[]') from (
        select ${sql.raw(ACCESS_COLUMNS)}, ${sql.raw(TITLE)} as title, (
          select array_agg(o.user_id) from community_members o
          where o.community_id = c.id and o.user_id = author.id and o.role = 'owner' and o.status = 'active') as owners
        from ${sql.raw(ACCESS_SOURCE)} where c.id in (select community_id from page)) place) as places
    from users author cross join ${readerSql(reader.viewer, reader.locale)}
    where author.id = ${feed.authorId} and author.erased_at is null and author.email_proven_at is not null`.execute(db);
  return rows[0];
}
