import type { Locale } from '@officium/contract/common';
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

/** The active account whose calendar address has this token. */
export async function getFeedOwner(db: Db, tokenHash: Buffer): Promise<{ id: string; locale: Locale } | undefined> {
  return await db
    .selectFrom('event_feeds as f')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .select(['u.id', 'u.locale'])
    .where('f.token_hash', '=', tokenHash)
    .where('u.erased_at', 'is', null)
    .where('u.role', '<>', 'inactive')
    .$narrowType<{ locale: Locale }>()
    .executeTakeFirst();
}
