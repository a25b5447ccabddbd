import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { LEAST_IN_PART, readPeriodReport } from '@officium/contract/period-reports';
import { listReportPlaces } from '@officium/contract/roles';
import { Link } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { countryName } from '../../country-names.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import type { Route } from './+types/period-report.page';
import { PeriodForm, usePeriodName } from './period-report-form.tsx';
import { PeriodTable } from './period-report-table.tsx';
import { choiceOf, queryOf, startsOf } from './period-report.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-reports');
  const now = new Date();
  const choice = choiceOf(url, now);
  const { isEverywhere, cohorts, courses } = await api(listReportPlaces, { query: { locale } });
  if (!isEverywhere && !choice.cohort && !choice.course) {
    // Readers of some places begin with one of theirs.
    const first = courses[0] ? `course=${courses[0].slug}` : `cohort=${cohorts[0]?.id ?? ''}`;
    throw redirect(`/admin/reports?${first}`);
  }
  const report = await api(readPeriodReport, { query: { ...queryOf(choice), locale } });
  return {
    choice,
    report: {
      ...report,
      groups: report.groups.map((group) => ({
        ...group,
        label: choice.by === 'country' && group.label ? (countryName(group.label, locale) ?? group.label) : group.label,
      })),
    },
    isEverywhere,
    spans: {
      month: startsOf('month', now),
      quarter: startsOf('quarter', now),
      year: startsOf('year', now),
    },
    cohorts: cohorts.map(({ id, name }) => ({ value: id, label: name })),
    courses: courses.map(({ slug, title }) => ({ value: slug, label: title })),
    csv: `/admin/reports.csv${url.search}`,
  };
}

export default function PeriodReport({ loaderData }: Route.ComponentProps) {
  const { choice, report, csv } = loaderData;
  const { t } = useText();
  const nameOf = usePeriodName();
  const title = nameOf(choice.period, choice.start);
  return (
    <Admin
      title={t('admin.periods_title')}
      intro={t('admin.periods_intro')}
      crumb={
        <Link to="/admin" className="link inline-flex min-h-11 items-center">
          {t('admin.overview')}
        </Link>
      }
    >
      <PeriodForm {...loaderData} />
      <section aria-labelledby="report" className="mt-10">
        <h2 id="report" className="text-2xl">
          {title}
        </h2>
        <p className="mt-1 text-muted">
          {t('admin.periods_compared', { period: nameOf(choice.period, report.before.from.slice(0, 7)) })}
        </p>
        <div className="mt-4">
          <PeriodTable caption={title} by={choice.by} report={report} />
        </div>
        <p className="mt-4 max-w-prose text-sm text-muted">{t('admin.periods_terms')}</p>
        {report.isCoarse ? (
          <p className="mt-2 max-w-prose text-sm text-muted">
            {t('admin.periods_coarse', { count: LEAST_PUBLISHED, part: LEAST_IN_PART })}
          </p>
        ) : null}
        <p className="mt-6 border-t border-line pt-4">
          <a href={csv} download className="link inline-block py-1.5">
            {t('admin.table_csv')}
          </a>
        </p>
      </section>
    </Admin>
  );
}
