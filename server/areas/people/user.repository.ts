import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { PERSON_COLUMNS, type PersonRow } from '#server/areas/account/person.view.ts';
import type { UserRow } from '#server/areas/auth/user.service.ts';

/** Accounts in the order they were made, all of them or that of an address. */
export async function findUsers(
  db: Db,
  { email, limit, offset }: { email?: string; limit: number; offset: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const found = db
    .selectFrom('users')
    .where('erased_at', 'is', null)
    .$if(email !== undefined, (users) => users.where('email', '=', email ?? ''));
  const rows = await found.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset).execute();
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/**
 * People in use whose profile holds every one of the words, those whose name begins with the first word first.
 * `readerId` finds themselves whatever their visibility.
 */
export async function searchPeople(
  db: Db,
  search: { words: string[]; readerId: string; seesAll: boolean; limit: number; offset: number },
): Promise<{ rows: PersonRow[]; total: number }> {
  // Wide forms become what they stand for before it is escaped: unaccent would do it after.
  const escaped = search.words.map((word) => word.normalize('NFKC').replace(/[\\%_]/g, '\\$&'));
  const holds = escaped.map((word) => sql`u.search_text like search_form(${`%${word}%`}::text)`);
  const where = sql.join(
    [
      sql`u.erased_at is null and u.email_proven_at is not null and u.role <> 'inactive'`,
      sql`(${search.seesAll} or u.visibility = 'public' or u.id = ${search.readerId})`,
      ...holds,
    ],
    sql` and `,
  );
  const columns = sql.join(PERSON_COLUMNS.map((column) => sql.ref(`u.${column}`)));
  const { rows } = await sql<PersonRow>`
    select ${columns} from users u where ${where}
    order by u.search_text like search_form(${`${escaped[0] ?? ''}%`}::text) desc, lower(u.name), u.id
    limit ${search.limit} offset ${search.offset}`.execute(db);
  const total = await sql<{ total: number }>`select count(*)::int as total from users u where ${where}`.execute(db);
  return { rows, total: total.rows[0]?.total ?? 0 };
}
