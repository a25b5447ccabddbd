import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { newId } from './client.ts';
import { migrate, readMigrations } from './migrate.ts';
import { query, withDatabase } from '../test/cluster.ts';
import { generateSchema } from './generate.ts';
import { readFile } from 'node:fs/promises';

async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('adminUrl');
  const name = `officium_test_${newId().replaceAll('-', '')}`;
  await query(adminUrl, `create database ${name}`);
  return { url: withDatabase(adminUrl, name), drop: () => query(adminUrl, `drop database ${name} with (force)`) };
}

describe('migrate', () => {
  it('lets one of several processes do the work, once', async () => {
    const database = await emptyDatabase();
    try {
      const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url)));
      const names = (await readMigrations()).map((migration) => migration.name);
      expect(runs.filter((ran) => ran.length > 0)).toEqual([names]);
      expect(await migrate(database.url)).toEqual([]);
      await query(database.url, `update migrations set hash = 'other' where name = '${names[0]}'`);
      await expect(migrate(database.url)).rejects.toThrow('was changed after it had run');
    } finally {
      await database.drop();
    }
  });

  it('lets others go on while it waits for a lock, and tries again', async () => {
    const database = await emptyDatabase();
    const holder = new pg.Client({ connectionString: database.url });
    try {
      await query(database.url, 'create table things (id integer)');
      await holder.connect();
      await holder.query('begin; select from things');
      const said: string[] = [];
      const sql = 'alter table things add column name text';
      const migrating = migrate(database.url, (line) => void said.push(line), {
        migrations: [{ name: '0001_a.sql', sql, hash: 'a' }],
      });
      while (!said.includes('0001_a.sql waits for others to finish'))
        await new Promise((later) => setTimeout(later, 50));
      // Would wait for the migration, which waits for the holder.
      await query(database.url, "set lock_timeout = '500ms'; insert into things (id) values (1)");
      await holder.query('commit');
      expect(await migrating).toEqual(['0001_a.sql']);
      await query(database.url, "update things set name = 'one' where id = 1");
    } finally {
      await holder.end();
      await database.drop();
    }
  });

  it('makes what the generated types say', async () => {
    const written = await readFile(new URL('./schema.ts', import.meta.url), 'utf8');
    expect(await generateSchema(withDatabase(inject('adminUrl'), inject('template')))).toBe(written);
  });

  it('lets no trigger or generated column call what each statement would parse anew', async () => {
    const client = new pg.Client({ connectionString: withDatabase(inject('adminUrl'), inject('template')) });
    await client.connect();
    const { rows } = await client
      .query(
        `select pg_describe_object(d.classid, d.objid, d.objsubid) as caller, p.proname as called
         from pg_depend d join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
           join pg_language l on l.oid = p.prolang
         where l.lanname = 'sql' and (d.classid = 'pg_trigger'::regclass or d.classid = 'pg_attrdef'::regclass and exists (
           select from pg_attrdef f join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
           where f.oid = d.objid and a.attgenerated <> ''))`,
      )
      .finally(() => client.end());
    expect(rows).toEqual([]);
  });
});
