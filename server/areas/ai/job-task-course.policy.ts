import type { Lexemes } from './word-stem.format.ts';

const MAX_COURSES = 3;
/** A word in the title counts double. */
const IN_TITLE = 2;
/** A single shared word can be chance, unless it is in the question and in only one course title. */
const ENOUGH_WORDS = 2;

export type CourseWords = { title: Lexemes; summary: Lexemes };

/** Indexes of the courses that match the question or the statements near it, best first. Rarer words weigh more. */
export function rankCourses(
  { query, near }: { query: Lexemes; near: Lexemes },
  courses: readonly CourseWords[],
): number[] {
  const has = ({ title, summary }: CourseWords, word: string) => title.has(word) || summary.has(word);
  const weightOf = (word: string) => {
    const known = courses.filter((course) => has(course, word)).length;
    return known === 0 ? 0 : Math.log(1 + courses.length / known);
  };
  const weights = new Map([...query.union(near)].map((word) => [word, weightOf(word)]));
  const namesAlone = (course: CourseWords, word: string) =>
    query.has(word) && course.title.has(word) && courses.filter(({ title }) => title.has(word)).length === 1;
  const scored = courses.map((course, index) => {
    const words = [...weights.keys()].filter((word) => has(course, word));
    const isAbout = words.length >= ENOUGH_WORDS || words.some((word) => namesAlone(course, word));
    const score = words.reduce(
      (sum, word) => sum + (weights.get(word) ?? 0) * (course.title.has(word) ? IN_TITLE : 1),
      0,
    );
    return { index, score: isAbout ? score : 0 };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_COURSES)
    .map(({ index }) => index);
}
