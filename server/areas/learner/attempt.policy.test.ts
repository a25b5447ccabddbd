import { Assessment, questionsPerAttempt } from '@officium/contract/assessment';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkAssessment } from '#server/areas/publish-checks/assessment.policy.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { drawQuestions } from './attempt.policy.ts';

const TAGS = ['a', 'b', 'c'];
const tags = fc.subarray(TAGS);
const questionOf = (own: string[], at: number): AssessmentQuestion => ({
  quiz: String(at),
  type: 'true-false',
  tags: own,
  isMultiple: false,
  questionHtml: '',
  moreHtml: '',
  options: [],
  feedbackHtml: null,
  key: {},
});
const quizOf = (own: string[]) =>
  `:::quiz{type=true-false answer=true${own.length === 0 ? '' : ` tags="${own.join(', ')}"`}}\nSo?\n:::\n`;

it('an attempt has the questions of each tag that a published assessment draws, each once', () => {
  const settings = fc.record({
    own: fc.array(tags, { minLength: 1, maxLength: 9 }),
    drawTags: fc.uniqueArray(fc.record({ tag: fc.constantFrom(...TAGS), count: fc.integer({ min: 1, max: 3 }) }), {
      selector: ({ tag }) => tag,
      maxLength: 3,
    }),
    draw: fc.option(fc.integer({ min: 1, max: 9 })),
    shuffle: fc.boolean(),
    seed: fc.integer({ min: 0 }),
  });
  let published = 0;
  fc.assert(
    fc.property(settings, ({ own, drawTags, draw, shuffle, seed }) => {
      const parsed = Assessment.safeParse({ passMark: 50, draw, drawTags, shuffle });
      if (!parsed.success || checkAssessment(parsed.data, { en: own.map(quizOf).join('\n') }).length > 0) return;
      published += 1;
      let state = seed;
      const random = (below: number) => (state = (state * 1103515245 + 12345) % 2147483648) % below;
      const drawn = drawQuestions(own.map(questionOf), parsed.data, random);
      expect(new Set(drawn.map(({ quiz }) => quiz)).size).toBe(questionsPerAttempt(parsed.data, own.length));
      for (const { tag, count } of drawTags)
        expect(drawn.filter((question) => question.tags?.includes(tag)).length).toBeGreaterThanOrEqual(count);
    }),
    { numRuns: 500 },
  );
  expect(published).toBeGreaterThan(50);
});
