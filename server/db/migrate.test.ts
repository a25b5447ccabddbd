import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { readCatalog } from '../test/catalog.ts';
import { query, withDatabase } from '../test/cluster.ts';
import { newId } from './client.ts';
import { generateSchema } from './generate.ts';
import { migrate } from './migrate.ts';
import {
  BASELINE,
  BEFORE_TABLES,
  hashOfFunctions,
  readFunctionsVersion,
  readSchema,
  type Schema,
} from './schema-files.ts';

/** The schema of a database that ran the migrations 0001 to 0064, before the baseline existed. */
const BEFORE_BASELINE = new URL('./test/before-baseline.sql.br', import.meta.url);

async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('adminUrl');
  const name = `officium_test_${newId().replaceAll('-', '')}`;
  await query(adminUrl, `create database ${name}`);
  return { url: withDatabase(adminUrl, name), drop: () => query(adminUrl, `drop database ${name} with (force)`) };
}

async function withEmptyDatabase(test: (url: string) => Promise<void>): Promise<void> {
  const database = await emptyDatabase();
  try {
    await test(database.url);
  } finally {
    await database.drop();
  }
}

async function answer<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return await client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const file = (name: string, sql: string, hash = name) => ({ name, sql, hash });
const schemaOf = (parts: Partial<Schema>): Schema => ({ migrations: [], functions: [], functionsVersion: 1, ...parts });

