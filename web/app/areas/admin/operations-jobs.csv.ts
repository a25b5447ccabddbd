import { listFailedJobs } from '@officium/contract/operations';
import type { Route } from './+types/operations-jobs.csv';
import { allOf } from './all.ts';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';

const COLUMNS = ['id', 'queue', 'error', 'tries', 'createdAt', 'failedAt'] as const;

/** The failed jobs shown on the page, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const queue = url.searchParams.get('queue') ?? undefined;
  const jobs = await allOf(async (paged) => (await api(listFailedJobs, { query: { queue, ...paged } })).jobs);
  return csvReply(
    'failed-jobs',
    COLUMNS,
    jobs.map((job) => COLUMNS.map((column) => job[column])),
  );
}
