import { reviewAutoApprovals } from '@officium/contract/approval-review';
import type { Route } from './+types/approval.csv';
import { rulesListOf } from './approval-list.ts';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';

const PAGE = 100;
/** The API pages no further. */
const MAX_ROWS = 10_000;

/** The filtered list of rules, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { listing, filters } = rulesListOf(new URL(url.href.replace('/approval.csv', '/approval')));
  const rows: string[][] = [];
  for (let offset = 0; offset <= MAX_ROWS; offset += PAGE) {
    const query = { ...filters, match: listing.match, limit: String(PAGE), offset: String(offset) };
    const { rules, total } = await api(reviewAutoApprovals, { query });
    for (const { id, type, value, warnings, createdAt, updatedAt } of rules)
      rows.push([id, type, value, warnings.map(({ kind }) => kind).join(' '), createdAt, updatedAt]);
    if (offset + PAGE >= total) break;
  }
  return csvReply('auto-approval', ['id', 'type', 'value', 'warnings', 'createdAt', 'updatedAt'], rows);
}
