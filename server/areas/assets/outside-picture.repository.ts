import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Whether a picture is kept, or known not to be had; undefined when it is to be fetched. */
export async function getKept(db: Db, name: string): Promise<{ isThere: boolean } | undefined> {
  const { rows } = await sql<{ isThere: boolean }>`
    select is_there as "isThere" from outside_pictures where name = ${name} and good_until > now()`.execute(db);
  return rows[0];
}

export async function putKept(
  db: Db,
  { name, isThere, seconds }: { name: string; isThere: boolean; seconds: number },
): Promise<void> {
  await sql`
    insert into outside_pictures (name, is_there, good_until)
    values (${name}, ${isThere}, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set is_there = excluded.is_there, good_until = excluded.good_until`.execute(db);
}

/** Forgets what is over and what is beyond `most`, the oldest first; answers the names of the pictures. */
export async function deleteOver(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ name: string; is_there: boolean }>`
    delete from outside_pictures
    where good_until < now() or name in (select name from outside_pictures order by good_until desc offset ${most})
    returning name, is_there`.execute(db);
  return rows.filter(({ is_there }) => is_there).map(({ name }) => name);
}
