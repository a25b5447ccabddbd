import type { Piece, PieceDoc, PieceKind, PiecePart, previewPiece } from '@officium/contract/authoring';
import { DEFAULT_LOCALE, type Locale, type LocalizedText } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import { LOCALES } from '@officium/i18n/locales';
import { pagePath } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';
import { bodyOf, isPicture, isSame, type StoredDoc } from './piece.policy.ts';
import type { PieceRow } from './piece.repository.ts';
import { assetUrl } from '#server/areas/catalogue/stored-asset.view.ts';

/** Returns the source language: the chosen one, else English if available, else the first language with a title. */
export function sourceLocaleOf(row: Pick<PieceRow, 'sourceLocale' | 'live' | 'draft'>): Locale {
  const title = (row.draft ?? row.live)?.title ?? {};
  const chosen = row.sourceLocale;
  if (chosen) return chosen;
  return title[DEFAULT_LOCALE] === undefined
    ? (LOCALES.find((locale) => title[locale] !== undefined) ?? DEFAULT_LOCALE)
    : DEFAULT_LOCALE;
}

export function stateOf({ live, isShown, draft }: Pick<PieceRow, 'live' | 'isShown' | 'draft'>): Piece['state'] {
  if (!live) return 'draft';
  if (!isShown) return 'withdrawn';
  return draft ? 'changed' : 'published';
}

type Around = { parts: PiecePart[]; parents: PiecePart[]; courses: PiecePart[] } & Pick<
  Piece,
  'files' | 'maxFileBytes' | 'findings'
>;

export function toPiece(
  { kind, key }: { kind: PieceKind; key: string },
  row: PieceRow,
  doc: StoredDoc,
  live: StoredDoc | undefined,
  around: Around,
): Piece {
  const { images, bodyFiles: _, ...written } = doc;
  const { last } = row;
  const state = stateOf(row);
  return {
    kind,
    key,
    version: row.version,
    state,
    hasDraft: row.draft !== null,
    doc: written as PieceDoc, // without the fields that exist only in storage
    sourceLocale: sourceLocaleOf(row),
    textsChangedAt: Object.fromEntries(
      Object.entries(row.texts).map(([locale, at]) => [locale, new Date(at).toISOString()]),
    ),
    changed: row.changedAt && {
      at: row.changedAt.toISOString(),
      by: row.changedBy,
      isPersonDeleted: row.isPersonDeleted || undefined,
    },
    origin: row.origin,
    isBarred: row.isBarred,
    isReplaced: last !== null && last.source === 'authoring' && live !== undefined && !isSame(live, last.doc),
    productId: row.isProduct && kind !== 'lesson' ? row.entryId : null,
    address: state === 'draft' || state === 'withdrawn' || !live ? null : addressOf(live, around.parents),
    ...around,
    pictures: images.filter(isPicture).map((image) => ({ path: image.path, url: assetUrl(image.key) })),
  };
}

/** Carousels and pictures have no page of their own. */
function addressOf(live: PieceDoc, parents: PiecePart[]): string | null {
  const [course = '', journey = ''] = parents.map((parent) => parent.slug);
  switch (live.kind) {
    case 'academy':
      return pagePath(['academy', live.slug]);
    case 'course':
      return pagePath(['course', live.slug]);
    case 'journey':
      return pagePath(['course', course]);
    case 'lesson':
      return pagePath(['lesson', course, journey, live.slug]);
    case 'microcourse':
      return pagePath(['microcourse', live.slug]);
    case 'community':
      return pagePath(['community', live.slug]);
    case 'question':
    case 'solution':
    case 'hub':
    case 'event':
      return pagePath([live.kind, live.slug]);
    case 'carousel':
    case 'picture':
      return null;
  }
}

export function toPreview(
  doc: StoredDoc,
  parts: PiecePart[],
  locale: Locale,
  html: string | null,
): ReplyOf<typeof previewPiece> {
  const text = (map: LocalizedText) => pickText(map, locale).text;
  const titles = new Map(parts.map((part) => [part.key, part.title]));
  const cover = 'cover' in doc ? doc.images.find((image) => image.path === doc.cover) : undefined;
  const body = Object.keys(bodyOf(doc));
  return {
    title: text(doc.title),
    summary: 'summary' in doc ? text(doc.summary) : 'description' in doc ? text(doc.description) : '',
    shownLocale: locale,
    locales: LOCALES.filter((each) =>
      body.length > 0 && doc.kind !== 'course' ? body.includes(each) : doc.title[each] !== undefined,
    ),
    html,
    minutes: 'minutes' in doc ? doc.minutes : null,
    cover: cover && 'coverAlt' in doc ? { url: assetUrl(cover.key), alt: text(doc.coverAlt) } : null,
    sections:
      doc.kind === 'journey'
        ? doc.sections.map(({ heading, lessons }) => ({
            heading: text(heading),
            lessons: lessons.map((lesson) => text(titles.get(lesson) ?? {})),
          }))
        : [],
  };
}
