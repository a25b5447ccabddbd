import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../db/client.ts';
import type { DB } from '../db/schema.ts';

/** Whom it is about, and the address as it is stored; null where it was never shown to be theirs. */
export type Person = { id: string; email: string | null };

/** The files an export has, in this order: each is one of JSON and one of HTML. */
export const PARTS = [
  'account',
  'security',
  'people',
  'communities',
  'writing',
  'learning',
  'assistant',
  'mails',
  'log',
] as const;
export type Part = (typeof PARTS)[number];

/** Of a column: why it is in no export. */
export type LeftOut = { leftOut: string };
export const leftOut = (why: string): LeftOut => ({ leftOut: why });

type Run = (db: Db, person: Person) => Promise<void>;

/** What becomes of the rows when the person is erased, in the transaction that does it. */
export type Erasure =
  | { rows: 'deleted'; run?: Run }
  /** They stay and say nothing of the person any more. */
  | { rows: 'nameless'; why: string; run?: Run }
  /** They stay as they are. */
  | { rows: 'kept'; why: string };

/** A file of a person: its key among the files and, when exports have it, its name there. */
export type PersonalFile = { key: string; name?: string };

/**
 * What one table holds about people, how an export shows it and what an erasure does to it. In the fragments of SQL the
 * row is `t`.
 */
export type PersonalTable<T extends keyof DB = keyof DB> = {
  table: T;
  part: Part;
  isAbout(person: Person): RawBuilder<unknown>;
  /** Every column: the name it has in an export, or why it is not there. */
  columns: { [C in keyof Selectable<DB[T]> & string]: string | LeftOut };
  /** What else an export says of a row, by name: where it belongs, mostly. */
  also?: (person: Person) => Record<string, RawBuilder<unknown>>;
  /** The column an export is in the order of. */
  order: keyof Selectable<DB[T]> & string;
  erase: Erasure;
  files?: (db: Db, person: Person) => Promise<PersonalFile[]>;
};

/** Declares a table, holding the names of its columns against the schema: one that is forgotten does not compile. */
export function definePersonalTable<T extends keyof DB>(declaration: PersonalTable<T>): PersonalTable {
  return declaration as unknown as PersonalTable; // the columns were checked; from here on they are names
}

/** The names a row has in an export. */
export function exportedNames(table: PersonalTable): string[] {
  const columns = Object.values(table.columns as Record<string, string | LeftOut>).filter(
    (shown) => typeof shown === 'string',
  );
  return [...columns, ...Object.keys(table.also?.({ id: '', email: null }) ?? {})];
}

/** The rows about a person as an export shows them; undefined for a table none of whose columns is exported. */
export function exportQuery(table: PersonalTable, person: Person): RawBuilder<Record<string, unknown>> | undefined {
  const columns = Object.entries(table.columns as Record<string, string | LeftOut>).flatMap(([column, shown]) =>
    typeof shown === 'string' ? [sql`t.${sql.ref(column)} as ${sql.ref(shown)}`] : [],
  );
  const also = Object.entries(table.also?.(person) ?? {}).map(([name, value]) => sql`${value} as ${sql.ref(name)}`);
  if (columns.length + also.length === 0) return undefined;
  return sql`
    select ${sql.join([...columns, ...also])} from ${sql.table(table.table)} t where ${table.isAbout(person)}
    order by t.${sql.ref(table.order)}`;
}

/** Does to the rows of a table what erasing a person asks for. */
export async function eraseRows(db: Db, table: PersonalTable, person: Person): Promise<void> {
  const { erase } = table;
  if (erase.rows === 'kept') return;
  if (erase.run) await erase.run(db, person);
  else if (erase.rows === 'deleted')
    await sql`delete from ${sql.table(table.table)} t where ${table.isAbout(person)}`.execute(db);
}
