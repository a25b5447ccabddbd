import { findDuplicateOptions, type PollCreate } from '@officium/contract/polls';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import { BASIC, type Level, NONE } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, newId, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { enterContent, openContent, openWithLevel, requireLevel, toAccess } from '../members/access.service.ts';
import { canDelete, type Rights, rightsOnProfile } from '../posts/activity.policy.ts';
import { deleteActivity, insertActivity, lockActivity, type Place } from '../posts/activity.repository.ts';
import { getPollPlace, insertPoll, isPast, type PollPlace } from './poll.repository.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { readPlacedPost } from '../reading/post.service.ts';
import { notifyOfRemoval } from '../posts/removal.service.ts';

type NewPoll = z.output<typeof PollCreate>;

/** Starts a poll in a community, or on the author's own profile when there is no slug. */
export async function createPoll(
  ctx: Ctx,
  viewer: UserViewer,
  input: { slug: string | null; poll: NewPoll },
): Promise<{ id: string; optionIds: string[] }> {
  const { slug, poll } = input;
  return await inTransaction(ctx.db, async (trx) => {
    const access = slug === null ? null : await openWithLevel(trx, viewer, slug, BASIC);
    await takeWriting(ctx, viewer.id, poll);
    const { title, options } = toPlainTexts(poll);
    const { settings } = poll;
    const deadlineAt = settings.deadline_at === null ? null : new Date(settings.deadline_at);
    if (deadlineAt && (await isPast(trx, deadlineAt)))
      throw invalid('settings.deadline_at', 'The deadline must be in the future');

    const id = await insertActivity(trx, {
      communityId: access?.community.id ?? null,
      authorId: viewer.id,
      verb: 'poll',
      title,
      body: null,
      bodyHtml: null,
      locale: poll.locale,
    });
    await insertPoll(trx, {
      id,
      allowMultipleVotes: settings.allow_multiple_votes,
      deadlineAt,
      hideParticipants: settings.hide_participants,
      numberOfWinners: settings.number_of_winners,
      resultsVisibility: settings.results_visibility,
      options,
    });
    return { id, optionIds: options.map((option) => option.id) };
  });
}

/** Title and options without markup, in order of position. Options that differ only by markup are duplicates. */
function toPlainTexts(poll: NewPoll): { title: string; options: { id: string; position: number; body: string }[] } {
  const title = stripMarkup(poll.title);
  if (title === '') throw invalid('title', 'Title must have at least 1 character');
  const plain = poll.options.map(({ position, body }) => ({ position, body: stripMarkup(body) }));
  const empty = plain.findIndex(({ body }) => body === '');
  if (empty !== -1) throw invalid(`options.${empty}.body`, 'Body must have at least 1 character');
  const [duplicate] = findDuplicateOptions(plain);
  if (duplicate) throw invalid(`options.${duplicate.path.join('.')}`, duplicate.message);
  return {
    title,
    options: plain
      .toSorted((one, other) => one.position - other.position)
      .map((option) => ({ id: newId(), ...option })),
  };
}

/** A poll with the viewer's rights. */
export type OpenPoll = PollPlace & { place: Place; rights: Rights };

/**
 * Opens the poll with this id, or with this option. Throws 404 when it is unknown, removed or hidden from the viewer,
 * and 403 below the level.
 */
export async function openPoll(
  db: Db,
  viewer: UserViewer,
  by: { pollId: string } | { optionId: string },
  level: Level,
): Promise<OpenPoll> {
  const poll = await getPollPlace(db, viewer, by);
  if (!poll) throw notFound();
  if (!poll.isInCommunity) {
    if (!poll.showsAuthor) throw notFound();
    return { ...poll, place: { profileOf: poll.authorId }, rights: rightsOnProfile(viewer) };
  }
  const access = toAccess(viewer, poll.community);
  await enterContent(db, viewer, access);
  requireLevel(access, level);
  return { ...poll, place: { communityId: access.community.id }, rights: access };
}

/** The contract's Activity of a poll as JSON text. */
export async function readPoll(ctx: Ctx, localViewer: LocalViewer<UserViewer>, pollId: string): Promise<string> {
  const { place, rights } = await openPoll(ctx.db, localViewer.viewer, { pollId }, NONE);
  return await readPlacedPost(ctx, localViewer, { place, rights, id: pollId });
}

/** Removes a poll with its votes; `slug` is the community of the path, null when the path names none. */
export async function removePoll(
  ctx: Ctx,
  viewer: UserViewer,
  input: { slug: string | null; pollId: string },
): Promise<{ id: string }> {
  const { slug, pollId } = input;
  return await inTransaction(ctx.db, async (trx) => {
    const { place, rights } =
      slug === null ? await openPoll(trx, viewer, { pollId }, NONE) : await openPlace(trx, viewer, slug);
    const activity = await lockActivity(trx, place, { activityId: pollId });
    if (activity?.verb !== 'poll') throw notFound();
    if (!canDelete(viewer.id, rights, activity)) throw new AppError('auth.forbidden');
    await deleteActivity(trx, activity, viewer.id);
    if (activity.authorId !== viewer.id) {
      await notifyOfRemoval(trx, activity.id);
      await recordAction(trx, viewer, {
        action: 'community.remove-poll',
        object: pollId,
        detail: { authorId: activity.authorId, communityId: activity.communityId },
      });
    }
    return { id: pollId };
  });
}

async function openPlace(db: Db, viewer: UserViewer, slug: string): Promise<{ place: Place; rights: Rights }> {
  const access = await openContent(db, viewer, slug);
  return { place: { communityId: access.community.id }, rights: access };
}
