import { createHash } from 'node:crypto';
import { FEED_PAGE_SIZE } from '@officium/contract/community';
import type { Pool } from 'pg';
import { isActive, isAdministrator, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { gathered } from '#server/db/gather.ts';
import { enterContent, toAccess } from './access.service.ts';
import type { FeedRequest } from './activity.repository.ts';
import * as repository from './feed-page.repository.ts';
import type { LastingRanking, OwnPart, SharedPage, SharedPost } from './feed-page.repository.ts';
import { Memory } from './memory.ts';
import { nextOffset } from './page.ts';
import type { Reader } from './reader.sql.ts';

/**
 * How long an answer to strangers is believed; what this process writes ends it at once. No longer than an answer is under
 * way: nobody can do something by another process, be told so, and still find it undone here.
 */
const FRESH_MS = 10;

/** The answer everybody gets who is not signed in: the reply as JSON text, and a name for exactly this text. */
export type SharedAnswer = { body: Buffer; etag: string };

type Remembered = {
  page: SharedPage;
  answer?: SharedAnswer & { community: string };
  /** When the answer was last known to be right, and how much this process had written by then. */
  checked?: { at: number; writes: number };
};

const memory = new Memory<Remembered>();

export type FirstPage = { slug: string; ranking: LastingRanking };

/** The page and ranking of a request, if it is one that is remembered for readers of this kind. */
export function firstPageOf(reader: Reader, feed: FeedRequest): FirstPage | undefined {
  const { slug, ranking, category, limit, offset } = feed;
  // Who is signed in and may not act is shown their own profile and nobody else's: a kind of one.
  const isKind = reader.viewer.kind === 'anonymous' || isActive(reader.viewer);
  const isFirst = offset === 0 && limit === FEED_PAGE_SIZE && category === undefined;
  return isKind && isFirst && ranking !== 'community_feed_testing' ? { slug, ranking } : undefined;
}

/** Whose pages are alike but for what is a reader's own. */
export const kindOf = ({ viewer }: Reader) =>
  isAdministrator(viewer) ? 'administrator' : isActive(viewer) ? 'person' : 'stranger';

const isSame = ({ page }: Remembered, own: OwnPart) => own.changes === page.changes && !own.hasClosed;

const keyOf = (reader: Reader, { slug, ranking }: FirstPage) =>
  [slug, ranking, reader.locale, kindOf(reader)].join(' ');

type Asked = { key: string; any: Reader; feed: FirstPage };

/** Reads the access of readers of one kind and their own part of the remembered page, all at one moment. */
const openOwnParts = gathered(async (pool: Pool, { key, any, feed }: Asked, ids) => {
  const remembered = memory.get(pool, key);
  const page = remembered?.page ?? repository.NO_PAGE;
  return { remembered, owns: await repository.findOwnParts(pool, { ids, any }, { slug: feed.slug, page }) };
});

/** Reads the page again, unless another reader has already replaced the `outdated` one. */
const remember = gathered(async (pool: Pool, { key, any, feed, outdated }: Asked & { outdated?: Remembered }) => {
  if (memory.get(pool, key) !== outdated) return;
  const readAt = performance.now();
  const page = await repository.getSharedPage(pool, any, feed);
  if (page) memory.put(pool, key, { page }, readAt);
});

/**
 * A remembered first page and what of it is the reader's own, both as they are at one moment; undefined when what is
 * said in the community changes faster than it can be read. Throws as the access does. Access is checked before any page
 * is read, so that a hidden community costs the same single query as a missing one, whatever is remembered of it.
 */
async function openPage(
  ctx: Ctx,
  reader: Reader,
  feed: FirstPage,
): Promise<{ remembered: Remembered; own: OwnPart } | undefined> {
  const id = viewerId(reader.viewer);
  const asked = { key: keyOf(reader, feed), any: reader, feed };
  for (let tried = 0; tried < 2; tried += 1) {
    const { remembered, owns } = await openOwnParts(ctx.pool, asked, id);
    const own = owns.find((part) => part.reader === id);
    await enterContent(ctx.db, reader.viewer, toAccess(reader.viewer, own));
    if (remembered && own && isSame(remembered, own)) return { remembered, own };
    if (tried === 0) await remember(ctx.pool, { ...asked, outdated: remembered }, id);
  }
  return undefined;
}

/** Groups of three words by the first of them. */
export function byFirst(words: string | null): Map<string, [string, string][]> {
  const groups = new Map<string, [string, string][]>();
  const all = words?.split(' ') ?? [];
  for (let at = 0; at + 2 < all.length; at += 3) {
    const [first, second, third] = [all[at]!, all[at + 1]!, all[at + 2]!]; // there are three
    groups.set(first, [...(groups.get(first) ?? []), [second, third]]);
  }
  return groups;
}

function replyText({ page }: Remembered, own: OwnPart): string {
  const reactions = byFirst(own.reactions);
  const votes = byFirst(own.votes);
  const pollOf = ({ id, poll, votedPoll }: SharedPost) => {
    const ownVotes = votes.get(id)?.map(([vote, optionId]) => ({ id: vote, optionId }));
    return ownVotes ? JSON.stringify({ ...votedPoll, ownVotes }) : poll;
  };
  const results = page.posts.map((post) => {
    const ownActor = post.hiddenAuthor === null ? undefined : own.actors?.[post.hiddenAuthor];
    const actor = ownActor ? JSON.stringify(ownActor) : post.actor;
    const ownReactions = reactions.get(post.id)?.map(([kind, id]) => `"${kind}":"${id}"`) ?? [];
    const poll = post.poll === null ? '' : `,"poll":${pollOf(post)}`;
    return `{${post.text},"actor":${actor},"community":${own.community},"own_reactions":{${ownReactions.join(',')}}${poll}}`;
  });
  const next = nextOffset({ limit: FEED_PAGE_SIZE, offset: 0 }, page.total);
  return `{"results":[${results.join(',')}],"total":${page.total},"nextOffset":${next}}`;
}

/** The first page of a feed for somebody who is signed in, as JSON text; undefined as of `openPage`. */
export async function readFirstPage(ctx: Ctx, reader: Reader, feed: FirstPage): Promise<string | undefined> {
  const opened = await openPage(ctx, reader, feed);
  return opened && replyText(opened.remembered, opened.own);
}

/**
 * The first page of a feed for somebody who is not: without asking the database when that was asked a moment ago and this
 * process has written nothing since.
 */
export async function readSharedAnswer(ctx: Ctx, reader: Reader, feed: FirstPage): Promise<SharedAnswer | undefined> {
  const known = memory.get(ctx.pool, keyOf(reader, feed));
  const at = performance.now();
  const writes = ctx.written.times;
  if (known?.answer && known.checked && known.checked.writes === writes && at - known.checked.at < FRESH_MS)
    return known.answer;
  const opened = await openPage(ctx, reader, feed);
  if (!opened) return undefined;
  const { remembered, own } = opened;
  if (remembered.answer?.community !== own.community) {
    const body = Buffer.from(replyText(remembered, own));
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    remembered.answer = { body, etag, community: own.community };
  }
  remembered.checked = { at, writes };
  return remembered.answer;
}
