import { REDUCED } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, newId, type Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { lockPoll } from './poll.repository.ts';
import { openPoll } from './poll.service.ts';
import {
  type Ballot,
  deleteVote,
  getBallot,
  getOwnVote,
  insertVote,
  moveVote,
  type VoteRow,
} from './vote.repository.ts';

/** Votes for an option. In a poll of one choice the vote one has moves to it; a repeated vote is the same vote. */
export async function castVote(
  ctx: Ctx,
  viewer: UserViewer,
  input: { optionId: string; detail: Record<string, unknown> },
): Promise<VoteRow> {
  const { optionId, detail } = input;
  const { pollId } = await openPoll(ctx.db, viewer, { optionId }, REDUCED);

  return await inTransaction(ctx.db, async (trx) => {
    const ballot = await openBallot(trx, pollId, viewer.id);
    const same = ballot.votes.find((vote) => vote.optionId === optionId);
    if (same) return same;
    const former = ballot.allowsSeveral ? undefined : ballot.votes[0];
    if (former) {
      await moveVote(trx, former, { optionId, detail });
      return { ...former, optionId };
    }
    const vote: VoteRow = { id: newId(), pollId, optionId };
    const isFirst = ballot.votes.length === 0;
    await insertVote(trx, { ...vote, userId: viewer.id, isOnly: !ballot.allowsSeveral, isFirst, detail });
    return vote;
  });
}

/** Takes back a vote of one's own, while the poll is open. */
export async function retractVote(ctx: Ctx, viewer: UserViewer, voteId: string): Promise<{ id: string }> {
  const known = await getOwnVote(ctx.db, { id: voteId, userId: viewer.id });
  if (!known) throw notFound();
  const { pollId } = await openPoll(ctx.db, viewer, { pollId: known.pollId }, REDUCED);

  return await inTransaction(ctx.db, async (trx) => {
    const { votes } = await openBallot(trx, pollId, viewer.id);
    const vote = votes.find(({ id }) => id === voteId);
    if (!vote) throw notFound();
    await deleteVote(trx, { ...vote, isLast: votes.length === 1 });
    return { id: voteId };
  });
}

/** Locks the poll, then sees whether it still takes votes: what was true before the lock may be so no more. */
async function openBallot(trx: Db, pollId: string, userId: string): Promise<Ballot> {
  await lockPoll(trx, pollId);
  const ballot = await getBallot(trx, { pollId, userId });
  if (!ballot || ballot.isRemoved) throw notFound();
  if (!ballot.isOpen) throw new AppError('community.poll_closed');
  return ballot;
}
