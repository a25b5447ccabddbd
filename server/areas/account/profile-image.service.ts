import { randomUUID } from 'node:crypto';
import type { uploadProfileImage } from '@officium/contract/assets';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/http/limits.ts';
import { squarePictures } from '#server/outside/picture.ts';
import { changeUser } from '#server/areas/auth/user.service.ts';
import { fileKey, PICTURE_EDGES, pictureAddress } from './picture.policy.ts';
import { insertPicture } from './picture.repository.ts';
import { dropUnusedPictures } from './picture.service.ts';

const UPLOADS = { max: 30, windowSeconds: 1800 };

/**
 * Makes pictures of what a person sends. `read` gives the bytes and is not called for whoever may not upload. That can
 * take as long as their connection is slow: no transaction may wait for it.
 */
export async function makePictures(
  ctx: Ctx,
  actor: UserViewer,
  { userId, read }: { userId: string; read: () => Promise<Buffer | undefined> },
): Promise<Buffer[]> {
  if (userId !== 'me' && userId !== actor.id) throw new AppError('auth.forbidden');
  await takeLimit(ctx, `profile-image:${actor.id}`, UPLOADS);
  const bytes = await read();
  const pictures = bytes && (await squarePictures(bytes, PICTURE_EDGES));
  if (!pictures) throw new AppError('assets.bad_image');
  return pictures;
}

/** Makes what `makePictures` made one's own picture. */
export async function setProfileImage(
  ctx: Ctx,
  actor: UserViewer,
  pictures: Buffer[],
): Promise<ReplyOf<typeof uploadProfileImage>> {
  // Random throughout: whoever was shown the picture knows the name, and nobody else can guess it.
  const id = randomUUID();
  const keys = PICTURE_EDGES.map((edge) => fileKey(id, edge));
  const [originalURL, thumbnailURL] = [
    pictureAddress(ctx.config.publicUrl, id, 512),
    pictureAddress(ctx.config.publicUrl, id, 128),
  ];
  try {
    await Promise.all(pictures.map(async (picture, at) => await store(ctx, keys[at] ?? '', picture)));
    await inTransaction(ctx.db, async (trx) => {
      const changes = { image_full: originalURL, image_thumbnail: thumbnailURL };
      // First, so that of two uploads at once the later sees what the earlier stored.
      if (!(await changeUser(ctx, trx, actor.id, changes))) throw new AppError('auth.required');
      await insertPicture(trx, { id, userId: actor.id });
      await dropUnusedPictures(ctx, trx, actor.id);
    });
  } catch (error) {
    await Promise.all(keys.map(async (key) => await ctx.files.delete(key))).catch(() => {}); // the error told is the first
    throw error;
  }
  return { originalURL, thumbnailURL };
}

async function store(ctx: Ctx, key: string, picture: Buffer): Promise<void> {
  await ctx.files.put(key, picture, 'image/webp').catch((cause: unknown) => {
    throw new AppError('server.unavailable', { retryAfterSeconds: 30 }, { cause });
  });
}
