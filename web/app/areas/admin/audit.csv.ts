import { listAuditLog } from '@officium/contract/audit';
import type { Route } from './+types/audit.csv';
import { auditQueryOf } from './audit-query.ts';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';

/** A size that spreadsheets can open; narrow the period for more. */
const MOST = 10_000;

/** The filtered log, all pages, newest first. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-audit');
  const query = { ...auditQueryOf(url), locale, limit: '100' };
  const rows: (string | null)[][] = [];
  let continuationToken: string | undefined;
  do {
    const page = await api(listAuditLog, { query: { ...query, continuationToken } });
    for (const entry of page.entries) {
      const { id, createdAt, actor, actorName, action, object, objectName, detail, requestId } = entry;
      rows.push([id, createdAt, actor, actorName, action, object, objectName, JSON.stringify(detail), requestId]);
    }
    continuationToken = page.continuationToken;
  } while (continuationToken !== undefined && rows.length < MOST);
  return csvReply(
    'audit-log',
    ['id', 'createdAt', 'actor', 'actorName', 'action', 'object', 'objectName', 'detail', 'requestId'],
    rows,
  );
}
