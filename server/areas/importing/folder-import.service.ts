import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  IMPORT_DAYS,
  IMPORT_HOURS,
  type ContentImport,
  type listContentImports,
} from '@officium/contract/content-folder';
import type { ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import { runImportJob, sweepScratch } from './folder-import.jobs.ts';
import * as repository from './folder-import.repository.ts';
import { toImport, toShortImport } from './folder-import.view.ts';
import { zipKey } from './folder-zip-key.policy.ts';

/** A received and verified ZIP in file storage. */
export type KeptZip = { id: string; name: string; bytes: number; files: number };

/** Runs `work` with a temporary folder, which is always removed. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-zip-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An incoming ZIP. After the end of `content`, `isWhole` is false if it was truncated at the size limit. */
type Sent = { name: string; content: Readable; isWhole: () => boolean };

/** Receives a ZIP, verifies that it can be unpacked, and stores it. May take long, so call it outside transactions. */
export async function keepZip(ctx: Ctx, { name, content, isWhole }: Sent): Promise<KeptZip> {
  return await inFolder(async (folder) => {
    const file = join(folder, 'sent.zip');
    const out = createWriteStream(file, { mode: 0o600 });
    await pipeline(content, out).catch(async (cause: unknown) => {
      const { isOfDisk } = await import('./folder-zip.format.ts');
      throw isOfDisk(cause) ? cause : new AppError('content.zip_unreadable', {}, { cause });
    });
    if (!isWhole()) throw new AppError('content.zip_too_large');
    const { unpackFolder } = await import('./folder-zip.format.ts');
    const files = await unpackFolder(file, join(folder, 'unpacked'));
    const id = newId();
    await ctx.files.putStream(zipKey(id), createReadStream(file), 'application/zip');
    return { id, name: plainName(name), bytes: out.bytesWritten, files };
  });
}

/** Converts a file name to one line of plain text. */
function plainName(name: string): string {
  return (
    name
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
      .trim()
      .slice(0, 120) || 'content.zip'
  );
}

/** Enqueues a job that checks what an import would change. */
export async function queueCheck(ctx: Ctx, actor: UserViewer, zip: KeptZip): Promise<ContentImport> {
  try {
    return await inTransaction(ctx.db, async (trx) => {
      await repository.insertImport(trx, { ...zip, userId: actor.id });
      await ctx.jobs.enqueue(trx, runImportJob, { importId: zip.id });
      const detail = { name: zip.name, bytes: zip.bytes, files: zip.files };
      await recordAction(trx, actor, { action: 'content.check-zip', object: zip.id, detail });
      return await readImportOf({ ...ctx, db: trx }, zip.id);
    });
  } catch (error) {
    await ctx.files.delete(zipKey(zip.id));
    throw error;
  }
}

export async function listImports(
  ctx: Ctx,
  page: { limit: number; offset: number },
): Promise<ReplyOf<typeof listContentImports>> {
  const { rows, total } = await repository.findImports(ctx.db, page);
  return { imports: rows.map(toShortImport), total };
}

export async function readImportOf(ctx: Pick<Ctx, 'db'>, id: string): Promise<ContentImport> {
  const row = await repository.getImport(ctx.db, id);
  if (!row) throw notFound();
  return toImport(row);
}

/** Starts a checked import, at most once. */
export async function beginImport(ctx: Ctx, actor: UserViewer, id: string): Promise<ContentImport> {
  requireRecentSignIn(actor);
  return await inTransaction(ctx.db, async (trx) => {
    const { name } = await readImportOf({ db: trx }, id);
    if (!(await repository.beginImport(trx, { id, hours: IMPORT_HOURS })))
      throw new AppError('content.import_not_ready');
    await ctx.jobs.enqueue(trx, runImportJob, { importId: id });
    await recordAction(trx, actor, { action: 'content.begin-import', object: id, detail: { name } });
    return await readImportOf({ db: trx }, id);
  });
}

/** Expires old imports and removes their files; deletes import records after the retention period. */
export async function sweepImports(ctx: Ctx): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const keys = (await repository.expireImports(trx, IMPORT_HOURS)).map(zipKey);
    if (keys.length > 0) await ctx.jobs.enqueue(trx, removeFilesJob, { keys });
    await repository.deleteImports(trx, IMPORT_DAYS);
  });
  await sweepScratch();
}
