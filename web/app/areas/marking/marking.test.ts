import { expect, it } from 'vitest';
import { marksIn, type MarkedQuestion } from './marking.ts';

const question = (number: number, points: number[]): MarkedQuestion => ({
  number,
  questionHtml: '',
  moreHtml: '',
  modelAnswerHtml: null,
  criteria: points.map((each) => ({ html: '', points: each })),
  points: points.length === 0 ? 4 : points.reduce((sum, each) => sum + each, 0),
  words: null,
  answer: 'x',
  mark: null,
});

function read(values: Record<string, string>, questions: MarkedQuestion[]) {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return marksIn(fields, questions);
}

it('reads points by criterion or in all, and leaves out questions without any', () => {
  const questions = [question(1, [2, 1]), question(3, []), question(4, [])];
  const values = { 'points1-0': '1,5', 'points1-1': ' ٠ ', comment1: 'Well done', 'points3-0': '4', comment3: '' };
  expect(read(values, questions)).toEqual({
    issues: [],
    marks: [
      { number: 1, points: [1.5, 0], comment: 'Well done' },
      { number: 3, points: [4], comment: '' },
    ],
  });
});

it('names each field with wrong points', () => {
  const pathsOf = (values: Record<string, string>) =>
    read(values, [question(1, [2, 1])]).issues.map(({ path }) => path);
  expect(pathsOf({ 'points1-0': '2.5', 'points1-1': '1' })).toEqual(['points1-0']);
  expect(pathsOf({ 'points1-0': '1' })).toEqual(['points1-1']);
  expect(pathsOf({ 'points1-0': '-1', 'points1-1': '0.3' })).toEqual(['points1-0', 'points1-1']);
  expect(pathsOf({ comment1: 'Only words' })).toEqual(['points1-0', 'points1-1']);
  expect(pathsOf({})).toEqual(['points1-0']);
});
