import { randomBytes } from 'node:crypto';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { textPicture } from '#server/outside/picture.ts';
import { withSpace } from './incoming-file.service.ts';

/** A stored picture without a row that names it: it is deleted unless it gets one. */
export type UploadedPicture = { key: string; width: number; height: number; color: string };

/** Reads what a person sends; `admit` runs before it is held in memory, and throws unless they may send it. */
export type ReadAdmitted = (admit: () => Promise<void>) => Promise<Buffer | undefined>;

/** Converts a picture that a person sent for a text, and stores it. Call it before any transaction. */
export async function storePicture(
  ctx: Ctx,
  { userId, sent, edge }: { userId: string; sent: Buffer; edge: number },
): Promise<UploadedPicture> {
  const made = await textPicture(sent, edge);
  if (!made) throw new AppError('assets.bad_image');
  const { data, ...shown } = made;
  // Random, not the hash of the bytes: nobody can tell whether another place has the same picture.
  const key = `${randomBytes(32).toString('hex')}.webp`;
  const bytes = data.length;
  await withSpace(ctx, { userId, bytes, atOnce: Infinity }, async ({ settle }) => {
    await settle({ key, bytes, isPrivate: true });
    await ctx.files.put(`content-assets/${key}`, data, 'image/webp', storageTimeout());
  });
  return { key, ...shown };
}
