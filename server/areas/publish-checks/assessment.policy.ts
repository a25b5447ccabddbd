import type { Assessment } from '@officium/contract/assessment';
import type { Locale, LocalizedText } from '@officium/contract/common';
import { quizShapes } from './blocks.policy.ts';
import type { Finding } from './check.policy.ts';

type AssessmentFinding = Finding & { locale: Locale };

/** Checks that each language of a lesson has the questions that its assessment needs. */
export function checkAssessment(assessment: Assessment | null, texts: LocalizedText): AssessmentFinding[] {
  if (!assessment) return [];
  const { draw } = assessment;
  const entries = Object.entries(texts) as [Locale, string][]; // keys of a LocalizedText
  return entries.flatMap(([locale, source]): AssessmentFinding[] => {
    const questions = quizShapes(source);
    const at = { locale, severity: 'must', line: questions.at(-1)?.line ?? 1 } as const;
    if (questions.length === 0) return [{ ...at, rule: 'assessment-questions', text: '' }];
    if (draw === null || draw <= questions.length) return [];
    return [{ ...at, rule: 'assessment-draw', text: `${draw} > ${questions.length}` }];
  });
}
