import { Languages } from 'lucide-react';
import { createContext, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '../text.tsx';
import { languageName } from '../language-name.ts';
import { isTranslated, type ArticleTranslation, type TextTranslation } from '../translation.ts';
import { Icon } from './icon.tsx';

type Known = {
  /** The languages that can be put into the one of the page. */
  sources: readonly string[];
  /** Translations by text id. */
  made: Record<string, TextTranslation>;
};

export const TranslationsContext = createContext<Known>({ sources: [], made: {} });
/** Provides the translations of the page's texts. */
export const TranslationsProvider = TranslationsContext.Provider;

/** The translation to show instead of a text, if any. */
export function useTranslation(id: string) {
  const made = useContext(TranslationsContext).made[id];
  return isTranslated(made) ? made : undefined;
}

/** The languages that can be put into the one of the page. */
export function useTranslationSources(): readonly string[] {
  return useContext(TranslationsContext).sources;
}

/** Whether texts in that language can be translated. */
export function useCanTranslate(lang: string): boolean {
  return useTranslationSources().includes(lang);
}

type LineProps = {
  /** Its original language. */
  lang: string;
  translation: TextTranslation | ArticleTranslation | undefined;
  /** Addresses of the page with the translation and with the original. */
  to: string;
  back: string;
  /** Name of the text, to distinguish links on a page. */
  name?: string;
};

/** Below a text: offers its translation; below a translation: names its origin and offers the original. */
export function TranslationLine({ lang, translation, to, back, name }: LineProps) {
  const { t, locale } = useText();
  const { search } = useLocation();
  const canTranslate = useCanTranslate(lang);
  const isMachine = isTranslated(translation) && translation.machine;
  const failure = translation && !isTranslated(translation) ? translation.reason : undefined;
  if (!isMachine && !failure && !canTranslate) return null;
  // A single link for both directions: it keeps the focus and announces the result.
  return (
    <p aria-live="polite" className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      {isMachine ? (
        <span className="inline-flex min-h-11 items-center gap-1.5">
          <Icon as={Languages} size={16} />
          {t('translation.machine', { language: languageName(translation.source, locale) })}
        </span>
      ) : failure ? (
        <span className="inline-flex min-h-11 items-center font-semibold text-danger">
          {t(failure === 'many' ? 'translation.many' : 'translation.none')}
        </span>
      ) : null}
      {isMachine || canTranslate ? (
        <Link
          to={isMachine ? back : failure ? againOf(to, search) : to}
          preventScrollReset
          rel="nofollow"
          className={`inline-flex min-h-11 items-center gap-1.5 hover:text-accent hover:underline ${isMachine ? 'underline' : ''}`}
        >
          {isMachine || failure ? null : <Icon as={Languages} size={16} />}
          {isMachine ? t('translation.original') : t('translation.translate', { language: languageName(lang, locale) })}
          {name ? <span className="sr-only">: {name}</span> : null}
        </Link>
      ) : null}
    </p>
  );
}

/** The same page at a slightly different address, because the router does not reload the current one. */
function againOf(to: string, search: string): string {
  return new URLSearchParams(search).has('again') ? to : to.replace('?', '?again=1&');
}

/** The same for a text in a list, by its id. */
export function TextTranslationLine({ id, ...line }: Omit<LineProps, 'translation'> & { id: string }) {
  const translation = useContext(TranslationsContext).made[id];
  return <TranslationLine {...line} translation={translation} />;
}
