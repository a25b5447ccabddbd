import type { Logger } from 'pino';
import type { Files } from './files.ts';
import { openFolder } from './files-folder.ts';
import { openBucket, type BucketSettings } from './files-s3.ts';

/** Files in a bucket where one is set, else in a folder of this machine. */
export async function openFiles(folder: string, bucket: BucketSettings | undefined, log: Logger): Promise<Files> {
  return bucket ? await openBucket(bucket, log) : await openFolder(folder);
}
