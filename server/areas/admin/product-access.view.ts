import type { listProductAccess } from '@officium/contract/product-access';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import { pickText } from '#server/text/localised.ts';
import type { EntryAccessRow } from '#server/areas/catalogue/product.service.ts';

type ListedEntry = ReplyOf<typeof listProductAccess>['entries'][number];

export function toListedEntry(row: EntryAccessRow, locale: Locale): ListedEntry {
  const slug = pickText(row.slugs, locale).text || null;
  return {
    id: row.id,
    contentType: row.content_type as ListedEntry['contentType'], // the query only returns these types
    slug,
    title: pickText(row.titles, locale).text || slug || row.id,
    permissions: row.can_view && row.can_join ? { can_view: row.can_view, can_join: row.can_join } : null,
    updatedAt: row.updated_at?.toISOString() ?? null,
  };
}
