import { deleteThread } from '@officium/contract/ai';
import { readJobAnalysis } from '@officium/contract/job-tasks';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { isPublicServant } from '../../public-servant.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/analysis.page';
import { AllEvidence, Courses, Figures, Meaning, Opening, Unmatched } from './analysis.tsx';
import { byNearness } from './nearness.ts';
import { inOrder, orderOf } from './order.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer, locale, url } = await loadSignedIn(request, context);
  if (!isPublicServant(viewer)) throw redirect('/tasks');
  const analysis = await api(readJobAnalysis, { params: { threadId: params.analysis }, query: { locale } });
  const order = orderOf(url);
  return {
    analysis: { ...analysis, tasks: inOrder(analysis.tasks, order) },
    order,
    isTableOpen: url.searchParams.get('view') === 'table',
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt } = await act(request, context);
  const deleted = await attempt(deleteThread, { params: { threadId: params.analysis } });
  return deleted.ok ? redirectWith('/tasks', { key: 'task.deleted' }) : deleted.refusal;
}

export default function AnalysisPage({ loaderData: { analysis, order, isTableOpen } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const { threadId, jobTitle, courses, credit } = analysis;
  const { near, weak } = byNearness(analysis);
  return (
    <div className="page py-8 md:py-12">
      <Head title={`${jobTitle}: ${t('task.title')}`} isPrivate />
      <Opening analysis={analysis} />
      {near.length ? <Figures analysis={analysis} tasks={near} order={order} isTableOpen={isTableOpen} /> : null}
      {weak.length ? <Unmatched analysis={analysis} tasks={weak} /> : null}
      <div className="mt-12 grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
        <Meaning text={analysis.futureVision} />
        {courses.length ? <Courses courses={courses} /> : null}
      </div>
      <AllEvidence analysis={analysis} />
      <footer className="mt-12 border-t border-line pt-6">
        <p lang={locale} className="max-w-read text-sm text-muted">
          {credit}
        </p>
        <div className="no-print mt-6 flex flex-wrap items-start gap-3">
          <LinkButton to={`/tasks?from=${threadId}`} look="secondary">
            {t('task.change')}
          </LinkButton>
          <ConfirmAction intent="delete" label={t('task.delete')} look="quiet">
            {t('task.delete_text')}
          </ConfirmAction>
        </div>
      </footer>
    </div>
  );
}
