import { randomUUID } from 'node:crypto';
import type { uploadProfileImage } from '@officium/contract/assets';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { squarePictures } from '#server/outside/picture.ts';
import { changeUser } from '#server/areas/auth/user.service.ts';
import { removePicturesJob } from './picture.jobs.ts';
import { fileKey, PICTURE_EDGES, pictureAddress } from './picture.policy.ts';
import { insertPicture } from './picture.repository.ts';
import { dropUnusedPictures } from './picture.service.ts';

const UPLOADS = { max: 30, windowSeconds: 1800 };
/** A store that takes longer counts as away. */
const STORE_MS = 4_000;
/** By then the upload has ended, and whatever nobody shows is in nobody's way. */
const REMOVED_AFTER_SECONDS = 600;

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
  // Promised before anything is stored, so that nothing stays of an upload that ends on the way, however it ends.
  const later = { startAfterSeconds: REMOVED_AFTER_SECONDS };
  await ctx.jobs.enqueueAll(ctx.lastingDb, removePicturesJob, [{ ids: [id] }], later);
  const signal = AbortSignal.timeout(STORE_MS);
  await Promise.all(pictures.map(async (picture, at) => await store(ctx, keys[at] ?? '', picture, signal)));
  await inTransaction(ctx.db, async (trx) => {
    const changes = { image_full: originalURL, image_thumbnail: thumbnailURL };
    // First, so that of two uploads at once the later sees what the earlier stored.
    if (!(await changeUser(ctx, trx, actor.id, changes))) throw new AppError('auth.required');
    await insertPicture(trx, { id, userId: actor.id });
    await dropUnusedPictures(ctx, trx, actor.id);
  });
  return { originalURL, thumbnailURL };
}

async function store(ctx: Ctx, key: string, picture: Buffer, signal: AbortSignal): Promise<void> {
  await ctx.files.put(key, picture, 'image/webp', signal).catch((cause: unknown) => {
    throw new AppError('server.unavailable', { retryAfterSeconds: 30 }, { cause });
  });
}
