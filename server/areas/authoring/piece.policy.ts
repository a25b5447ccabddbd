import { isDeepStrictEqual } from 'node:util';
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { PieceDoc, PieceKind } from '@officium/contract/authoring';
import { LOCALES } from '@officium/i18n/locales';
import { imageCandidates } from '#server/areas/catalogue/image-path.policy.ts';

/** A picture a piece shows: its path is what the text says, the rest where it is kept. */
export type PieceImage = { path: string; key: string; mime: string; bytes: number; hash: string };
/** A piece as it is stored: with its pictures, and the files of a content folder its texts came from. */
export type StoredDoc = PieceDoc & { images: PieceImage[]; bodyFiles: LocalizedText };
export type PieceKey = { kind: PieceKind; key: string };

/** What the entry of a piece is called; lessons have none of their own. */
export const ENTRY_TYPES = {
  academy: 'academy',
  course: 'course',
  journey: 'courseJourney',
  microcourse: 'microcourse',
  community: 'communityPage',
} as const satisfies Partial<Record<PieceKind, string>>;

export function bodyOf(doc: PieceDoc): LocalizedText {
  return 'body' in doc ? doc.body : {};
}

/** The texts of a piece that have a language: by field, sections by their place. */
export function textsOf(doc: PieceDoc): Record<string, LocalizedText> {
  const fields: Record<string, LocalizedText> = { title: doc.title };
  if ('summary' in doc) fields['summary'] = doc.summary;
  if ('description' in doc) fields['description'] = doc.description;
  if ('discussion' in doc) fields['discussion'] = doc.discussion;
  if ('coverAlt' in doc) fields['coverAlt'] = doc.coverAlt;
  if (doc.kind === 'journey')
    for (const [at, { heading }] of doc.sections.entries()) fields[`sections.${at}`] = heading;
  if ('body' in doc) fields['body'] = doc.body;
  return fields;
}

/** The languages in which two states of a piece differ. */
export function changedLocales(before: PieceDoc | undefined, after: PieceDoc): Locale[] {
  const then = before ? textsOf(before) : {};
  const now = textsOf(after);
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  return LOCALES.filter((locale) => names.some((name) => then[name]?.[locale] !== now[name]?.[locale]));
}

/** The pictures among these that a piece shows. */
export function usedImages(doc: PieceDoc & { bodyFiles?: LocalizedText }, images: readonly PieceImage[]): PieceImage[] {
  const cover = 'cover' in doc ? doc.cover : null;
  const named = new Set(cover === null ? [] : [cover]);
  const has = new Set(images.map((image) => image.path));
  for (const [locale, source] of Object.entries(bodyOf(doc)))
    for (const [, inMarkdown, inHtml] of source.matchAll(
      /!\[[^\]]*\]\(\s*<?([^)\s>]+)|<img[^>]*?\ssrc=["']?([^"'\s>]+)/g,
    )) {
      const file = doc.bodyFiles?.[locale as Locale] ?? ''; // keys of a LocalizedText
      const path = imageCandidates(inMarkdown ?? inHtml ?? '', file).find((candidate) => has.has(candidate));
      if (path !== undefined) named.add(path);
    }
  return images.filter((image) => named.has(image.path));
}

/** With the pictures it shows and no others, so that two equal states are equal. */
export function settled(doc: StoredDoc): StoredDoc {
  return { ...doc, images: usedImages(doc, doc.images).toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

export function isSame(one: StoredDoc, other: StoredDoc): boolean {
  return isDeepStrictEqual(settled(one), settled(other));
}
