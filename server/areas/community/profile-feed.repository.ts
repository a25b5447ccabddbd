import { sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import type { Db } from '#server/db/client.ts';
import { ACTIVITY_JSON } from './activity.sql.ts';
import { type Reader, readerSql, showsProfile } from './reader.sql.ts';

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
export type ProfileFeedRow = {
  results: string;
  total: number;
  /** Closed communities on the page that the reader is no member of. */
  strangeIds: string[];
};

/**
 * A page of what a person said in communities whose content the reader may read and on their own profile, newest first,
 * as JSON text; undefined for nobody. The conditions are those of `communitySight`; an unlisted community shows only to
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
    ), page as (
      select * from seen order by id desc limit ${feed.limit} offset ${feed.offset}
    )
    select (select count(*)::int from seen) as total,
      coalesce((select array_agg(distinct strange_id) from page where strange_id is not null), '{}') as "strangeIds",
      (select '[' || coalesce(string_agg(one.json, ',' order by one.id desc), '') || ']' from (
        select a.id, ${sql.raw(ACTIVITY_JSON)} as json
        from ${readerSql(reader.viewer, reader.locale)} cross join page join activities a on a.id = page.id
          join users u on u.id = a.author_id left join communities c on c.id = a.community_id) one) as results
    from users author
    where author.id = ${feed.authorId} and author.erased_at is null and author.email_proven_at is not null`.execute(db);
  return rows[0];
}
