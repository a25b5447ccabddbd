import { expect, it } from 'vitest';
import { linesOf } from './lines.ts';

it('returns one task per non-empty line', () => {
  expect(linesOf('Write letters\r\n\n  Chair meetings \rAnswer calls\n \t\n')).toEqual([
    'Write letters',
    'Chair meetings',
    'Answer calls',
  ]);
  expect(linesOf('')).toEqual([]);
});

it('drops list markers of pasted lists, and nothing else', () => {
  expect(linesOf('- Write letters\n* Chair meetings\n• Answer calls\n1. Plan\n12) Report')).toEqual([
    'Write letters',
    'Chair meetings',
    'Answer calls',
    'Plan',
    'Report',
  ]);
  expect(linesOf('3D modelling of roads\n-5 degree storage\n2024 budget')).toEqual([
    '3D modelling of roads',
    '-5 degree storage',
    '2024 budget',
  ]);
});
