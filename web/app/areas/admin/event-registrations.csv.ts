import { listSessionRegistrations, readEvent } from '@officium/contract/events';
import type { Route } from './+types/event-registrations.csv';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import { shownSession } from './event-session.ts';

const PAGE = 100;
/** The API pages no further. */
const MAX_ROWS = 10_000;

/** All registrations of one date. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { sessions } = await api(readEvent, { params });
  const session = shownSession(sessions, url);
  const rows: (string | null)[][] = [];
  for (let offset = 0; session && offset <= MAX_ROWS; offset += PAGE) {
    const query = { limit: String(PAGE), offset: String(offset) };
    const { registrations, total } = await api(listSessionRegistrations, { params: { id: session.id }, query });
    for (const { name, email, status, registeredAt, attendedAt } of registrations)
      rows.push([session.startsAt, name, email, status, registeredAt, attendedAt]);
    if (offset + PAGE >= total) break;
  }
  return csvReply(
    `registrations-${params.slug}`,
    ['startsAt', 'name', 'email', 'status', 'registeredAt', 'attendedAt'],
    rows,
  );
}
