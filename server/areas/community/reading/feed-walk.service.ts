import type { Ctx } from '#server/ctx.ts';
import { invalid } from '#server/errors.ts';
import { takeAddressLimit, takeLimit } from '#server/limits/limits.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { findSnapshotPage, insertSnapshot } from './feed-snapshot.repository.ts';
import type { FeedRequest } from './post-skeleton.repository.ts';
import { openFeedPage, openListedPage, type FeedPage } from './post.service.ts';

// A walk delivers each post of a feed once, although ranks change between its pages. The first page is read as always;
// its posts and the order of the others are stored as a snapshot, from which the later pages are read.

/** Each walk stores up to 160 KB for an hour. */
const WALKS = { max: 60, windowSeconds: 60 };

type Cursor = { id: string; position: number };

const CURSOR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,5})$/;

const written = ({ id, position }: Cursor) => Buffer.from(`${id}.${position}`).toString('base64url');

function parsed(cursor: string): Cursor {
  const [, id, position] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined) throw unknownCursor();
  return { id, position: Number(position) };
}

const unknownCursor = () => invalid('cursor', 'Unknown or expired; begin again with an empty cursor');

async function takeWalk(ctx: Ctx, { viewer }: LocalViewer, address: string | undefined): Promise<void> {
  if (viewer.kind === 'user') await takeLimit(ctx, `feed-walk:${viewer.id}`, WALKS);
  else await takeAddressLimit(ctx, 'feed-walk', address, WALKS);
}

async function beginWalk(ctx: Ctx, feed: FeedRequest, { keys, total, isCut }: FeedPage): Promise<Cursor | undefined> {
  if (!isCut && keys.length >= total) return undefined;
  const ids = keys.map(({ id }) => id);
  const id = await insertSnapshot(ctx.pool, feed, ids);
  return id === undefined ? undefined : { id, position: ids.length };
}

async function continueWalk(
  ctx: Ctx,
  localViewer: LocalViewer,
  feed: FeedRequest,
  cursor: Cursor,
): Promise<{ page: FeedPage; next: Cursor | undefined }> {
  const { id, position } = cursor;
  const listed = await findSnapshotPage(ctx.db, feed, { ...cursor, limit: feed.limit });
  if (!listed) throw unknownCursor();
  const page = await openListedPage(ctx, localViewer, feed, listed.ids);
  const last = page.isCut ? listed.ids.indexOf(page.keys.at(-1)?.id ?? '') : listed.ids.length - 1;
  const reached = position + last + 1;
  return { page, next: reached < listed.total ? { id, position: reached } : undefined };
}

/**
 * A page of a walk through a community's feed: the contract's reply as JSON text. An empty cursor begins. Throws 400
 * for a cursor that is malformed, expired or of another feed.
 */
export async function walkFeed(
  ctx: Ctx,
  localViewer: LocalViewer,
  feed: FeedRequest,
  { cursor, address }: { cursor: string; address: string | undefined },
): Promise<string> {
  if (feed.offset > 0) throw invalid('offset', 'Use either a cursor or an offset');
  if (cursor !== '') {
    const { page, next } = await continueWalk(ctx, localViewer, feed, parsed(cursor));
    return reply(page, next);
  }
  await takeWalk(ctx, localViewer, address);
  const page = await openFeedPage(ctx, localViewer, feed);
  return reply(page, await beginWalk(ctx, feed, page));
}

function reply({ texts, total }: FeedPage, next: Cursor | undefined): string {
  const cursor = JSON.stringify(next === undefined ? null : written(next));
  return `{"results":[${texts.join(',')}],"total":${total},"nextOffset":null,"nextCursor":${cursor}}`;
}
