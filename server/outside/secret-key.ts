import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** Reads the installation's key, creating the file if needed. Concurrent processes get the same key. */
export async function readSecretKey(path: string): Promise<string> {
  const known = await readOr(path);
  if (known !== undefined) return known;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  // Linking is atomic and never overwrites an existing file.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const made = await readOr(path);
  if (made === undefined) throw new Error(`${path} cannot be read`);
  return made;
}

async function readOr(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // Node throws this type
    throw error;
  }
}
