// Raw SQL: the tables and columns come from the declarations of the records.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { type ArchivePlace, type Field, fieldsOf, type RecordKind } from './record.format.ts';

/** The PostgreSQL type of each column by `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

const ROWS_AT_ONCE = 1_000;

/** Removes the limits of requests for this transaction. Only the wait for a lock keeps one. */
export async function allowLongTransaction(db: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
  await sql`set local lock_timeout = '30s'`.execute(db);
  await sql`set local timezone = 'UTC'`.execute(db);
}

/** The time of the transaction's snapshot. */
export async function readSnapshotTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]!.now; // returns one row
}

export async function readColumnTypes(db: Db): Promise<ColumnTypes> {
  const { rows } = await sql<{ name: string; type: string }>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`.execute(db);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Reads the records of a table as lines of JSON, some at a time. `db` is a transaction, with no other query meanwhile. */
export async function* readRecords(
  db: Db,
  kind: RecordKind,
  { place, types }: { place: ArchivePlace; types: ColumnTypes },
): AsyncGenerator<string[]> {
  const written: Record<string, RawBuilder<unknown> | undefined> = kind.written?.(place) ?? {};
  const values = fieldsOf(kind).map(({ column, name }) => {
    const value = written[column] ?? sql.ref(`t.${column}`);
    const shown = types.get(`${kind.table}.${column}`) === 'bytea' ? sql`encode(${value}, 'hex')` : value;
    return sql`${shown} as ${sql.ref(name)}`;
  });
  const order = kind.order.map((column: string) => sql.ref(`t.${column}`));
  await sql`
    declare archive_rows no scroll cursor for
    select row_to_json(r)::text as line from (
      select ${sql.join(values)} from ${sql.table(kind.table)} t where ${kind.only ?? sql`true`}
      order by ${sql.join(order)}) r`.execute(db);
  for (let isDone = false; !isDone;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(ROWS_AT_ONCE)} from archive_rows`.execute(db);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    isDone = rows.length < ROWS_AT_ONCE;
  }
  await sql`close archive_rows`.execute(db);
}

/** The type of a field in JSON: bytes are hexadecimal. */
const typeInJson = (type: string) => (type === 'bytea' ? 'text' : type);

function recordset(kind: RecordKind, lines: readonly string[], types: ColumnTypes): RawBuilder<unknown> {
  const fields = fieldsOf(kind).map(
    ({ column, name }) => sql`${sql.ref(name)} ${sql.raw(typeInJson(types.get(`${kind.table}.${column}`) ?? 'text'))}`,
  );
  return sql`jsonb_to_recordset(${`[${lines.join(',')}]`}::jsonb) as r(${sql.join(fields)})`;
}

/** Inserts records as they are. Throws the database's error for a record that it refuses. */
export async function insertRecords(
  db: Db,
  kind: RecordKind,
  { lines, place, types }: { lines: readonly string[]; place: ArchivePlace; types: ColumnTypes },
): Promise<void> {
  const values = new Map<string, RawBuilder<unknown>>();
  for (const { column, name } of fieldsOf(kind)) {
    const field = sql.ref(`r.${name}`);
    values.set(column, types.get(`${kind.table}.${column}`) === 'bytea' ? sql`decode(${field}, 'hex')` : field);
  }
  const stored: Record<string, RawBuilder<unknown> | undefined> = kind.stored?.(place) ?? {};
  for (const [column, value] of Object.entries(stored)) if (value) values.set(column, value);
  await sql`
    insert into ${sql.table(kind.table)} (${sql.join([...values.keys()].map((column) => sql.ref(column)))})
    select ${sql.join([...values.values()])} from ${recordset(kind, lines, types)}
    ${kind.mayExist ? sql`on conflict do nothing` : sql``}`.execute(db);
}

/** Reads one field of a record. Throws the database's error if its value has the wrong type. */
export async function readField(
  db: Db,
  kind: RecordKind,
  { field, line, types }: { field: Field; line: string; types: ColumnTypes },
): Promise<void> {
  const type = types.get(`${kind.table}.${field.column}`) ?? 'text';
  const value = type === 'bytea' ? sql`decode(r.value, 'hex')` : sql`r.value`;
  await sql`
    select ${value} from jsonb_to_recordset(jsonb_build_array(jsonb_build_object('value',
      ${line}::jsonb -> ${field.name}::text))) as r(value ${sql.raw(typeInJson(type))})`.execute(db);
}

/** The columns of a constraint or unique index; empty for an unknown name. */
export async function findConstraintColumns(db: Db, name: string): Promise<string[]> {
  const { rows } = await sql<{ column: string }>`
    select a.attname as "column" from (
      select conrelid as relation, unnest(conkey) as number from pg_constraint where conname = ${name}
      union
      select i.indrelid, unnest(i.indkey::int2[]) from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = ${name}) k
    join pg_attribute a on a.attrelid = k.relation and a.attnum = k.number order by a.attnum`.execute(db);
  return rows.map(({ column }) => column);
}
