import type { Db } from '#server/db/client.ts';
import { NOW } from '#server/db/client.ts';

export async function getFeed(db: Db, userId: string): Promise<{ createdAt: Date } | undefined> {
  return await db
    .selectFrom('event_feeds')
    .select('created_at as createdAt')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function putFeed(db: Db, userId: string, tokenHash: Buffer): Promise<void> {
  await db
    .insertInto('event_feeds')
    .values({ user_id: userId, token_hash: tokenHash })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ token_hash: tokenHash, created_at: NOW }))
    .execute();
}

export async function deleteFeed(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('event_feeds').where('user_id', '=', userId).execute();
}

/** The person whose calendar address has this token. */
export async function getFeedOwner(db: Db, tokenHash: Buffer): Promise<{ userId: string } | undefined> {
  return await db
    .selectFrom('event_feeds')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}
