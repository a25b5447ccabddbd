import { MAX_OFFSET } from '@officium/contract/common';
import { CURSOR_HOURS } from '@officium/contract/community';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Db } from '#server/db/client.ts';
import { type FeedRequest, sourceText } from './post-skeleton.repository.ts';
import { orderText } from './ranking.sql.ts';

/** A community's feed in one order: the part of a request that all pages of a walk share. */
export type WalkedFeed = Pick<FeedRequest, 'slug' | 'ranking' | 'category'>;

/** Stores the present order of a feed after the posts of `firstIds`, and returns the snapshot's id. */
export async function insertSnapshot(
  pool: Pool,
  { slug, ranking, category }: WalkedFeed,
  firstIds: readonly string[],
): Promise<string | undefined> {
  const alive = 'a.community_id = c.id and a.deleted_at is null and a.id <> all($3::uuid[])';
  const where = category === undefined ? alive : `${alive} and a.categories @> array[$4::text]`;
  const { rows } = await pool.query<{ id: string }>(
    `insert into feed_snapshots (community_id, ranking, category, post_ids)
    select c.id, $2, $4, $3::uuid[] || array(
      select a.id from ${sourceText(ranking, where)} order by ${orderText(ranking)} limit ${MAX_OFFSET} - cardinality($3::uuid[]))
    from communities c where c.slug = $1
    returning id`,
    [slug, ranking, firstIds, category ?? null],
  );
  return rows[0]?.id;
}

/** Ids of a snapshot from `position` on, and the number of its posts; undefined: there is no such snapshot any more. */
export async function findSnapshotPage(
  db: Db,
  feed: WalkedFeed,
  { id, position, limit }: { id: string; position: number; limit: number },
): Promise<{ ids: string[]; total: number } | undefined> {
  return await db
    .selectFrom('feed_snapshots as s')
    .innerJoin('communities as c', 'c.id', 's.community_id')
    .select([
      sql<string[]>`s.post_ids[${position + 1}::int : ${position + limit}::int]`.as('ids'),
      sql<number>`cardinality(s.post_ids)`.as('total'),
    ])
    .where('s.id', '=', id)
    .where('c.slug', '=', feed.slug)
    .where('s.ranking', '=', feed.ranking)
    .where('s.category', 'is not distinct from', feed.category ?? null)
    .where('s.taken_at', '>', sql<Date>`now() - make_interval(hours => ${CURSOR_HOURS})`)
    .executeTakeFirst();
}
