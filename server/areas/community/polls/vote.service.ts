import { REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { newId } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { actByCache, cacheAccess, requireLevel } from '../members/access.service.ts';
import { setBounded } from '../bounded.cache.ts';
import { openPoll } from './poll.service.ts';
import * as repository from './vote.repository.ts';

/** The poll and community of options that were voted for. Only a hint: each vote checks it. */
const hints = new Map<string, { pollId: string; slug: string }>();
const MAX_HINTS = 10_000;

/** Votes for an option. In a single-choice poll the user's vote moves to it; a repeated vote is the same vote. */
export async function castVote(
  ctx: Ctx,
  viewer: UserViewer,
  input: { optionId: string; detail: Record<string, unknown> },
): Promise<{ id: string; pollId: string; optionId: string }> {
  const { optionId } = input;
  const vote = { id: newId(), userId: viewer.id, ...input };
  const hint = hints.get(optionId);
  const cast = hint && (await castByCache(ctx, viewer, hint.slug, vote));
  if (cast) return { id: cast.id, pollId: hint.pollId, optionId };

  const { pollId, community } = await openPoll(ctx.db, viewer, { optionId }, REDUCED);
  if (community) {
    cacheAccess(viewer, community);
    setBounded(hints, MAX_HINTS, optionId, { pollId, slug: community.slug });
  }
  const { outcome, id } = await repository.castVote(ctx.db, vote);
  requireDone(outcome);
  return { id, pollId, optionId };
}

/** Undefined: to be decided with the current access. */
async function castByCache(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  vote: repository.NewVote,
): Promise<{ id: string } | undefined> {
  return await actByCache(viewer, slug, async (access, expected) => {
    requireLevel(access, REDUCED);
    const at = { ...vote, communityId: access.community.id };
    const { outcome, id } = await repository.castVote(ctx.db, at, expected);
    return outcome === 'done' ? { id } : undefined;
  });
}

/** Retracts the viewer's own vote while the poll is open. */
export async function retractVote(ctx: Ctx, viewer: UserViewer, id: string): Promise<{ id: string }> {
  const pollId = await repository.getPollOfVote(ctx.db, { id, userId: viewer.id });
  // An unknown vote opens a poll that does not exist: 404 for the same queries as a hidden poll.
  await openPoll(ctx.db, viewer, { pollId: pollId ?? newId() }, REDUCED);
  requireDone(await repository.retractVote(ctx.db, { id, userId: viewer.id }));
  return { id };
}

function requireDone(outcome: repository.CastOutcome): void {
  if (outcome === 'gone') throw notFound();
  if (outcome === 'closed') throw new AppError('community.poll_closed');
}
