import type { Locale } from '@officium/contract/common';
import type { SearchResult } from '@officium/contract/search';
import type { PersonRow } from '#server/areas/account/person.view.ts';
import { pagePath } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';
import type { DetailRow } from './detail.repository.ts';
import { type FoundRow, MATCH } from './document.rows.ts';

/** The separator that `search_words` puts between the characters of some scripts. A match may end within it. */
const JOINT = new RegExp(`\u200b(${MATCH[1]}?) `, 'g');

/** The separator that `parser_safe` puts into long runs; no text contains it. */
const BREAK = '\u0001';

/** Splits a text with `MATCH` characters into pieces, matching or not. */
export function toPieces(marked: string): SearchResult['title'] {
  const [begin, end] = MATCH;
  const pieces: SearchResult['title'] = [];
  const joined = marked.replace(JOINT, '$1').replaceAll('\u200b', '').replaceAll(BREAK, '');
  for (const [index, part] of joined.split(begin).entries()) {
    const [match = '', rest = ''] = index === 0 ? ['', part] : part.split(end);
    for (const [text, isMatch] of [
      [match, true],
      [rest, false],
    ] as const) {
      const last = pieces.at(-1);
      if (text === '') continue;
      if (last?.isMatch === isMatch) last.text += text;
      else pieces.push({ text, isMatch });
    }
  }
  return pieces;
}

export function toResult(row: FoundRow, detail: DetailRow, locale: Locale): SearchResult {
  const { placeTitle, placePage, authorId, authorName, lessonTitle } = detail;
  const parentTitle = lessonTitle ? pickText(lessonTitle, locale).text : detail.parentTitle;
  const title = toPieces(row.title);
  const excerpt = toPieces(row.excerpt);
  return {
    kind: row.kind,
    id: row.id,
    path: pagePath(detail.page, detail.anchor),
    title: title.length === 0 && parentTitle ? [{ text: parentTitle, isMatch: false }] : title,
    excerpt,
    locale: row.locale,
    place: placeTitle && placePage ? { title: pickText(placeTitle, locale).text, path: pagePath(placePage) } : null,
    author: authorId && authorName ? { id: authorId, name: authorName } : null,
    createdAt: ['post', 'reply', 'discussion', 'article'].includes(row.kind) ? row.madeAt.toISOString() : null,
  };
}

export function toPersonResult({ id, name, job_title, organization }: PersonRow): SearchResult {
  const about = [job_title, organization].filter(Boolean).join(' · ');
  return {
    kind: 'person',
    id,
    path: pagePath(['person', id]),
    title: [{ text: name, isMatch: false }],
    excerpt: about ? [{ text: about, isMatch: false }] : [],
    locale: null,
    place: null,
    author: null,
    createdAt: null,
  };
}
