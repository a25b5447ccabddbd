import { type RawBuilder, sql } from 'kysely';
import { countPeople } from '#server/access/people-tally.ts';
import type { Db } from '#server/db/client.ts';
import { PERSON_COLUMNS, type PersonRow } from '#server/areas/account/person.view.ts';
import type { UserRow } from '#server/areas/auth/user.service.ts';
import { escaped, holdsWord } from './word.sql.ts';

/** Accounts in the order they were made, all of them or that of an address. */
export async function findUsers(
  db: Db,
  { email, limit, offset }: { email?: string; limit: number; offset: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const users = db.selectFrom('users').where('erased_at', 'is', null);
  if (email !== undefined) {
    // An address is one account's.
    const rows = await users.where('email', '=', email).selectAll().execute();
    return { rows: rows.slice(offset, offset + limit), total: rows.length };
  }
  // The page is found in the index alone; whole rows are read of those on it, not of those before.
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', users.select('id').orderBy('created_at').orderBy('id').limit(limit).offset(offset))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const counted = await sql<{ total: number }>`select ${countPeople({})} as total`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

const USABLE = sql`u.erased_at is null and u.email_proven_at is not null and u.role <> 'inactive'`;

/** Whom a reader finds, in parts that are each in the order of an index. */
function sights({ seesAll, readerId }: { seesAll: boolean; readerId: string }): RawBuilder<unknown>[] {
  return seesAll
    ? [USABLE]
    : [sql`${USABLE} and u.visibility = 'public'`, sql`${USABLE} and u.visibility <> 'public' and u.id = ${readerId}`];
}

/**
 * People in use whose profile holds every one of the words, those whose name begins with the first word first.
 * `readerId` finds themselves whatever their visibility.
 */
export async function searchPeople(
  db: Db,
  search: { words: string[]; readerId: string; seesAll: boolean; limit: number; offset: number },
): Promise<{ rows: PersonRow[]; total: number }> {
  const { words, limit, offset } = search;
  const holds = sql.join([sql`true`, ...words.map(holdsWord)], sql` and `);
  const parts = sights(search);
  const begins = sql`u.search_text like search_form(${`${escaped(words[0] ?? '')}%`}::text)`;
  // Whose name begins so and whose does not are looked for one after another, each by name. Of the former the index by
  // name is of no use, as they may all stand at its end: `offset 0` keeps it out.
  const found = (half: RawBuilder<unknown>, sight: RawBuilder<unknown>) =>
    sql`select u.id, lower(u.name) as sorted from users u where ${sight} and ${half} and ${holds}`;
  const page = sql`order by sorted, id limit ${limit + offset}`;
  const candidates = parts.flatMap((sight) =>
    words.length === 0
      ? [sql`(select true as begins, f.* from (${found(sql`true`, sight)}) f ${page})`]
      : [
          sql`(select true as begins, f.* from (${found(begins, sight)} offset 0) f ${page})`,
          sql`(select false as begins, f.* from (${found(sql`not ${begins}`, sight)}) f ${page})`,
        ],
  );
  const columns = sql.join(PERSON_COLUMNS.map((column) => sql.ref(`u.${column}`)));
  const shown = sql<PersonRow>`
    select ${columns} from (
      select * from (${sql.join(candidates, sql` union all `)}) c order by begins desc, sorted, id
      limit ${limit} offset ${offset}) c join users u on u.id = c.id
    order by c.begins desc, c.sorted, c.id`;
  const counts =
    words.length > 0
      ? parts.map((sight) => sql`(select count(*)::int from users u where ${sight} and ${holds})`)
      : search.seesAll
        ? [countPeople({ isInUse: true })]
        : [
            countPeople({ isInUse: true, visibility: 'public' }),
            sql`(select count(*)::int from users u where ${parts[1]!})`, // a reader's sight has two parts
          ];
  const counted = sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`;
  const [{ rows }, total] = await Promise.all([shown.execute(db), counted.execute(db)]);
  return { rows, total: total.rows[0]?.total ?? 0 };
}
