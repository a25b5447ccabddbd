import { type RawBuilder, sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { IMPERSONAL_TABLES, PERSONAL_TABLES } from '#server/app/personal-tables.ts';

const { db } = (await createTestApp()).ctx;

type Column = { table: string; column: string; refersToUsers: boolean };

/** Every column of the product's tables, from the database. */
async function columnsOfSchema(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as "table", a.attname as "column", exists (
      select from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid and k.confrelid = 'users'::regclass
        and a.attnum = any(k.conkey)) as "refersToUsers"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, 2`.execute(db);
  return rows;
}

/** Typical names of columns about people. */
const ABOUT_PEOPLE =
  /(^|_)(user|users|person|people|member|members|author|owner|asker|actor|caller|voter|referrer|email|mail|recipient|name|nickname|phone|address|ip|agent|image|thumbnail|picture|photo|biography|birth\w*|location|contact|deleted_by|created_by|updated_by)(_|$)/;

/** Columns with such a name that are not about people. */
const NAMED_ALIKE: Record<string, string> = {
  'cohorts.name': 'the name of a group',
  'cohorts.support_contact': 'the contact of an organization, for the whole group',
  'communities.member_count': 'a number',
  'job_statements.people_exposure': 'a rating of a task',
  'function_files.name': 'the name of a file',
  'migrations.name': 'the name of a file',
  'outside_pictures.name': 'a hashed address',
  'polls.voter_count': 'a number',
  'week_figures.people': 'a number',
};

/** Columns and tables without a declaration, and declarations without a column or table. */
function faultsOf(schema: Column[]): string[] {
  const tables = new Map<string, Column[]>();
  for (const column of schema) tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  const declared = new Map(PERSONAL_TABLES.map((table) => [table.table as string, Object.keys(table.columns)]));
  const faults: string[] = [];
  for (const [table, columns] of tables) {
    const named = declared.get(table);
    if (named) {
      for (const { column } of columns) if (!named.includes(column)) faults.push(`${table}.${column} is not declared`);
      for (const name of named)
        if (!columns.some(({ column }) => column === name)) faults.push(`${table}.${name} is declared and absent`);
      continue;
    }
    if (!Object.hasOwn(IMPERSONAL_TABLES, table)) faults.push(`${table} is not declared`);
    for (const { column, refersToUsers } of columns)
      if (refersToUsers || (ABOUT_PEOPLE.test(column) && !Object.hasOwn(NAMED_ALIKE, `${table}.${column}`)))
        faults.push(`${table}.${column} is about people, and ${table} declares neither export nor erasure`);
  }
  for (const table of [...declared.keys(), ...Object.keys(IMPERSONAL_TABLES)])
    if (!tables.has(table)) faults.push(`${table} is declared and absent`);
  return faults;
}

describe('the registry of personal data', () => {
  const made: RawBuilder<unknown>[] = [];
  afterEach(async () => {
    for (const undo of made.splice(0)) await undo.execute(db);
  });
  const change = async (text: RawBuilder<unknown>, undo: RawBuilder<unknown>) => {
    await text.execute(db);
    made.push(undo);
  };

  it('declares every table and column', async () => {
    expect(faultsOf(await columnsOfSchema())).toEqual([]);
  });

  it('reports an undeclared table that refers to people', async () => {
    await change(
      sql`create table notes (id uuid primary key, whose uuid references users)`,
      sql`drop table if exists notes`,
    );
    expect(faultsOf(await columnsOfSchema())).toEqual([
      'notes is not declared',
      'notes.whose is about people, and notes declares neither export nor erasure',
    ]);
  });

  it('reports a column about people in an impersonal table', async () => {
    await change(sql`alter table courses add column author_email text`, sql`alter table courses drop author_email`);
    expect(faultsOf(await columnsOfSchema())).toEqual([
      'courses.author_email is about people, and courses declares neither export nor erasure',
    ]);
  });

  it('reports a new column of a declared table', async () => {
    await change(sql`alter table users add column shoe_size text`, sql`alter table users drop shoe_size`);
    expect(faultsOf(await columnsOfSchema())).toEqual(['users.shoe_size is not declared']);
  });

  it('reports a declaration of a missing column', async () => {
    const schema = await columnsOfSchema();
    expect(faultsOf(schema.filter(({ table }) => table !== 'referrals'))).toEqual(['referrals is declared and absent']);
    expect(faultsOf(schema.filter(({ column }) => column !== 'referrer_id'))).toEqual([
      'referrals.referrer_id is declared and absent',
    ]);
  });

  it('names each table once', () => {
    const names = [...PERSONAL_TABLES.map(({ table }) => table as string), ...Object.keys(IMPERSONAL_TABLES)];
    expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
  });
});
