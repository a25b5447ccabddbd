import type { ReplyOf } from '@officium/contract/endpoint';
import type { readPeriodReport, ReportGroup } from '@officium/contract/period-reports';
import { useText } from '../../text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { GROUP_TEXTS } from './period-report-form.tsx';
import { rateOf } from './period-report.ts';

type Report = Pick<ReplyOf<typeof readPeriodReport>, 'groups' | 'others' | 'total'>;
type Numbers = Report['total']['now'];
type Row = { id: string; label: string; now: Numbers; before: Numbers };

/** Each number with the one of the period before below it. */
export function PeriodTable({ caption, by, report }: { caption: string; by: ReportGroup; report: Report }) {
  const { t, number } = useText();
  const { groups, others, total } = report;
  const rows: Row[] = [
    ...groups.map(({ key, label, now, before }) => ({
      id: `group ${key}`,
      label: label ?? t('admin.periods_unknown'),
      now,
      before,
    })),
    ...(others ? [{ id: 'others', label: t('admin.periods_others'), ...others }] : []),
    { id: 'total', label: t('admin.periods_total'), ...total },
  ];
  const columnOf = (name: string, label: string, read: (of: NonNullable<Numbers>) => string | null): Column<Row> => {
    const say = (of: Numbers) => (of === null ? null : read(of)) ?? t('admin.report_withheld');
    return {
      name,
      label,
      isNumber: true,
      cell: ({ now, before }) => (
        <>
          {say(now)}
          <span className="block text-sm text-muted">{t('admin.periods_before', { value: say(before) })}</span>
        </>
      ),
    };
  };
  const columns: Column<Row>[] = [
    { name: 'group', label: t(GROUP_TEXTS[by]), isHeading: true, cell: ({ label }) => <span dir="auto">{label}</span> },
    columnOf('active', t('admin.periods_active'), ({ active }) => number(active)),
    columnOf('hours', t('admin.periods_hours'), ({ minutes }) =>
      minutes === null ? null : number(minutes / 60, { maximumFractionDigits: 0 }),
    ),
    columnOf('enrolments', t('admin.overview_enrolments'), ({ enrolments }) => number(enrolments)),
    columnOf('completions', t('admin.overview_journeys'), ({ completions }) => number(completions)),
    columnOf('rate', t('admin.cohorts_rate'), (numbers) => {
      const rate = rateOf(numbers);
      return rate === null ? '–' : number(rate, { style: 'percent' });
    }),
    columnOf('certificates', t('admin.overview_certificates'), ({ certificates }) => number(certificates)),
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
