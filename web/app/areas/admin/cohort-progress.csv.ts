import { listCohortProgress } from '@officium/contract/cohorts';
import type { Route } from './+types/cohort-progress.csv';
import { organizationOf, stateOf } from './cohort-progress.page.tsx';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';

const AT_ONCE = 1000;

/** Every member of a cohort with their progress in a journey, filtered by state and organisation when the address has them. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'read-reports');
  const state = stateOf(url);
  const organization = organizationOf(url);
  const rows = [];
  for (let after: string | undefined; ;) {
    const { people, hasMore } = await api(listCohortProgress, {
      params: { id: params.id, journeyId: params.journey },
      query: {
        limit: String(AT_ONCE),
        ...(after ? { after } : {}),
        ...(state ? { state } : {}),
        ...(organization ? { organization } : {}),
      },
    });
    for (const one of people)
      rows.push([
        one.name,
        one.email,
        one.organization,
        one.state,
        one.isLate ? 'late' : '',
        one.startedAt,
        one.finishedAt,
      ]);
    after = people.at(-1)?.id;
    if (!hasMore) break;
  }
  return csvReply(
    'cohort-progress',
    ['name', 'email', 'organization', 'state', 'late', 'startedAt', 'finishedAt'],
    rows,
  );
}
