import { listFailedJobs, listJobQueues, retryJobs, type FailedJob, type JobQueue } from '@officium/contract/operations';
import type { z } from 'zod';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/operations-jobs.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { OperationsTabs } from './operations-tabs.tsx';

type Queue = z.output<typeof JobQueue>;
type Job = z.output<typeof FailedJob>;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { page, limit, offset, addressOf } = listingOf(url);
  const queue = url.searchParams.get('queue') ?? undefined;
  const [{ queues }, { jobs, total }] = await Promise.all([
    api(listJobQueues),
    api(listFailedJobs, { query: { queue, limit: String(limit), offset: String(offset) } }),
  ]);
  const tabs = [undefined, ...queues.filter(({ failed }) => failed > 0).map((one) => one.queue)].map((name) => ({
    queue: name,
    to: addressOf({ queue: name }),
  }));
  return {
    queues,
    jobs,
    queue,
    tabs,
    page,
    csv: `/admin/operations/jobs.csv${url.search}`,
    previous: page > 1 ? addressOf({ page: String(page - 1) }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const body = { queue: textOf(fields, 'queue'), id: textOf(fields, 'id') || undefined };
  const done = await attempt(retryJobs, { body });
  const back = '/admin/operations/jobs';
  if (done.ok) return redirectWith(back, { key: 'admin.operations_retried', values: { count: done.body.retried } });
  if (done.failure.status === 404) return redirectWith(back, { key: 'admin.operations_already_retried', tone: 'info' });
  return done.refusal;
}

export default function OperationsJobs({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { queues, jobs, queue, tabs, csv, page, previous, next } = loaderData;
  return (
    <Admin title={t('admin.operations_jobs')} intro={t('admin.operations_jobs_intro')}>
      <OperationsTabs />
      <section aria-labelledby="failed" className="mt-8">
        <h2 id="failed" className="text-2xl">
          {t('admin.operations_failed_jobs')}
        </h2>
        {jobs.length > 0 ? (
          <>
            <div className="mt-3 mb-4">
              <Tabs
                label={t('admin.operations_queues')}
                tabs={tabs.map((tab) => ({
                  to: tab.to,
                  label: tab.queue ?? t('admin.operations_every_queue'),
                  isCurrent: tab.queue === queue,
                }))}
              />
            </div>
            <FailedJobs jobs={jobs} />
            <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
              {queue ? <RetryAll queue={queue} /> : <span />}
              <a href={csv} className="link inline-block py-1.5">
                {t('admin.table_csv')}
              </a>
            </div>
            <Pagination page={page} previous={previous} next={next} />
          </>
        ) : (
          <p className="mt-2 text-muted">{t('admin.operations_no_failed_jobs')}</p>
        )}
      </section>
      <section aria-labelledby="queues" className="mt-10">
        <h2 id="queues" className="mb-3 text-2xl">
          {t('admin.operations_queues')}
        </h2>
        <Queues queues={queues} />
      </section>
    </Admin>
  );
}

function RetryAll({ queue }: { queue: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('retry-all');
  return (
    <SmartForm intent="retry-all">
      <input type="hidden" name="queue" value={queue} />
      <Button look="secondary" isBusy={isSubmitting}>
        {t('admin.operations_retry_all', { queue })}
      </Button>
    </SmartForm>
  );
}

function Retry({ job }: { job: Job }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(`retry-${job.id}`);
  return (
    <SmartForm intent={`retry-${job.id}`}>
      <input type="hidden" name="queue" value={job.queue} />
      <input type="hidden" name="id" value={job.id} />
      <Button
        look="secondary"
        small
        isBusy={isSubmitting}
        aria-label={t('admin.operations_retry_of', { what: `${job.queue}, ${job.id}` })}
      >
        {t('admin.operations_retry')}
      </Button>
    </SmartForm>
  );
}

function FailedJobs({ jobs }: { jobs: Job[] }) {
  const { t, number } = useText();
  return (
    <DataTable
      caption={t('admin.operations_failed_jobs')}
      columns={[
        {
          name: 'queue',
          label: t('admin.operations_queue'),
          isHeading: true,
          cell: (job) => (
            <>
              <code>{job.queue}</code>
              <span className="block text-xs font-normal text-muted">{job.id}</span>
            </>
          ),
        },
        { name: 'error', label: t('admin.operations_error'), cell: ({ error }) => <code>{error}</code> },
        { name: 'tries', label: t('admin.operations_tries'), isNumber: true, cell: ({ tries }) => number(tries) },
        {
          name: 'failedAt',
          label: t('admin.operations_failed'),
          cell: ({ failedAt }) => <Time value={failedAt} look="exact" />,
        },
        { name: 'action', label: t('admin.audit_action'), cell: (job) => <Retry job={job} /> },
      ]}
      rows={jobs}
      keyOf={({ id }) => id}
    />
  );
}

function Queues({ queues }: { queues: Queue[] }) {
  const { t, number } = useText();
  return (
    <DataTable
      caption={t('admin.operations_queues')}
      columns={[
        {
          name: 'queue',
          label: t('admin.operations_queue'),
          isHeading: true,
          cell: ({ queue }) => <code>{queue}</code>,
        },
        ...(['waiting', 'running', 'failed', 'done'] as const).map((name) => ({
          name,
          label: t(`admin.operations_${name}`),
          isNumber: true,
          cell: (row: Queue) => number(row[name]),
        })),
      ]}
      rows={queues}
      keyOf={({ queue }) => queue}
    />
  );
}
