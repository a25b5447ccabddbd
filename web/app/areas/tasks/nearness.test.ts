import { expect, it } from 'vitest';
import { byNearness } from './nearness.ts';

it('separates tasks with a comparable statement from the others and keeps their order', () => {
  const tasks = ['3', '1', '4', '2'].map((id) => ({ id }));
  const { near, weak } = byNearness({ tasks, unmatchedTasks: [{ id: '1' }, { id: '2' }] });
  expect([near, weak].map((part) => part.map(({ id }) => id))).toEqual([
    ['3', '4'],
    ['1', '2'],
  ]);
});
