import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { isActive, isAdministrator, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { gathered } from '#server/db/gather.ts';
import { notFound } from '#server/errors.ts';
import { enterContent, standingIn, toAccess } from '../members/access.service.ts';
import type { Standing } from '../posts/activity.policy.ts';
import type { Place } from '../posts/activity.repository.ts';
import { keep } from '../memory.cache.ts';
import { nextOffset } from '../page.view.ts';
import type { Reader } from '../reader.sql.ts';
import { activityTexts, type PostPlace } from './post.view.ts';
import { hydrate } from './hydrate.service.ts';
import { bytesOf, withinBytes } from './page-bytes.view.ts';
import { pageMemory, type PageRows } from './page.cache.ts';
import * as repository from './post-skeleton.repository.ts';
import {
  type FeedReaderRow,
  type CommunityRows,
  type FeedRequest,
  isFirstPage,
  type PostKey,
  rowKeysOf,
  type SharedPostPart,
  TESTED,
  toPostKeys,
} from './post-skeleton.repository.ts';

/** Readers who are answered by one statement, each with their own rows. */
export const kindOf = ({ viewer }: Reader) =>
  isAdministrator(viewer) ? 'administrator' : isActive(viewer) ? 'person' : viewer.kind;

/** Lets a reader in to the content of a community; throws as `toAccess` and `enterContent`. */
async function admit(ctx: Ctx, reader: Reader, { rows }: CommunityRows): Promise<FeedReaderRow> {
  const row = rows.find((one) => one.reader === viewerId(reader.viewer));
  await enterContent(ctx.db, reader.viewer, toAccess(reader.viewer, row));
  return row!; // toAccess refused its absence
}

type Page = PageRows & { keys: PostKey[]; owners: ReadonlySet<string>; total: number; isCut: boolean };

const pageOf = pageMemory(async (ctx: Ctx, shared: string): Promise<Page> => {
  const { posts, owners, total }: SharedPostPart = JSON.parse(shared);
  const all = toPostKeys(posts);
  const keys = withinBytes(all);
  const rows = await hydrate(ctx, rowKeysOf(keys));
  return { keys, rows, owners: new Set(owners), total, isCut: keys.length < all.length, bytes: bytesOf(keys) };
});

/** The posts of a community's page as JSON text, as an admitted reader may see them. */
function textsOf(reader: Reader, row: FeedReaderRow, { keys, rows, owners }: Page): string[] {
  const community = { slug: row.slug, title: row.title };
  const place: PostPlace = { community, standing: standingIn(reader.viewer, row), owners };
  return activityTexts(reader.viewer, keys, rows, row, () => place);
}

const openPost = gathered(
  async (db: Db, { any, at }: { key: string; any: Reader; at: { slug: string; id: string } }, ids) =>
    await repository.findPost(db, { ids, any }, at),
);

/** A post of a community: the contract's Activity as JSON text. */
export async function readPost(ctx: Ctx, reader: Reader, at: { slug: string; id: string }): Promise<string> {
  const key = [at.slug, at.id, reader.locale, kindOf(reader)].join(' ');
  const found = await openPost(ctx.db, { key, any: reader, at }, viewerId(reader.viewer));
  const row = await admit(ctx, reader, found);
  if (found.shared === undefined) throw notFound();
  const [text] = textsOf(reader, row, await pageOf(ctx, key, found.shared));
  if (text === undefined) throw notFound();
  return text;
}

/** The same of a post for a reader whose access to its place was checked. */
export async function readPlacedPost(
  ctx: Pick<Ctx, 'db' | 'pool'>,
  reader: Reader,
  at: { place: Place; standing: Standing; id: string },
): Promise<string> {
  const row = await repository.findPlacedPost(ctx.db, reader, at);
  if (!row) throw notFound();
  const posts = toPostKeys(row.posts);
  const community = row.slug === null || row.title === null ? null : { slug: row.slug, title: row.title };
  const place = { community, standing: at.standing, owners: new Set(row.owners) };
  const [text] = activityTexts(reader.viewer, posts, await hydrate(ctx, rowKeysOf(posts)), row, () => place);
  if (text === undefined) throw notFound();
  return text;
}

const openFeed = gathered(
  async (pool: Pool, { any, feed }: { key: string; any: Reader; feed: FeedRequest }, ids) =>
    await repository.findFeed(pool, { ids, any }, feed),
);

const keyOf = (reader: Reader, { slug, ranking, category = '', limit, offset }: FeedRequest) =>
  [slug, ranking, limit, offset, reader.locale, kindOf(reader), category].join(' ');

/** A page of a community's feed: the contract's reply as JSON text. */
export async function readFeed(ctx: Ctx, reader: Reader, feed: FeedRequest): Promise<string> {
  const key = keyOf(reader, feed);
  const found = await openFeed(ctx.pool, { key, any: reader, feed }, viewerId(reader.viewer));
  const row = await admit(ctx, reader, found);
  if (found.shared === undefined) throw notFound();
  const page = await pageOf(ctx, key, found.shared);
  const texts = textsOf(reader, row, page);
  const { total, isCut, keys } = page;
  const reach = feed.ranking === 'community_feed_testing' ? Math.min(total, TESTED) : total;
  const next = nextOffset({ ...feed, length: isCut ? keys.length : undefined }, reach);
  return `{"results":[${texts.join(',')}],"total":${total},"nextOffset":${next}}`;
}

/** What everybody gets who is not signed in, and a name for exactly this text. */
export type StrangersAnswer = { body: Buffer; etag: string };

/**
 * How long an answer to strangers is believed; what this process writes ends it at once. No longer than an answer is under
 * way: nobody can do something by another process, be told so, and still find it undone here.
 */
const FRESH_MS = 10;
const MAX_ANSWERS = 200;
const MAX_LENGTH = 256 * 2 ** 10;

type Remembered = StrangersAnswer & { text: string; readAt: number; writes: number };
const answers = new WeakMap<Pool, Map<string, Remembered>>();

/** The first page of a feed for whoever is not signed in: of many who ask at once, one asks the database. */
export async function readStrangersFeed(
  ctx: Ctx,
  reader: Reader,
  feed: FeedRequest,
): Promise<StrangersAnswer | string> {
  if (!isFirstPage(feed) || feed.ranking === 'community_feed_testing') return await readFeed(ctx, reader, feed);
  const ofPool = answers.get(ctx.pool) ?? new Map<string, Remembered>();
  answers.set(ctx.pool, ofPool);
  const key = keyOf(reader, feed);
  const known = ofPool.get(key);
  const readAt = performance.now();
  const writes = ctx.written.times;
  if (known && known.writes === writes && readAt - known.readAt < FRESH_MS) return known;
  const text = await readFeed(ctx, reader, feed);
  const answer = known?.text === text ? known : toAnswer(text);
  if (text.length <= MAX_LENGTH) keep(ofPool, MAX_ANSWERS, key, { ...answer, text, readAt, writes });
  return answer;
}

function toAnswer(text: string): StrangersAnswer {
  const body = Buffer.from(text);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
