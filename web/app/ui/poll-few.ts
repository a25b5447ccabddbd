import type { readActivity } from '@officium/contract/community';
import type { ReplyOf } from '@officium/contract/endpoint';

type Poll = NonNullable<ReplyOf<typeof readActivity>['poll']>;

/** Below this number of voters a count per option would show who chose what to people who know each other. */
export const FEW_VOTERS = 5;

/**
 * A poll as pages show it: one that hides its participants keeps its counts per option and its winners back until at
 * least five people have voted. The total stays.
 */
export function withoutFewVotes(poll: Poll): Poll {
  if (!poll.settings.hide_participants || poll.totalVotes === undefined || votersAtLeast(poll) >= FEW_VOTERS)
    return poll;
  const { winners: _, ...rest } = poll;
  return { ...rest, options: poll.options.map(({ votes: _votes, ...option }) => option) };
}

/** True for a poll whose counts per option were kept back although its results may be seen. */
export function isKeptBack(poll: Poll): boolean {
  return poll.totalVotes !== undefined && poll.options.every(({ votes }) => votes === undefined);
}

/** The smallest number of people who can have cast these votes: one each, or in a multiple-choice poll several. */
function votersAtLeast({ options, totalVotes = 0, settings }: Poll): number {
  if (!settings.allow_multiple_votes) return totalVotes;
  return Math.max(Math.ceil(totalVotes / Math.max(options.length, 1)), ...options.map(({ votes = 0 }) => votes));
}
