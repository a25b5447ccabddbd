import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { withSpace } from '#server/areas/assets/incoming-file.service.ts';
import { storeAssets } from '#server/areas/catalogue/stored-asset.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { textPicture } from '#server/outside/picture.ts';
import { docOf, openToChange } from './piece-open.service.ts';
import { type PieceKey, type StoredDoc, withFile } from './piece.policy.ts';
import * as pieces from './piece.repository.ts';
import { keep } from './piece.service.ts';

const PICTURE_EDGE = 1600;

/** A stored picture, prepared before any transaction. */
export type MadePicture = {
  path: string;
  url: string;
  width: number;
  height: number;
  image: StoredDoc['images'][number];
};

export async function makePicture(ctx: Ctx, userId: string, bytes: Buffer | undefined): Promise<MadePicture> {
  const made = bytes && (await textPicture(bytes, PICTURE_EDGE));
  if (!made) throw new AppError('assets.bad_image');
  const wanted = { userId, bytes: made.data.length, atOnce: Infinity };
  const pictures = new Map([['picture', { bytes: made.data, mime: 'image/webp' }]]);
  const [asset] = (await withSpace(ctx, wanted, async () => await storeAssets(ctx, pictures, userId))).values();
  if (!asset) throw new AppError('assets.bad_image');
  const { key, mime, bytes: size, hash, url } = asset;
  // Derived from the bytes, so that an exported folder contains each picture once.
  const path = `images/${hash.slice(0, 20)}.webp`;
  return { path, url, width: made.width, height: made.height, image: { path, key, mime, bytes: size, hash } };
}

export async function addPicture(ctx: Ctx, actor: UserViewer, piece: PieceKey, picture: MadePicture) {
  const { path, url, width, height, image } = picture;
  return await inTransaction(ctx.db, async (db) => {
    await pieces.lockPieces(db, [piece]);
    const row = await openToChange(db, actor, piece, 'edit-content');
    const doc = docOf(row);
    const version = await keep(db, actor, piece, row, { ...doc, images: withFile(doc, image) }, row.version);
    await recordAction(db, actor, {
      action: 'content.add-picture',
      object: piece.key,
      detail: { kind: piece.kind, path },
    });
    return { path, url, width, height, version };
  });
}
