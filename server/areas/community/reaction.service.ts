import type { ReactionCreate, ReactionKind, ReactionQuery, ReactionUpdate } from '@officium/contract/community';
import { NO_REPLY_BODY } from '@officium/contract/community';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, type Level, REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { type CommunityAccess } from './access.service.ts';
import { canDelete, canEdit, type Standing } from './activity.policy.ts';
import { type ActivityChange, countReaction, hasActivity, lockActivity, type Place } from './activity.repository.ts';
import { writeBody } from './body.service.ts';
import * as repository from './reaction.repository.ts';
import type { OpenKind, ReactionRow } from './reaction.repository.ts';

/** Where people react to activities, a community or a lesson, and who the viewer is there. Made by an access check. */
export type Discussion = Standing & { place: Place };
/** What is reacted to. */
export type Target = { activityId: string } | { reactionId: string };

/** The discussion in a community. */
export function discussionOf(access: CommunityAccess): Discussion {
  return { place: { communityId: access.community.id }, level: access.level, isTop: access.isTop };
}

const MAX_DEPTH = 3;
const LEVEL_NEEDED: Record<OpenKind, Level> = { like: REDUCED, reply: BASIC, pin: FULL_CONTROL };

/** Polls have their own operations, so that their rules hold and hidden votes stay hidden. */
function requireOpenKind(kind: ReactionKind): OpenKind {
  if (kind === 'poll-option' || kind === 'poll-vote') throw new AppError('auth.forbidden');
  return kind;
}

function requireLevel(discussion: Discussion, level: Level): void {
  if (discussion.level < level) throw new AppError('auth.forbidden');
}

/** Likes, pins or replies, and answers the reaction as JSON text. A like or pin that is there already is the answer. */
export async function createReaction(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  target: Target,
  input: z.output<typeof ReactionCreate>,
): Promise<string> {
  const kind = requireOpenKind(input.kind);
  requireLevel(discussion, LEVEL_NEEDED[kind]);
  const written = await writeBody(ctx.db, kind === 'reply' ? input.body : undefined);
  if (kind === 'reply' && written.body === null) throw invalid('body', NO_REPLY_BODY);

  return await inTransaction(ctx.db, async (trx) => {
    const { activityId, parent } = await lockTarget(trx, discussion.place, target);
    const depth = parent ? parent.depth + 1 : 1;
    if (depth > MAX_DEPTH) throw invalid('id', `Reactions go at most ${MAX_DEPTH} levels deep`);
    const parentId = parent?.id ?? null;
    const own = { activityId, parentId, kind, userId: viewer.id };
    const first = kind === 'reply' ? undefined : await repository.getOwnReaction(trx, own);
    if (first !== undefined) return await read(trx, viewer, first);
    const id = await addReaction(trx, {
      ...own,
      ...written,
      depth,
      locale: input.locale,
      additionalData: input.additional_data,
    });
    return await read(trx, viewer, id);
  });
}

/** Adds a reaction with all that is counted about it. The caller holds the lock of the activity and has checked. */
export async function addReaction(trx: Db, reaction: repository.NewReaction): Promise<string> {
  const id = await repository.insertReaction(trx, reaction);
  const change = changeOf({ ...reaction, authorId: reaction.userId }, 1);
  if (change) await countReaction(trx, change);
  return id;
}

/** What a reaction means for its activity: direct ones are counted, and who replies at any depth takes part. */
function changeOf(
  reaction: Pick<ReactionRow, 'activityId' | 'parentId' | 'kind' | 'authorId'>,
  by: 1 | -1,
): ActivityChange | undefined {
  const { activityId, kind, authorId: userId } = reaction;
  const isDirect = reaction.parentId === null;
  switch (kind) {
    case 'reply':
      return { activityId, person: { userId, kind, by }, ...(isDirect ? { replies: by } : {}) };
    case 'like':
      return isDirect ? { activityId, likes: by, person: { userId, kind, by } } : undefined;
    case 'pin':
      return isDirect ? { activityId, pins: by } : undefined;
  }
}

async function read(db: Db, viewer: UserViewer, id: string): Promise<string> {
  const json = await repository.getReactionJson(db, viewer, id);
  if (json === undefined) throw notFound();
  return json;
}

/** Locks what is reacted to. A deleted reply cannot be answered. */
async function lockTarget(
  trx: Db,
  place: Place,
  target: Target,
): Promise<{ activityId: string; parent: ReactionRow | undefined }> {
  const activity = await lockActivity(trx, place, target);
  if (!activity) throw notFound();
  if ('activityId' in target) return { activityId: activity.id, parent: undefined };
  const parent = await repository.getReaction(trx, { id: target.reactionId, activityId: activity.id });
  if (!parent || parent.isDeleted) throw notFound();
  return { activityId: activity.id, parent };
}

/** A page of reactions: the contract's ReactionPage as JSON text. */
export async function listReactions(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  target: Target,
  query: z.output<typeof ReactionQuery>,
): Promise<string> {
  const kind = requireOpenKind(query.kind);
  requireLevel(discussion, REDUCED);
  if (!(await hasActivity(ctx.db, discussion.place, target))) throw notFound();
  // One more than asked for tells whether there is a next page.
  const found = await repository.findReactions(ctx.db, viewer, target, { ...query, kind, limit: query.limit + 1 });
  const page = found.slice(0, query.limit);
  const last = found.length > query.limit ? page.at(-1)?.id : undefined;
  const next = last && `${query.id_gt === undefined ? 'id_lt' : 'id_gt'}=${last}&limit=${query.limit}&kind=${kind}`;
  return `{"results":[${page.map(({ json }) => json).join(',')}]${next ? `,"next":"${next}"` : ''}}`;
}

/** What is edited in a reply; what is left out of the last two stays as it is. */
export type ReplyEdit = Pick<z.output<typeof ReactionUpdate>, 'body' | 'locale'> & { additional_data?: object };

/** Replaces what a reply says, by its owner, and answers it as JSON text. */
export async function editReaction(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  id: string,
  input: ReplyEdit,
): Promise<string> {
  return await inTransaction(ctx.db, async (trx) => {
    const { parent: reaction } = await lockTarget(trx, discussion.place, { reactionId: id });
    if (!reaction) throw notFound();
    if (!canEdit(viewer.id, discussion, reaction)) throw new AppError('auth.forbidden');
    if (reaction.kind !== 'reply') throw invalid('kind', 'Only a reply can be edited');
    const { body, bodyHtml, mentioned } = await writeBody(trx, input.body);
    if (body === null) throw invalid('body', NO_REPLY_BODY);
    const { locale = reaction.locale, additional_data: additionalData } = input;
    await repository.updateReaction(trx, { id, body, bodyHtml, mentioned, locale, additionalData });
    return await read(trx, viewer, id);
  });
}

/** Deletes a reaction: one's own, or another's as a moderator. */
export async function deleteReaction(ctx: Ctx, viewer: UserViewer, discussion: Discussion, id: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { parent: reaction } = await lockTarget(trx, discussion.place, { reactionId: id });
    if (!reaction) throw notFound();
    const ownLevel = reaction.kind === 'reply' ? BASIC : REDUCED;
    if (!canDelete(viewer.id, discussion, reaction, ownLevel)) throw new AppError('auth.forbidden');
    await repository.deleteReaction(trx, reaction, viewer.id);
    const change = changeOf(reaction, -1);
    if (change) await countReaction(trx, change);
  });
}
