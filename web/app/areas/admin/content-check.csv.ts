import { listContentFindings } from '@officium/contract/content-checks';
import type { Route } from './+types/content-check.csv';
import { checkFiltersOf } from './content-check.load.ts';
import { csvReply } from '../../admin/csv.ts';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';

const AT_ONCE = 1000;
const MOST = 20_000;

/** The filtered findings, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-content');
  const filters = checkFiltersOf(url.searchParams, listingOf(url).match);
  const rows: (string | number | null)[][] = [];
  for (let offset = 0, total = 1; offset < Math.min(total, MOST); offset += AT_ONCE) {
    const query = { ...filters, locale, limit: String(AT_ONCE), offset: String(offset) };
    const page = await api(listContentFindings, { query });
    total = page.total;
    for (const { severity, rule, locale: language, course, title, file, line, text, path } of page.findings)
      rows.push([severity, rule, language, course, title, file, line, text, path]);
  }
  const header = ['severity', 'rule', 'language', 'course', 'title', 'file', 'line', 'text', 'path'];
  return csvReply('content-check', header, rows);
}
