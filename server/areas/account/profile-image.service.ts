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
/** After this time the file store counts as unavailable. */
const STORE_MS = 4_000;
/** Delay before unused files are deleted. By then the upload has finished. */
const REMOVED_AFTER_SECONDS = 600;

/**
 * Creates the pictures from an upload. `read` returns the bytes and is only called if the viewer may upload. Reading
 * can be slow, so it must run outside any transaction.
 */
export async function makePictures(
  ctx: Ctx,
  viewer: UserViewer,
  { userId, read }: { userId: string; read: () => Promise<Buffer | undefined> },
): Promise<Buffer[]> {
  if (userId !== 'me' && userId !== viewer.id) throw new AppError('auth.forbidden');
  await takeLimit(ctx, `profile-image:${viewer.id}`, UPLOADS);
  const bytes = await read();
  const pictures = bytes && (await squarePictures(bytes, PICTURE_EDGES));
  if (!pictures) throw new AppError('assets.bad_image');
  return pictures;
}

/** Stores the pictures from `makePictures` as the viewer's profile picture. */
export async function setProfileImage(
  ctx: Ctx,
  viewer: UserViewer,
  pictures: Buffer[],
): Promise<ReplyOf<typeof uploadProfileImage>> {
  // Fully random (not UUIDv7), so that the address cannot be guessed.
  const id = randomUUID();
  const keys = PICTURE_EDGES.map((edge) => fileKey(id, edge));
  const [originalURL, thumbnailURL] = [
    pictureAddress(ctx.config.publicUrl, id, 512),
    pictureAddress(ctx.config.publicUrl, id, 128),
  ];
  // Queued before anything is stored, so that an interrupted upload leaves no files behind.
  const later = { startAfterSeconds: REMOVED_AFTER_SECONDS };
  await ctx.jobs.enqueueAll(ctx.lastingDb, removePicturesJob, [{ ids: [id] }], later);
  const signal = AbortSignal.timeout(STORE_MS);
  await Promise.all(pictures.map(async (picture, at) => await store(ctx, keys[at] ?? '', picture, signal)));
  await inTransaction(ctx.db, async (trx) => {
    const changes = { image_full: originalURL, image_thumbnail: thumbnailURL };
    // Locks the account first, so that the later of two parallel uploads sees the earlier one.
    if (!(await changeUser(ctx, trx, viewer.id, changes))) throw new AppError('auth.required');
    await insertPicture(trx, { id, userId: viewer.id });
    await dropUnusedPictures(ctx, trx, viewer.id);
  });
  return { originalURL, thumbnailURL };
}

async function store(ctx: Ctx, key: string, picture: Buffer, signal: AbortSignal): Promise<void> {
  await ctx.files.put(key, picture, 'image/webp', signal).catch((cause: unknown) => {
    throw new AppError('server.unavailable', { retryAfterSeconds: 30 }, { cause });
  });
}
