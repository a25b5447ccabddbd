import { searchCohortMembers } from '@officium/contract/cohort-lifecycle';
import type { Route } from './+types/cohort-members.csv';
import { sortOf } from './cohort-members.page.tsx';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';

const AT_ONCE = '1000';

/** Every member of a cohort, in the order of the page. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const rows = [];
  for (let continuationToken: string | undefined; ;) {
    const page = await api(searchCohortMembers, {
      params: { id: params.id },
      query: { sort: sortOf(url), limit: AT_ONCE, ...(continuationToken ? { continuationToken } : {}) },
    });
    for (const { name, email, isInactive, joinedAt } of page.members)
      rows.push([name, email, isInactive ? 'inactive' : 'active', joinedAt]);
    continuationToken = page.continuationToken;
    if (continuationToken === undefined) break;
  }
  return csvReply('cohort-members', ['name', 'email', 'state', 'joinedAt'], rows);
}
