import { mkdir } from 'node:fs/promises';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Files } from './files.ts';

/** Stores files in a local folder. */
export async function openFolder(folder: string): Promise<Files> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  return {
    put: (key, bytes, mime) => disk.put(key, bytes, { contentType: mime }),
    async putStream(key, content, mime) {
      const part = `${key}.part`;
      try {
        await disk.putStream(part, content, { contentType: mime });
        await disk.move(part, key);
      } catch (error) {
        await disk.delete(part);
        throw error;
      }
    },
    get: (key) => disk.getBytes(key),
    stream: (key) => disk.getStream(key),
    exists: (key) => disk.exists(key),
    delete: (key) => disk.delete(key),
  };
}
