import { searchInvitations } from '@officium/contract/cohorts';
import type { Route } from './+types/cohort-invitations.csv';
import { sortOf } from './cohort-invitations.page.tsx';
import { csvReply } from '../../admin/csv.ts';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';

const AT_ONCE = '1000';

/** Every open invitation of a cohort that the page would list, in its order. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const { match } = listingOf(url);
  const rows = [];
  for (let after: string | undefined; ;) {
    const { invitations, hasMore } = await api(searchInvitations, {
      params: { id: params.id },
      query: { match, sort: sortOf(url), limit: AT_ONCE, ...(after ? { after } : {}) },
    });
    for (const { email, name, createdAt, sentAt, timesSentAgain } of invitations)
      rows.push([email, name, createdAt, sentAt, timesSentAgain]);
    after = invitations.at(-1)?.id;
    if (!hasMore) break;
  }
  return csvReply('cohort-invitations', ['email', 'name', 'createdAt', 'sentAt', 'timesSentAgain'], rows);
}
