import { describe, expect, it } from 'vitest';
import { rankCourses } from './job-task-course.policy.ts';

const words = (text: string) => new Set(text.split(' ').filter(Boolean));
const course = (title: string, summary = '') => ({ title: words(title), summary: words(summary) });
const COURSES = [
  course('plain language', 'write letters people understand'),
  course('budgets evidence', 'figures public decisions'),
  course('short meetings', 'people decisions'),
];
const rank = (asked: string, near = '', courses = COURSES) =>
  rankCourses({ asked: words(asked), near: words(near) }, courses);

describe('rankCourses', () => {
  it('finds what shares two words, the rarer first', () => {
    expect(rank('write letters people')).toEqual([0]);
    expect(rank('people decisions figures')).toEqual([1, 2]);
  });
  it('finds by one word what alone has it in its title, when it was asked about', () => {
    expect(rank('budgets')).toEqual([1]);
    expect(rank('', 'budgets')).toEqual([]);
    expect(rank('people')).toEqual([]);
    expect(rank('budgets', '', [course('budgets one'), course('budgets two')])).toEqual([]);
  });
  it('finds by the statements, too', () => {
    expect(rank('', 'write letters')).toEqual([0]);
  });
  it('finds nothing for other subjects or without courses, and three at most', () => {
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
