import type { UserViewer } from '#server/access/viewer.ts';
import {
  beginUpload,
  cancelUpload,
  finishUpload,
  type Owner,
  receivePart,
  requirePart,
} from '#server/areas/assets/resumable-upload.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { takesFiles } from './piece-file.policy.ts';
import { keepFile } from './piece-file.service.ts';
import { docOf, openAs } from './piece-open.service.ts';
import type { PieceImage, PieceKey } from './piece.policy.ts';

/** Shared with `uploadPieceFile`. */
const UPLOADS: Limit = { max: 300, windowSeconds: 3600 };
/** Somewhat more than a gigabyte a minute. */
const PARTS: Limit = { max: 3000, windowSeconds: 600 };

/** Throws unless the viewer may add files to the piece; returns the owner of uploads to it. */
async function openTo(ctx: Ctx, viewer: UserViewer, piece: PieceKey): Promise<Owner> {
  const row = await openAs(ctx.db, viewer, piece, 'edit-content');
  if (!takesFiles(docOf(row))) throw notFound();
  return { userId: viewer.id, place: `${piece.kind}/${piece.key}` };
}

export async function beginPieceUpload(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  file: { name: string; bytes: number; modified: number },
) {
  if (file.bytes > ctx.config.maxMediaBytes) throw new AppError('content.file_too_large');
  const owner = await openTo(ctx, viewer, piece);
  await takeLimit(ctx, `upload-file:${viewer.id}`, UPLOADS);
  return await beginUpload(ctx, owner, file);
}

/** Admits a part before it is read. */
export async function admitPart(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  part: { id: string; number: number },
): Promise<void> {
  const owner = await openTo(ctx, viewer, piece);
  await takeLimit(ctx, `upload-part:${viewer.id}`, PARTS);
  await requirePart(ctx, owner, part);
}

export async function receivePiecePart(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  part: { id: string; number: number; sha256: string; sent: Buffer | undefined },
): Promise<{ received: number }> {
  return await receivePart(ctx, { userId: viewer.id, place: `${piece.kind}/${piece.key}` }, part);
}

export async function finishPieceUpload(
  ctx: Ctx,
  viewer: UserViewer,
  piece: PieceKey,
  { id, sha256 }: { id: string; sha256: string },
): Promise<PieceImage> {
  const owner = await openTo(ctx, viewer, piece);
  return await finishUpload(ctx, owner, {
    id,
    sha256,
    keep: async (incoming, file) => await keepFile(ctx, incoming, file),
  });
}

export async function cancelPieceUpload(ctx: Ctx, viewer: UserViewer, piece: PieceKey, id: string): Promise<void> {
  await cancelUpload(ctx, await openTo(ctx, viewer, piece), id);
}
