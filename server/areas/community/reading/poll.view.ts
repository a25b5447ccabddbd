import type { PollView } from '@officium/contract/community';
import type { z } from 'zod';
import { timestamp } from './json-text.view.ts';
import type { PollRow } from './rows.repository.ts';

/** The options with most votes, as many as may win and all that tie with the last of them; none without a vote. */
function winnersOf({ options, numberOfWinners }: PollRow): string[] {
  return options
    .filter(({ votes }) => votes > 0 && options.filter((other) => other.votes > votes).length < numberOfWinners)
    .map(({ id }) => id);
}

/** A poll for its reader. Counts are there only for whom its settings let see them, and winners once it is closed. */
export function toPollView(
  poll: PollRow,
  title: string | null,
  reader: { ownVotes: { id: string; optionId: string }[]; now: Date },
): z.output<typeof PollView> {
  const closed = poll.deadlineAt !== null && new Date(poll.deadlineAt) <= reader.now;
  const isCounted = poll.resultsVisibility === 'always' || closed || reader.ownVotes.length > 0;
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
    ownVotes: reader.ownVotes,
    closed,
    ...(closed ? { winners: winnersOf(poll) } : {}),
  };
}
