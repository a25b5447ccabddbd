import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import type { Files } from './files.ts';

export type BucketSettings = {
  bucket: string;
  /** Of another store than Amazon’s, which then finds its buckets by path. */
  endpoint: string | undefined;
  region: string;
};

const CONNECT_MS = 2000;
/** Written at each start: what may not be written then would be missed much later. */
const CHECK = 'check';
/** Without a byte. */
const IDLE_MS = 5000;

/**
 * Files in a bucket of any store that speaks S3. Who we are is found as the SDK does: AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY, a profile, or the machine’s own role. Throws ConfigError when the bucket is not ours to use; a
 * store that does not answer is no reason not to start.
 */
export async function openBucket({ bucket, endpoint, region }: BucketSettings, log: Logger): Promise<Files> {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client = new s3.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: IDLE_MS, throwOnRequestTimeout: true },
    // Stores of others do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client
    .send(new s3.PutObjectCommand({ Bucket: bucket, Key: CHECK, Body: Buffer.from('ok') }))
    .catch((error: unknown) => {
      const status = statusOf(error);
      if (status !== undefined && status >= 400 && status < 500)
        throw new ConfigError(`STORAGE_URL: the bucket ${bucket} is not there, or may not be used (${status})`);
      log.warn({ err: error }, 'the store of files does not answer');
    });

  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const open = async (key: string, abortSignal?: AbortSignal) => {
    const { Body } = await client.send(new s3.GetObjectCommand(at(key)), { abortSignal });
    if (!Body) throw new Error(`the file ${key} came without content`);
    return Body;
  };
  return {
    async put(key, bytes, mime, abortSignal) {
      await client.send(new s3.PutObjectCommand({ ...at(key), Body: bytes, ContentType: mime }), { abortSignal });
    },
    async putStream(key, content, mime) {
      // In parts of 5 MiB, which become the file when all of them are there; without all of them nothing does.
      await new Upload({ client, params: { ...at(key), Body: content, ContentType: mime }, queueSize: 2 }).done();
    },
    get: async (key, signal) => await (await open(key, signal)).transformToByteArray(),
    stream: async (key) => (await open(key)) as Readable, // what it is under Node
    async exists(key, abortSignal) {
      try {
        await client.send(new s3.HeadObjectCommand(at(key)), { abortSignal });
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        throw error;
      }
    },
    async delete(key) {
      await client.send(new s3.DeleteObjectCommand(at(key)));
    },
  };
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
