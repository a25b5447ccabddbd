import { useMemo } from 'react';
import { useText } from '../text.tsx';
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
  const inner = useMemo(() => ({ __html: trusted(linkMentions(html, people, unknown)) }), [html, people, unknown]);
  return (
    <div
      lang={lang}
      dir="auto"
      className={`prose${isCompact ? ' is-compact' : ''}${className && ` ${className}`}`}
      dangerouslySetInnerHTML={inner}
    />
  );
}

// Under the CSP's require-trusted-types-for, innerHTML takes only what a policy has passed. React hands it on as it is.
type Policy = { createHTML: (html: string) => string };
const policy = (
  globalThis as { trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy } }
).trustedTypes?.createPolicy('officium', { createHTML: (html) => html });

function trusted(html: string): string {
  return policy ? policy.createHTML(html) : html;
}
