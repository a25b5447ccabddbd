import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** The key of the installation in its file, made when there is none. Of several processes at once all get the same. */
export async function readSecretKey(path: string): Promise<string> {
  const known = await readOr(path);
  if (known !== undefined) return known;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  // A link appears whole or not at all, and never in the place of another.
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // what Node throws here
    throw error;
  }
}
