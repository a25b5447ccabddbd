import { type RawBuilder, sql } from 'kysely';
import { localText } from '#server/areas/community/viewer.sql.ts';
import { isMuted, isWatched } from './muted.sql.ts';

type Source = { head: RawBuilder<unknown>; actor: RawBuilder<unknown>; discussions: string[]; replies: string[] };

/** The most new posts or replies that one notification counts. */
const MAX_NEWS = 100;

/** New posts of communities that the viewer watches, except those of muted threads and people. */
function ofWatchedCommunities({ head, actor, discussions }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${actor}, source.count, ${sql.raw(localText('c.title', 'c.locale'))}, null,
      case when source.count = 1 then array['post', c.slug, source.id::text] else array['community', c.slug] end,
      null, null::timestamptz, null
    from v cross join n
    join communities c on c.id = n.object_id and c.id = any(${discussions}::uuid[]) and ${isWatched('community_id', 'c.id')}
    cross join lateral (
      select (array_agg(a.id order by a.id desc))[1] as id, (array_agg(a.author_id order by a.id desc))[1] as user_id,
        count(*)::int as count
      from (
        select a.id, a.author_id from activities a
        where a.community_id = c.id and a.deleted_at is null and a.id >= n.since_id and a.author_id <> v.id
          -- Both values, so that the index of the feed applies.
          and (a.pin_count > 0) = any(array[false, true]) and not v.id = any(a.mentioned)
          and not ${isMuted('activity_id', 'a.id')} and not ${isMuted('person_id', 'a.author_id')}
        limit ${sql.lit(MAX_NEWS)}) a) source
    left join users u on u.id = source.user_id and u.erased_at is null
    where n.event = 'community_post' and source.count > 0`;
}

/** New replies in threads that the viewer watches, except those of muted people. */
function ofWatchedThreads({ head, actor, replies }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${actor}, source.count, coalesce(a.title, ${sql.raw(localText('c.title', 'c.locale'))}),
      ${sql.raw(localText('c.title', 'c.locale'))}, array['post', c.slug, a.id::text], source.id, null::timestamptz, null
    from v cross join n
    join activities a on a.id = n.object_id and a.deleted_at is null and ${isWatched('activity_id', 'a.id')}
    join communities c on c.id = a.community_id and c.id = any(${replies}::uuid[])
    cross join lateral (
      select (array_agg(r.id order by r.id desc))[1] as id, (array_agg(r.user_id order by r.id desc))[1] as user_id,
        count(*)::int as count
      from (
        select r.id, r.user_id from reactions r left join reactions parent on parent.id = r.parent_id
        where r.activity_id = a.id and r.kind = 'reply' and r.deleted_at is null and r.id >= n.since_id
          and r.user_id <> v.id and not v.id = any(r.mentioned) and not ${isMuted('person_id', 'r.user_id')}
          -- A reply to the viewer has a notification of its own.
          and coalesce(parent.user_id, a.author_id) <> v.id
        limit ${sql.lit(MAX_NEWS)}) r) source
    left join users u on u.id = source.user_id and u.erased_at is null
    where n.event = 'thread_reply' and source.count > 0`;
}

/** New posts of people whom the viewer follows, in communities for which the viewer chose no level. */
function ofFollowedPeople({ head, actor, discussions }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${actor}, source.count,
      case when source.count = 1 then (
        select ${sql.raw(localText('c.title', 'c.locale'))} from communities c where c.id = source.community_id) end,
      null,
      case when source.count = 1 then (
        select array['post', c.slug, source.id::text] from communities c where c.id = source.community_id)
        else array['person', u.id::text] end,
      null, null::timestamptz, null
    from v cross join n
    join users u on u.id = n.object_id and u.erased_at is null and ${isWatched('person_id', 'u.id')}
    cross join lateral (
      select (array_agg(a.id order by a.id desc))[1] as id,
        (array_agg(a.community_id order by a.id desc))[1] as community_id, count(*)::int as count
      from (
        select a.id, a.community_id from activities a
        where a.author_id = u.id and a.deleted_at is null and a.id >= n.since_id
          and a.community_id = any(${discussions}::uuid[]) and not v.id = any(a.mentioned)
          and not exists (select from mine where mine.community_id = a.community_id)
          and not ${isMuted('activity_id', 'a.id')}
        limit ${sql.lit(MAX_NEWS)}) a) source
    where n.event = 'person_post' and source.count > 0`;
}

/** New articles of people and on topics that the viewer follows, except those of muted people. */
const ofArticles = ({ head, actor }: Source) => sql`
  select ${head}, ${actor}, 1, r.title, null, array['article', r.slug], null, null::timestamptz, null
  from v cross join n
  join articles r on r.id = n.object_id and r.withdrawn_at is null
    and (${isWatched('person_id', 'r.author_id')} or exists (select from mine where mine.topic = any(r.tags)))
    and not ${isMuted('person_id', 'r.author_id')}
  left join users u on u.id = r.author_id and u.erased_at is null
  where n.event = 'new_article'`;

/** Notifications about what the viewer follows. */
export function ofFollows(source: Source): RawBuilder<unknown> {
  return sql.join(
    [ofWatchedCommunities(source), ofWatchedThreads(source), ofFollowedPeople(source), ofArticles(source)],
    sql` union all `,
  );
}
