import { readProfile } from '@officium/contract/account';
import { deleteThread, THREAD_DAYS } from '@officium/contract/ai';
import type { ReplyOf } from '@officium/contract/endpoint';
import {
  analyseJob,
  JOB_ANALYSIS_PAGE_SIZE,
  listJobAnalyses,
  MAX_JOB_TITLE_LENGTH,
  readJobAnalysis,
} from '@officium/contract/job-tasks';
import { act, load, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { isPublicServant } from '../../public-servant.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/tasks.page';
import { JobForm } from './job-form.tsx';
import { linesOf } from './lines.ts';
import { PastAnalyses } from './past-analyses.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, attempt, viewer, url } = await load(request, context);
  if (!isPublicServant(viewer)) return { isVisitor: viewer === null, own: null };
  const page = Math.max(1, Math.trunc(Number(url.searchParams.get('page'))) || 1);
  const from = url.searchParams.get('from');
  const [{ analyses, total }, again, profile] = await Promise.all([
    api(listJobAnalyses, { query: { offset: String((page - 1) * JOB_ANALYSIS_PAGE_SIZE) } }),
    from ? attempt(readJobAnalysis, { params: { threadId: from } }) : undefined,
    attempt(readProfile, { params: { id: 'me' } }),
  ]);
  return {
    isVisitor: false,
    own: {
      // Passed by the loader: importing contract values in the page would bring its schemas into the browser.
      days: THREAD_DAYS,
      maxTitle: MAX_JOB_TITLE_LENGTH,
      analyses,
      previous: page > 1 ? `/tasks?page=${page - 1}` : undefined,
      next: page * JOB_ANALYSIS_PAGE_SIZE < total ? `/tasks?page=${page + 1}` : undefined,
      draft: again?.ok
        ? { jobTitle: again.body.jobTitle, tasks: tasksOf(again.body).join('\n') }
        : { jobTitle: (profile.ok && profile.body.jobTitle) || '', tasks: '' },
    },
  };
}

/**
 * The tasks of an earlier analysis, including those of its occupation, which can be edited. Without any, the title is
 * the only task.
 */
function tasksOf({ given, tasks, occupation }: ReplyOf<typeof readJobAnalysis>): string[] {
  return occupation ? tasks.map(({ title }) => title) : given;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, locale } = await act(request, context);
  const threadId = textOf(fields, 'threadId');
  if (textOf(fields, 'intent').startsWith('delete')) {
    const deleted = await attempt(deleteThread, { params: { threadId } });
    return deleted.ok ? redirectWith('/tasks', { key: 'task.deleted' }) : deleted.refusal;
  }
  const [jobTitle, tasks] = [textOf(fields, 'jobTitle'), textOf(fields, 'tasks')];
  const asked = await attempt(analyseJob, { body: { jobTitle, tasks: linesOf(tasks), locale } });
  if (asked.ok) return redirect(`/tasks/${asked.body.threadId}`);
  // 503: the statements are still loading, which is not an error in the form.
  if (asked.failure.status === 503)
    return refuse({ message: '', issues: [], values: { jobTitle, tasks }, status: 503 }, 503);
  return asked.refusal;
}

export default function Tasks({ loaderData: { isVisitor, own } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-8 md:py-12">
      <Head title={t('task.title')} description={t('task.lead')} />
      <div className="max-w-3xl">
        <h1 className="text-4xl md:text-5xl">{t('task.title')}</h1>
        <p className="mt-3 text-lg text-muted">{t('task.lead')}</p>
      </div>
      {own ? (
        <div className="mt-9 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
          <section aria-labelledby="describe">
            <h2 id="describe" className="mb-4 text-2xl">
              {t('task.describe')}
            </h2>
            <JobForm key={`${own.draft.jobTitle}\n${own.draft.tasks}`} {...own} />
          </section>
          <PastAnalyses {...own} />
        </div>
      ) : (
        <div className="mt-9 max-w-3xl">
          <Closed isVisitor={isVisitor} />
        </div>
      )}
    </div>
  );
}

function Closed({ isVisitor }: { isVisitor: boolean }) {
  const { t } = useText();
  return (
    <EmptyState
      title={t('task.closed_title')}
      action={
        isVisitor ? (
          <LinkButton to="/login?next=%2Ftasks">{t('common.sign_in')}</LinkButton>
        ) : (
          <LinkButton to="/courses" look="secondary">
            {t('home.courses_all')}
          </LinkButton>
        )
      }
    >
      {t(isVisitor ? 'task.visitor_text' : 'task.closed_text')}
    </EmptyState>
  );
}
