import type { ReactionCreate, ReactionKind, ReactionQuery, ReactionUpdate } from '@officium/contract/community';
import { NO_REPLY_BODY } from '@officium/contract/community';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import { BASIC, FULL_CONTROL, type Level, REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import type { CommunityAccessRow, Expected } from '../members/access.repository.ts';
import { actIn, type CommunityAccess, enterContent, toAccess } from '../members/access.service.ts';
import { canDelete, canEdit, ownLevelOf } from '../posts/activity.policy.ts';
import { placePictures, writeWithPictures } from '../pictures/picture.service.ts';
import { writeBody } from '../posts/body.service.ts';
import { allowancesOf, takeMentions } from '../posts/mention.service.ts';
import * as repository from './reaction.repository.ts';
import type { OpenKind, Target } from './reaction.repository.ts';
import {
  type Discussion,
  placeOf,
  readCommunityReactions,
  readPlacedReactions,
  readReaction,
} from '../reading/reaction-page.service.ts';
import { newReactionText } from '../reading/reaction.view.ts';
import { notifyOfRemoval } from '../posts/removal.service.ts';

/** A community as a Discussion. */
export function discussionOf(access: CommunityAccess): Discussion {
  const { community, level, isTop, isShutOut } = access;
  return { place: { communityId: community.id }, level, isTop, isShutOut };
}

const LEVEL_NEEDED: Record<OpenKind, Level> = { like: REDUCED, reply: BASIC, pin: FULL_CONTROL };

/** Polls have operations of their own, which enforce their rules and hide secret votes. */
function requireOpenKind(kind: ReactionKind): OpenKind {
  if (kind === 'poll-option' || kind === 'poll-vote') throw new AppError('auth.forbidden');
  return kind;
}

function requireLevel(discussion: Discussion, level: Level): void {
  if (discussion.level < level) throw new AppError('auth.forbidden');
}

/**
 * Adds a like, pin or reply, or returns the existing like or pin; undefined when the access is no longer the expected
 * one.
 */
async function react(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  target: Target,
  input: z.output<typeof ReactionCreate>,
  allowances = allowancesOf(ctx, viewer),
  expected?: Expected,
): Promise<repository.AddOutcome | undefined> {
  const kind = requireOpenKind(input.kind);
  requireLevel(discussion, LEVEL_NEEDED[kind]);
  const isReply = kind === 'reply';
  if (isReply) await allowances.takeWriting(input);
  const written = await writeBody(ctx.db, discussion.place, isReply ? input.body : undefined, { isReply });
  if (isReply && written.body === null) throw invalid('body', NO_REPLY_BODY);
  await allowances.takeMentions(written.mentioned);

  const reaction = {
    ...written,
    kind,
    userId: viewer.id,
    locale: input.locale,
    additionalData: input.additional_data,
  };
  const added =
    kind === 'pin'
      ? await inTransaction(ctx.db, async (trx) => {
          const pinned = await repository.addReaction(trx, discussion.place, target, reaction, expected);
          if (pinned.added)
            await recordAction(trx, viewer, {
              action: 'community.pin',
              object: pinned.id,
              detail: { ...target, ...discussion.place },
            });
          return pinned;
        })
      : await writeWithPictures(
          ctx.db,
          { ...written, authorId: viewer.id, place: discussion.place },
          async (db) => await repository.addReaction(db, discussion.place, target, reaction, expected),
          ({ id }) => id,
        );
  return added.outcome === 'outdated' ? undefined : added;
}

/** The added reaction as JSON text; throws for every other outcome. */
async function answer(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  outcome: repository.AddOutcome | undefined,
): Promise<string> {
  if (!outcome || outcome.id === null) {
    if (outcome?.outcome === 'unfit') throw invalid('id', 'Only a reply can be reacted to');
    if (outcome?.outcome === 'deep') throw invalid('id', 'Reactions go at most 3 levels deep');
    throw notFound();
  }
  const { added, id } = outcome;
  return added ? newReactionText(viewer, added, placeOf(discussion)) : await readReaction(ctx, viewer, discussion, id);
}

/** Adds a like, pin or reply, and returns the reaction as JSON text. */
export async function createReaction(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  target: Target,
  input: z.output<typeof ReactionCreate>,
): Promise<string> {
  return await answer(ctx, viewer, discussion, await react(ctx, viewer, discussion, target, input));
}

/** The same in a community, in one query with the access check when that is cached. */
export async function createCommunityReaction(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  target: Target,
  input: z.output<typeof ReactionCreate>,
): Promise<string> {
  const allowances = allowancesOf(ctx, viewer);
  const { discussion, outcome } = await actIn(ctx.db, viewer, slug, async (access, expected) => {
    const discussion = discussionOf(access);
    const outcome = await react(ctx, viewer, discussion, target, input, allowances, expected);
    return outcome && { discussion, outcome };
  });
  return await answer(ctx, viewer, discussion, outcome);
}

type Query = z.output<typeof ReactionQuery>;

/** A page of reactions: the contract's ReactionPage as JSON text. */
export async function listReactions(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  target: Target,
  query: Query,
): Promise<string> {
  requireOpenKind(query.kind);
  requireLevel(discussion, REDUCED);
  return await readPlacedReactions(ctx, viewer, discussion, { target, window: query });
}

/** The same in a community, in one query with the access check. */
export async function listCommunityReactions(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  target: Target,
  query: Query,
): Promise<string> {
  const admit = async (row: (CommunityAccessRow & { isThere: boolean }) | undefined) => {
    const access = toAccess(viewer, row);
    await enterContent(ctx.db, viewer, access);
    requireOpenKind(query.kind);
    requireLevel(discussionOf(access), REDUCED);
    if (!row?.isThere) throw notFound();
    return discussionOf(access);
  };
  return await readCommunityReactions(ctx, viewer, { slug, target, window: query }, admit);
}

/** The position of a reaction: its activity, and its ancestors from the topmost one down. */
export async function locateReaction(
  ctx: Ctx,
  discussion: Discussion,
  id: string,
): Promise<{ activityId: string; path: string[] }> {
  requireLevel(discussion, REDUCED);
  const found = await repository.getPath(ctx.db, discussion.place, id);
  if (!found) throw notFound();
  return found;
}

/** The edit of a reply; undefined locale and additional_data stay as they are. */
export type ReplyEdit = Pick<z.output<typeof ReactionUpdate>, 'body' | 'locale'> & { additional_data?: object };

/** Replaces the content of a reply, by its author, and returns it as JSON text. */
export async function editReaction(
  ctx: Ctx,
  viewer: UserViewer,
  discussion: Discussion,
  id: string,
  input: ReplyEdit,
): Promise<string> {
  const reaction = await repository.getReaction(ctx.db, discussion.place, id);
  if (!reaction) throw notFound();
  if (!canEdit(viewer.id, discussion, reaction)) throw new AppError('auth.forbidden');
  if (reaction.kind !== 'reply') throw invalid('kind', 'Only a reply can be edited');
  await takeWriting(ctx, viewer.id, input);
  const { body, bodyHtml, mentioned } = await writeBody(ctx.db, discussion.place, input.body, { isReply: true });
  if (body === null) throw invalid('body', NO_REPLY_BODY);
  await takeMentions(ctx, viewer, mentioned, reaction.mentioned);
  const { locale = reaction.locale, additional_data: additionalData } = input;
  const edited = { id, body, bodyHtml, mentioned, locale, additionalData };
  const { activityId, authorId, mentioned: former } = reaction;
  const added = mentioned.filter((person) => !former.includes(person));
  await inTransaction(ctx.db, async (trx) => {
    if (!(await repository.updateReaction(trx, edited, { activityId, authorId, added }))) throw notFound();
    await placePictures(trx, id, { bodyHtml, authorId, place: discussion.place });
  });
  return await readReaction(ctx, viewer, discussion, id);
}

/** Opens a discussion for the viewer; throws when they may not read it. */
export type OpenDiscussion = (db: Db) => Promise<Discussion>;

/** Deletes the viewer's own reaction, or another's as a moderator, with a `reason`. */
export async function deleteReaction(
  ctx: Ctx,
  viewer: UserViewer,
  open: OpenDiscussion,
  id: string,
  reason?: string,
): Promise<void> {
  const discussion = await open(ctx.db);
  const found = await getDeletable(ctx.db, viewer, discussion, id);
  if (found.kind !== 'pin' && found.authorId === viewer.id) return await remove(ctx.db, viewer, id);
  await inTransaction(ctx.db, async (trx) => {
    await repository.lockActivityOf(trx, discussion.place, id);
    // Checked again under the lock: the viewer may have lost the right while waiting.
    const { kind, authorId } = await getDeletable(trx, viewer, await open(trx), id);
    await remove(trx, viewer, id);
    if (authorId !== viewer.id) await notifyOfRemoval(trx, id);
    await recordAction(trx, viewer, {
      action: kind === 'pin' ? 'community.unpin' : 'community.delete-reaction',
      object: id,
      detail: { authorId, ...discussion.place, reason },
    });
  });
}

async function getDeletable(
  db: Db,
  viewer: UserViewer,
  discussion: Discussion,
  id: string,
): Promise<repository.StoredReaction> {
  const reaction = await repository.getReaction(db, discussion.place, id);
  if (!reaction) throw notFound();
  if (!canDelete(viewer.id, discussion, reaction, ownLevelOf(reaction.kind))) throw new AppError('auth.forbidden');
  return reaction;
}

async function remove(db: Db, viewer: UserViewer, id: string): Promise<void> {
  if (!(await repository.deleteReaction(db, { id, deletedBy: viewer.id }))) throw notFound();
}
