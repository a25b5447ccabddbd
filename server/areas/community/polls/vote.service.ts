import { REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { newId } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { actByMemory, rememberAccess, requireLevel } from '../members/access.service.ts';
import { keep } from '../memory.cache.ts';
import { openPoll } from './poll.service.ts';
import * as repository from './vote.repository.ts';

/** Of which poll options are, and where that stands: a hint, for it is looked at as somebody votes. */
const hints = new Map<string, { pollId: string; slug: string }>();
const MAX_HINTS = 10_000;

/** Votes for an option. In a poll of one choice the vote one has moves to it; a repeated vote is the same vote. */
export async function castVote(
  ctx: Ctx,
  viewer: UserViewer,
  input: { optionId: string; detail: Record<string, unknown> },
): Promise<{ id: string; pollId: string; optionId: string }> {
  const { optionId } = input;
  const vote = { id: newId(), userId: viewer.id, ...input };
  const hint = hints.get(optionId);
  const cast = hint && (await castByMemory(ctx, viewer, hint.slug, vote));
  if (cast) return { id: cast.id, pollId: hint.pollId, optionId };

  const { pollId, community } = await openPoll(ctx.db, viewer, { optionId }, REDUCED);
  if (community) {
    rememberAccess(viewer, community);
    keep(hints, MAX_HINTS, optionId, { pollId, slug: community.slug });
  }
  const { outcome, id } = await repository.castVote(ctx.db, vote);
  requireDone(outcome);
  return { id, pollId, optionId };
}

/** Undefined: to be decided by the access as it is. */
async function castByMemory(
  ctx: Ctx,
  viewer: UserViewer,
  slug: string,
  vote: repository.NewVote,
): Promise<{ id: string } | undefined> {
  return await actByMemory(viewer, slug, async (access, expected) => {
    requireLevel(access, REDUCED);
    const at = { ...vote, communityId: access.community.id };
    const { outcome, id } = await repository.castVote(ctx.db, at, expected);
    return outcome === 'done' ? { id } : undefined;
  });
}

/** Takes back a vote of one's own, while the poll is open. */
export async function retractVote(ctx: Ctx, viewer: UserViewer, id: string): Promise<{ id: string }> {
  const pollId = await repository.getPollOfVote(ctx.db, { id, userId: viewer.id });
  // Without such a vote a poll that does not exist is opened: 404 for the same queries as a poll that is hidden by now.
  await openPoll(ctx.db, viewer, { pollId: pollId ?? newId() }, REDUCED);
  requireDone(await repository.retractVote(ctx.db, { id, userId: viewer.id }));
  return { id };
}

function requireDone(outcome: repository.CastOutcome): void {
  if (outcome === 'gone') throw notFound();
  if (outcome === 'closed') throw new AppError('community.poll_closed');
}
