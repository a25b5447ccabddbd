import type { PollView } from '@officium/contract/community';
import type { z } from 'zod';
import { timestamp } from './json-text.view.ts';
import type { PollRow } from './rows.repository.ts';

/** The options with most votes: as many as may win and all that tie with the last of them; none without a vote. */
function winnersOf({ options, numberOfWinners }: PollRow): string[] {
  return options
    .filter(({ votes }) => votes > 0 && options.filter((other) => other.votes > votes).length < numberOfWinners)
    .map(({ id }) => id);
}

/** The contract's PollView. Counts depend on the poll's settings; winners exist once it is closed. */
export function toPollView(
  poll: PollRow,
  title: string | null,
  own: { ownVotes: { id: string; optionId: string }[]; now: Date },
): z.output<typeof PollView> {
  const closed = poll.deadlineAt !== null && new Date(poll.deadlineAt) <= own.now;
  const isCounted = poll.resultsVisibility === 'always' || closed || own.ownVotes.length > 0;
  return {
    id: poll.id,
    title,
    settings: {
      allow_multiple_votes: poll.allowMultipleVotes,
      deadline_at: poll.deadlineAt === null ? null : timestamp(poll.deadlineAt),
      hide_participants: poll.hideParticipants,
      number_of_winners: poll.numberOfWinners,
      results_visibility: poll.resultsVisibility,
    },
    options: poll.options.map(({ votes, ...option }) => (isCounted ? { ...option, votes } : option)),
    ...(isCounted ? { totalVotes: poll.totalVotes } : {}),
    ownVotes: own.ownVotes,
    closed,
    ...(closed ? { winners: winnersOf(poll) } : {}),
  };
}
