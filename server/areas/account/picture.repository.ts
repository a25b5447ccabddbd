import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export async function insertPicture(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  await db.insertInto('profile_images').values({ id, user_id: userId }).execute();
}

/** Deletes uploaded pictures that the user's profile no longer shows, and returns their ids. */
export async function deleteUnusedPictures(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('profile_images as p')
    .using('users as u')
    .where('p.user_id', '=', userId)
    .whereRef('u.id', '=', 'p.user_id')
    .where((eb) => {
      const shown = sql`concat(${eb.ref('u.image_full')}, ' ', ${eb.ref('u.image_thumbnail')})`;
      return sql<boolean>`position(${eb.ref('p.id')}::text in ${shown}) = 0`;
    })
    .returning('p.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The ids that still have a row. */
export async function findPictures(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('profile_images')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
