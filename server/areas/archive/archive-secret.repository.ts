// Raw SQL: the records are JSON, and the tables come from the declarations.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { LEFT_OUT_TABLES } from './archive-records.data.ts';

const ROWS_AT_ONCE = 1_000;

/** Passwords and whether there is a second factor, as lines of JSON. */
export async function* readPasswords(db: Db): AsyncGenerator<string[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<{ id: string; line: string }>`
      select id, json_build_object('id', id, 'hash', password_hash, 'secondFactor', second_factor)::text as line
      from users where id > ${after} and (password_hash is not null or second_factor)
      order by id limit ${ROWS_AT_ONCE}`.execute(db);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

export async function setPasswords(db: Db, lines: readonly string[]): Promise<void> {
  await sql`
    update users set password_hash = r.hash, second_factor = r."secondFactor"
    from jsonb_to_recordset(${`[${lines.join(',')}]`}::jsonb) as r(id uuid, hash text, "secondFactor" boolean)
    where users.id = r.id`.execute(db);
}

/** Tables that outlive a restoration: the schema, what comes with the product, published keys, and who did what. */
const KEPT = ['audit_log', 'content_reconciliation', 'credential_keys', 'function_files', 'migrations'];

/** Empties the installation. */
export async function emptyInstallation(db: Db): Promise<void> {
  const published = Object.entries(LEFT_OUT_TABLES).flatMap(([table, why]) =>
    why.startsWith('published statistics') ? [table] : [],
  );
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${[...KEPT, ...published]}::text[]) order by 1`.execute(db);
  await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))} restart identity`.execute(db);
}
