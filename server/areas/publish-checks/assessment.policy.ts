import type { Assessment } from '@officium/contract/assessment';
import type { Locale, LocalizedText } from '@officium/contract/common';
import { type QuizShape, quizShapes } from './blocks.policy.ts';
import type { Finding } from './check.policy.ts';

type AssessmentFinding = Finding & { locale: Locale };

/** Checks that each language of a lesson has the questions that its assessment needs, with those of the bank it draws from. */
export function checkAssessment(
  assessment: Assessment | null,
  texts: LocalizedText,
  bank: LocalizedText = {},
): AssessmentFinding[] {
  if (!assessment) return [];
  const { draw, drawTags = [] } = assessment;
  const entries = Object.entries(texts) as [Locale, string][]; // keys of a LocalizedText
  return entries.flatMap(([locale, source]): AssessmentFinding[] => {
    const own = quizShapes(source);
    const questions = [...own, ...(assessment.bank ? quizShapes(bank[locale] ?? '') : [])];
    const at = { locale, severity: 'must', line: own.at(-1)?.line ?? 1 } as const;
    if (questions.length === 0) return [{ ...at, rule: 'assessment-questions', text: '' }];
    const isEnough = draw === null || draw <= questions.length;
    return [
      ...(isEnough ? [] : [{ ...at, rule: 'assessment-draw' as const, text: `${draw} > ${questions.length}` }]),
      ...drawTags
        .map(({ tag, count }, nth) => ({ tag, count, left: leastLeft(drawTags.slice(0, nth), tag, questions) }))
        .filter(({ count, left }) => count > left)
        .map(({ tag, count, left }) => ({
          ...at,
          rule: 'assessment-draw' as const,
          text: `${tag}: ${count} > ${left}`,
        })),
    ];
  });
}

/** Checks that a bank leaves a lesson that draws from it enough questions. */
export function checkDrawing(
  { slug, assessment, body }: { slug: string; assessment: Assessment; body: LocalizedText },
  bank: LocalizedText,
): AssessmentFinding[] {
  const findings = checkAssessment(assessment, body, bank);
  return findings.map((finding) => ({ ...finding, line: 1, text: [slug, finding.text].filter(Boolean).join(' · ') }));
}

type Draws = NonNullable<Assessment['drawTags']>;

/** Questions with a tag that are left in the worst case, once the tags before it have drawn theirs. */
function leastLeft(before: Draws, tag: string, questions: readonly QuizShape[]): number {
  const own = questions.filter(({ tags }) => tags.includes(tag));
  const taken = before.map((drawn) => Math.min(drawn.count, own.filter(({ tags }) => tags.includes(drawn.tag)).length));
  return Math.max(0, own.length - taken.reduce((sum, count) => sum + count, 0));
}
