import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { removePieceFile as Remove, uploadPieceFile as Upload } from '@officium/contract/authoring';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { Incoming } from '#server/areas/assets/incoming-file.service.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { mediaType } from '#server/outside/media-type.ts';
import { slugFrom } from '#server/text/slug.ts';
import { toPieceFile } from './piece-file.view.ts';
import { type PieceImage, type PieceKey, usedImages, withFile } from './piece.policy.ts';
import * as pieces from './piece.repository.ts';
import { docOf, openToChange } from './piece-open.service.ts';
import { keep } from './piece.service.ts';

/** An incoming file. After the end of `content`, `isWhole` is false if it was truncated at the size limit. */
export type IncomingFile = { name: string; content: Readable; isWhole: () => boolean };

const MAX_STEM = 40;

/**
 * Stores a file while it arrives, under a temporary key until its type and hash are known. At most some megabytes are
 * in memory. Takes minutes, so call it outside transactions.
 */
export async function receiveFile(
  ctx: Ctx,
  incoming: Incoming,
  { name, content, isWhole }: IncomingFile,
): Promise<PieceImage> {
  const { hash, bytes } = await storeHashed(ctx, incoming.temporary, content);
  if (!isWhole()) throw new AppError('content.file_too_large');
  return await keepFile(ctx, incoming, { name, hash, bytes });
}

/** Moves a file from its temporary key to that of its content, whose type is read from it. */
export async function keepFile(
  ctx: Ctx,
  { temporary, settle }: { temporary: string; settle(file: PieceImage): Promise<void> },
  { name, hash, bytes }: { name: string; hash: string; bytes: number },
): Promise<PieceImage> {
  const read = (range?: { start: number; end: number }) => ctx.files.stream(temporary, storageTimeout(), range);
  const type = await mediaType({ name, bytes, read });
  if (!type) throw new AppError('content.file_type');
  const key = `${hash}.${type.extension}`;
  // The hash keeps two files of one name apart in an exported folder.
  const stem = slugFrom(basename(name).replace(/\.[^.]*$/, ''), MAX_STEM) || type.kind;
  const path = `media/${stem}-${hash.slice(0, 8)}.${type.extension}`;
  const image = { path, key, mime: type.mime, bytes, hash };
  const file = `content-assets/${key}`;
  // The sweep may be about to delete the file, so the look comes after this.
  await settle(image);
  if (!(await ctx.files.exists(file, storageTimeout()))) await ctx.files.move(temporary, file);
  return image;
}

async function storeHashed(ctx: Ctx, key: string, content: Readable): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      bytes += part.length;
      done(null, part);
    },
  });
  const arriving = pipeline(content, counting);
  const [stored] = await Promise.allSettled([
    ctx.files.putStream(key, counting, 'application/octet-stream').catch((error: unknown) => {
      content.destroy(); // the rest of the upload is not needed
      throw error;
    }),
    arriving,
  ]);
  if (stored.status === 'rejected') throw stored.reason;
  return { hash: hash.digest('hex'), bytes };
}

/** Adds a stored file to the draft. */
export async function addFile(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  file: PieceImage,
): Promise<ReplyOf<typeof Upload>> {
  return await inTransaction(ctx.db, async (db) => {
    await pieces.lockPieces(db, [piece]);
    const row = await openToChange(db, actor, piece, 'edit-content');
    const doc = docOf(row);
    const version = await keep(db, actor, piece, row, { ...doc, images: withFile(doc, file) }, row.version);
    const detail = { kind: piece.kind, path: file.path, bytes: file.bytes };
    await recordAction(db, actor, { action: 'content.add-file', object: piece.key, detail });
    return { ...toPieceFile(file, ctx.seal.hash, ctx.clock.now()), version };
  });
}

/** Removes a file from the draft. It stays in storage while a version names it. */
export async function removeFile(
  ctx: Ctx,
  actor: UserViewer,
  piece: PieceKey,
  { version, path }: InputOf<typeof Remove>['body'],
): Promise<{ version: number }> {
  return await inTransaction(ctx.db, async (db) => {
    await pieces.lockPieces(db, [piece]);
    const row = await openToChange(db, actor, piece, 'edit-content');
    const doc = docOf(row);
    if (!doc.images.some((each) => each.path === path)) throw notFound();
    if (row.version !== version) throw new AppError('content.changed_meanwhile');
    if (usedImages(doc, doc.images).some((each) => each.path === path)) throw new AppError('content.file_used');
    const images = doc.images.filter((each) => each.path !== path);
    const next = await keep(db, actor, piece, row, { ...doc, images }, version);
    const detail = { kind: piece.kind, path };
    await recordAction(db, actor, { action: 'content.remove-file', object: piece.key, detail });
    return { version: next };
  });
}
