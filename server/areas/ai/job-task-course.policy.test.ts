import { describe, expect, it } from 'vitest';
import { rankCourses } from './job-task-course.policy.ts';

const words = (text: string) => new Set(text.split(' ').filter(Boolean));
const course = (title: string, summary = '') => ({ title: words(title), summary: words(summary) });
const COURSES = [
  course('plain language', 'write letters people understand'),
  course('budgets evidence', 'figures public decisions'),
  course('short meetings', 'people decisions'),
];
const rank = (query: string, near = '', courses = COURSES) =>
  rankCourses({ query: words(query), near: words(near) }, courses);

describe('rankCourses', () => {
  it('finds courses that share two words, rarer words first', () => {
    expect(rank('write letters people')).toEqual([0]);
    expect(rank('people decisions figures')).toEqual([1, 2]);
  });
  it('finds a course by one word of the question if only its title has it', () => {
    expect(rank('budgets')).toEqual([1]);
    expect(rank('', 'budgets')).toEqual([]);
    expect(rank('people')).toEqual([]);
    expect(rank('budgets', '', [course('budgets one'), course('budgets two')])).toEqual([]);
  });
  it('also matches the words of near statements', () => {
    expect(rank('', 'write letters')).toEqual([0]);
  });
  it('finds nothing for other subjects or without courses, and at most three', () => {
    expect(rank('repair engines')).toEqual([]);
    expect(rank('budgets', '', [])).toEqual([]);
    expect(
      rank(
        'write letters',
        '',
        Array.from({ length: 5 }, () => course('write letters')),
      ),
    ).toEqual([0, 1, 2]);
  });
});
