import { REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { newId } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { openPoll } from './poll.service.ts';
import * as repository from './vote.repository.ts';

/** Votes for an option. In a poll of one choice the vote one has moves to it; a repeated vote is the same vote. */
export async function castVote(
  ctx: Ctx,
  viewer: UserViewer,
  input: { optionId: string; detail: Record<string, unknown> },
): Promise<{ id: string; pollId: string; optionId: string }> {
  const { optionId, detail } = input;
  const { pollId } = await openPoll(ctx.db, viewer, { optionId }, REDUCED);
  const { outcome, id } = await repository.castVote(ctx.db, { id: newId(), optionId, userId: viewer.id, detail });
  requireDone(outcome);
  return { id, pollId, optionId };
}

/** Takes back a vote of one's own, while the poll is open. */
export async function retractVote(ctx: Ctx, viewer: UserViewer, id: string): Promise<{ id: string }> {
  const pollId = await repository.getPollOfVote(ctx.db, { id, userId: viewer.id });
  if (pollId === undefined) throw notFound();
  await openPoll(ctx.db, viewer, { pollId }, REDUCED);
  requireDone(await repository.retractVote(ctx.db, { id, userId: viewer.id }));
  return { id };
}

function requireDone(outcome: repository.VoteOutcome): void {
  if (outcome === 'gone') throw notFound();
  if (outcome === 'closed') throw new AppError('community.poll_closed');
}
