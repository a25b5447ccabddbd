import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathIn } from './files-folder-path.ts';
import type { PartedFiles } from './files-parts.ts';

/**
 * Parts in a local folder: each is a file of its own until `putStream` copies them into one. A part that arrives late
 * then changes nothing of the file whose content is being examined.
 */
export function folderParts(
  folder: string,
  putStream: (key: string, content: Readable, mime: string) => Promise<void>,
): PartedFiles {
  const partsOf = (key: string) => pathIn(folder, `${key}.parts`);
  async function* contentOf(key: string, count: number) {
    for (let number = 1; number <= count; number++) yield* createReadStream(join(partsOf(key), String(number)));
  }
  return {
    async begin(key) {
      await mkdir(partsOf(key), { recursive: true, mode: 0o700 });
      return '';
    },
    async put({ key }, { number, bytes }) {
      const path = join(partsOf(key), String(number));
      const arriving = `${path}.${randomBytes(8).toString('hex')}`;
      await writeFile(arriving, bytes);
      await rename(arriving, path);
      return '';
    },
    join: async ({ key }, receipts) =>
      await putStream(key, Readable.from(contentOf(key, receipts.length), { objectMode: false }), ''),
    async discard({ key }) {
      await rm(partsOf(key), { recursive: true, force: true });
      for (const path of [pathIn(folder, key), pathIn(folder, `${key}.part`)]) await rm(path, { force: true });
    },
  };
}
