import type { Locale } from '@officium/contract/common';
import type { EditorialCard } from '@officium/contract/editorials';
import { toCover } from '#server/areas/catalogue/catalogue.view.ts';
import type { EditorialBodyRow, EditorialFactsRow } from '#server/areas/catalogue/editorial.repository.ts';
import { pickText } from '#server/text/localised.ts';

export function toEditorialCard(
  row: EditorialFactsRow,
  body: EditorialBodyRow | undefined,
  locale: Locale,
): EditorialCard {
  const title = pickText(row.title, locale);
  return {
    id: row.id,
    kind: row.kind as EditorialCard['kind'], // carousels and pictures are never listed
    slug: row.slug,
    title: title.text,
    summary: pickText(row.summary, title.locale).text,
    shownLocale: title.locale,
    locales: row.locales,
    humanTranslation: row.human_translation,
    cover: toCover(row, locale),
    html: body?.html ?? null,
    bodyLocale: body?.locale ?? null,
  };
}
