// Raw SQL: one upsert for tables and columns that vary.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type Upsert<Row extends object> = {
  table: string;
  /** The PostgreSQL type of each column. */
  columns: { [Column in keyof Row & string]: string };
  key: (keyof Row & string)[];
  /** Condition of the partial unique index on `key`. */
  keyWhere?: RawBuilder<unknown>;
  /** Columns written only on insert, so that later changes by administrators stay. */
  onlyNew?: (keyof Row & string)[];
  /** A timestamp column set to now() when a row changes. */
  touch?: string;
  rows: readonly Row[];
};

/** Upserts rows and returns the keys of new and changed ones. Unchanged rows are not written. */
export async function upsertChanged<Row extends object>(
  db: Db,
  upsert: Upsert<Row>,
): Promise<{ key: unknown[]; isNew: boolean }[]> {
  if (upsert.rows.length === 0) return [];
  const names = Object.keys(upsert.columns);
  const kept = names.filter((name) => ![...upsert.key, ...(upsert.onlyNew ?? [])].some((other) => other === name));
  const refs = (prefix: string, columns: string[]) => sql.join(columns.map((name) => sql.ref(`${prefix}.${name}`)));
  const definitions = sql.join(
    Object.entries<string>(upsert.columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  );
  const assignments = kept.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  if (upsert.touch) assignments.push(sql`${sql.ref(upsert.touch)} = now()`);
  const update =
    kept.length === 0
      ? sql`nothing`
      : sql`update set ${sql.join(assignments)} where (${refs('t', kept)}) is distinct from (${refs('excluded', kept)})`;
  const { rows } = await sql<{ key: unknown[]; is_new: boolean }>`
    insert into ${sql.table(upsert.table)} as t (${sql.join(names.map((name) => sql.ref(name)))})
    select ${refs('r', names)} from jsonb_to_recordset(${JSON.stringify(upsert.rows)}::jsonb) as r(${definitions})
    on conflict (${sql.join(upsert.key.map((name) => sql.ref(name)))}) ${upsert.keyWhere ? sql`where ${upsert.keyWhere}` : sql``}
    do ${update}
    returning jsonb_build_array(${refs('t', upsert.key)}) as key, xmax = 0 as is_new`.execute(db);
  return rows.map(({ key, is_new }) => ({ key, isNew: is_new }));
}
