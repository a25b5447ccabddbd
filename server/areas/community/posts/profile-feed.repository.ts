// Raw SQL: one statement of the parts that feeds share as SQL: access, texts and authors.
import { sql } from 'kysely';
import { SEES_COMMUNITY_CONTENT } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow } from '../members/access.repository.ts';
import { isActiveOwner } from '../members/rights.sql.ts';
import { communityRule, viewerConditions } from '../members/visibility.sql.ts';
import { type LocalViewer, viewerSql, showsProfile } from '../viewer.sql.ts';
import {
  OWN_COLUMNS,
  type OwnPostPart,
  pageText,
  POSTS,
  type PostTuple,
  TITLE,
} from '../reading/post-skeleton.repository.ts';

/** A community with posts on the page; `owners`: the author, if an owner. */
export type FeedPlace = CommunityAccessRow & { title: string; owners: string[] | null };

export type ProfileFeedRow = OwnPostPart & {
  posts: PostTuple[];
  places: FeedPlace[];
  total: number;
  /** Closed communities on the page that the viewer is no member of. */
  closedIds: string[];
};

/**
 * A page of a person's posts that the viewer may read, in communities and on the profile, newest first; undefined for
 * an unknown person. An unlisted community shows only to its members, and
 * its own posts to their author. A profile the viewer may not see shows nothing.
 */
export async function findProfileFeed(
  db: Db,
  localViewer: LocalViewer,
  feed: { authorId: string; limit: number; offset: number },
): Promise<ProfileFeedRow | undefined> {
  const viewer = viewerConditions(localViewer.viewer, 'is_granted(v.id, c.entry_id)');
  const isListed = sql`(${communityRule({ any: ['hasLevel', 'isListed'] }, viewer)} or (a.author_id = v.id and ${viewer.counts}))`;
  const { rows } = await sql<ProfileFeedRow>`
    with seen as materialized (
      select a.id, case when c.privacy in ('closed-hidden', 'closed-visible') and m.status is distinct from 'active'
        then c.id end as closed_id
      from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join users u join activities a on a.author_id = u.id
        left join communities c on c.id = a.community_id
        left join entries e on e.id = c.entry_id and e.status = 'published'
        left join products p on p.entry_id = c.entry_id
        left join community_members m
          on m.community_id = c.id and m.user_id = v.id and (m.expires_on <= now()) is not true
      where u.id = ${feed.authorId} and ${sql.raw(showsProfile('u'))}
        and a.deleted_at is null and a.lesson_key is null
        and (a.community_id is null or (e.id is not null and (${communityRule(SEES_COMMUNITY_CONTENT, viewer)} and ${isListed})))
    ), ranked as (
      select a.*, a.xmin as version, row_number() over (order by a.id desc) as nth from (
        select id from seen order by id desc limit ${feed.limit} offset ${feed.offset}) one
      join activities a on a.id = one.id
    ), ${sql.raw(pageText('select * from ranked'))}
    select (select count(*)::int from seen) as total,
      coalesce((select array_agg(distinct seen.closed_id) from seen join page on page.id = seen.id
        where seen.closed_id is not null), '{}') as "closedIds",
      ${sql.raw(OWN_COLUMNS)}, ${sql.raw(POSTS)} as posts,
      (select coalesce(json_agg(row_to_json(place)), '[]') from (
        select ${sql.raw(ACCESS_COLUMNS)}, ${sql.raw(TITLE)} as title, (
          select array_agg(o.user_id) from community_members o
          where o.community_id = c.id and o.user_id = author.id and ${sql.raw(isActiveOwner('o'))}) as owners
        from ${sql.raw(ACCESS_SOURCE)} where c.id in (select community_id from page)) place) as places
    from users author cross join ${viewerSql(localViewer.viewer, localViewer.locale)}
    where author.id = ${feed.authorId} and author.erased_at is null and author.email_proven_at is not null`.execute(db);
  return rows[0];
}
