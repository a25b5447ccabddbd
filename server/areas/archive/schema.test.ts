import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { tablesOfPage } from '#server/test/archive/export-format-page.ts';
import { ARCHIVE_RECORDS, LEFT_OUT_TABLES, PAUSED_TRIGGERS } from './archive-records.data.ts';
import { fieldsOf } from './record.format.ts';

const { db } = (await createTestApp()).ctx;
const PAGE = fileURLToPath(new URL('../../../docs/export-format.md', import.meta.url));

/** Triggers that run while an archive is read, because they build what is left out, or refuse nothing that was stored. */
const RUNNING_TRIGGERS = [
  'activities_counted_added',
  'figures',
  'figures_made',
  'renew_badges',
  'search_academy',
  'search_activity',
  'search_article',
  'search_body',
  'search_community',
  'search_course',
  'search_editorial',
  'search_editorial_body_made',
  'search_reaction_made',
  'stay_for_good',
  'tally_added',
  'users_public_badges',
];

describe('the declarations of the archive', () => {
  it('name every table and column of the database', async () => {
    const { rows } = await sql<{ table: string; columns: string[] }>`
      select c.relname as "table", array_agg(a.attname::text order by a.attname) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1`.execute(db);
    const declared = new Map(
      ARCHIVE_RECORDS.map((kind) => [kind.table as string, Object.keys(kind.fields).toSorted()]),
    );
    const faults = rows.flatMap(({ table, columns }) => {
      const named = declared.get(table);
      if (!named)
        return Object.hasOwn(LEFT_OUT_TABLES, table) ? [] : [`${table} is neither in the archive nor left out`];
      if (Object.hasOwn(LEFT_OUT_TABLES, table)) return [`${table} is both in the archive and left out`];
      return columns.filter((column) => !named.includes(column)).map((column) => `${table}.${column} is not declared`);
    });
    expect(faults).toEqual([]);
    const names = rows.map(({ table }) => table);
    expect([...declared.keys(), ...Object.keys(LEFT_OUT_TABLES)].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('name each file once, and each field once in its file', () => {
    const files = ARCHIVE_RECORDS.map(({ file }) => file);
    expect(files.filter((name, nth) => files.indexOf(name) !== nth)).toEqual([]);
    for (const kind of ARCHIVE_RECORDS) {
      const names = fieldsOf(kind).map(({ name }) => name);
      expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
    }
  });

  it('come after what they refer to', async () => {
    const { rows } = await sql<{ table: string; refers: string }>`
      select distinct conrelid::regclass::text as "table", confrelid::regclass::text as refers
      from pg_constraint where contype = 'f' and conrelid <> confrelid`.execute(db);
    const tables = ARCHIVE_RECORDS.map(({ table }) => table as string);
    const wrong = rows.filter(
      ({ table, refers }) => tables.includes(table) && tables.indexOf(refers) > tables.indexOf(table),
    );
    expect(wrong).toEqual([]);
    expect(rows.filter(({ table, refers }) => tables.includes(table) && !tables.includes(refers))).toEqual([]);
  });

  it('say of every trigger on an insertion whether it runs while an archive is read', async () => {
    const { rows } = await sql<{ table: string; name: string }>`
      select c.relname as "table", t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgtype & 4 <> 0`.execute(db);
    const tables = ARCHIVE_RECORDS.map(({ table }) => table as string);
    const known = [...PAUSED_TRIGGERS, ...RUNNING_TRIGGERS];
    const found = rows.filter(({ table }) => tables.includes(table));
    expect(found.filter(({ name }) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !found.some((trigger) => trigger.name === name))).toEqual([]);
  });

  it('are what docs/export-format.md says', () => {
    const page = readFileSync(PAGE, 'utf8');
    const { records, leftOut } = tablesOfPage();
    expect(page).toContain(records);
    expect(page).toContain(leftOut);
  });
});
