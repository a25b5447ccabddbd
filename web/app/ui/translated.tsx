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
  /** What was put into it, by the id of the text. */
  made: Record<string, TextTranslation>;
};

export const TranslationsContext = createContext<Known>({ sources: [], made: {} });
/** What a page knows of translations of its texts. */
export const TranslationsProvider = TranslationsContext.Provider;

/** The translation of a text that is to be shown in its place, if there is one. */
export function useTranslation(id: string) {
  const made = useContext(TranslationsContext).made[id];
  return isTranslated(made) ? made : undefined;
}

/** The languages that can be put into the one of the page. */
export function useTranslationSources(): readonly string[] {
  return useContext(TranslationsContext).sources;
}

/** Whether there is something to offer for a text in that language. */
export function useCanTranslate(lang: string): boolean {
  return useTranslationSources().includes(lang);
}

type LineProps = {
  /** The language it was written in. */
  lang: string;
  translation: TextTranslation | ArticleTranslation | undefined;
  /** The page with the text translated, and as it was written. */
  to: string;
  back: string;
  /** Of many such links on a page: what this one is about. */
  name?: string;
};

/** Below a text: offers its translation; of a translation it says by whom that is made, and leads back. */
export function TranslationLine({ lang, translation, to, back, name }: LineProps) {
  const { t, locale } = useText();
  const { search } = useLocation();
  const canTranslate = useCanTranslate(lang);
  const isMachine = isTranslated(translation) && translation.machine;
  const failure = translation && !isTranslated(translation) ? translation.reason : undefined;
  if (!isMachine && !failure && !canTranslate) return null;
  // One link, whatever it leads to: who pressed it keeps the focus, and hears what became of it.
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

/** The same page at another address, for an address one is at already is not asked for again. */
function againOf(to: string, search: string): string {
  return new URLSearchParams(search).has('again') ? to : to.replace('?', '?again=1&');
}

/** The same for a text of a list, known by its id. */
export function TextTranslationLine({ id, ...line }: Omit<LineProps, 'translation'> & { id: string }) {
  const translation = useContext(TranslationsContext).made[id];
  return <TranslationLine {...line} translation={translation} />;
}
