import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Config } from '#server/config.ts';
import { ConfigError } from '#server/errors.ts';
import { createLogger } from '#server/log.ts';
import { openBucket } from '#server/outside/files-s3.ts';
import { advice, codeOf, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';

const GIB = 2 ** 30;
const LEAST_FREE = GIB / 4;
const GOOD_FREE = 2 * GIB;
const OTHERS = 0o007;
const OTHERS_WRITE = 0o002;
const OTHERS_ENTER = 0o001;
/** The private parts of the folder, with their modes. */
const PRIVATE = [
  ['files', '700'],
  ['secret.key', '600'],
  ['credential-key.pem', '600'],
  ['postgres.password', '600'],
] as const;

/** Checks DATA_DIR, which each installation has, and the bucket. */
export async function checkFiles(config: Config): Promise<Diagnosis[]> {
  const bucket = config.bucket ? [await checkBucket(config.bucket)] : [];
  return [...(await checkFolder(resolve(config.dataDir), config.bucket === undefined)), ...bucket];
}

/** Writes, reads and deletes a file under a name of its own. */
async function checkBucket(bucket: NonNullable<Config['bucket']>): Promise<Diagnosis> {
  const about = 'STORAGE_URL';
  const key = `doctor-${randomBytes(8).toString('hex')}`;
  try {
    const files = await openBucket(bucket, createLogger({ logLevel: 'silent' }));
    await files.put(key, Buffer.from(key), 'text/plain');
    const read = await buffer(await files.stream(key));
    await files.delete(key);
    if (read.toString() !== key || (await files.exists(key)))
      return wrong(about, 'the bucket does not keep what it is told', 'Use a store with the S3 API and strong reads.');
    return right(about, `the bucket ${bucket.bucket} can be written, read and deleted from`);
  } catch (error) {
    const credentials = 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the bucket with its policy.';
    if (error instanceof ConfigError) return wrong(about, error.message.replace(/^STORAGE_URL: /, ''), credentials);
    const { cause } = error as { cause?: { name?: string } }; // the error of the SDK
    if (cause?.name === 'CredentialsProviderError') return wrong(about, 'there are no credentials', credentials);
    const { reason, remedy } = explainConnection(cause ?? error, about);
    return wrong(about, reason, remedy);
  }
}

async function checkFolder(folder: string, holdsFiles: boolean): Promise<Diagnosis[]> {
  const about = 'DATA_DIR';
  const info = await stat(folder).catch(() => undefined);
  if (!info) return [await checkParent(folder)];
  if (!info.isDirectory()) return [wrong(about, `${folder} is not a folder`, 'Remove the file, or name a folder.')];
  const found = [await checkWriting(folder), ...(await checkSpace(folder, holdsFiles))];
  if (process.platform === 'win32') return found; // its permissions are not those of a mode
  if ((info.mode & OTHERS_WRITE) !== 0)
    found.push(wrong(about, `every account of this machine can write ${folder}`, `chmod o-w ${folder}`));
  // PostgreSQL runs under an account of its own beside a product that runs as root, and must enter the folder.
  if ((info.mode & OTHERS_ENTER) !== 0)
    for (const [name, mode] of PRIVATE) found.push(...(await checkPrivate(join(folder, name), mode)));
  return found;
}

async function checkPrivate(path: string, mode: string): Promise<Diagnosis[]> {
  const info = await stat(path).catch(() => undefined);
  if (!info || (info.mode & OTHERS) === 0) return [];
  return [wrong('DATA_DIR', `every account of this machine can read ${path}`, `chmod ${mode} ${path}`)];
}

async function checkParent(folder: string): Promise<Diagnosis> {
  let parent = dirname(folder);
  while (!(await stat(parent).catch(() => undefined)) && parent !== dirname(parent)) parent = dirname(parent);
  const mayWrite = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  return mayWrite
    ? right('DATA_DIR', `the first start creates ${folder}`)
    : wrong('DATA_DIR', `${folder} does not exist and cannot be created`, `Create it for the account of the product.`);
}

async function checkWriting(folder: string): Promise<Diagnosis> {
  const path = join(folder, `doctor-${randomBytes(8).toString('hex')}`);
  try {
    await mkdir(path);
    await writeFile(join(path, 'check'), 'ok');
    return right('DATA_DIR', `${folder} can be written${process.getuid?.() === 0 ? ' (asked as root)' : ''}`);
  } catch (error) {
    return wrong(
      'DATA_DIR',
      `${folder} cannot be written (${codeOf(error)})`,
      'Give it to the account of the product; is the disk full or mounted read-only?',
    );
  } finally {
    await rm(path, { recursive: true, force: true }).catch(() => {}); // reported above
  }
}

async function checkSpace(folder: string, holdsFiles: boolean): Promise<Diagnosis[]> {
  const { bavail, bsize } = await statfs(folder);
  return [judgeSpace(bavail * bsize, holdsFiles)];
}

export function judgeSpace(free: number, holdsFiles: boolean): Diagnosis {
  const text = `${(free / GIB).toFixed(1)} GiB are free`;
  if (free < LEAST_FREE) return wrong('DATA_DIR', text, 'Free some space, or use a larger disk.');
  if (free < GOOD_FREE && holdsFiles) return advice('DATA_DIR', text, 'Plan a larger disk, or STORAGE_URL.');
  return right('DATA_DIR', text);
}
