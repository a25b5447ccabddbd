import { useMemo } from 'react';
import { useText } from '../text.tsx';
import { trustedHtml } from '../trusted.ts';
import { linkMentions } from './mentions.ts';

type Props = {
  /** Must be HTML that the server sanitised on write and on read. */
  html: string;
  /** Names of users mentioned as `{{uuid}}`. */
  people?: Readonly<Record<string, string>>;
  /** Language of the text when it may differ from the page's. */
  lang?: string;
  /** For posts and replies: 16 px. Lessons and articles use 18 px. */
  isCompact?: boolean;
  /** For HTML without blocks, inside a label. */
  isInline?: boolean;
  className?: string;
};

const NOBODY = {};

/** Formatted text from the API. The only component that injects HTML into a page. */
export function RichText({ html, people = NOBODY, lang, isCompact, isInline, className = '' }: Props) {
  const { t } = useText();
  const unknown = t('common.unknown_person');
  // Memoised, because each call of the policy returns a new object, which would rewrite the HTML.
  const inner = useMemo(() => ({ __html: trustedHtml(linkMentions(html, people, unknown)) }), [html, people, unknown]);
  const Tag = isInline ? 'span' : 'div';
  return (
    <Tag
      lang={lang}
      dir="auto"
      className={`prose${isCompact ? ' is-compact' : ''}${className && ` ${className}`}`}
      dangerouslySetInnerHTML={inner}
    />
  );
}
