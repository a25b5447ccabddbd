import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

const SCHEMA = fileURLToPath(new URL('./schema.ts', import.meta.url));

/** The types of a migrated database, as server/db/schema.ts holds them. */
export async function generateSchema(databaseUrl: string): Promise<string> {
  const out = join(await mkdtemp(join(tmpdir(), 'officium-schema-')), 'schema.ts');
  await promisify(execFile)('npx', [
    'kysely-codegen', '--dialect', 'postgres', '--url', databaseUrl, '--out-file', out, '--type-only-imports',
    '--exclude-pattern', '(jobs.*|migrations)', '--numeric-parser', 'number',
  ]);
  return (await readFile(out, 'utf8')).replace(/Int8 = ColumnType<[^;]+;/, 'Int8 = ColumnType<number, number | string | bigint>;');
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'officium-gen-'));
  const postgres = await startEmbedded({ dataDir: folder, log: () => {} });
  try {
    await migrate(postgres.url);
    await writeFile(SCHEMA, await generateSchema(postgres.url));
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
