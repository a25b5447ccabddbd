import { mkdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

/** Stored files, by keys we make ourselves: letters, digits, dots, hyphens and slashes. */
export type Files = {
  put(key: string, bytes: Uint8Array, mime: string): Promise<void>;
  /** Of any size; what was there is replaced once all of it has come. */
  putStream(key: string, content: Readable, mime: string): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  stream(key: string): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
};

/** Files in a folder of this machine. */
export async function openFiles(folder: string): Promise<Files> {
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
