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

  it('makes what the generated types say', async () => {
    const written = await readFile(new URL('./schema.ts', import.meta.url), 'utf8');
    expect(await generateSchema(withDatabase(inject('adminUrl'), inject('template')))).toBe(written);
  });
});