describe('migrate', () => {
  it('runs in one of several processes, once', async () => {
    await withEmptyDatabase(async (url) => {
      const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
      const { migrations, functions } = await readSchema();
      const names = [...migrations, ...functions.filter(({ name }) => name !== BEFORE_TABLES)].map(({ name }) => name);
      expect(runs.filter((ran) => ran.length > 0)).toEqual([[BEFORE_TABLES, ...names]]);
      expect(await migrate(url)).toEqual([]);
      await query(url, `update migrations set hash = 'other' where name = '${BASELINE}'`);
      await expect(migrate(url)).rejects.toThrow(`${BASELINE} was changed after it had run`);
    });
  });

  it('lets other transactions proceed while it waits for a lock, and retries', async () => {
    const database = await emptyDatabase();
    const holder = new pg.Client({ connectionString: database.url });
    try {
      await query(database.url, 'create table things (id integer)');
      await holder.connect();
      await holder.query('begin; select from things');
      const said: string[] = [];
      const sql = 'alter table things add column name text';
      const migrating = migrate(database.url, (line) => void said.push(line), {
        schema: schemaOf({ migrations: [file('0001_a.sql', sql)] }),
      });
      while (!said.includes('0001_a.sql waits for others to finish'))
        await new Promise((later) => setTimeout(later, 50));
      // This would wait for the migration, which waits for the holder.
      await query(database.url, "set lock_timeout = '500ms'; insert into things (id) values (1)");
      await holder.query('commit');
      expect(await migrating).toEqual(['0001_a.sql']);
      await query(database.url, "update things set name = 'one' where id = 1");
    } finally {
      await holder.end();
      await database.drop();
    }
  });

  it('creates what the generated types describe', async () => {
    const written = await readFile(new URL('./schema.ts', import.meta.url), 'utf8');
    expect(await generateSchema(withDatabase(inject('adminUrl'), inject('template')))).toBe(written);
  });

  it('allows no trigger or generated column to call a function that every statement would parse again', async () => {
    const rows = await answer(
      withDatabase(inject('adminUrl'), inject('template')),
      `select pg_describe_object(d.classid, d.objid, d.objsubid) as caller, p.proname as called
       from pg_depend d join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
         join pg_language l on l.oid = p.prolang
       where l.lanname = 'sql' and (d.classid = 'pg_trigger'::regclass or d.classid = 'pg_attrdef'::regclass and exists (
         select from pg_attrdef f join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
         where f.oid = d.objid and a.attgenerated <> ''))`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a database from before the baseline', () => {
  const restore = async (url: string) =>
    await query(url, (await promisify(brotliDecompress)(await readFile(BEFORE_BASELINE))).toString());

  it('becomes identical to a new one', async () => {
    await withEmptyDatabase(async (upgraded) => {
      await restore(upgraded);
      const ran = await migrate(upgraded);
      expect(ran).not.toContain(BASELINE);
      expect(await migrate(upgraded)).toEqual([]);
      await withEmptyDatabase(async (fresh) => {
        await migrate(fresh);
        const [is, demanded] = await Promise.all([readCatalog(upgraded), readCatalog(fresh)]);
        expect(demanded.length).toBeGreaterThan(2_500);
        expect(is.filter((line) => !demanded.includes(line))).toEqual([]);
        expect(demanded.filter((line) => !is.includes(line))).toEqual([]);
      });
    });
  });

  it('is refused when it ends before migration 0064', async () => {
    await withEmptyDatabase(async (url) => {
      await restore(url);
      await query(url, `delete from migrations where name > '0063'`);
      await expect(migrate(url)).rejects.toThrow(
        'DATABASE_URL: the database is older than this version can upgrade: it ends with 0062_products-with-set-scopes.sql',
      );
      expect(await answer(url, `select from function_files`)).toEqual([]);
    });
  });
});

describe('functions', () => {
  const saying = (what: string) =>
    `create or replace function says() returns text language sql as $$ select '${what}' $$`;
  const says = async (url: string) => (await answer<{ says: string }>(url, 'select says()'))[0]?.says;
  const migrateTo = async (url: string, what: string, functionsVersion: number) =>
    await migrate(url, () => {}, {
      schema: schemaOf({ functions: [file('a.sql', saying(what), what), file('b.sql', 'select 1')], functionsVersion }),
    });

  it('are applied again only when their file changes', async () => {
    await withEmptyDatabase(async (url) => {
      expect(await migrateTo(url, 'one', 1)).toEqual(['a.sql', 'b.sql']);
      expect(await migrateTo(url, 'two', 1)).toEqual(['a.sql']);
      expect(await says(url)).toBe('two');
      expect(await migrateTo(url, 'two', 2)).toEqual([]);
    });
  });

  it('of a newer release stay when an older one starts again', async () => {
    await withEmptyDatabase(async (url) => {
      await migrateTo(url, 'one', 1);
      await migrateTo(url, 'two', 2);
      expect(await migrateTo(url, 'one', 1)).toEqual([]);
      expect(await says(url)).toBe('two');
      expect(await migrateTo(url, 'one', 3)).toEqual(['a.sql']);
      expect(await says(url)).toBe('one');
    });
  });

  it('change together or not at all', async () => {
    await withEmptyDatabase(async (url) => {
      await migrateTo(url, 'one', 1);
      const functions = [file('a.sql', saying('two'), 'two'), file('b.sql', 'select nothing()', 'other')];
      await expect(migrate(url, () => {}, { schema: schemaOf({ functions, functionsVersion: 2 }) })).rejects.toThrow(
        'The migration a.sql, b.sql failed',
      );
      expect(await says(url)).toBe('one');
      expect(await migrateTo(url, 'one', 1)).toEqual([]);
    });
  });

  it('are applied before the migrations when tables depend on them, and after them otherwise', async () => {
    await withEmptyDatabase(async (url) => {
      const schema = schemaOf({
        functions: [
          file('after.sql', 'create view seen as select * from things'),
          file(BEFORE_TABLES, `create function zero() returns integer language sql as 'select 0'`),
        ],
        migrations: [file('0065_a.sql', 'create table things (n integer default zero())')],
      });
      expect(await migrate(url, () => {}, { schema })).toEqual([BEFORE_TABLES, '0065_a.sql', 'after.sql']);
    });
  });

  it('have the recorded version', async () => {
    const { functions } = await readSchema();
    expect((await readFunctionsVersion()).sha256, 'npm run gen raises the version').toBe(hashOfFunctions(functions));
  });

  it('are defined once, and in their own files only', async () => {
    const { migrations, functions } = await readSchema();
    const made = (sql: string, what: RegExp) => [...sql.matchAll(what)].map(([, name]) => name);
    const defined = functions.flatMap(({ sql }) => made(sql, /^create or replace function (\w+)/gm));
    expect(defined.filter((name, at) => defined.indexOf(name) !== at)).toEqual([]);
    expect(functions.flatMap(({ sql }) => made(sql, /^(create (?!or replace)\w+)/gm))).toEqual([]);
    expect(migrations.flatMap(({ sql }) => made(sql, /^create (?:or replace )?(function|trigger)/gm))).toEqual([]);
  });
});
