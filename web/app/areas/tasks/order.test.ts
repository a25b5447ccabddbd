import { describe, expect, it } from 'vitest';
import { inOrder, orderOf } from './order.ts';

const task = (id: string, riskPercentage: number, effortPercentage: number) => ({
  id,
  riskPercentage,
  effortPercentage,
});
const TASKS = [task('1', 25, 0), task('2', 75, 50), task('10', 75, 100), task('4', 25, 0)];
const ids = (order: Parameters<typeof inOrder>[1]) => inOrder(TASKS, order).map(({ id }) => id);

describe('inOrder', () => {
  it('sorts by one figure, then the other, then the given order', () => {
    expect(ids('-risk')).toEqual(['10', '2', '1', '4']);
    expect(ids('risk')).toEqual(['1', '4', '2', '10']);
    expect(ids('-effort')).toEqual(['10', '2', '1', '4']);
    expect(ids('effort')).toEqual(['1', '4', '2', '10']);
  });
  it('compares positions as numbers', () => {
    expect(ids('order')).toEqual(['1', '2', '4', '10']);
    expect(ids('-order')).toEqual(['10', '4', '2', '1']);
  });
});

it('reads a known order from the address and defaults to the highest risk first', () => {
  const asked = (query: string) => orderOf(new URL(`http://a/tasks/1${query}`));
  expect(['?sort=effort', '?sort=-order', '', '?sort=x', '?sort=risk&sort=effort'].map(asked)).toEqual([
    'effort',
    '-order',
    '-risk',
    '-risk',
    'risk',
  ]);
});
