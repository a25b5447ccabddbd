import { describe, expect, it } from 'vitest';
import {
  chooseLeastUnlike,
  chooseNear,
  exposureOf,
  figuresOf,
  gradeOf,
  isSameOccupation,
  levelOf,
  type Rated,
  similarityOf,
} from './job-task.policy.ts';

const rated = (
  model: Rated['model_exposure'],
  people: Rated['people_exposure'],
  automation: number,
  similarity = 1,
): Rated => ({ model_exposure: model, people_exposure: people, automation, similarity });
/** A resemblance with this similarity. */
const like = (similarity: number, has_first = true) => ({ cosine: similarity ** 2, covered: 1, has_first });

describe('similarityOf', () => {
  it('combines cosine and coverage, in thousandths', () => {
    expect(similarityOf({ cosine: 1, covered: 1 })).toBe(1);
    expect(similarityOf({ cosine: 0.64, covered: 1 })).toBe(0.8);
    expect(similarityOf({ cosine: 0.64, covered: 0.0625 })).toBe(0.4);
    expect(similarityOf({ cosine: 1.000001, covered: 1.000001 })).toBe(1);
  });
});

describe('chooseNear', () => {
  const similarities = (...found: ReturnType<typeof like>[]) => chooseNear(found).map(({ similarity }) => similarity);
  it('requires half, and more without the first word', () => {
    expect(similarities(like(0.5))).toEqual([0.5]);
    expect(similarities(like(0.499))).toEqual([]);
    expect(similarities(like(0.65, false))).toEqual([0.65]);
    expect(similarities(like(0.649, false))).toEqual([]);
  });
  it('keeps statements almost as near as the nearest, at most three', () => {
    expect(similarities(like(0.8), like(0.6), like(0.599))).toEqual([0.8, 0.6]);
    expect(similarities(like(0.9), like(0.9), like(0.8), like(0.8))).toEqual([0.9, 0.9, 0.8]);
    expect(similarities()).toEqual([]);
  });
});

describe('chooseLeastUnlike', () => {
  it('has no threshold, and keeps statements almost as near as the nearest', () => {
    const similarities = (...found: ReturnType<typeof like>[]) =>
      chooseLeastUnlike(found).map(({ similarity }) => similarity);
    expect(similarities(like(0.4), like(0.3, false), like(0.299))).toEqual([0.4, 0.3]);
    expect(similarities(like(0.0001))).toEqual([]);
    expect(similarities()).toEqual([]);
  });
});

describe('isSameOccupation', () => {
  it('requires a nearly equal title, slightly less if every word matches', () => {
    expect(isSameOccupation({ cosine: 0.64, covered: 1 })).toBe(true);
    expect(isSameOccupation({ cosine: 0.77 ** 2, covered: 1 })).toBe(true);
    expect(isSameOccupation({ cosine: 0.76 ** 2, covered: 1 })).toBe(false);
    expect(isSameOccupation({ cosine: 0.64, covered: 0.98 })).toBe(false);
  });
});

describe('figuresOf', () => {
  it('returns undefined without statements', () => {
    expect(figuresOf([])).toBeUndefined();
  });
  it.each([
    ['nothing', rated('E0', 'E0', 0), [0, 0, 0, 'unexposed']],
    ['the appointing of heads', rated('E0', 'E0', 0.25), [0, 25, 13, 'unexposed']],
    ['tools, by one rating', rated('E2', 'E0', 0.25), [25, 25, 25, 'with-tools']],
    ['tools', rated('E2', 'E2', 0.5), [50, 50, 50, 'with-tools']],
    ['a model alone, by one rating', rated('E1', 'E0', 0.75), [50, 75, 63, 'direct']],
    ['everything', rated('E1', 'E1', 1), [100, 100, 100, 'direct']],
  ] as const)('follow from one statement: %s', (_, statement, expected) => {
    const { effortPercentage, riskPercentage, overallRisk, category } = figuresOf([statement])!;
    expect([effortPercentage, riskPercentage, overallRisk, category]).toEqual(expected);
  });
  it('averages ratings by similarity', () => {
    const figures = figuresOf([rated('E1', 'E1', 0.75, 0.9), rated('E0', 'E0', 0, 0.6)]);
    expect(figures).toEqual({ effortPercentage: 60, riskPercentage: 45, overallRisk: 53, category: 'direct' });
    expect(figuresOf([rated('E1', 'E1', 0.75, 0.6), rated('E0', 'E0', 0, 0.9)])?.category).toBe('unexposed');
  });
});

describe('grades and levels', () => {
  it('are derived from category and percentage', () => {
    expect((['direct', 'with-tools', 'unexposed'] as const).map(gradeOf)).toEqual(['high', 'medium', 'low']);
    expect([0, 33, 34, 66, 67, 100].map(levelOf)).toEqual(['low', 'low', 'medium', 'medium', 'high', 'high']);
  });
  it('weigh an exposure as in the publication', () => {
    expect(exposureOf({ model_exposure: 'E1', people_exposure: 'E2' })).toBe(0.75);
  });
});
