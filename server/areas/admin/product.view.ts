import type { Product } from '@officium/contract/admin';
import type { Locale } from '@officium/contract/common';
import type { z } from 'zod';
import { pickText } from '#server/text/localised.ts';
import type { ProductRow } from '#server/areas/catalogue/product.service.ts';

export function toProduct(row: ProductRow, locale: Locale): z.output<typeof Product> {
  const slug = pickText(row.slugs, locale).text || null;
  return {
    id: row.id,
    contentType: row.content_type,
    slug,
    title: pickText(row.titles, locale).text || slug || row.id,
    ...(row.course_titles ? { course: pickText(row.course_titles, locale).text } : {}),
    permissions: { can_view: row.can_view, can_join: row.can_join },
  };
}
