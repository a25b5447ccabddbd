import type { Ctx } from '#server/ctx.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { coalesced } from '#server/db/coalesce.ts';
import { notFound } from '#server/errors.ts';
import type { Rights } from '../posts/activity.policy.ts';
import type { Place } from '../posts/activity.repository.ts';
import type { Target } from '../reactions/reaction.repository.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { hydrate } from './hydrate.service.ts';
import { bytesOf, withinBytes } from './page-bytes.view.ts';
import { cachedPages, type PageRows } from './page.cache.ts';
import { groupOf } from './post.service.ts';
import * as repository from './reaction-skeleton.repository.ts';
import {
  type OwnReactionPart,
  type ReactionKey,
  type ReactionsRow,
  type ReactionTuple,
  type ReactionWindow,
  rowKeysOf,
  type SharedReactionPart,
  toReactionKeys,
} from './reaction-skeleton.repository.ts';
import { type ReactionPlace, reactionTexts } from './reaction.view.ts';

/** A place with reactions (a community or a lesson) and the viewer's rights there. Created by an access check. */
export type Discussion = Rights & { place: Place };

export const placeOf = (discussion: Discussion): Omit<ReactionPlace, 'owners'> => ({
  rights: discussion,
  isReportable: !('profileOf' in discussion.place),
});

/** Reactions are not localised. */
const localViewerOf = (viewer: UserViewer): LocalViewer<UserViewer> => ({ viewer, locale: 'en' });

type Page = PageRows & { keys: ReactionKey[]; owners: ReadonlySet<string>; isCut: boolean };

async function toPage(ctx: Ctx, tuples: ReactionTuple[], owners: string[] | null): Promise<Page> {
  const keys = withinBytes(toReactionKeys(tuples));
  const rows = await hydrate(ctx, rowKeysOf(keys));
  return { keys, rows, owners: new Set(owners), isCut: keys.length < tuples.length, bytes: bytesOf(keys) };
}

const pageOf = cachedPages(async (ctx: Ctx, shared: string): Promise<Page> => {
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

type ReactionRequest = { slug: string; target: Target; window: ReactionWindow };

const openReactions = coalesced(
  async (db: Db, { sample, request }: { key: string; sample: LocalViewer; request: ReactionRequest }, ids) =>
    await repository.findCommunityReactions(db, { ids, sample }, request),
);

/** A page of reactions in a community. `admit` gets the viewer's access and throws when it does not suffice. */
export async function readCommunityReactions(
  ctx: Ctx,
  viewer: UserViewer,
  request: ReactionRequest,
  admit: (row: ReactionsRow | undefined) => Promise<Discussion>,
): Promise<string> {
  const sample = localViewerOf(viewer);
  const { slug, target, window } = request;
  const { kind, limit, id_gt, id_lt } = window;
  const key = JSON.stringify([slug, target, kind, limit, id_gt, id_lt, groupOf(sample)]);
  const { rows, shared } = await openReactions(ctx, { key, sample, request }, viewer.id);
  const row = rows.find((row) => row.viewerId === viewer.id);
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
  const request = { place: discussion.place, target, window };
  const row = await repository.findPlacedReactions(ctx.db, localViewerOf(viewer), request);
  if (!row) throw notFound();
  return pageText(viewer, discussion, await toPage(ctx, row.tuples, row.owners), row, window);
}

/** One reaction: the contract's Reaction as JSON text. */
export async function readReaction(ctx: Ctx, viewer: UserViewer, discussion: Discussion, id: string): Promise<string> {
  const row = await repository.findReaction(ctx.db, localViewerOf(viewer), id);
  if (!row) throw notFound();
  const { keys, rows, owners } = await toPage(ctx, row.tuples, row.owners);
  const [text] = reactionTexts(viewer, keys, rows, row, { ...placeOf(discussion), owners });
  if (text === undefined) throw notFound();
  return text;
}
