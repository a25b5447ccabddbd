import type { Logger } from 'pino';
import type { Files } from './files.ts';
import { openFolder } from './files-folder.ts';
import { openBucket, type BucketSettings } from './files-s3.ts';

/** Opens the bucket if one is configured, else the local folder. */
export async function openFiles(folder: string, bucket: BucketSettings | undefined, log: Logger): Promise<Files> {
  return bucket ? await openBucket(bucket, log) : await openFolder(folder);
}
