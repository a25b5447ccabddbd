import { createHash, randomUUID } from 'node:crypto';
import { EMPTY_UPLOAD_HOURS, MAX_UPLOADS, PART_BYTES, UPLOAD_HOURS } from '@officium/contract/piece-uploads';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { lockSpace } from './incoming-file.repository.ts';
import { requireSpace, temporaryKey } from './incoming-file.service.ts';
import * as repository from './resumable-upload.repository.ts';
import type { KeptFile, Owner, SameFile, ResumableUpload } from './resumable-upload.repository.ts';
import { putStoredFile } from './stored-file.repository.ts';

export type { KeptFile, Owner };

const RENEW_MS = 60_000;
const RETRY_SECONDS = 10;
const BATCH = 100;
const LONGEST_SWEEP_MS = 2 * 60_000;
const ABANDONED = { hours: UPLOAD_HOURS, emptyHours: EMPTY_UPLOAD_HOURS };

const partsOf = (bytes: number) => Math.ceil(bytes / PART_BYTES);
const partedFile = ({ id, token }: { id: string; token: string }) => ({ key: temporaryKey(id), token });

const tooMany = () => new AppError('request.too_many', { retryAfterSeconds: RETRY_SECONDS });

async function openUpload(ctx: Ctx, owner: Owner, id: string): Promise<ResumableUpload> {
  const upload = await repository.getUpload(ctx.db, owner, id);
  if (!upload) throw notFound();
  return upload;
}

/** Begins an upload and reserves its space, or finds the one with which the person continues. */
export async function beginUpload(ctx: Ctx, owner: Owner, file: SameFile) {
  const known = await repository.findUnfinished(ctx.db, owner, file);
  const id = known ?? (await insert(ctx, owner, file));
  const received = known ? await repository.findParts(ctx.db, known) : [];
  return { id, partBytes: PART_BYTES, parts: partsOf(file.bytes), received: received.map(({ number }) => number) };
}

/** Two tabs may begin the same at once: the lock of the space lets one of them find the other's. */
async function insert(ctx: Ctx, owner: Owner, file: SameFile): Promise<string> {
  const own = { id: randomUUID(), token: '' };
  own.token = await ctx.files.parts.begin(temporaryKey(own.id), 'application/octet-stream');
  const id = await inTransaction(ctx.db, async (db) => {
    await lockSpace(db);
    const known = await repository.findUnfinished(db, owner, file);
    if (known) return known;
    if ((await repository.countUnfinished(db, owner.userId)) >= MAX_UPLOADS) throw tooMany();
    await requireSpace(db, ctx.config, { userId: owner.userId, bytes: file.bytes, atOnce: Infinity });
    await repository.insertUpload(db, { ...owner, ...file, ...own });
    return own.id;
  }).catch(async (error: unknown) => {
    await ctx.files.parts.discard(partedFile(own));
    throw error;
  });
  if (id !== own.id) await ctx.files.parts.discard(partedFile(own));
  return id;
}

/** The upload of a part; 404 unless it is the owner's, 400 when the number is beyond its end. */
export async function requirePart(
  ctx: Ctx,
  owner: Owner,
  { id, number }: { id: string; number: number },
): Promise<ResumableUpload> {
  const upload = await openUpload(ctx, owner, id);
  const count = partsOf(upload.bytes);
  if (number > count) throw invalid('number', `Must be at most ${count}`);
  return upload;
}

/** Stores a part, unless it has arrived before. Returns how many there are. */
export async function receivePart(
  ctx: Ctx,
  owner: Owner,
  { id, number, sha256, sent }: { id: string; number: number; sha256: string; sent: Buffer | undefined },
): Promise<{ received: number }> {
  const digest = sent && createHash('sha256').update(sent).digest();
  if (!sent || digest?.toString('hex') !== sha256) throw new AppError('content.part_damaged');
  const upload = await requirePart(ctx, owner, { id, number });
  if (sent.length !== Math.min(PART_BYTES, upload.bytes - (number - 1) * PART_BYTES))
    throw new AppError('content.part_damaged');
  const parts = await repository.findParts(ctx.db, id);
  if (upload.file || parts.some((part) => part.number === number && part.sha256.equals(digest)))
    return { received: parts.length };
  const receipt = await ctx.files.parts
    .put(partedFile(upload), { number, bytes: sent })
    .catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? notFound() : error; // deleted meanwhile
    });
  const isKept = await inTransaction(
    ctx.db,
    async (db) => await repository.putPart(db, id, { number, sha256: digest, receipt }),
  );
  if (!isKept) throw notFound();
  return { received: new Set([...parts.map((part) => part.number), number]).size };
}

/** Stores the complete file, found at `temporary`, under the key of its content; see `keepFile`. */
export type Keep = (
  incoming: { temporary: string; settle(file: KeptFile): Promise<void> },
  file: { name: string; bytes: number; hash: string },
) => Promise<KeptFile>;

