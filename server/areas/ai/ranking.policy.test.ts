import { describe, expect, it } from 'vitest';
import { type Hit, pickAnswers, rankPassages } from './ranking.policy.ts';

const MINE = 'lesson-a';
const OTHER = 'lesson-b';
const TOTAL = 40;

const hit = (position: number, word: number, more: Partial<Hit> = {}): Hit => ({
  lesson: MINE,
  position,
  section: position,
  word,
  worth: 1,
  isOwn: true,
  isExample: false,
  ...more,
});
const rank = (words: number, hits: Hit[], nearly: Parameters<typeof rankPassages>[0]['nearly'] = []) =>
  rankPassages({ words, hits, nearly, total: TOTAL, lesson: MINE });
const places = (words: number, hits: Hit[]) => rank(words, hits).map(({ lesson, position }) => [lesson, position]);

describe('rankPassages', () => {
  it('ranks passages by coverage of the question, rare words first', () => {
    const frequent = Array.from({ length: 10 }, (_, position) => hit(10 + position, 1));
    expect(places(2, [hit(1, 0), hit(2, 0), hit(2, 1), ...frequent]).slice(0, 3)).toEqual([
      [MINE, 2],
      [MINE, 1],
      [MINE, 10],
    ]);
  });

  it('gives less weight to words in the heading, the section and the lesson', () => {
    const beside = (section: number) => hit(9, 1, { section });
    const scores = [
      rank(2, [hit(1, 0), hit(1, 1)]),
      rank(2, [hit(1, 0), hit(1, 1, { isOwn: false })]),
      rank(2, [hit(1, 0), beside(1)]),
      rank(2, [hit(1, 0), beside(5)]),
      rank(2, [hit(1, 0), hit(9, 1, { lesson: OTHER })]),
    ].map((ranked) => ranked.find(({ position }) => position === 1)?.score ?? 0);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(5);
  });

  it('prefers the given lesson, text over examples, and words over synonyms', () => {
    expect(places(1, [hit(1, 0, { lesson: OTHER }), hit(5, 0)])[0]).toEqual([MINE, 5]);
    expect(places(1, [hit(1, 0, { isExample: true }), hit(5, 0)])[0]).toEqual([MINE, 5]);
    expect(places(1, [hit(1, 0, { worth: 0.8 }), hit(5, 0)])[0]).toEqual([MINE, 5]);
  });

  it('uses a similar spelling when the word itself is not found', () => {
    const nearly = [{ lesson: MINE, position: 3, section: 3, word: 0, likeness: 0.7 }];
    expect(rank(1, [], nearly)[0]).toMatchObject({ position: 3 });
    expect(rank(1, [hit(1, 0)], nearly).map(({ position }) => position)).toEqual([1]);
    expect(rank(1, [], [{ ...nearly[0]!, likeness: 0.5 }])).toEqual([]);
  });

  it('answers the subject in a lesson’s title with its opening', () => {
    const title = [0, 1, 2].flatMap((position) => [
      hit(position, 0, { isOwn: false }),
      hit(position, 1, { isOwn: false }),
    ]);
    expect(places(2, title)[0]).toEqual([MINE, 0]);
    expect(places(3, title)).toEqual([]);
  });

  it('returns nothing for an empty question', () => {
    expect([rank(0, []), rank(3, [])]).toEqual([[], []]);
  });
});

describe('pickAnswers', () => {
  it('picks at most three passages, near the best and with enough coverage', () => {
    const scored = (...scores: number[]) =>
      pickAnswers(scores.map((score, position) => ({ lesson: MINE, position, score }))).length;
    expect(scored(1, 0.9, 0.8, 0.7)).toBe(3);
    expect(scored(1, 0.39)).toBe(1);
    expect(scored(0.5, 0.37)).toBe(1);
    expect(scored(0.3)).toBe(0);
    expect(scored()).toBe(0);
  });

  it('picks nothing when most words of the question are not found', () => {
    expect(pickAnswers(rank(4, [hit(1, 0)]))).toEqual([]);
  });
});
