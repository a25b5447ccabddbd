import type { Locale } from '@officium/contract/common';
import type { SEARCH_KINDS } from '@officium/contract/search';

/** Kinds of search documents: everything searchable except people. */
export type DocumentKind = Exclude<(typeof SEARCH_KINDS)[number], 'person'>;

/** Control characters that mark the beginning and end of a match. No text contains them. */
export const MATCH = ['\u0002', '\u0003'] as const;

export type FoundRow = {
  group: string;
  kind: DocumentKind;
  id: string;
  locale: Locale;
  /** Title and excerpt have `MATCH` characters around each match. */
  title: string;
  excerpt: string;
  madeAt: Date;
};
