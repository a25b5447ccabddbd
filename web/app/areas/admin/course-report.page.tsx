import { Link } from 'react-router';
import { INACTIVE_DAYS, type JourneyCompletionFigures, readCourseCompletion } from '@officium/contract/course-reports';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { listReportPlaces } from '@officium/contract/roles';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { countriesIn } from '../../country-names.ts';
import { useText } from '../../text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/course-report.page';
import { ReportFilterForm } from './course-report-filter.tsx';
import { filterOf } from './course-report.ts';

type Lesson = JourneyCompletionFigures['lessons'][number];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-reports');
  const filter = filterOf(url);
  const [report, { cohorts }] = await Promise.all([
    api(readCourseCompletion, { params: { courseSlug: params.course }, query: { locale, ...filter } }),
    api(listReportPlaces, { query: { locale } }),
  ]);
  return {
    report,
    filter,
    cohorts: cohorts.map(({ id, name }) => ({ value: id, label: name })),
    countries: countriesIn(locale),
  };
}

export default function CourseReport({ loaderData }: Route.ComponentProps) {
  const { report, filter, cohorts, countries } = loaderData;
  const { t } = useText();
  const { course, journeys, isNarrowed } = report;
  const path = `/admin/reports/courses/${course.slug}`;
  return (
    <Admin
      title={t('admin.report_title')}
      intro={t('admin.report_intro', { days: INACTIVE_DAYS })}
      crumb={
        <Link to={`/admin?course=${course.slug}`} className="link inline-flex min-h-11 items-center">
          <bdi>{course.title}</bdi>
        </Link>
      }
    >
      <ReportFilterForm path={path} filter={filter} cohorts={cohorts} countries={countries} />
      {isNarrowed ? (
        <p className="mt-3 text-muted">{t('admin.report_withheld_text', { count: LEAST_PUBLISHED })}</p>
      ) : null}
      {journeys.map((journey) => (
        <Journey key={journey.journeySlug} journey={journey} />
      ))}
      {journeys.length > 0 ? (
        <p className="mt-8 border-t border-line pt-4">
          <a
            href={`${path}.csv?${new URLSearchParams(filter).toString()}`}
            download
            className="link inline-block py-1.5"
          >
            {t('transcript.csv')}
          </a>
        </p>
      ) : (
        <div className="mt-6">
          <EmptyState title={t('admin.report_none')} />
        </div>
      )}
    </Admin>
  );
}

function useCount(): (count: number | null) => string {
  const { t, number } = useText();
  return (count) => (count === null ? t('admin.report_withheld') : number(count));
}

function Journey({ journey }: { journey: JourneyCompletionFigures }) {
  const { t } = useText();
  const say = useCount();
  const { journeySlug, title, people, started, completed, neverStarted, lessons } = journey;
  const facts = [
    { label: t('admin.report_people'), value: people },
    { label: t('admin.report_started'), value: started },
    { label: t('admin.report_finished'), value: completed },
    { label: t('admin.report_never_started'), value: neverStarted },
  ];
  return (
    <section aria-labelledby={journeySlug} className="mt-10">
      <h2 id={journeySlug} className="text-2xl">
        {title}
      </h2>
      <dl className="mt-3 mb-4 flex flex-wrap gap-x-10 gap-y-3">
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-xl tabular-nums">{say(value)}</dd>
          </div>
        ))}
      </dl>
      <LessonsTable title={title} lessons={lessons} />
    </section>
  );
}

function LessonsTable({ title, lessons }: { title: string; lessons: Lesson[] }) {
  const { t, number } = useText();
  const say = useCount();
  const columns: Column<Lesson>[] = [
    { name: 'lesson', label: t('admin.report_lesson'), cell: (lesson) => lesson.title, isHeading: true },
    { name: 'reached', label: t('admin.report_reached'), cell: ({ reached }) => say(reached), isNumber: true },
    { name: 'completed', label: t('admin.report_completed'), cell: ({ completed }) => say(completed), isNumber: true },
    {
      name: 'days',
      label: t('admin.report_days'),
      cell: ({ medianDays }) => (medianDays === null ? '–' : number(medianDays)),
      isNumber: true,
    },
    { name: 'stopped', label: t('admin.report_stopped'), cell: ({ stopped }) => say(stopped), isNumber: true },
    {
      name: 'expired',
      label: t('admin.report_expired'),
      cell: ({ stoppedBecause }) => say(stoppedBecause?.expired ?? null),
      isNumber: true,
    },
    {
      name: 'withdrawn',
      label: t('admin.report_withdrawn'),
      cell: ({ stoppedBecause }) => say(stoppedBecause?.withdrawn ?? null),
      isNumber: true,
    },
  ];
  return <DataTable caption={title} columns={columns} rows={lessons} keyOf={({ lessonSlug }) => lessonSlug} />;
}
