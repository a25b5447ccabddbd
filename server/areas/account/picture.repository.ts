import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export async function insertPicture(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  await sql`insert into profile_images (id, user_id) values (${id}, ${userId})`.execute(db);
}

/** Forgets the pictures a person uploaded and shows no longer; answers their ids. */
export async function deleteUnusedPictures(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from profile_images p using users u
    where p.user_id = ${userId} and u.id = p.user_id
      and position(p.id::text in concat(u.image_full, ' ', u.image_thumbnail)) = 0
    returning p.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Which of these are somebody's. */
export async function findPictures(db: Db, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from profile_images where id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
