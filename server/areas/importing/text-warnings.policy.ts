import type { Assessment } from '@officium/contract/assessment';
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { CheckFinding } from '@officium/contract/content-checks';
import type { BlockSet } from '#server/text/blocks/block.ts';
import { LESSON_BLOCKS, PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { findLostMarkup } from '#server/text/lost-markup.ts';
import { checkAssessment } from '#server/areas/publish-checks/assessment.policy.ts';
import { checkBlocks } from '#server/areas/publish-checks/blocks.policy.ts';
import { checkTranslations } from '#server/areas/publish-checks/translation.policy.ts';
import type { ContentFolder } from './folder.format.ts';

export type TextWarning = { id: string; file: string; locale: Locale; line: number; message: string };

const DIFFERENCES: Partial<Record<CheckFinding['rule'], string>> = {
  'translation-headings': 'Headings differ from the source language',
  'translation-images': 'Pictures differ from the source language',
  'translation-length': 'Words differ from the source language',
  'translation-links': 'Links differ from the source language',
  'translation-quiz': 'Questions differ from the source language',
};

const BLOCKS: Partial<Record<CheckFinding['rule'], string>> = {
  'block-setting': 'Setting of a block without effect',
  'block-title': 'Block without a title',
  'block-unclosed': 'Block without a closing line',
  'block-unknown': 'Looks like a block but is shown as typed',
  'quiz-answer': 'Question without a right answer',
  'quiz-points': 'Question whose criteria do not have points from 1 to 100 together',
  'quiz-gaps': 'Question whose gaps do not stand in the text once each',
  'quiz-options': 'Question with fewer than two options',
  'quiz-question': 'Question without text',
  'quiz-size': 'Question with more than 20 pairs, answers or items',
};

const ASSESSMENTS: Partial<Record<CheckFinding['rule'], string>> = {
  'assessment-draw': 'Assessment draws more questions than there are',
  'assessment-questions': 'Assessment without questions',
};

/** Names what pages show differently from the texts of a folder: left-out elements and incomplete translations. */
export function textWarnings({ courses, microcourses }: ContentFolder): TextWarning[] {
  const warnings = [
    ...courses.flatMap((course) => [
      ...(course.bank ? warningsOf({ id: course.id, ...course.bank }, LESSON_BLOCKS) : []),
      ...lessonsOf(course).flatMap((lesson) => warningsOf(lesson, LESSON_BLOCKS, course.bank?.body)),
    ]),
    ...microcourses.flatMap((microcourse) => warningsOf(microcourse, PAGE_BLOCKS)),
  ];
  // Several lessons can share a file.
  return [
    ...new Map(warnings.map((each) => [`${each.file}:${each.line} ${each.locale} ${each.message}`, each])).values(),
  ];
}

const lessonsOf = ({ journeys }: ContentFolder['courses'][number]) =>
  journeys.flatMap((journey) => journey.sections.flatMap((section) => section.lessons));

type Texts = {
  id: string;
  body: LocalizedText;
  bodyFiles: LocalizedText;
  assessment?: Assessment | undefined;
};

function warningsOf(
  { id, body, bodyFiles, assessment }: Texts,
  blocks: BlockSet,
  bank: LocalizedText = {},
): TextWarning[] {
  const at = (locale: Locale) => ({ id, file: bodyFiles[locale] ?? '', locale });
  const locales = Object.keys(body) as Locale[]; // keys of a LocalizedText
  const lost = locales.flatMap((locale) =>
    findLostMarkup(body[locale] ?? '').map(({ kind, what, line }) => ({
      ...at(locale),
      line,
      message: `${kind === 'media' ? 'Shown as a link' : 'Left out'}: ${what}`,
    })),
  );
  const differing = checkTranslations(body).map(({ locale, rule, line, text }) => {
    const difference = DIFFERENCES[rule];
    const message = difference ? `${difference}: ${text}` : 'Has no content; readers see another language';
    return { ...at(locale), line, message };
  });
  const written = locales.flatMap((locale) => {
    const found: TextWarning[] = [];
    checkBlocks(body[locale] ?? '', blocks, (rule, _severity, { line, text }) =>
      found.push({ ...at(locale), line, message: `${BLOCKS[rule]}: ${text}` }),
    );
    return found;
  });
  const assessed = checkAssessment(assessment ?? null, body, bank).map(({ locale, rule, line, text }) => ({
    ...at(locale),
    line,
    message: [ASSESSMENTS[rule], text].filter(Boolean).join(': '),
  }));
  return [...lost, ...written, ...assessed, ...differing];
}
