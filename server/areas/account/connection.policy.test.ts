import { CONNECTION_STATUSES } from '@officium/contract/account';
import { expect, it } from 'vitest';
import { requestOutcome, canMove } from './connection.policy.ts';

it('allows exactly five moves', () => {
  const moves = CONNECTION_STATUSES.flatMap((from) =>
    CONNECTION_STATUSES.flatMap((to) =>
      (['requester', 'recipient'] as const)
        .filter((side) => canMove(from, to, side))
        .map((side) => `${from} ${to} ${side}`),
    ),
  );
  expect(moves.sort()).toEqual([
    'accepted removed recipient',
    'accepted removed requester',
    'pending accepted recipient',
    'pending cancelled requester',
    'pending declined recipient',
  ]);
});

it.each([
  ['accepted', 'requester', false, 'refused'],
  ['accepted', 'recipient', false, 'refused'],
  ['pending', 'requester', true, 'refused'],
  ['pending', 'recipient', true, 'accepted'],
  ['declined', 'requester', true, 'wait'],
  ['declined', 'requester', false, 'pending'],
  ['declined', 'recipient', true, 'pending'],
  ['cancelled', 'requester', true, 'pending'],
  ['removed', 'recipient', true, 'pending'],
] as const)('a %s connection requested again by the %s (resting: %s) gives %s', (from, side, isResting, outcome) => {
  expect(requestOutcome(from, side, isResting)).toBe(outcome);
});
