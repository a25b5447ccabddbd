// Raw SQL: the tables come from the declarations of the records, and their triggers from the database.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { RecordKind } from './record.format.ts';

/** Lets one archive be read at a time. */
export async function lockArchive(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('archive', 0))`.execute(db);
}

/** The tables among these that have rows. */
export async function findFilledTables(db: Db, tables: readonly string[]): Promise<string[]> {
  const asked = tables.map(
    (table) => sql`select ${table}::text as name where exists (select from ${sql.table(table)})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** The accounts of an installation that has only administrators, and the number of others. */
export async function findFirstAccounts(
  db: Db,
): Promise<{ others: number; administrators: { id: string; email: string | null; passwordHash: string | null }[] }> {
  const administrators = await db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('role', '=', 'administrator')
    .limit(100)
    .execute();
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from users where role <> 'administrator'`.execute(db);
  return { administrators, others: rows[0]!.n }; // returns one row
}

/** Removes an administrator whose account is in the archive. */
export async function removeAccount(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** Gives an administrator of the archive the password that the same person set here. */
export async function keepPassword(
  db: Db,
  { email, passwordHash }: { email: string; passwordHash: string | null },
): Promise<void> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('email', '=', email).execute();
}

/** Turns triggers of these tables off, or on again. */
export async function switchTriggers(
  db: Db,
  { tables, names, isOn }: { tables: readonly string[]; names: readonly string[]; isOn: boolean },
): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select c.relname as "table", t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
      and c.relname = any(${[...tables]}::text[]) and t.tgname = any(${[...names]}::text[]) order by 1, 2`.execute(db);
  for (const { table, name } of rows)
    await sql`alter table ${sql.table(table)} ${sql.raw(isOn ? 'enable' : 'disable')} trigger ${sql.ref(name)}`.execute(
      db,
    );
}

/** Checks the references that wait for the end of the transaction; later ones wait again. */
export async function checkDeferred(db: Db): Promise<void> {
  await sql`set constraints all immediate`.execute(db);
  await sql`set constraints all deferred`.execute(db);
}

/** Refreshes what the planner knows about tables that were just filled. */
export async function analyzeTables(db: Db, kinds: readonly RecordKind[]): Promise<void> {
  for (const { table } of kinds) await sql`analyze ${sql.table(table)}`.execute(db);
  for (const table of ['figure_changes', 'tally_changes']) await sql`analyze ${sql.table(table)}`.execute(db);
}

/** The next status position comes after those of the archive. */
export async function continueNumbers(db: Db): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence('credential_statuses', 'position'), max("position"))
    from credential_statuses having max("position") is not null`.execute(db);
}

/** Adds up the counters whose changes the triggers wrote down. */
export async function foldCounters(db: Db): Promise<void> {
  await sql`select fold_figures()`.execute(db);
  await sql`select fold_tallies()`.execute(db);
}
