import type { ReplyOf } from '@officium/contract/endpoint';
import type { HelpfulCourse, JobTask, readJobAnalysis } from '@officium/contract/job-tasks';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { CourseLinks } from './course-links.tsx';
import { Evidence } from './evidence.tsx';
import type { Order } from './order.ts';
import { TaskChart } from './task-chart.tsx';
import { TaskTable } from './task-table.tsx';

export type Analysis = ReplyOf<typeof readJobAnalysis>;

// API sentences are marked with the language they were requested in, because they may quote the viewer's text.

const insightOf = ({ taskInsights }: Analysis, id: string) =>
  taskInsights.find(({ taskId }) => taskId === id)?.text ?? '';

/** Tasks of an occupation are English statements; those entered by people may be in any language. */
const langOf = ({ occupation }: Analysis) => (occupation ? ('en' as const) : undefined);

export function Opening({ analysis: { headline, organization, askedAt, occupation, given } }: Props) {
  const { t, rich, locale } = useText();
  return (
    <header className="max-w-3xl">
      <Link to="/tasks" className="link inline-flex items-center gap-1.5 py-1.5">
        <Icon as={ArrowLeft} size={18} directional />
        {t('task.title')}
      </Link>
      <h1 lang={locale} className="mt-3 text-4xl md:text-5xl">
        {headline}
      </h1>
      <p className="mt-3 flex flex-wrap gap-x-4 text-muted">
        {organization ? <bdi>{organization}</bdi> : null}
        <Time value={askedAt} />
      </p>
      {occupation ? (
        <p className="mt-3 text-lg">
          {rich(occupation.isNear ? 'task.taken_from' : 'task.taken_from_nearest', {
            occupation: (
              <a href={occupation.url} rel="noopener" lang="en" dir="ltr" className="link">
                {occupation.title}
              </a>
            ),
          })}
        </p>
      ) : null}
      {!occupation && given.length === 0 ? <p className="mt-3 text-lg">{t('task.no_occupation')}</p> : null}
    </header>
  );
}

type Props = { analysis: Analysis };
type TasksProps = Props & { tasks: readonly JobTask[] };
type FiguresProps = TasksProps & { order: Order; isTableOpen: boolean };

/** The chart of these tasks with a sort menu, and the same data as a table. */
export function Figures({ analysis, tasks, order, isTableOpen }: FiguresProps) {
  const { t } = useText();
  const here = `/tasks/${analysis.threadId}`;
  const orders = [
    { sort: '-risk', label: t('task.automation') },
    { sort: '-effort', label: t('task.effort') },
    { sort: 'order', label: t('task.as_given') },
  ];
  return (
    <section aria-labelledby="chart" className="mt-10">
      <h2 id="chart" className="text-3xl">
        {t('task.chart')}
      </h2>
      <div className="no-print mt-3">
        <Tabs
          label={t('task.order')}
          tabs={orders.map(({ sort, label }) => ({ to: `${here}?sort=${sort}`, label, isCurrent: order === sort }))}
        />
      </div>
      <TaskChart tasks={tasks} lang={langOf(analysis)} />
      <details className="mt-4" open={isTableOpen}>
        <summary className="link inline-flex min-h-11 items-center">{t('task.table')}</summary>
        <div className="mt-2">
          <TaskTable
            caption={t('task.table_caption', { job: analysis.jobTitle })}
            tasks={tasks}
            lang={langOf(analysis)}
            order={order}
            sortedBy={(sort) => `${here}?sort=${sort}&view=table`}
          />
          <LinkButton to={`${here}/csv?sort=${order}`} look="secondary" reloadDocument className="mt-4">
            {t('task.csv')}
          </LinkButton>
        </div>
      </details>
    </section>
  );
}

/** Tasks without a comparable statement: listed with their averages, but not drawn in the chart. */
export function Unmatched({ analysis, tasks }: TasksProps) {
  const { t, locale } = useText();
  return (
    <section aria-labelledby="unmatched" className="mt-12 max-w-3xl">
      <h2 id="unmatched" className="text-3xl">
        {t('task.unmatched')}
      </h2>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {tasks.map(({ id, title }) => (
          <li key={id} className="py-3">
            <h3 className="font-sans text-base font-semibold">
              <a href={`#task-${id}`} className="title-link">
                <bdi>{title}</bdi>
              </a>
            </h3>
            <p lang={locale} className="mt-1 text-muted">
              {insightOf(analysis, id)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How to read the figures; paragraphs are separated by empty lines. */
export function Meaning({ text }: { text: string }) {
  const { t } = useText();
  return (
    <section aria-labelledby="meaning">
      <h2 id="meaning" className="text-3xl">
        {t('task.meaning')}
      </h2>
      <div className="prose is-compact mt-3">
        {text.split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  );
}

export function Courses({ courses }: { courses: readonly HelpfulCourse[] }) {
  const { t } = useText();
  return (
    <section aria-labelledby="courses">
      <h2 id="courses" className="text-3xl">
        {t('task.courses')}
      </h2>
      <CourseLinks courses={courses} />
    </section>
  );
}

/** The evidence for all tasks. */
export function AllEvidence({ analysis }: Props) {
  const { t } = useText();
  return (
    <section aria-labelledby="evidence" className="mt-12">
      <h2 id="evidence" className="text-3xl">
        {t('task.evidence')}
      </h2>
      <p className="mt-2 mb-6 max-w-read text-muted">{t('task.evidence_text')}</p>
      <ol>
        {analysis.tasks.map((task) => (
          <Evidence key={task.id} task={task} insight={insightOf(analysis, task.id)} lang={langOf(analysis)} />
        ))}
      </ol>
    </section>
  );
}
