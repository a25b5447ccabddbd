import { Form, Link } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import { FIGURES, readFigures, readWaiting, type Figure, type FigureWeek } from '@officium/contract/figures';
import { listMarking } from '@officium/contract/marking';
import { listReportPlaces } from '@officium/contract/roles';
import { readSiteSetup } from '@officium/contract/site-setup';
import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import type { Route } from './+types/overview.page';
import { Admin } from '../../admin/admin.tsx';
import { choiceOf, FIGURE_TEXTS, PERIODS, type FigureChoice } from './figures.ts';
import { areasOf, may } from '../../admin/areas.ts';
import { loadAdmin } from '../../admin/load.ts';
import { loadSignedIn } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { SetupCard } from './setup-card.tsx';
import { WeekChart } from './week-chart.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, attempt, locale, url, viewer } = await openOverview(request, context);
  const choice = choiceOf(url);
  const isAdministrator = viewer.role === 'administrator';
  const [figures, waiting, marking, setup, { isEverywhere, cohorts, courses }] = await Promise.all([
    attempt(readFigures, { query: choice }),
    isAdministrator ? api(readWaiting) : null,
    !isAdministrator && may(viewer, 'mark-answers') ? api(listMarking, { query: { limit: '1' } }) : null,
    isAdministrator ? api(readSiteSetup) : null,
    api(listReportPlaces, { query: { locale } }),
  ]);
  if (setup?.isFirstVisit) throw redirect('/admin/setup');
  const first = isEverywhere || choice.cohort || choice.course ? undefined : addressOfFirst(cohorts, courses);
  if (first) throw redirect(first);
  return {
    choice,
    isEverywhere,
    // The cohort or course no longer exists, as in an old bookmark.
    weeks: figures.ok ? figures.body.weeks : null,
    waiting,
    toMark: marking?.counted ?? 0,
    setup,
    cohorts: cohorts.map(({ id, name }) => ({ value: id, label: name })),
    courses: courses.map(({ slug, title }) => ({ value: slug, label: title })),
  };
}

/** The figures of one place, for readers who may not read those of everything. */
function addressOfFirst(cohorts: { id: string }[], courses: { slug: string }[]): string | undefined {
  const [[cohort], [course]] = [cohorts, courses];
  return course ? `/admin?course=${course.slug}` : cohort && `/admin?cohort=${cohort.id}`;
}

/** Holders of roles without reports begin at the first section that is theirs. */
async function openOverview(request: Request, context: Route.LoaderArgs['context']) {
  const { viewer } = await loadSignedIn(request, context);
  const [first] = areasOf(viewer);
  if (first && first.to !== '/admin') throw redirect(first.to);
  return await loadAdmin(request, context, 'read-reports');
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { choice, isEverywhere, weeks, waiting, toMark, setup, cohorts, courses } = loaderData;
  const { t } = useText();
  return (
    <Admin title={t('admin.overview')} intro={t('admin.overview_intro')}>
      {setup ? <SetupCard setup={setup} /> : null}
      {waiting ? <Waiting waiting={waiting} /> : null}
      {toMark > 0 ? (
        <p>
          <Link to="/admin/marking" className="link inline-flex min-h-11 items-center">
            {t('admin.overview_wait_answers', { count: toMark })}
          </Link>
        </p>
      ) : null}
      <section aria-labelledby="figures" className="mt-10">
        <h2 id="figures" className="text-2xl">
          {t('admin.overview_figures')}
        </h2>
        <p>
          <Link to="/admin/reports" className="link inline-flex min-h-11 items-center">
            {t('admin.periods_title')}
          </Link>
        </p>
        <Choice choice={choice} cohorts={cohorts} courses={courses} />
        {weeks ? (
          <Figures weeks={weeks} choice={choice} />
        ) : (
          <div className="mt-6">
            <EmptyState
              title={t('admin.overview_not_found')}
              action={
                isEverywhere ? (
                  <Link to="/admin" className="link inline-block py-1.5">
                    {t('admin.overview_show_all')}
                  </Link>
                ) : null
              }
            />
          </div>
        )}
      </section>
    </Admin>
  );
}

const PLACES: readonly { name: keyof ReplyOf<typeof readWaiting>; text: MessageKey; to: string }[] = [
  { name: 'registrations', text: 'admin.overview_wait_registrations', to: '/admin/people' },
  { name: 'reports', text: 'admin.overview_wait_reports', to: '/admin/moderation' },
  { name: 'appeals', text: 'admin.overview_wait_appeals', to: '/admin/moderation' },
  { name: 'joinRequests', text: 'admin.overview_wait_join_requests', to: '/notifications' },
  { name: 'answers', text: 'admin.overview_wait_answers', to: '/admin/marking' },
  { name: 'uploads', text: 'admin.overview_wait_uploads', to: '/admin/cohorts' },
  { name: 'failedJobs', text: 'admin.overview_wait_failed_jobs', to: '/admin/operations/jobs' },
  { name: 'failedMails', text: 'admin.overview_wait_failed_mails', to: '/admin/operations/mails' },
  { name: 'dueMails', text: 'admin.overview_wait_due_mails', to: '/admin/operations/mails' },
];

