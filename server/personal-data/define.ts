// Raw SQL: the table and its condition come from a declaration.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../db/client.ts';
import type { DB } from '../db/schema.ts';

/** The person, and the e-mail address as stored; null where it was never proven. */
export type Person = { id: string; email: string | null };

/** The parts of an export, in order; each has a JSON and an HTML file. */
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

/** The reason why a column is in no export. */
export type LeftOut = { leftOut: string };
export const leftOut = (why: string): LeftOut => ({ leftOut: why });

type Run = (db: Db, person: Person) => Promise<void>;

/** The treatment of the rows when the person is erased, in the same transaction. */
export type Erasure =
  | { rows: 'deleted'; run?: Run }
  /** They stay without anything about the person. */
  | { rows: 'nameless'; why: string; run?: Run }
  /** They stay unchanged. */
  | { rows: 'kept'; why: string };

/** A file of a person: its key in the file store and, if exported, its name in the archive. */
export type PersonalFile = { key: string; name?: string };

/** The personal data of one table, its form in an export and its erasure. In the SQL fragments the row is `t`. */
export type PersonalTable<T extends keyof DB = keyof DB> = {
  table: T;
  part: Part;
  isAbout(person: Person): RawBuilder<unknown>;
  /** Every column: its name in an export, or the reason why it is left out. */
  columns: { [C in keyof Selectable<DB[T]> & string]: string | LeftOut };
  /** Further fields of a row in an export, by name, mostly its context. */
  also?: (person: Person) => Record<string, RawBuilder<unknown>>;
  /** The column that orders an export. */
  order: keyof Selectable<DB[T]> & string;
  erase: Erasure;
  files?: (db: Db, person: Person) => Promise<PersonalFile[]>;
};

/** Declares a table. The column names are checked against the schema: a missing one does not compile. */
export function definePersonalTable<T extends keyof DB>(declaration: PersonalTable<T>): PersonalTable {
  return declaration as unknown as PersonalTable; // the columns were checked; from here on they are names
}

/** The names of a row's fields in an export. */
export function exportedNames(table: PersonalTable): string[] {
  const columns = Object.values(table.columns as Record<string, string | LeftOut>).filter(
    (shown) => typeof shown === 'string',
  );
  return [...columns, ...Object.keys(table.also?.({ id: '', email: null }) ?? {})];
}

/** The rows about a person in their exported form; undefined for a table without exported columns. */
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

/** Erases a person's rows in one table as declared. */
export async function eraseRows(db: Db, table: PersonalTable, person: Person): Promise<void> {
  const { erase } = table;
  if (erase.rows === 'kept') return;
  if (erase.run) await erase.run(db, person);
  else if (erase.rows === 'deleted')
    await sql`delete from ${sql.table(table.table)} t where ${table.isAbout(person)}`.execute(db);
}
