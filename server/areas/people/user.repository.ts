// Raw SQL: the search for people is a union of ordered, limited subqueries that each fit an index.
import { type RawBuilder, sql } from 'kysely';
import { countPeople } from '#server/access/people-tally.ts';
import type { Db } from '#server/db/client.ts';
import { PERSON_COLUMNS, type PersonRow } from '#server/areas/account/person.view.ts';
import type { UserRow } from '#server/areas/auth/user.service.ts';
import { escapeLike, containsWord } from './word.sql.ts';

/** Accounts by creation date: all, or the one with this address. */
export async function findUsers(
  db: Db,
  { email, limit, offset }: { email?: string; limit: number; offset: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const users = db.selectFrom('users').where('erased_at', 'is', null);
  if (email !== undefined) {
    // At most one account has the address.
    const rows = await users.where('email', '=', email).selectAll().execute();
    return { rows: rows.slice(offset, offset + limit), total: rows.length };
  }
  // The subquery finds the page in the index, so whole rows are read for this page only.
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', users.select('id').orderBy('created_at').orderBy('id').limit(limit).offset(offset))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const { total } = await db.selectNoFrom(countPeople({}).as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

const USABLE = sql`u.erased_at is null and u.email_proven_at is not null and u.role <> 'inactive'`;

/** Conditions for the people a viewer can find. Each one is served in order by an index. */
function sights({ seesAll, viewerId }: { seesAll: boolean; viewerId: string }): RawBuilder<unknown>[] {
  return seesAll
    ? [USABLE]
    : [sql`${USABLE} and u.visibility = 'public'`, sql`${USABLE} and u.visibility <> 'public' and u.id = ${viewerId}`];
}

export type PeopleSearch = { words: string[]; viewerId: string; seesAll: boolean; limit: number; offset: number };

const holdsAll = (words: string[]) => sql.join([sql`true`, ...words.map(containsWord)], sql` and `);

/**
 * Active people whose profile contains all words. Names that begin with the first word come first. The viewer always
 * finds themselves.
 */
export async function findMatching(db: Db, search: PeopleSearch): Promise<PersonRow[]> {
  const { words, limit, offset } = search;
  const holds = holdsAll(words);
  const begins = sql`u.search_text like search_form(${`${escapeLike(words[0] ?? '')}%`}::text)`;
  // Two searches by name: names that begin with the first word, then the others. `offset 0` stops the planner from
  // using the index by name for the first one, whose matches may all be at its end.
  const found = (half: RawBuilder<unknown>, sight: RawBuilder<unknown>) =>
    sql`select u.id, lower(u.name) as sorted from users u where ${sight} and ${half} and ${holds}`;
  const page = sql`order by sorted, id limit ${limit + offset}`;
  const candidates = sights(search).flatMap((sight) =>
    words.length === 0
      ? [sql`(select true as begins, f.* from (${found(sql`true`, sight)}) f ${page})`]
      : [
          sql`(select true as begins, f.* from (${found(begins, sight)} offset 0) f ${page})`,
          sql`(select false as begins, f.* from (${found(sql`not ${begins}`, sight)}) f ${page})`,
        ],
  );
  const columns = sql.join(PERSON_COLUMNS.map((column) => sql.ref(`u.${column}`)));
  const { rows } = await sql<PersonRow>`
    select ${columns} from (
      select * from (${sql.join(candidates, sql` union all `)}) c order by begins desc, sorted, id
      limit ${limit} offset ${offset}) c join users u on u.id = c.id
    order by c.begins desc, c.sorted, c.id`.execute(db);
  return rows;
}

/** How many people `findMatching` finds on all pages. */
export async function countMatching(db: Db, search: PeopleSearch): Promise<number> {
  const { words, seesAll } = search;
  const parts = sights(search);
  const counts =
    words.length > 0
      ? parts.map((sight) => sql`(select count(*)::int from users u where ${sight} and ${holdsAll(words)})`)
      : seesAll
        ? [countPeople({ isInUse: true })]
        : [
            countPeople({ isInUse: true, visibility: 'public' }),
            sql`(select count(*)::int from users u where ${parts[1]!})`, // always two conditions in this case
          ];
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(db);
  return rows[0]?.total ?? 0;
}
