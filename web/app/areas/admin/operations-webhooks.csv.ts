import { listContentEvents } from '@officium/contract/operations';
import type { Route } from './+types/operations-webhooks.csv';
import { allOf } from './all.ts';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import { outcomeOf } from './outcome.ts';

const COLUMNS = [
  'id',
  'receivedAt',
  'topic',
  'entryId',
  'contentType',
  'version',
  'outcome',
  'reason',
  'onlyIndex',
  'requestId',
] as const;

/** Events received from the content platform, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const outcome = outcomeOf(url);
  const events = await allOf(async (paged) => (await api(listContentEvents, { query: { outcome, ...paged } })).events);
  return csvReply(
    'webhooks',
    COLUMNS,
    events.map((event) => COLUMNS.map((column) => (column === 'onlyIndex' ? String(event.onlyIndex) : event[column]))),
  );
}
