import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DB } from '#server/db/schema.ts';
import type { LeftOut } from '#server/personal-data/define.ts';

/** The settings that stored values depend on. */
export type ArchivePlace = { publicUrl: string };

/** The records of one table: one file of the archive, with one JSON object a line. */
export type RecordKind<T extends keyof DB = keyof DB> = {
  /** The file `records/<file>.ndjson`. */
  file: string;
  table: T;
  /** One phrase for the documentation. */
  about: string;
  /** Every column: the name of its field, or the reason why it is left out. */
  fields: { [C in keyof Selectable<DB[T]> & string]: string | LeftOut };
  /** The columns that order the records. A row comes after the rows it refers to. */
  order: readonly (keyof Selectable<DB[T]> & string)[];
  /** A condition on the row `t`; other rows are left out. */
  only?: RawBuilder<unknown>;
  /** Values of fields that differ from the column, by column. The row is `t`. */
  written?: (place: ArchivePlace) => Partial<Record<keyof Selectable<DB[T]> & string, RawBuilder<unknown>>>;
  /** Values of columns that differ from the field, or have none. The record is `r`. */
  stored?: (place: ArchivePlace) => Partial<Record<keyof Selectable<DB[T]> & string, RawBuilder<unknown>>>;
  /** Fields of which the product stores only some values, such as keys of files and addresses that pages link. */
  checked?: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Rows that an empty installation may have already; they stay. */
  mayExist?: boolean;
};

/** Declares a table. A column that is not named does not compile. */
export function defineRecords<T extends keyof DB>(declaration: RecordKind<T>): RecordKind {
  return declaration as unknown as RecordKind; // the columns were checked; from here on they are names
}

export type Field = { column: string; name: string };

export function fieldsOf(kind: RecordKind): Field[] {
  return Object.entries(kind.fields as Record<string, string | LeftOut>).flatMap(([column, name]) =>
    typeof name === 'string' ? [{ column, name }] : [],
  );
}

/** Columns that are in no archive, with the reason. */
export function leftOutOf(kind: RecordKind): { column: string; why: string }[] {
  return Object.entries(kind.fields as Record<string, string | LeftOut>).flatMap(([column, name]) =>
    typeof name === 'string' ? [] : [{ column, why: name.leftOut }],
  );
}

/** The address of an uploaded picture without the origin of the installation, which changes with its address. */
export function withoutOrigin(column: string, publicUrl: string): RawBuilder<unknown> {
  const value = sql.ref(`t.${column}`);
  return sql`case when starts_with(${value}, ${publicUrl}::text || '/files/')
    then substr(${value}, length(${publicUrl}::text) + 1) else ${value} end`;
}

export function withOrigin(field: string, publicUrl: string): RawBuilder<unknown> {
  const value = sql.ref(`r.${field}`);
  return sql`case when starts_with(${value}, '/files/') then ${publicUrl}::text || ${value} else ${value} end`;
}
