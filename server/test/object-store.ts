import { readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';
import type { BucketSettings } from '../outside/files-s3.ts';
import { scratchFolder } from './scratch.ts';

const OBJECT = '._S3rver_object';

/** A status; `silent` never answers, `slow` answers late, `cut` closes the connection. */
export type StoreFailure = 500 | 503 | 'silent' | 'slow' | 'cut';

export type ObjectStore = {
  settings: BucketSettings;
  storageUrl: string;
  /** The keys of all stored files, read from disk. */
  keys(): Promise<string[]>;
  /** Makes all further requests fail this way, or succeed again. */
  fail(how: StoreFailure | undefined): void;
  stop(): Promise<void>;
};

const SLOW_MS = 2_500;

/** Sets environment variables; the function it returns restores their previous values. */
function setEnvironment(values: Record<string, string>): () => void {
  const previous = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of previous) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Ends a multipart upload, which the server itself cannot; false when there is none. */
async function endUpload(folder: string): Promise<boolean> {
  return await rm(folder, { recursive: true }).then(
    () => true,
    () => false,
  );
}

/** A local S3 server with one bucket. Its credentials are in the environment until it stops. */
export async function startObjectStore(bucket: string): Promise<ObjectStore> {
  const restoreEnvironment = setEnvironment({ AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
  const directory = await scratchFolder('officium-s3-');
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  let failure: StoreFailure | undefined;
  server.middleware.unshift(async (asked, next) => {
    if (failure === undefined) return await next();
    if (typeof failure === 'number') return void (asked.status = failure);
    if (failure === 'cut') return void asked.req.destroy();
    if (failure === 'silent') return await new Promise(() => {});
    await setTimeout(SLOW_MS);
    await next();
  });
  server.middleware.unshift(async (asked, next) => {
    const { method, url = '/' } = asked.req;
    const upload = new URL(url, 'http://localhost').searchParams.get('uploadId');
    if (method !== 'DELETE' || upload === null) return await next();
    asked.status = (await endUpload(join(directory, bucket, '._S3rver_uploads', basename(upload)))) ? 204 : 404;
  });
  const { port }: AddressInfo = await server.run();
  const endpoint = `http://localhost:${port}`;
  return {
    settings: { bucket, endpoint, region: 'eu-central-1' },
    storageUrl: `s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}&region=eu-central-1`,
    async keys() {
      const files = await readdir(join(directory, bucket), { recursive: true });
      return files.filter((file) => file.endsWith(OBJECT)).map((file) => file.slice(0, -OBJECT.length));
    },
    fail: (how) => void (failure = how),
    async stop() {
      restoreEnvironment();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
