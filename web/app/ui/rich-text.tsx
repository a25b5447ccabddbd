import { useMemo } from 'react';
import { useText } from '../text.tsx';
import { trustedHtml } from '../trusted.ts';
import { linkMentions } from './mentions.ts';

type Props = {
  /** Sanitised by the server on write and on read; nothing else may come here. */
  html: string;
  /** Names of the people mentioned as `{{uuid}}`. */
  people?: Readonly<Record<string, string>>;
  /** Language of the text, when it may differ from the page's. */
  lang?: string;
  /** For posts and replies: 16 px. Lessons and articles are 18 px. */
  isCompact?: boolean;
  className?: string;
};

const NOBODY = {};

/** Formatted text from the API: the one place that writes HTML into a page. */
export function RichText({ html, people = NOBODY, lang, isCompact, className = '' }: Props) {
  const { t } = useText();
  const unknown = t('common.unknown_person');
  // What a policy has passed is a new object each time, and a new one would be written into the page again.
  const inner = useMemo(() => ({ __html: trustedHtml(linkMentions(html, people, unknown)) }), [html, people, unknown]);
  return (
    <div
      lang={lang}
      dir="auto"
      className={`prose${isCompact ? ' is-compact' : ''}${className && ` ${className}`}`}
      dangerouslySetInnerHTML={inner}
    />
  );
}
