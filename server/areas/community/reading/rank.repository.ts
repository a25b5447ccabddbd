// Raw SQL: the columns are the expressions by which the index orders the feed.
import type { Ranking } from '@officium/contract/community';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { rankColumns, type RankRow } from './ranking.sql.ts';

/** The parts of a post's rank in the feed of its community; undefined when there is no such post. */
export async function getRank(
  db: Db,
  { communityId, id, ranking }: { communityId: string; id: string; ranking: Ranking },
): Promise<RankRow | undefined> {
  const { rows } = await sql<RankRow>`
    select ${sql.raw(rankColumns(ranking))} from activities a
    where a.id = ${id} and a.community_id = ${communityId} and a.deleted_at is null`.execute(db);
  return rows[0];
}
