import type { Locale, LocalizedText } from '@officium/contract/common';
import type { CheckFinding } from '@officium/contract/content-checks';
import { findLostMarkup } from '#server/text/lost-markup.ts';
import { checkTranslations } from '#server/areas/publish-checks/translation.policy.ts';
import type { ContentFolder } from './folder.format.ts';

export type TextWarning = { id: string; file: string; locale: Locale; line: number; message: string };

const DIFFERENCES: Partial<Record<CheckFinding['rule'], string>> = {
  'translation-headings': 'Headings differ from the source language',
  'translation-images': 'Pictures differ from the source language',
  'translation-length': 'Words differ from the source language',
  'translation-links': 'Links differ from the source language',
};

/** Names what pages show differently from the texts of a folder: left-out elements and incomplete translations. */
export function textWarnings({ courses, microcourses }: ContentFolder): TextWarning[] {
  const sections = courses.flatMap(({ journeys }) => journeys.flatMap((journey) => journey.sections));
  const warnings = [...sections.flatMap(({ lessons }) => lessons), ...microcourses].flatMap(warningsOf);
  // Several lessons can share a file.
  return [
    ...new Map(warnings.map((each) => [`${each.file}:${each.line} ${each.locale} ${each.message}`, each])).values(),
  ];
}

function warningsOf({
  id,
  body,
  bodyFiles,
}: {
  id: string;
  body: LocalizedText;
  bodyFiles: LocalizedText;
}): TextWarning[] {
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
  return [...lost, ...differing];
}
