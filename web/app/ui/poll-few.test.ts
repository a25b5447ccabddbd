import { expect, test } from 'vitest';
import { isKeptBack, withoutFewVotes } from './poll-few.ts';
import type { PollData } from './poll.tsx';

function poll(votes: number[], settings: Partial<PollData['settings']> = {}): PollData {
  return {
    id: 'p',
    title: 'Tea or coffee?',
    settings: {
      allow_multiple_votes: false,
      deadline_at: null,
      hide_participants: true,
      number_of_winners: 1,
      results_visibility: 'always',
      ...settings,
    },
    options: votes.map((count, index) => ({ id: `o${index}`, position: index + 1, body: `${index}`, votes: count })),
    totalVotes: votes.reduce((sum, count) => sum + count, 0),
    ownVotes: [],
    closed: true,
    winners: ['o0'],
  };
}

test('with fewer than five voters only the total remains', () => {
  const shown = withoutFewVotes(poll([3, 1]));
  expect(shown.totalVotes).toBe(4);
  expect(shown.options.map((option) => 'votes' in option)).toEqual([false, false]);
  expect(shown).not.toHaveProperty('winners');
  expect(isKeptBack(shown)).toBe(true);
});

test('from five voters on, and when participants are not hidden, nothing is kept back', () => {
  for (const one of [poll([3, 2]), poll([1, 0], { hide_participants: false })]) {
    expect(withoutFewVotes(one)).toEqual(one);
    expect(isKeptBack(one)).toBe(false);
  }
});

test('several votes of one person count as one voter', () => {
  const many = { allow_multiple_votes: true };
  expect(isKeptBack(withoutFewVotes(poll([4, 4], many)))).toBe(true);
  expect(isKeptBack(withoutFewVotes(poll([5, 1], many)))).toBe(false);
});

test('a poll whose results may not be seen yet stays as it is', () => {
  const { totalVotes: _, ...hidden } = poll([1, 1]);
  expect(withoutFewVotes(hidden)).toEqual(hidden);
  expect(isKeptBack(hidden)).toBe(false);
});
