import { randomUUID } from 'node:crypto';
import { ARTICLE_PICTURES, MAX_ARTICLE_PICTURES, type uploadArticlePicture } from '@officium/contract/article-pictures';
import type { ReplyOf } from '@officium/contract/endpoint';
import { type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import {
  type ReadAdmitted,
  storePicture,
  type UploadedPicture,
} from '#server/areas/assets/uploaded-picture.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { pictureAddresses } from '#server/text/picture-links.ts';
import { pictureOf } from './article-picture.policy.ts';
import * as repository from './article-picture.repository.ts';
import type { OwnPicture } from './article-picture.repository.ts';
import { canReadArticles, canWriteArticles } from './article.policy.ts';

const UPLOADS: Limit = { max: 60, windowSeconds: 3600 };
/** Covers are shown wider than texts. */
const PICTURE_EDGE = 2000;

async function requireAuthor({ db }: Ctx, viewer: UserViewer): Promise<void> {
  if (canWriteArticles(viewer)) return;
  // They may still edit what they wrote.
  if (!(await repository.hasArticle(db, viewer.id))) throw new AppError('auth.forbidden');
}

/** Converts and stores a picture before any transaction. */
export async function makePicture(ctx: Ctx, viewer: UserViewer, read: ReadAdmitted): Promise<UploadedPicture> {
  const sent = await read(async () => {
    await requireAuthor(ctx, viewer);
    await takeLimit(ctx, `article-picture:${viewer.id}`, UPLOADS);
  });
  if (!sent) throw new AppError('assets.bad_image');
  return await storePicture(ctx, { userId: viewer.id, sent, edge: PICTURE_EDGE });
}

export async function addPicture(
  ctx: Ctx,
  viewer: UserViewer,
  { key, ...shown }: UploadedPicture,
): Promise<ReplyOf<typeof uploadArticlePicture>> {
  await requireAuthor(ctx, viewer);
  const id = randomUUID(); // not UUIDv7, which can be guessed
  await repository.insertPicture(ctx.db, { id, key, userId: viewer.id, ...shown });
  return { id, url: `${ARTICLE_PICTURES}${id}`, ...shown };
}

/** The storage key of a picture that the viewer may see; 404 otherwise, whatever the reason. */
export async function openPicture(ctx: Ctx, viewer: Viewer, id: string): Promise<string> {
  const picture = await repository.getPicture(ctx.db, { id, viewerId: viewerId(viewer) });
  if (!picture || !canReadArticles(viewer)) throw notFound();
  const isSeen = picture.isPlaced ? picture.isPublished || picture.isRestorable : picture.userId === viewerId(viewer);
  if (!isSeen) throw notFound();
  return `content-assets/${picture.key}`;
}

/** The uploaded pictures that an article may show, by id. */
export type UsablePictures = ReadonlyMap<string, OwnPicture>;

/**
 * The pictures of the author that the body and the cover name. Those of another article than `articleId` count as
 * missing; `any` tells a preview, which has no article. Throws 400 for too many.
 */
export async function findUsable(
  db: Db,
  { body, cover }: { body: string; cover?: string | undefined },
  { authorId, articleId }: { authorId: string; articleId: string | 'any' | undefined },
): Promise<UsablePictures> {
  const addresses = body.includes(ARTICLE_PICTURES) ? pictureAddresses(body) : [];
  const ids = [...new Set([...addresses, ...(cover ? [cover] : [])].flatMap((address) => pictureOf(address) ?? []))];
  if (ids.length > MAX_ARTICLE_PICTURES)
    throw invalid('body', `An article must have at most ${MAX_ARTICLE_PICTURES} pictures`);
  const own = await repository.findOwn(db, { userId: authorId, ids });
  if (articleId === 'any') return own;
  return new Map([...own].filter(([, picture]) => picture.articleId === null || picture.articleId === articleId));
}

/** How a body shows them, as `resolveImage` of its rendering. */
export function shownFrom(pictures: UsablePictures) {
  return (src: string) => {
    const picture = pictures.get(pictureOf(src) ?? '');
    return picture && { src, width: picture.width, height: picture.height };
  };
}
