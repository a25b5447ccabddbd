import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Files } from './files.ts';
import { pathIn } from './files-folder-path.ts';
import { folderParts } from './files-folder-parts.ts';

/** Stores files in a local folder. */
export async function openFolder(folder: string): Promise<Files> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  const putStream = async (key: string, content: Readable) => {
    const part = `${key}.part`;
    content.on('error', () => {}); // the pipeline reports it, also an error from before it began
    try {
      await mkdir(dirname(pathIn(folder, part)), { recursive: true });
      // Opened first: a file that is opened after `content` has failed would be created after it was deleted.
      const file = await open(pathIn(folder, part), 'w');
      await pipeline(content, file.createWriteStream());
      await disk.move(part, key);
    } catch (error) {
      await disk.delete(part);
      throw error;
    }
  };
  return {
    put: (key, bytes, mime) => disk.put(key, bytes, { contentType: mime }),
    putStream,
    get: (key) => disk.getBytes(key),
    async stream(key, _signal, range) {
      if (!range) return await disk.getStream(key);
      return createReadStream(pathIn(folder, key), range);
    },
    exists: (key) => disk.exists(key),
    async size(key) {
      const info = await stat(pathIn(folder, key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return info?.isFile() ? info.size : undefined;
    },
    move: (from, to) => disk.move(from, to),
    delete: (key) => disk.delete(key),
    parts: folderParts(folder, putStream),
  };
}
