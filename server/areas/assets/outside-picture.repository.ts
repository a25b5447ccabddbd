import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Whether a picture is stored or known to be unavailable. Undefined when it has to be fetched. */
export async function getStored(db: Db, name: string): Promise<{ isThere: boolean } | undefined> {
  return await db
    .selectFrom('outside_pictures')
    .select('is_there as isThere')
    .where('name', '=', name)
    .where('good_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

export async function putStored(
  db: Db,
  { name, isThere, seconds }: { name: string; isThere: boolean; seconds: number },
): Promise<void> {
  await db
    .insertInto('outside_pictures')
    .values({ name, is_there: isThere, good_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({
        is_there: eb.ref('excluded.is_there'),
        good_until: eb.ref('excluded.good_until'),
      })),
    )
    .execute();
}

/** Deletes expired rows and the oldest beyond `most`. Returns the names of the stored pictures among them. */
export async function deleteExpired(db: Db, most: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('outside_pictures')
    .where((eb) =>
      eb.or([
        eb('good_until', '<', sql<Date>`now()`),
        eb('name', 'in', eb.selectFrom('outside_pictures').select('name').orderBy('good_until', 'desc').offset(most)),
      ]),
    )
    .returning(['name', 'is_there'])
    .execute();
  return rows.filter(({ is_there }) => is_there).map(({ name }) => name);
}
