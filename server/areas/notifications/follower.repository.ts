// Raw SQL: each statement takes a batch of followers, notifies them and remembers how far it got.
import { sql } from 'kysely';
import { userMeets } from '#server/areas/community/members/reader.sql.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { insertNotices } from '#server/notify/notify.ts';

/** Followers notified in one transaction. */
const BATCH = 500;

/** The people who watch the community of a new post. The mentioned are notified already. */
const OF_POST = sql`
  select f.user_id, 'community_post' as event, a.community_id as object_id, a.id as activity_id, a.id as since_id
  from news join activities a on a.id = news.activity_id and a.deleted_at is null
    join follows f on f.community_id = a.community_id and f.level = 'watching'
  where f.user_id <> a.author_id and not f.user_id = any(a.mentioned)`;

/**
 * The people who watch the thread of a new reply, except those whom the reply answers or mentions: they are notified
 * already.
 */
const OF_REPLY = sql`
  select f.user_id, 'thread_reply' as event, r.activity_id as object_id, r.activity_id, r.id as since_id
  from news join reactions r on r.id = news.reaction_id and r.deleted_at is null
    join activities a on a.id = r.activity_id and a.deleted_at is null
    left join reactions parent on parent.id = r.parent_id
    join follows f on f.activity_id = r.activity_id and f.level = 'watching'
  where f.user_id not in (r.user_id, coalesce(parent.user_id, a.author_id)) and not f.user_id = any(r.mentioned)`;

/**
 * The followers of the author of a new post, except those who chose a level for its community. Those who may not read it
 * are left out: it would move the time of their notification of another post.
 */
const OF_AUTHOR = sql`
  select f.user_id, 'person_post' as event, a.author_id as object_id, a.id as activity_id, a.id as since_id
  from news join activities a on a.id = news.activity_id and a.deleted_at is null
    join follows f on f.person_id = a.author_id and f.level = 'watching'
    join users u on u.id = f.user_id
  where ${userMeets(sql`a.community_id`)} and not f.user_id = any(a.mentioned)
    and not exists (select from follows place where place.user_id = f.user_id and place.community_id = a.community_id)`;

/** The followers of the author or a topic of a new article, each once. */
const OF_ARTICLE = sql`
  select distinct f.user_id, 'new_article' as event, r.id as object_id, null::uuid as activity_id, null::uuid as since_id
  from news join articles r on r.id = news.article_id and r.withdrawn_at is null
    join follows f on f.level = 'watching' and (f.person_id = r.author_id or f.topic = any(r.tags))
  where f.user_id <> r.author_id`;

/**
 * The condition that a follower of the author may read the post: it would move the time of their notification of another
 * post. Asked of a batch, because the followers of one person can be very many.
 */
const MAY_READ = sql`(batch.event <> 'person_post' or exists (
  select from users u join activities a on a.id = batch.activity_id
  where u.id = batch.user_id and ${userMeets(sql`a.community_id`)}))`;

const SOURCES = [OF_POST, OF_REPLY, OF_AUTHOR, OF_ARTICLE];

/**
 * Notifies the next followers of the oldest new text, and removes it after the last of them. Returns false when there is
 * none, or when another worker is at it.
 */
async function notifyBatch(db: Db): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    // One worker at a time: two that notify the same people could deadlock.
    const { rows } = await sql<{ id: string }>`
      select id from follow_news
      where pg_try_advisory_xact_lock(hashtextextended('follow news', 0)) order by id limit 1`.execute(trx);
    const [news] = rows;
    if (!news) return false;
    const batches = SOURCES.map(
      (source) => sql`(
        select * from (${source}) f where news_from is null or f.user_id > news_from order by f.user_id limit ${BATCH})`,
    );
    const { rows: done } = await sql<{ last: string | null; count: number }>`
      with news as materialized (select * from follow_news where id = ${news.id}),
      batch as materialized (
        select * from (${sql.join(
          batches.map(
            (batch) => sql`select * from (select notified_to as news_from from news) n cross join lateral ${batch} f`,
          ),
          sql` union all `,
        )}) found order by user_id limit ${BATCH}),
      told as (${insertNotices(sql`(select * from batch where ${MAY_READ})`)})
      select (select user_id from batch order by user_id desc limit 1) as last, count(*)::int as count from batch`.execute(
      trx,
    );
    const { last = null, count = 0 } = done[0] ?? {};
    if (last !== null && count === BATCH)
      await trx.updateTable('follow_news').set({ notified_to: last }).where('id', '=', news.id).execute();
    else await trx.deleteFrom('follow_news').where('id', '=', news.id).execute();
    return true;
  });
}

/** Notifies the followers of all new texts. */
export async function notifyFollowers(db: Db): Promise<void> {
  while (await notifyBatch(db));
}