/**
 * Makes the file of its parts and checks each of them against its digest. Finishing again answers the same file. Takes
 * as long as reading the file, so call it outside transactions.
 */
export async function finishUpload(
  ctx: Ctx,
  owner: Owner,
  { id, sha256, keep }: { id: string; sha256: string; keep: Keep },
): Promise<KeptFile> {
  const { lastingDb } = ctx;
  const upload = await openUpload(ctx, owner, id);
  if (upload.file && (upload.isFinished || (await isStored(ctx, upload.file)))) return upload.file;
  const parts = await repository.findParts(ctx.db, id);
  if (parts.length < partsOf(upload.bytes)) throw new AppError('content.upload_incomplete');
  // Joining in a folder needs the space of the file twice. Deleting each copied part instead would save it, but a join
  // that broke off could then not be repeated. So each person finishes one at a time.
  const claim = async (db: Db) => await repository.claimToFinish(db, id, owner.userId);
  if (!(await inTransaction(lastingDb, claim))) throw tooMany();
  const renewing = setInterval(() => {
    repository.renewClaim(lastingDb, id).catch((err: unknown) => ctx.log.warn({ err }, 'upload not renewed'));
  }, RENEW_MS);
  try {
    const digests = parts.map((part) => part.sha256);
    if (createHash('sha256').update(Buffer.concat(digests)).digest('hex') !== sha256)
      throw new AppError('content.upload_damaged');
    await ctx.files.parts.join(
      partedFile(upload),
      parts.map(({ receipt }) => receipt),
    );
    const hash = await hashOf(ctx, upload, digests);
    const settle = async (file: KeptFile) =>
      await inTransaction(lastingDb, async (db) => {
        await repository.settleUpload(db, id, file);
        await putStoredFile(db, { ...file, userId: owner.userId });
      });
    const file = await keep({ temporary: temporaryKey(id), settle }, { name: upload.name, bytes: upload.bytes, hash });
    await repository.finishUpload(lastingDb, id);
    // Otherwise the sweep does it.
    await ctx.files.parts
      .discard(partedFile(upload))
      .catch((err: unknown) => ctx.log.warn({ err }, 'parts of an upload not deleted'));
    return file;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await discard(ctx, upload);
    else await repository.releaseClaim(lastingDb, id);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

async function isStored(ctx: Ctx, { key, bytes }: KeptFile): Promise<boolean> {
  return (await ctx.files.size(`content-assets/${key}`, storageTimeout())) === bytes;
}

/** Reads the file once: its hash, after comparing each part with its digest. */
async function hashOf(ctx: Ctx, { id, bytes }: ResumableUpload, digests: Buffer[]): Promise<string> {
  const whole = createHash('sha256');
  let part = createHash('sha256');
  let [read, at] = [0, 0];
  const endPart = () => {
    const isSame = digests[at]?.equals(part.digest());
    if (!isSame) throw new AppError('content.upload_damaged');
    part = createHash('sha256');
    at += 1;
  };
  for await (const chunk of await ctx.files.stream(temporaryKey(id), storageTimeout())) {
    whole.update(chunk as Buffer);
    for (let rest = chunk as Buffer; rest.length > 0;) {
      const taken = rest.subarray(0, PART_BYTES - (read % PART_BYTES));
      part.update(taken);
      read += taken.length;
      rest = rest.subarray(taken.length);
      if (read % PART_BYTES === 0) endPart();
    }
  }
  if (read % PART_BYTES !== 0) endPart();
  if (read !== bytes) throw new AppError('content.upload_damaged');
  return whole.digest('hex');
}

/** Gives up an upload that nobody is finishing. */
export async function cancelUpload(ctx: Ctx, owner: Owner, id: string): Promise<void> {
  const upload = await openUpload(ctx, owner, id);
  if (upload.isFinished || !(await repository.claimUpload(ctx.db, id))) throw notFound();
  await discard(ctx, upload);
}

/** The row goes last: the sweep finds what could not be deleted. */
async function discard(ctx: Ctx, upload: { id: string; token: string }): Promise<void> {
  await ctx.files.parts.discard(partedFile(upload));
  await repository.deleteUpload(ctx.lastingDb, upload.id);
}

/** Deletes uploads that nobody continues. One that cannot be deleted does not keep the others. */
export async function sweepResumableUploads(ctx: Ctx): Promise<void> {
  const end = Date.now() + LONGEST_SWEEP_MS;
  const failures: unknown[] = [];
  while (Date.now() < end) {
    // The claims keep failed ones out of the next batch.
    const uploads = await repository.findAbandoned(ctx.db, { ...ABANDONED, limit: BATCH });
    for (const upload of uploads) await discardAbandoned(ctx, upload).catch((error: unknown) => failures.push(error));
    if (uploads.length < BATCH) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, `uploads not deleted: ${failures.length}`);
}

async function discardAbandoned(ctx: Ctx, upload: { id: string; token: string }): Promise<void> {
  if (await repository.claimAbandoned(ctx.db, upload.id, ABANDONED)) await discard(ctx, upload);
}
