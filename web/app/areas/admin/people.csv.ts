import { findPeople } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { csvReply } from '../../admin/csv.ts';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { searchOf } from './people-search.ts';
import type { Route } from './+types/people.csv';

const PART = 100;
/** The API pages no further. */
const MAX_ROWS = 10_000;

/** The filtered list as a CSV file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const search = searchOf(url, listingOf(url));
  const found: ReplyOf<typeof findPeople>['people'] = [];
  for (let offset = 0; offset < MAX_ROWS; offset += PART) {
    const query = { ...search, limit: String(PART), offset: String(offset) };
    const { people } = await api(findPeople, { query });
    found.push(...people);
    if (people.length < PART) break;
  }
  return csvReply(
    'people',
    ['id', 'name', 'email', 'role', 'state', 'organization', 'secondFactor', 'createdAt', 'lastSeenAt'],
    found.map((one) => [
      one.id,
      one.name,
      one.email,
      one.role,
      one.state,
      one.organization,
      one.secondFactor ? 'yes' : 'no',
      one.createdAt,
      one.lastSeenAt,
    ]),
  );
}
