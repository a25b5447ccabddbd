import { listProductAccess } from '@officium/contract/product-access';
import type { Route } from './+types/products.csv';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import { productsListOf } from './products-list.ts';

const PAGE = 100;
/** The API pages no further. */
const MAX_ROWS = 10_000;

/** The filtered list of products, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { listing, filters } = productsListOf(new URL(url.href.replace('/products.csv', '/products')));
  const rows: (string | null)[][] = [];
  for (let offset = 0; offset <= MAX_ROWS; offset += PAGE) {
    const query = { ...filters, match: listing.match, limit: String(PAGE), offset: String(offset) };
    const { entries, total } = await api(listProductAccess, { query });
    for (const { id, contentType, slug, title, permissions, effective, reason, updatedAt } of entries)
      rows.push([
        id,
        contentType,
        slug,
        title,
        permissions?.can_view ?? null,
        permissions?.can_join ?? null,
        effective?.can_view ?? null,
        effective?.can_join ?? null,
        reason,
        updatedAt,
      ]);
    if (offset + PAGE >= total) break;
  }
  return csvReply(
    'products',
    [
      'id',
      'contentType',
      'slug',
      'title',
      'can_view',
      'can_join',
      'effective_view',
      'effective_join',
      'reason',
      'updatedAt',
    ],
    rows,
  );
}
