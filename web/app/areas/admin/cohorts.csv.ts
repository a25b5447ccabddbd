import { listCohorts } from '@officium/contract/admin';
import { listArchivedCohorts } from '@officium/contract/cohort-lifecycle';
import type { Route } from './+types/cohorts.csv';
import { isArchive, sortOf } from './cohorts.page.tsx';
import { csvReply } from '../../admin/csv.ts';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';

const AT_ONCE = 100;
/** The largest offset the API accepts. */
const MOST = 10_000;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'read-cohort');
  const { match } = listingOf(url);
  const rows = [];
  for (let offset = 0; offset <= MOST; offset += AT_ONCE) {
    const query = {
      match,
      sort: sortOf(url),
      limit: String(AT_ONCE),
      offset: String(offset),
      withLiveStats: 'true' as const,
    };
    const { cohorts } = await api(isArchive(url) ? listArchivedCohorts : listCohorts, { query });
    rows.push(...cohorts);
    if (cohorts.length < AT_ONCE) break;
  }
  return csvReply(
    'cohorts',
    [
      'id',
      'name',
      'type',
      'primaryPartner',
      'secondaryPartner',
      'funder',
      'bookingCode',
      'countryCode',
      'supportContact',
      'beginsOn',
      'endsOn',
      'members',
      'invitations',
      'products',
      'createdAt',
    ],
    rows.map((row) => [
      row.id,
      row.name,
      row.type,
      row.primaryPartner,
      row.secondaryPartner,
      row.funder,
      row.bookingCode,
      row.countryCode,
      row.supportContact,
      row.beginsOn,
      row.endsOn,
      row.liveStats?.members,
      row.liveStats?.invitations,
      row.liveStats?.products,
      row.createdAt,
    ]),
  );
}
