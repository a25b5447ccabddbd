import { createContext, use, type ReactElement } from 'react';
import { TextContext, useText } from '../text.tsx';
import { IsApartContext } from './plain-form.ts';
import { ageOf } from './time.tsx';
import { TranslationsContext } from './translated.tsx';

/** Returns the HTML of a part of a page. Parts with the same key are identical and rendered once. */
export type HtmlCache = (key: string, part: () => ReactElement) => string;

const HtmlCacheContext = createContext<HtmlCache | null>(null);
/** Provides the cache of shared HTML. */
export const HtmlCacheProvider = HtmlCacheContext.Provider;

type Part = {
  /** Kind of part; every kind has its own name. */
  kind: string;
  /** Everything the part depends on except language, time zone and `times`, as JSON; null when it changes every second. */
  of: unknown;
  /** The times of which it may say how long ago they were. */
  times?: readonly (string | null | undefined)[];
  part: ReactElement;
};

/**
 * The children of an element that are the same for most viewers, such as the posts of a feed. The server renders each
 * once and reuses its HTML; the browser hydrates the same elements as if rendered for this viewer.
 */
export function useSharedHtml(
  parts: readonly Part[],
): { children: ReactElement[] } | { dangerouslySetInnerHTML: { __html: string } } {
  if (!import.meta.env.SSR) return { children: parts.map(({ part }) => part) };
  const cachedHtml = use(HtmlCacheContext);
  const text = useText();
  const translations = use(TranslationsContext);
  if (!cachedHtml) return { children: parts.map(({ part }) => part) };
  const { locale, timeZone } = text;
  const html = parts.map(({ kind, of, times = [], part }) => {
    const ages = times.map((time) => time && ageOf(time));
    return cachedHtml(of === null ? '' : JSON.stringify([kind, locale, timeZone, ages, of]), () => (
      <IsApartContext value>
        <TextContext value={text}>
          <TranslationsContext value={translations}>{part}</TranslationsContext>
        </TextContext>
      </IsApartContext>
    ));
  });
  return { dangerouslySetInnerHTML: { __html: html.join('') } };
}
