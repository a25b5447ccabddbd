import { randomUUID } from 'node:crypto';
import { MAX_POST_PICTURES, POST_PICTURES, type uploadPostPicture } from '@officium/contract/post-pictures';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer, Viewer } from '#server/access/viewer.ts';
import { isUser, viewerId } from '#server/access/viewer.ts';
import {
  type ReadAdmitted,
  storePicture,
  type UploadedPicture,
} from '#server/areas/assets/uploaded-picture.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import type { RenderOptions } from '#server/text/markdown.ts';
import { pictureAddresses } from '#server/text/picture-links.ts';
import { openContent, openWithLevel, REDUCED } from '../members/access.service.ts';
import type { Place } from '../posts/activity.repository.ts';
import { pictureOf, picturesIn } from './picture.policy.ts';
import * as repository from './picture.repository.ts';
import type { PicturePlace } from './picture.repository.ts';

const UPLOADS: Limit = { max: 60, windowSeconds: 3600 };
const PICTURE_EDGE = 1600;

/** Opens the place for somebody who may write there; throws otherwise. */
export type OpenToWrite = (db: Db) => Promise<PicturePlace>;

/** Converts and stores a picture before any transaction. */
export async function makePicture(
  ctx: Ctx,
  viewer: UserViewer,
  { open, read }: { open: OpenToWrite; read: ReadAdmitted },
): Promise<UploadedPicture> {
  const sent = await read(async () => {
    await open(ctx.db);
    await takeLimit(ctx, `post-picture:${viewer.id}`, UPLOADS);
  });
  if (!sent) throw new AppError('assets.bad_image');
  return await storePicture(ctx, { userId: viewer.id, sent, edge: PICTURE_EDGE });
}

export async function addPicture(
  ctx: Ctx,
  viewer: UserViewer,
  open: OpenToWrite,
  { key, width, height }: UploadedPicture,
): Promise<ReplyOf<typeof uploadPostPicture>> {
  const place = await open(ctx.db);
  const id = randomUUID(); // not UUIDv7, which can be guessed
  await repository.insertPicture(ctx.db, { id, key, place, userId: viewer.id, width, height });
  return { id, url: `${POST_PICTURES}${id}`, width, height };
}

/** Throws unless the viewer may read the discussions of a lesson. */
export type OpenLessonByKey = (db: Db, viewer: UserViewer, lessonKey: string) => Promise<void>;

/** The storage key of a picture that the viewer may see; 404 otherwise, whatever the reason. */
export async function openPicture(ctx: Ctx, viewer: Viewer, id: string, openLesson: OpenLessonByKey): Promise<string> {
  const picture = await repository.getPicture(ctx.db, id);
  if (!picture) throw notFound();
  const isOwn = picture.userId === viewerId(viewer);
  if (!picture.isPlaced && !isOwn) throw notFound();
  const { slug, lessonKey, isInReply } = picture;
  const opening = async () => {
    // Visitors read the posts of an open community, and not its replies.
    if (slug !== null && isInReply) return void (await openWithLevel(ctx.db, viewer, slug, REDUCED));
    if (slug !== null) return void (await openContent(ctx.db, viewer, slug));
    if (lessonKey === null || !isUser(viewer)) throw notFound();
    return await openLesson(ctx.db, viewer, lessonKey);
  };
  await opening().catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  });
  return `content-assets/${picture.key}`;
}

type Text = { bodyHtml: string | null; authorId: string; place: Place };

const takesPictures = (place: Place): place is PicturePlace => !('profileOf' in place);

/**
 * How a text of the place shows the pictures that were uploaded for it; undefined for a text without any. Others leave
 * their alternative text. Throws 400 for too many.
 */
export async function picturesFor(
  db: Db,
  place: Place,
  body: string,
): Promise<Pick<RenderOptions, 'resolveImage'> | undefined> {
  if (!body.includes(POST_PICTURES) || !takesPictures(place)) return undefined;
  const ids = [...new Set(pictureAddresses(body).flatMap((address) => pictureOf(address) ?? []))];
  if (ids.length > MAX_POST_PICTURES) throw invalid('body', `A text must have at most ${MAX_POST_PICTURES} pictures`);
  const sizes = await repository.findSizes(db, place, ids);
  return {
    resolveImage: (src) => {
      const size = sizes.get(pictureOf(src) ?? '');
      return size && { src, ...size };
    },
  };
}

/** Writes a new text; one with pictures together with them, in one transaction. `idOf` names what was written. */
export async function writeWithPictures<Written>(
  db: Db,
  text: Text,
  write: (db: Db) => Promise<Written>,
  idOf: (written: Written) => string | null | undefined,
): Promise<Written> {
  if (picturesIn(text.bodyHtml).length === 0) return await write(db);
  return await inTransaction(db, async (trx) => {
    const written = await write(trx);
    const objectId = idOf(written);
    if (objectId) await placePictures(trx, objectId, text);
    return written;
  });
}

/** Notes after a text was written that the pictures in it stand there, and no others. */
export async function placePictures(db: Db, objectId: string, { bodyHtml, authorId, place }: Text): Promise<void> {
  if (!takesPictures(place)) return;
  await repository.placePictures(db, { objectId, authorId, place, ids: picturesIn(bodyHtml) });
}
