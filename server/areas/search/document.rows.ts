import type { Locale } from '@officium/contract/common';
import type { SEARCH_KINDS } from '@officium/contract/search';

/** What can be found, except people. */
export type DocumentKind = Exclude<(typeof SEARCH_KINDS)[number], 'person'>;

/** The characters that begin and end a match; no text has them. */
export const MATCH = ['\u0002', '\u0003'] as const;

export type FoundRow = {
  group: string;
  kind: DocumentKind;
  id: string;
  locale: Locale;
  /** With `MATCH` around what matches, as the excerpt. */
  title: string;
  excerpt: string;
  madeAt: Date;
};
