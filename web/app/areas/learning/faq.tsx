import { ChevronDown } from 'lucide-react';
import { Link } from 'react-router';
import type { Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JsonLd } from '../../ui/json-ld.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { plainText } from '../../ui/plain-text.ts';

export type Asked = {
  path: string;
  title: string;
  shownLocale: Locale;
  html: string | null;
  bodyLocale: Locale | null;
};

/** Questions that open to their answers; each answer has a page of its own too. */
export function Faq({ questions, level = 3 }: { questions: readonly Asked[]; level?: 2 | 3 }) {
  const { t, locale } = useText();
  const Heading = `h${level}` as const;
  const lang = (of: Locale | null) => (of === null || of === locale ? undefined : of);
  return (
    <ul className="divide-y divide-line border-y border-line">
      {questions.map(({ path, title, shownLocale, html, bodyLocale }) => (
        <li key={path}>
          <details className="group py-1">
            <summary className="flex min-h-11 cursor-pointer list-none items-start justify-between gap-4 py-3 [&::-webkit-details-marker]:hidden">
              <Heading className="text-xl" lang={lang(shownLocale)} dir={lang(shownLocale) ? 'auto' : undefined}>
                {title}
              </Heading>
              <Icon
                as={ChevronDown}
                className="mt-1 shrink-0 text-accent group-open:rotate-180 motion-safe:transition-transform"
              />
            </summary>
            <div className="max-w-read pb-5">
              {html === null ? null : <RichText html={html} lang={lang(bodyLocale)} isCompact />}
              <p className="mt-3 text-sm">
                <Link to={path} className="link inline-block py-1.5">
                  {t('hub.question_open')}
                </Link>
              </p>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** https://schema.org/FAQPage */
export function FaqFacts({ questions }: { questions: readonly Asked[] }) {
  if (questions.length === 0) return null;
  return <JsonLd data={{ '@type': 'FAQPage', mainEntity: questions.map(toQuestion) }} />;
}

/** https://schema.org/Question */
export function toQuestion({ title, shownLocale, html, bodyLocale }: Omit<Asked, 'path'>) {
  return {
    '@type': 'Question',
    name: title,
    inLanguage: shownLocale,
    acceptedAnswer: { '@type': 'Answer', text: plainText(html ?? '', 5000), inLanguage: bodyLocale ?? shownLocale },
  };
}
