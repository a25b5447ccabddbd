import { REPORT_GROUPS, REPORT_PERIODS, type ReportGroup, type ReportPeriod } from '@officium/contract/period-reports';
import { Form } from 'react-router';
import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import type { PeriodChoice } from './period-report.ts';

export const GROUP_TEXTS: Record<ReportGroup, MessageKey> = {
  organization: 'admin.report_organization',
  cohort: 'admin.overview_cohort',
  course: 'admin.overview_course',
  country: 'admin.report_country',
};

type Choices = { value: string; label: string }[];
type Props = {
  choice: PeriodChoice;
  isEverywhere: boolean;
  spans: Record<ReportPeriod, string[]>;
  cohorts: Choices;
  courses: Choices;
};

/** Names a period by its first month. */
export function usePeriodName(): (period: ReportPeriod, start: string) => string {
  const { t, date } = useText();
  return (period, start) => {
    const first = new Date(`${start}-01T00:00:00Z`);
    if (period === 'year') return date(first, { year: 'numeric', timeZone: 'UTC' });
    if (period === 'month') return date(first, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 2, 1));
    return t('admin.periods_range', {
      from: date(first, { month: 'long', timeZone: 'UTC' }),
      to: date(last, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    });
  };
}

/** The choice is kept in the address. */
export function PeriodForm({ choice, isEverywhere, spans, cohorts, courses }: Props) {
  const { t } = useText();
  const nameOf = usePeriodName();
  const offered = REPORT_PERIODS.flatMap((period) =>
    spans[period].map((start) => ({ value: `${period}:${start}`, label: nameOf(period, start) })),
  );
  const current = `${choice.period}:${choice.start}`;
  const isOffered = offered.some(({ value }) => value === current);
  const every = (label: string) => (isEverywhere ? [{ value: '', label }] : [{ value: '', label: '–' }]);
  return (
    // Remounted per address, so that Back restores the choices made there.
    <Form
      key={JSON.stringify(choice)}
      action="/admin/reports"
      className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,1.6fr)_repeat(3,minmax(0,1fr))]"
    >
      <Select
        name="span"
        label={t('admin.overview_weeks')}
        hideOptional
        defaultValue={current}
        options={isOffered ? offered : [{ value: current, label: nameOf(choice.period, choice.start) }, ...offered]}
      />
      <Select
        name="by"
        label={t('admin.periods_by')}
        hideOptional
        defaultValue={choice.by}
        options={REPORT_GROUPS.map((group) => ({ value: group, label: t(GROUP_TEXTS[group]) }))}
      />
      <Select
        name="cohort"
        label={t('admin.overview_cohort')}
        hideOptional
        defaultValue={choice.cohort ?? ''}
        options={[...every(t('admin.overview_everyone')), ...cohorts]}
      />
      <Select
        name="course"
        label={t('admin.overview_course')}
        hideOptional
        defaultValue={choice.course ?? ''}
        options={[...every(t('admin.overview_every_course')), ...courses]}
      />
      <div>
        <Button>{t('admin.overview_show')}</Button>
      </div>
    </Form>
  );
}
