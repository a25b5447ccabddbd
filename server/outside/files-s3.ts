import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { AppError, ConfigError } from '../errors.ts';
import type { ByteRange, Files } from './files.ts';
import { bucketParts } from './files-s3-parts.ts';

export type BucketSettings = {
  bucket: string;
  /** Endpoint of an S3-compatible store other than Amazon's; buckets are then addressed by path. */
  endpoint: string | undefined;
  region: string;
};

const CONNECT_MS = 2000;
/** Key written at startup, so that missing write access is noticed immediately. */
const CHECK = 'check';
/** Time until the response of one attempt must begin. */
const TRY_MS = 5000;
/** Time until a response must begin, over all attempts. Overridden by `answerMs`. */
const ANSWER_MS = 4000;
/** Time limit of a copy within the store. */
const COPY_MS = 300_000;

/**
 * Stores files in an S3-compatible bucket. The SDK finds the credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,
 * a profile, or the machine's role. Throws ConfigError when access is denied; an unresponsive store does not prevent
 * startup.
 */
export async function openBucket(
  { bucket, endpoint, region }: BucketSettings,
  log: Logger,
  { answerMs = ANSWER_MS }: { answerMs?: number } = {},
): Promise<Files> {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client = openClient(s3, { endpoint, region });
  await requireAccess(
    client.send(new s3.PutObjectCommand({ Bucket: bucket, Key: CHECK, Body: Buffer.from('ok') })),
    bucket,
    log,
  );

  const withTimeout = timeoutFor(answerMs);
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const open = async (key: string, signal?: AbortSignal, range?: ByteRange) => {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new s3.GetObjectCommand({ ...at(key), ...(Range && { Range }) });
    const { Body } = await withTimeout((abortSignal) => client.send(command, { abortSignal }), signal);
    return Body as Readable; // its type on Node
  };
  const size = async (key: string, signal?: AbortSignal) => {
    const command = new s3.HeadObjectCommand(at(key));
    try {
      const { ContentLength } = await withTimeout((abortSignal) => client.send(command, { abortSignal }), signal);
      return ContentLength ?? 0;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  };
  const remove = async (key: string) => {
    const command = new s3.DeleteObjectCommand(at(key));
    await withTimeout((abortSignal) => client.send(command, { abortSignal }));
  };
  const exists = async (key: string, signal?: AbortSignal) => (await size(key, signal)) !== undefined;
  return {
    async put(key, bytes, mime, signal) {
      const command = new s3.PutObjectCommand({ ...at(key), Body: bytes, ContentType: mime });
      await withTimeout((abortSignal) => client.send(command, { abortSignal }), signal);
    },
    async putStream(key, content, mime) {
      // A multipart upload in parts of 5 MiB creates the file only after all parts have arrived.
      const params = { ...at(key), Body: content, ContentType: mime };
      await new Upload({ client, params, queueSize: 2 }).done().catch((error: unknown) => {
        throw content.errored ?? failureOf(error);
      });
    },
    get: async (key, signal) => await bytesOf(await open(key, signal), signal),
    stream: open,
    exists,
    size,
    async move(from, to) {
      await client.send(copying(s3, bucket, { from, to }), { requestTimeout: COPY_MS }).catch((error: unknown) => {
        throw failureOf(error);
      });
      await remove(from);
    },
    delete: remove,
    parts: bucketParts({ s3, client, bucket, exists, remove, failureOf }),
  };
}

async function bytesOf(content: Readable, signal: AbortSignal | undefined): Promise<Uint8Array> {
  if (signal) addAbortSignal(signal, content);
  return await buffer(content).catch((error: unknown) => {
    throw failureOf(error);
  });
}

/** The store copies by itself, which takes some seconds for a large file. */
function copying(s3: typeof import('@aws-sdk/client-s3'), bucket: string, { from, to }: { from: string; to: string }) {
  return new s3.CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: `${bucket}/${from}` });
}

function openClient(
  { S3Client }: typeof import('@aws-sdk/client-s3'),
  { endpoint, region }: Pick<BucketSettings, 'endpoint' | 'region'>,
) {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: TRY_MS, throwOnRequestTimeout: true },
    // Other S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Throws ConfigError when the store refuses the first write. */
async function requireAccess(writing: Promise<unknown>, bucket: string, log: Logger): Promise<void> {
  await writing.catch((error: unknown) => {
    const status = statusOf(error);
    if (status !== undefined && status >= 400 && status < 500)
      throw new ConfigError(`STORAGE_URL: the bucket ${bucket} does not exist or access is denied (${status})`);
    log.warn({ err: error }, 'object store not responding');
  });
}

/** Aborts a call when no response begins within `answerMs` or when `signal` aborts. The body may take longer. */
function timeoutFor(answerMs: number) {
  return async <T>(ask: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const waiting = new AbortController();
    const end = () => waiting.abort();
    const timer = setTimeout(end, answerMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    try {
      return await ask(waiting.signal);
    } catch (error) {
      throw failureOf(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  };
}

/** Converts a storage error to `server.unavailable`, except 404, which is a regular answer. */
function failureOf(error: unknown): unknown {
  if (statusOf(error) === 404) return error;
  const message = 'File storage is temporarily unavailable.';
  return new AppError('server.unavailable', { message, retryAfterSeconds: 30 }, { cause: error });
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
