import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const BASELINE_FOLDER = new URL('./baseline/', import.meta.url);
const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url);
const FUNCTIONS_FOLDER = new URL('./functions/', import.meta.url);
export const FUNCTIONS_VERSION_FILE = new URL('version.json', FUNCTIONS_FOLDER);

/** The tables after migration 0064, with which an empty database begins. */
export const BASELINE = '0064_baseline.sql';
/** Functions that columns, indexes, views and the conditions of triggers depend on. */
export const BEFORE_TABLES = 'before-tables.sql';

export type SqlFile = { name: string; sql: string; hash: string };
export type Schema = {
  /** In order, the baseline first. Each runs once. */
  migrations: readonly SqlFile[];
  /** Applied again when they change. */
  functions: readonly SqlFile[];
  /** Rises with every change of a function, so that an older release does not restore its own. */
  functionsVersion: number;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function readFiles(folder: URL, shape: RegExp): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const odd = names.find((name) => !shape.test(name));
  if (odd) throw new Error(`${odd} is not named like ${String(shape)}`);
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: sha256(sql) };
    }),
  );
}

export async function readFunctions(): Promise<SqlFile[]> {
  return await readFiles(FUNCTIONS_FOLDER, /^[a-z-]+\.sql$/);
}

export const hashOfFunctions = (functions: readonly SqlFile[]) =>
  sha256(functions.map(({ name, hash }) => `${name} ${hash}\n`).join(''));

/** `sha256` is the hash of the functions with this version; `npm run gen` writes both. */
export async function readFunctionsVersion(): Promise<{ version: number; sha256: string }> {
  return JSON.parse(await readFile(FUNCTIONS_VERSION_FILE, 'utf8')) as { version: number; sha256: string }; // our own file
}

export async function readSchema(): Promise<Schema> {
  const [baseline, migrations, functions, { version }] = await Promise.all([
    readFiles(BASELINE_FOLDER, /^\d{2}-[a-z-]+\.sql$/),
    readFiles(MIGRATIONS_FOLDER, /^\d{4}_[a-z0-9-]+\.sql$/),
    readFunctions(),
    readFunctionsVersion(),
  ]);
  const sql = baseline.map((file) => file.sql).join('\n');
  return {
    migrations: [{ name: BASELINE, sql, hash: sha256(sql) }, ...migrations],
    functions,
    functionsVersion: version,
  };
}