function Waiting({ waiting }: { waiting: ReplyOf<typeof readWaiting> }) {
  const { t } = useText();
  const places = PLACES.filter(({ name }) => waiting[name] > 0);
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className="text-2xl">
        {t('admin.overview_waiting')}
      </h2>
      {places.length > 0 ? (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {places.map(({ name, text, to }) => (
            <li key={name}>
              <Link to={to} className="link flex min-h-11 items-center">
                {t(text, { count: waiting[name] })}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-muted">{t('admin.overview_nothing_waits')}</p>
      )}
    </section>
  );
}

type ChoiceProps = Record<'cohorts' | 'courses', { value: string; label: string }[]> & { choice: FigureChoice };

function Choice({ choice, cohorts, courses }: ChoiceProps) {
  const { t } = useText();
  return (
    <>
      {/* Remounted per address, so that Back restores the choices made there. */}
      <Form
        key={JSON.stringify(choice)}
        action="/admin"
        className="mt-4 grid items-end gap-4 sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <Select
          name="weeks"
          label={t('admin.overview_weeks')}
          hideOptional
          defaultValue={choice.weeks}
          options={PERIODS.map((count) => ({
            value: String(count),
            label: t('admin.overview_weeks_count', { count }),
          }))}
        />
        <Select
          name="cohort"
          label={t('admin.overview_cohort')}
          hideOptional
          defaultValue={choice.cohort ?? ''}
          options={[{ value: '', label: t('admin.overview_everyone') }, ...cohorts]}
        />
        <Select
          name="course"
          label={t('admin.overview_course')}
          hideOptional
          defaultValue={choice.course ?? ''}
          options={[{ value: '', label: t('admin.overview_every_course') }, ...courses]}
        />
        <Button>{t('admin.overview_show')}</Button>
      </Form>
      {choice.course ? (
        <p className="mt-3">
          <Link
            to={`/admin/reports/courses/${choice.course}${choice.cohort ? `?cohort=${choice.cohort}` : ''}`}
            className="link inline-block py-1.5"
          >
            {t('admin.report_link')}
          </Link>
        </p>
      ) : null}
      {choice.cohort ? (
        <p className="mt-3">
          <Link to={`/admin/cohorts/${choice.cohort}/progress`} className="link inline-block py-1.5">
            {t('admin.cohorts_progress')}
          </Link>
        </p>
      ) : null}
      {choice.cohort ? <p className="mt-3 text-muted">{t('admin.overview_only_members')}</p> : null}
    </>
  );
}

function csvOf(choice: FigureChoice, figure?: Figure): string {
  return `/admin/figures.csv?${new URLSearchParams({ ...choice, ...(figure ? { figure } : {}) }).toString()}`;
}

function Figures({ weeks, choice }: { weeks: FigureWeek[]; choice: FigureChoice }) {
  const { t } = useText();
  const shown = FIGURES.filter((figure) => weeks.some((week) => week[figure] !== null));
  return (
    <>
      <div className="mt-8 grid gap-x-12 gap-y-10 md:grid-cols-2">
        {shown.map((figure) => (
          <OneFigure key={figure} figure={figure} weeks={weeks} csv={csvOf(choice, figure)} />
        ))}
      </div>
      <p className="mt-8 border-t border-line pt-4">
        <a href={csvOf(choice)} className="link inline-block py-1.5">
          {t('admin.overview_csv_all')}
        </a>
      </p>
    </>
  );
}

const WEEK = { dateStyle: 'medium', timeZone: 'UTC' } as const;

function OneFigure({ figure, weeks, csv }: { figure: Figure; weeks: FigureWeek[]; csv: string }) {
  const { t, date, number } = useText();
  const label = t(FIGURE_TEXTS[figure].label);
  const rows = weeks.map((row) => ({ week: row.week, value: row[figure] ?? 0 }));
  const values = rows.map(({ value }) => value);
  const [from, to] = [date(rows[0]?.week ?? 0, WEEK), date(rows.at(-1)?.week ?? 0, WEEK)];
  const now = values.at(-1) ?? 0;
  const id = `figure-${figure}`;
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col">
      <h3 id={id} className="text-xl">
        {label}
      </h3>
      <p className="mt-1 flex-1 text-sm text-muted">{t(FIGURE_TEXTS[figure].text)}</p>
      <p className="mt-3">
        <span className="font-serif text-4xl font-semibold tabular-nums">{number(now)}</span>{' '}
        <span className="text-sm text-muted">{t('admin.overview_this_week')}</span>
      </p>
      {/* The same people are active in several weeks, so these do not add up. */}
      {figure === 'activePeople' ? null : (
        <p className="text-sm text-muted">
          {t('admin.overview_total', { total: values.reduce((sum, value) => sum + value, 0) })}
        </p>
      )}
      <div className="mt-3">
        <p aria-hidden="true" className="border-t border-dashed border-line pt-1 text-xs text-muted">
          {t('admin.overview_most', { most: Math.max(...values) })}
        </p>
        <WeekChart
          id={`${id}-chart`}
          title={t('admin.overview_table_caption', { figure: label })}
          description={t('admin.overview_chart', { figure: label, from, to, most: Math.max(...values), now })}
          values={values}
          sayBar={(nth) => t('admin.overview_bar', { week: date(rows[nth]?.week ?? 0, WEEK), value: values[nth] ?? 0 })}
        />
        <p aria-hidden="true" className="mt-1 flex justify-between gap-4 text-xs text-muted">
          <span>{from}</span>
          <span>{to}</span>
        </p>
      </div>
      <details className="mt-2">
        <summary className="link inline-flex min-h-11 items-center">
          {t('admin.overview_table', { figure: label })}
        </summary>
        <DataTable
          caption={t('admin.overview_table_caption', { figure: label })}
          columns={[
            { name: 'week', label: t('admin.overview_week_of'), isHeading: true, cell: ({ week }) => date(week, WEEK) },
            {
              name: 'value',
              label: t('admin.overview_number'),
              isNumber: true,
              cell: ({ value }) => number(value),
            },
          ]}
          rows={rows.toReversed()}
          keyOf={({ week }) => week}
        />
        <a href={csv} className="link mt-2 inline-block py-1.5">
          {t('admin.overview_csv', { figure: label })}
        </a>
      </details>
    </section>
  );
}
