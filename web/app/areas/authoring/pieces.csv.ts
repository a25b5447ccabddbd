import { listPieces } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/pieces.csv';
import { queryOf } from './pieces-query.ts';
import { titleOf } from './title.ts';

const PAGE = 100;
/** The API pages no further. */
const MAX_ROWS = 10_000;

/** The filtered list, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context, 'read-content');
  const query = { ...queryOf(url), limit: String(PAGE) };
  const rows: ReplyOf<typeof listPieces>['pieces'] = [];
  for (let offset = 0; offset < MAX_ROWS; offset += PAGE) {
    const { pieces, total } = await api(listPieces, { query: { ...query, offset: String(offset) } });
    rows.push(...pieces);
    if (pieces.length === 0 || rows.length >= total) break;
  }
  return csvReply(
    'content',
    ['kind', 'title', 'slug', 'state', 'languages', 'updated'],
    rows.map((row) => [
      row.kind,
      titleOf(row.title, locale).text,
      row.slug,
      row.state,
      row.languages.join(' '),
      row.updatedAt,
    ]),
  );
}
