import { isDeepStrictEqual } from 'node:util';
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { PieceDoc, PieceKind } from '@officium/contract/authoring';
import { LOCALES } from '@officium/i18n/locales';
import { composeBody, EDITORIAL_TYPES, isEditorialKind, partNames } from '#server/areas/catalogue/editorial.policy.ts';
import { resolveImagePath } from '#server/areas/catalogue/image-path.policy.ts';
import { findMedia } from '#server/text/media-sources.ts';
import { pictureAddresses } from '#server/text/picture-links.ts';

/** A picture, recording or document of a piece: the path used in texts, and its file in storage. */
export type PieceImage = { path: string; key: string; mime: string; bytes: number; hash: string };
export const isPicture = ({ mime }: Pick<PieceImage, 'mime'>) => mime.startsWith('image/');
/** The stored form of a piece, with its pictures, media and the content folder files of its texts. */
export type StoredDoc = PieceDoc & { images: PieceImage[]; bodyFiles: LocalizedText };
export type PieceKey = { kind: PieceKind; key: string };

/** Content types of the entries of pieces. Lessons have no entry. */
export const ENTRY_TYPES = {
  academy: 'academy',
  course: 'course',
  journey: 'courseJourney',
  microcourse: 'microcourse',
  community: 'communityPage',
  ...EDITORIAL_TYPES,
} as const satisfies Partial<Record<PieceKind, string>>;

export function bodyOf(doc: PieceDoc): LocalizedText {
  if (isEditorialKind(doc.kind)) return composeBody(doc.kind, doc);
  return 'body' in doc ? doc.body : {};
}

/** Returns the localised texts of a piece by field; section headings by index. */
export function textsOf(doc: PieceDoc): Record<string, LocalizedText> {
  const fields: Record<string, LocalizedText> = { title: doc.title };
  if ('summary' in doc) fields['summary'] = doc.summary;
  if ('description' in doc) fields['description'] = doc.description;
  if ('discussion' in doc) fields['discussion'] = doc.discussion;
  if ('coverAlt' in doc) fields['coverAlt'] = doc.coverAlt;
  if (doc.kind === 'course') for (const [at, { role }] of doc.contacts.entries()) fields[`contacts.${at}`] = role;
  if (doc.kind === 'journey')
    for (const [at, { heading }] of doc.sections.entries()) fields[`sections.${at}`] = heading;
  if (doc.kind === 'journey')
    for (const [at, { text, options }] of doc.evaluation.entries()) {
      fields[`evaluation.${at}`] = text;
      fields[`evaluation.${at}.options`] = options;
    }
  if ('body' in doc) fields['body'] = doc.body;
  if (isEditorialKind(doc.kind)) for (const part of partNames(doc.kind)) fields[part] = textOfPart(doc, part);
  return fields;
}

function textOfPart(doc: object, part: string): LocalizedText {
  return (doc as Record<string, LocalizedText | undefined>)[part] ?? {}; // a part of its kind is a text
}

/** Returns the languages in which two states of a piece differ. */
export function changedLocales(before: PieceDoc | undefined, after: PieceDoc): Locale[] {
  const then = before ? textsOf(before) : {};
  const now = textsOf(after);
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  return LOCALES.filter((locale) => names.some((name) => then[name]?.[locale] !== now[name]?.[locale]));
}

/** Returns the given pictures, recordings and documents that the piece uses. */
export function usedImages(doc: PieceDoc & { bodyFiles?: LocalizedText }, images: readonly PieceImage[]): PieceImage[] {
  if (images.length === 0) return [];
  const cover = 'cover' in doc ? doc.cover : null;
  const named = new Set(cover === null ? [] : [cover]);
  const has = new Set(images.map((image) => image.path));
  for (const [locale, source] of Object.entries(bodyOf(doc)))
    for (const src of [...pictureAddresses(source), ...findMedia(source).flatMap(({ sources }) => sources)]) {
      const file = doc.bodyFiles?.[locale as Locale] ?? ''; // keys of a LocalizedText
      const path = resolveImagePath(src, file, (candidate) => has.has(candidate));
      if (path !== undefined) named.add(path);
    }
  return images.filter((image) => named.has(image.path));
}

/** Files that a draft lists, used or not. */
export const MAX_FILES = 500;

/** The files of a draft with a new one. Beyond the limit, the oldest that no text shows leave it. */
export function withFile(doc: StoredDoc, file: PieceImage): PieceImage[] {
  const all = [...doc.images.filter(({ path }) => path !== file.path), file];
  if (all.length <= MAX_FILES) return all;
  const kept = new Set([...usedImages(doc, all), file].map(({ path }) => path));
  let surplus = all.length - MAX_FILES;
  return all.filter(({ path }) => kept.has(path) || surplus-- <= 0);
}

/** Normalises the list of pictures to the used ones, sorted, so that documents can be compared. */
export function settled(doc: StoredDoc): StoredDoc {
  return { ...doc, images: usedImages(doc, doc.images).toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

export function isSame(one: StoredDoc, other: StoredDoc): boolean {
  return isDeepStrictEqual(settled(one), settled(other));
}
