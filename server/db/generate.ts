import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmbedded } from './embedded/embedded.ts';
import { migrate } from './migrate.ts';
import { FUNCTIONS_VERSION_FILE, hashOfFunctions, readFunctions, readFunctionsVersion } from './schema-files.ts';

const SCHEMA = fileURLToPath(new URL('./schema.ts', import.meta.url));

/** The types of a migrated database, as in server/db/schema.ts. */
export async function generateSchema(databaseUrl: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-schema-'));
  const out = join(folder, 'schema.ts');
  const options = ['--dialect', 'postgres', '--url', databaseUrl, '--out-file', out, '--type-only-imports'];
  try {
    await promisify(execFile)('npx', ['kysely-codegen', ...options, '--exclude-pattern', '(jobs.*|migrations)']);
    return (await readFile(out, 'utf8')).replace(
      /Int8 = ColumnType<[^;]+;/,
      'Int8 = ColumnType<number, number | string | bigint>;',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Raises the version of the functions when their hash changed. */
async function writeFunctionsVersion(): Promise<void> {
  const hash = hashOfFunctions(await readFunctions());
  const { version, sha256 } = await readFunctionsVersion();
  if (hash === sha256) return;
  await writeFile(FUNCTIONS_VERSION_FILE, `${JSON.stringify({ version: version + 1, sha256: hash }, null, 2)}\n`);
}

if (import.meta.main) {
  await writeFunctionsVersion();
  const folder = await mkdtemp(join(tmpdir(), 'officium-gen-'));
  await chmod(folder, 0o755); // as root the server runs under another account, which must get in
  const postgres = await startEmbedded({ dataDir: folder, log: () => {} });
  try {
    await migrate(postgres.url);
    await writeFile(SCHEMA, await generateSchema(postgres.url));
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
