import { ANONYMOUS_USER_ID } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** The id of the newest post of a community; the zero UUID, which is before all others, when there is none. */
export async function getNewestPost(db: Db, communityId: string): Promise<string> {
  const { rows } = await sql<{ id: string | null }>`
    select id from activities where community_id = ${communityId} and deleted_at is null order by id desc limit 1`.execute(
    db,
  );
  return rows[0]?.id ?? ANONYMOUS_USER_ID;
}

const MOST = 100;

/** How many posts by others are newer, at most a hundred. */
export async function countPostsSince(
  db: Db,
  { communityId, since, userId }: { communityId: string; since: string | undefined; userId: string | undefined },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from activities
      where community_id = ${communityId} and deleted_at is null and id > ${since ?? ANONYMOUS_USER_ID}::uuid
        and author_id is distinct from ${userId ?? null}::uuid
      limit ${MOST}) newer`.execute(db);
  return rows[0]?.count ?? 0;
}
