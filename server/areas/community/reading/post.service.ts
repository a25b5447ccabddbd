import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { isActive, isAdministrator, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { coalesced } from '#server/db/coalesce.ts';
import { notFound } from '#server/errors.ts';
import { enterContent, rightsIn, toAccess } from '../members/access.service.ts';
import type { Rights } from '../posts/activity.policy.ts';
import type { Place } from '../posts/activity.repository.ts';
import { setBounded } from '../bounded.cache.ts';
import { nextOffset } from '../page.view.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { activityTexts, type PostPlace } from './post.view.ts';
import { hydrate } from './hydrate.service.ts';
import { bytesOf, withinBytes } from './page-bytes.view.ts';
import { cachedPages, type PageRows } from './page.cache.ts';
import * as repository from './post-skeleton.repository.ts';
import {
  type FeedViewerRow,
  type CommunityRows,
  type FeedRequest,
  isFirstPage,
  type PostKey,
  rowKeysOf,
  type SharedPostPart,
  TESTED,
  toPostKeys,
} from './post-skeleton.repository.ts';

/** The group of viewers that shares one statement; each has rows of their own. */
export const groupOf = ({ viewer }: LocalViewer) =>
  isAdministrator(viewer) ? 'administrator' : isActive(viewer) ? 'person' : viewer.kind;

/** Checks a viewer's access to the content of a community; throws as `toAccess` and `enterContent`. */
async function admit(ctx: Ctx, localViewer: LocalViewer, { rows }: CommunityRows): Promise<FeedViewerRow> {
  const row = rows.find((one) => one.viewerId === viewerId(localViewer.viewer));
  await enterContent(ctx.db, localViewer.viewer, toAccess(localViewer.viewer, row));
  return row!; // toAccess throws without a row
}

type Page = PageRows & { keys: PostKey[]; owners: ReadonlySet<string>; total: number; isCut: boolean };

const pageOf = cachedPages(async (ctx: Ctx, shared: string): Promise<Page> => {
  const { posts, owners, total }: SharedPostPart = JSON.parse(shared);
  const all = toPostKeys(posts);
  const keys = withinBytes(all);
  const rows = await hydrate(ctx, rowKeysOf(keys));
  return { keys, rows, owners: new Set(owners), total, isCut: keys.length < all.length, bytes: bytesOf(keys) };
});

/** The posts of a community's page as JSON text, for a viewer whose access was checked. */
function textsOf(localViewer: LocalViewer, row: FeedViewerRow, { keys, rows, owners }: Page): string[] {
  const community = { slug: row.slug, title: row.title };
  const place: PostPlace = { community, rights: rightsIn(localViewer.viewer, row), owners };
  return activityTexts(localViewer.viewer, keys, rows, row, () => place);
}

const openPost = coalesced(
  async (db: Db, { sample, at }: { key: string; sample: LocalViewer; at: { slug: string; id: string } }, ids) =>
    await repository.findPost(db, { ids, sample }, at),
);

/** A post of a community: the contract's Activity as JSON text. */
export async function readPost(ctx: Ctx, localViewer: LocalViewer, at: { slug: string; id: string }): Promise<string> {
  const key = [at.slug, at.id, localViewer.locale, groupOf(localViewer)].join(' ');
  const found = await openPost(ctx, { key, sample: localViewer, at }, viewerId(localViewer.viewer));
  const row = await admit(ctx, localViewer, found);
  if (found.shared === undefined) throw notFound();
  const [text] = textsOf(localViewer, row, await pageOf(ctx, key, found.shared));
  if (text === undefined) throw notFound();
  return text;
}

/** A post in any place, for a viewer whose access was checked. */
export async function readPlacedPost(
  ctx: Pick<Ctx, 'db' | 'pool'>,
  localViewer: LocalViewer,
  at: { place: Place; rights: Rights; id: string },
): Promise<string> {
  const row = await repository.findPlacedPost(ctx.db, localViewer, at);
  if (!row) throw notFound();
  const posts = toPostKeys(row.posts);
  const community = row.slug === null || row.title === null ? null : { slug: row.slug, title: row.title };
  const place = { community, rights: at.rights, owners: new Set(row.owners) };
  const [text] = activityTexts(localViewer.viewer, posts, await hydrate(ctx, rowKeysOf(posts)), row, () => place);
  if (text === undefined) throw notFound();
  return text;
}

const openFeed = coalesced(
  async (db: Db, { sample, feed }: { key: string; sample: LocalViewer; feed: FeedRequest }, ids) =>
    await repository.findFeed(db, { ids, sample }, feed),
);

const keyOf = (localViewer: LocalViewer, { slug, ranking, category = '', limit, offset }: FeedRequest) =>
  [slug, ranking, limit, offset, localViewer.locale, groupOf(localViewer), category].join(' ');

/** The posts of a page as JSON texts. `isCut`: the page ends early because of its size. */
export type FeedPage = { texts: string[]; keys: PostKey[]; total: number; isCut: boolean };

async function toFeedPage(ctx: Ctx, localViewer: LocalViewer, key: string, found: CommunityRows): Promise<FeedPage> {
  const row = await admit(ctx, localViewer, found);
  if (found.shared === undefined) throw notFound();
  const page = await pageOf(ctx, key, found.shared);
  const { keys, total, isCut } = page;
  return { texts: textsOf(localViewer, row, page), keys, total, isCut };
}

/** A page of a community's feed by its present ranks. */
export async function openFeedPage(ctx: Ctx, localViewer: LocalViewer, feed: FeedRequest): Promise<FeedPage> {
  const key = keyOf(localViewer, feed);
  const found = await openFeed(ctx, { key, sample: localViewer, feed }, viewerId(localViewer.viewer));
  return await toFeedPage(ctx, localViewer, key, found);
}

/** The posts of a community with these ids that still exist, in this order. */
export async function openListedPage(
  ctx: Ctx,
  localViewer: LocalViewer,
  feed: FeedRequest,
  ids: readonly string[],
): Promise<FeedPage> {
  const found = await repository.findListed(ctx.db, localViewer, { ...feed, ids });
  return await toFeedPage(ctx, localViewer, `${keyOf(localViewer, feed)} ${ids.join()}`, found);
}

/** A page of a community's feed: the contract's reply as JSON text. */
export async function readFeed(ctx: Ctx, localViewer: LocalViewer, feed: FeedRequest): Promise<string> {
  const { texts, keys, total, isCut } = await openFeedPage(ctx, localViewer, feed);
  const reach = feed.ranking === 'community_feed_testing' ? Math.min(total, TESTED) : total;
  const next = nextOffset({ ...feed, length: isCut ? keys.length : undefined }, reach);
  return `{"results":[${texts.join(',')}],"total":${total},"nextOffset":${next}}`;
}

/** The answer to all anonymous viewers, with its entity tag. */
export type AnonymousFeed = { body: Buffer; etag: string };

/**
 * Freshness of a cached anonymous answer. It is shorter than a round trip: nobody can write through another process,
 * get the reply, and still read the old answer here. A write by this process expires it at once.
 */
const FRESH_MS = 10;
const MAX_ANSWERS = 200;
const MAX_LENGTH = 256 * 2 ** 10;

type CachedFeed = AnonymousFeed & { text: string; readAt: number; writes: number };
const answers = new WeakMap<Pool, Map<string, CachedFeed>>();

/** The first page of a feed for anonymous viewers; concurrent requests share one read. */
export async function readAnonymousFeed(
  ctx: Ctx,
  localViewer: LocalViewer,
  feed: FeedRequest,
): Promise<AnonymousFeed | string> {
  if (!isFirstPage(feed) || feed.ranking === 'community_feed_testing') return await readFeed(ctx, localViewer, feed);
  const ofPool = answers.get(ctx.pool) ?? new Map<string, CachedFeed>();
  answers.set(ctx.pool, ofPool);
  const key = keyOf(localViewer, feed);
  const known = ofPool.get(key);
  const readAt = performance.now();
  const writes = ctx.written.times;
  if (known && known.writes === writes && readAt - known.readAt < FRESH_MS) return known;
  const text = await readFeed(ctx, localViewer, feed);
  const answer = known?.text === text ? known : toAnswer(text);
  if (text.length <= MAX_LENGTH) setBounded(ofPool, MAX_ANSWERS, key, { ...answer, text, readAt, writes });
  return answer;
}

function toAnswer(text: string): AnonymousFeed {
  const body = Buffer.from(text);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
