import { ANONYMOUS_USER_ID } from '@officium/contract/common';
import type { Db } from '#server/db/client.ts';

/** The id of a community's newest post; without posts the zero UUID, which sorts first. */
export async function getNewestPost(db: Db, communityId: string): Promise<string> {
  const row = await db
    .selectFrom('activities')
    .select('id')
    .where('community_id', '=', communityId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? ANONYMOUS_USER_ID;
}

const MAX_COUNT = 100;

/** Number of newer posts by other users, at most 100. */
export async function countPostsSince(
  db: Db,
  { communityId, since, userId }: { communityId: string; since: string | undefined; userId: string | undefined },
): Promise<number> {
  const newer = db
    .selectFrom('activities')
    .select('id')
    .where('community_id', '=', communityId)
    .where('deleted_at', 'is', null)
    .where('id', '>', since ?? ANONYMOUS_USER_ID)
    .$if(userId !== undefined, (query) => query.where('author_id', '<>', userId!)) // checked just before
    .limit(MAX_COUNT);
  const { count } = await db
    .selectFrom(newer.as('newer'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
