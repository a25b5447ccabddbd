import { readJobAnalysis } from '@officium/contract/job-tasks';
import { loadSignedIn } from '../../server/api.ts';
import { csvReply } from '../../admin/csv.ts';
import type { Route } from './+types/analysis.csv';
import { byNearness } from './nearness.ts';
import { inOrder, orderOf } from './order.ts';

/** The tasks in display order, with the statements behind their figures and whether those are near. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const analysis = await api(readJobAnalysis, { params: { threadId: params.analysis }, query: { locale } });
  const { near, weak } = byNearness(analysis);
  const order = orderOf(url);
  const rows = [...inOrder(near, order), ...inOrder(weak, order)].map((task) => [
    task.title,
    task.categoryId,
    task.riskPercentage,
    task.effortPercentage,
    task.references.map(({ onetCode, taskId }) => `${onetCode}:${taskId}`).join(' '),
    weak.includes(task) ? 'no' : 'yes',
    analysis.credit,
  ]);
  return csvReply(
    'job-tasks',
    ['task', 'category', 'automationPercentage', 'effortPercentage', 'statements', 'comparable', 'credit'],
    rows,
  );
}
