import type { Ctx } from '#server/ctx.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { gathered } from '#server/db/gather.ts';
import { notFound } from '#server/errors.ts';
import type { Standing } from '../posts/activity.policy.ts';
import type { Place } from '../posts/activity.repository.ts';
import type { Target } from '../reactions/reaction.repository.ts';
import type { Reader } from '../reader.sql.ts';
import { hydrate } from './hydrate.service.ts';
import { bytesOf, withinBytes } from './page-bytes.view.ts';
import { pageMemory, type PageRows } from './page.cache.ts';
import { kindOf } from './post.service.ts';
import * as repository from './reaction-skeleton.repository.ts';
import {
  type OwnReactionPart,
  type ReactionKey,
  type ReactionsRow,
  type ReactionWords,
  type ReactionWindow,
  rowKeysOf,
  type SharedReactionPart,
  toReactionKeys,
} from './reaction-skeleton.repository.ts';
import { type ReactionPlace, reactionTexts } from './reaction.view.ts';

/** Where people react to activities, a community or a lesson, and what the viewer is there. Made by an access check. */
export type Discussion = Standing & { place: Place };

export const placeOf = (discussion: Discussion): Omit<ReactionPlace, 'owners'> => ({
  standing: discussion,
  isInCommunity: 'communityId' in discussion.place,
});

/** Reactions are in the language they were written in. */
const readerOf = (viewer: UserViewer): Reader<UserViewer> => ({ viewer, locale: 'en' });

type Page = PageRows & { keys: ReactionKey[]; owners: ReadonlySet<string>; isCut: boolean };

async function toPage(ctx: Ctx, words: ReactionWords[], owners: string[] | null): Promise<Page> {
  const keys = withinBytes(toReactionKeys(words));
  const rows = await hydrate(ctx, rowKeysOf(keys));
  return { keys, rows, owners: new Set(owners), isCut: keys.length < words.length, bytes: bytesOf(keys) };
}

const pageOf = pageMemory(async (ctx: Ctx, shared: string): Promise<Page> => {
  const { reactions, owners }: SharedReactionPart = JSON.parse(shared);
  return await toPage(ctx, reactions, owners);
});

/** The contract's ReactionPage as JSON text. */
function pageText(
  viewer: UserViewer,
  discussion: Discussion,
  { keys, rows, owners, isCut }: Page,
  own: OwnReactionPart,
  { kind, limit, id_gt }: ReactionWindow,
): string {
  const shown = keys.slice(0, limit);
  const texts = reactionTexts(viewer, shown, rows, own, { ...placeOf(discussion), owners });
  const last = isCut || keys.length > limit ? shown.at(-1)?.id : undefined;
  const next = last && `${id_gt === undefined ? 'id_lt' : 'id_gt'}=${last}&limit=${limit}&kind=${kind}`;
  return `{"results":[${texts.join(',')}]${next ? `,"next":"${next}"` : ''}}`;
}

type Asked = { slug: string; target: Target; window: ReactionWindow };

const openReactions = gathered(
  async (db: Db, { any, asked }: { key: string; any: Reader; asked: Asked }, ids) =>
    await repository.findCommunityReactions(db, { ids, any }, asked),
);

/** A page of reactions in a community; `admit` is told of the reader's access and throws when they may not have them. */
export async function readCommunityReactions(
  ctx: Ctx,
  viewer: UserViewer,
  asked: Asked,
  admit: (row: ReactionsRow | undefined) => Promise<Discussion>,
): Promise<string> {
  const any = readerOf(viewer);
  const { slug, target, window } = asked;
  const { kind, limit, id_gt, id_lt } = window;
  const key = JSON.stringify([slug, target, kind, limit, id_gt, id_lt, kindOf(any)]);
  const { rows, shared } = await openReactions(ctx.db, { key, any, asked }, viewer.id);
  const row = rows.find(({ reader }) => reader === viewer.id);
  const discussion = await admit(row);
  if (!row || shared === undefined) throw notFound();
  return pageText(viewer, discussion, await pageOf(ctx, key, shared), row, window);
}

/** A page of reactions in a discussion whose access was checked. */
export async function readPlacedReactions(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  { target, window }: { target: Target; window: ReactionWindow },
): Promise<string> {
  const asked = { place: discussion.place, target, window };
  const row = await repository.findPlacedReactions(ctx.db, readerOf(viewer), asked);
  if (!row) throw notFound();
  return pageText(viewer, discussion, await toPage(ctx, row.words, row.owners), row, window);
}

/** One reaction: the contract's Reaction as JSON text. */
export async function readReaction(ctx: Ctx, viewer: UserViewer, discussion: Discussion, id: string): Promise<string> {
  const row = await repository.findReaction(ctx.db, readerOf(viewer), id);
  if (!row) throw notFound();
  const { keys, rows, owners } = await toPage(ctx, row.words, row.owners);
  const [text] = reactionTexts(viewer, keys, rows, row, { ...placeOf(discussion), owners });
  if (text === undefined) throw notFound();
  return text;
}
