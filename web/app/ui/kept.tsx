import { createContext, use, type ReactElement } from 'react';
import { TextContext, useText } from '../text.tsx';
import { IsApartContext } from './plain-form.ts';
import { TranslationsContext } from './translated.tsx';

/** Answers the HTML of a part of a page. Parts with the same key are the same and are written once. */
export type KeepHtml = (key: string, part: () => ReactElement) => string;

const KeepContext = createContext<KeepHtml | null>(null);
/** Where pages are written for many. */
export const KeptProvider = KeepContext.Provider;

type Part = {
  /** What it is: no two sorts share a name. */
  sort: string;
  /**
   * All that the part is made of but for language and time zone, as JSON can say it; null for one that is not the same a
   * minute later.
   */
  of: unknown;
  part: ReactElement;
};

/**
 * The children of an element of which most readers get the same, such as the posts of a feed. The server writes each once
 * and puts its HTML in place of it; the browser finds the same elements as if they had been written for its reader.
 */
export function useKept(
  parts: readonly Part[],
): { children: ReactElement[] } | { dangerouslySetInnerHTML: { __html: string } } {
  if (!import.meta.env.SSR) return { children: parts.map(({ part }) => part) };
  const keepHtml = use(KeepContext);
  const text = useText();
  const translations = use(TranslationsContext);
  if (!keepHtml) return { children: parts.map(({ part }) => part) };
  const { locale, timeZone } = text;
  const minute = Math.floor(Date.now() / 60_000); // "5 minutes ago"
  const html = parts.map(({ sort, of, part }) =>
    keepHtml(of === null ? '' : JSON.stringify([sort, locale, timeZone, minute, of]), () => (
      <IsApartContext value>
        <TextContext value={text}>
          <TranslationsContext value={translations}>{part}</TranslationsContext>
        </TextContext>
      </IsApartContext>
    )),
  );
  return { dangerouslySetInnerHTML: { __html: html.join('') } };
}
