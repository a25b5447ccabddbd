import { isDeepStrictEqual } from 'node:util';
import { PieceDoc } from '@officium/contract/authoring';
import type { Locale } from '@officium/contract/common';
import { LOCALES } from '@officium/i18n/locales';
import type { StoredDoc } from './piece.policy.ts';

/** The fields that decide who may see, buy or moderate something. Only administrators change them. */
export function accessFieldsOf(doc: PieceDoc): Partial<PieceDoc> {
  switch (doc.kind) {
    case 'academy':
      return { courses: doc.courses };
    case 'course':
      return { type: doc.type };
    case 'journey':
      return { privacy: doc.privacy, price: doc.price };
    default:
      return {};
  }
}

const profilesOf = (doc: PieceDoc) =>
  doc.kind === 'course' ? doc.contacts.flatMap(({ profile }) => profile ?? []) : [];

/** Whether a change leaves the access fields alone and makes nobody a contact who moderates the discussions. */
export function keepsAccess(before: PieceDoc, after: PieceDoc): boolean {
  const known = new Set(profilesOf(before));
  return (
    isDeepStrictEqual(accessFieldsOf(before), accessFieldsOf(after)) &&
    profilesOf(after).every((profile) => known.has(profile))
  );
}

/** Whether publishing a piece leaves access as it is; for a new piece, as pieces begin. */
export function isAccessKept(live: PieceDoc | undefined, doc: PieceDoc): boolean {
  const { kind, slug, title } = doc;
  return keepsAccess(live ?? PieceDoc.parse({ kind, slug, title }), doc);
}

/** An old version with the access fields and contacts of the current one. */
export function withAccessOf(current: StoredDoc, old: StoredDoc): StoredDoc {
  const contacts = current.kind === 'course' ? { contacts: current.contacts } : {};
  return { ...old, ...accessFieldsOf(current), ...contacts } as StoredDoc; // the fields are those of its kind
}

/** Whether a change concerns only texts in other languages than the source language. */
export function changesOnlyTranslations(before: PieceDoc, after: PieceDoc, source: Locale): boolean {
  return isDeepStrictEqual(withoutTranslations(before, source), withoutTranslations(after, source));
}

const isLocale = (key: string) => LOCALES.some((locale) => locale === key);

/** The value with all texts reduced to the source language. A text is an object whose keys are languages. */
function withoutTranslations(value: unknown, source: Locale): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutTranslations(each, source));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isText = entries.every(([key]) => isLocale(key));
  return Object.fromEntries(
    entries.flatMap(([key, each]) => {
      if (isText) return key === source ? [[key, each]] : [];
      return [[key, withoutTranslations(each, source)]];
    }),
  );
}
