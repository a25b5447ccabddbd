import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { AppError, ConfigError } from '../errors.ts';
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
/** For the answer to begin, of one try. */
const TRY_MS = 5000;
/** The same of all tries together, where somebody may be waiting; `answerMs` replaces it. */
const ANSWER_MS = 4000;

/**
 * Files in a bucket of any store that speaks S3. Who we are is found as the SDK does: AWS_ACCESS_KEY_ID and
 * AWS_SECRET_ACCESS_KEY, a profile, or the machine’s own role. Throws ConfigError when the bucket is not ours to use; a
 * store that does not answer is no reason not to start.
 */
export async function openBucket(
  { bucket, endpoint, region }: BucketSettings,
  log: Logger,
  { answerMs = ANSWER_MS }: { answerMs?: number } = {},
): Promise<Files> {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client = new s3.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: TRY_MS, throwOnRequestTimeout: true },
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
      log.warn({ err: error }, 'object store not responding');
    });

  const answered = waitUpTo(answerMs);
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const open = async (key: string, signal: AbortSignal | undefined) => {
    const command = new s3.GetObjectCommand(at(key));
    const { Body } = await answered((abortSignal) => client.send(command, { abortSignal }), signal);
    return Body as Readable; // what it is under Node
  };
  return {
    async put(key, bytes, mime, signal) {
      const command = new s3.PutObjectCommand({ ...at(key), Body: bytes, ContentType: mime });
      await answered((abortSignal) => client.send(command, { abortSignal }), signal);
    },
    async putStream(key, content, mime) {
      // In parts of 5 MiB, which become the file when all of them are there; without all of them nothing does.
      const params = { ...at(key), Body: content, ContentType: mime };
      await new Upload({ client, params, queueSize: 2 }).done().catch((error: unknown) => {
        throw content.errored ?? failureOf(error);
      });
    },
    async get(key, signal) {
      const content = await open(key, signal);
      if (signal) addAbortSignal(signal, content);
      return await buffer(content).catch((error: unknown) => {
        throw failureOf(error);
      });
    },
    stream: open,
    async exists(key, signal) {
      const command = new s3.HeadObjectCommand(at(key));
      try {
        await answered((abortSignal) => client.send(command, { abortSignal }), signal);
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        throw error;
      }
    },
    async delete(key) {
      const command = new s3.DeleteObjectCommand(at(key));
      await answered((abortSignal) => client.send(command, { abortSignal }));
    },
  };
}

/** Waits until an answer begins to come, so long or until `signal` says to end; what it carries may take longer. */
function waitUpTo(answerMs: number) {
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

/** What is told of an error of the store: that it is away. That something is not there is an answer. */
function failureOf(error: unknown): unknown {
  if (statusOf(error) === 404) return error;
  const message = 'The store of files is not available at the moment.';
  return new AppError('server.unavailable', { message, retryAfterSeconds: 30 }, { cause: error });
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
