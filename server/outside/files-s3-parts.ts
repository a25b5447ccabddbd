import type { S3Client } from '@aws-sdk/client-s3';
import type { PartedFiles } from './files-parts.ts';

type Sending = {
  s3: typeof import('@aws-sdk/client-s3');
  client: S3Client;
  bucket: string;
  /** Whether a file exists. */
  exists: (key: string) => Promise<boolean>;
  remove: (key: string) => Promise<void>;
  /** Converts an error of the store. */
  failureOf: (error: unknown) => unknown;
};

/** Time limit of a part, and of joining all. */
const PART_MS = 60_000;
const JOIN_MS = 300_000;

/** Stores name it NoSuchUpload; some answer only 404. */
const isGone = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;

/** Parts in a bucket, by its multipart uploads. */
export function bucketParts({ s3, client, bucket, exists, remove, failureOf }: Sending): PartedFiles {
  const at = (key: string, token: string) => ({ Bucket: bucket, Key: key, UploadId: token });
  const fail = (error: unknown) => {
    throw failureOf(error);
  };
  return {
    async begin(key, mime) {
      const command = new s3.CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: mime });
      const { UploadId } = await client.send(command).catch(fail);
      return UploadId!; // always in the answer
    },
    async put({ key, token }, { number, bytes }) {
      const command = new s3.UploadPartCommand({ ...at(key, token), PartNumber: number, Body: bytes });
      const { ETag } = await client.send(command, { requestTimeout: PART_MS }).catch((error: unknown) => {
        throw isGone(error)
          ? Object.assign(new Error('The upload was discarded'), { code: 'ENOENT' })
          : failureOf(error);
      });
      return ETag!; // always in the answer
    },
    async join({ key, token }, receipts) {
      const Parts = receipts.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      const command = new s3.CompleteMultipartUploadCommand({ ...at(key, token), MultipartUpload: { Parts } });
      await client.send(command, { requestTimeout: JOIN_MS }).catch(async (error: unknown) => {
        if (isGone(error) && (await exists(key))) return; // joined before
        throw failureOf(error);
      });
    },
    async discard({ key, token }) {
      await client.send(new s3.AbortMultipartUploadCommand(at(key, token))).catch((error: unknown) => {
        if (!isGone(error)) throw failureOf(error);
      });
      await remove(key);
    },
  };
}
