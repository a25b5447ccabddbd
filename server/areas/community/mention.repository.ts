import type { Db } from '#server/db/client.ts';

/** Which of these are accounts that are not erased. */
export async function findMentionable(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('erased_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
