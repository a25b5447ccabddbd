import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { openFolder } from './files-folder.ts';
import { openBucket, type BucketSettings } from './files-s3.ts';

/**
 * Stored files, by keys we make ourselves: letters, digits, dots, hyphens and slashes. A `signal` ends the waiting for a
 * store that does not answer; what was being stored may be there afterwards or not.
 */
export type Files = {
  put(key: string, bytes: Uint8Array, mime: string, signal?: AbortSignal): Promise<void>;
  /** Of any size; what was there is replaced once all of it has come. */
  putStream(key: string, content: Readable, mime: string): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<Uint8Array>;
  stream(key: string): Promise<Readable>;
  exists(key: string, signal?: AbortSignal): Promise<boolean>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
};

/** Files in a bucket where one is set, else in a folder of this machine. */
export async function openFiles(folder: string, bucket: BucketSettings | undefined, log: Logger): Promise<Files> {
  return bucket ? await openBucket(bucket, log) : await openFolder(folder);
}
