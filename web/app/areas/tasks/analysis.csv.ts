import { readJobAnalysis } from '@officium/contract/job-tasks';
import { loadSignedIn } from '../../api.ts';
import { csvReply } from '../../admin/csv.ts';
import type { Route } from './+types/analysis.csv';
import { inOrder, orderOf } from './order.ts';

/** The table in the order it is shown in, each task with the statements its figures rest on, and those without figures. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const analysis = await api(readJobAnalysis, { params: { threadId: params.analysis }, query: { locale } });
  const rows = [
    ...inOrder(analysis.tasks, orderOf(url)).map((task) => [
      task.title,
      task.categoryId,
      task.riskPercentage,
      task.effortPercentage,
      task.references.map(({ onetCode, taskId }) => `${onetCode}:${taskId}`).join(' '),
      analysis.credit,
    ]),
    ...analysis.unmatchedTasks.map(({ title }) => [title, null, null, null, null, null]),
  ];
  return csvReply(
    'job-tasks',
    ['task', 'category', 'automationPercentage', 'effortPercentage', 'statements', 'credit'],
    rows,
  );
}
