import { CONNECTION_STATUSES } from '@officium/contract/account';
import { expect, it } from 'vitest';
import { askOutcome, canMove } from './connection.policy.ts';

it('has five moves and no others', () => {
  const moves = CONNECTION_STATUSES.flatMap((from) =>
    CONNECTION_STATUSES.flatMap((to) =>
      (['asker', 'asked'] as const).filter((side) => canMove(from, to, side)).map((side) => `${from} ${to} ${side}`),
    ),
  );
  expect(moves.sort()).toEqual([
    'accepted removed asked',
    'accepted removed asker',
    'pending accepted asked',
    'pending cancelled asker',
    'pending declined asked',
  ]);
});

it.each([
  ['accepted', 'asker', false, 'refused'],
  ['accepted', 'asked', false, 'refused'],
  ['pending', 'asker', true, 'refused'],
  ['pending', 'asked', true, 'accepted'],
  ['declined', 'asker', true, 'wait'],
  ['declined', 'asker', false, 'pending'],
  ['declined', 'asked', true, 'pending'],
  ['cancelled', 'asker', true, 'pending'],
  ['removed', 'asked', true, 'pending'],
] as const)('%s, asked anew by the %s, resting %s: %s', (from, side, isResting, outcome) => {
  expect(askOutcome(from, side, isResting)).toBe(outcome);
});
