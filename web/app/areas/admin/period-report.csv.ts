import { readPeriodReport } from '@officium/contract/period-reports';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import { countryName } from '../../country-names.ts';
import type { Route } from './+types/period-report.csv';
import { choiceOf, queryOf, rateOf } from './period-report.ts';

const FIGURES = ['active', 'minutes', 'enrolments', 'completions', 'open', 'rate', 'certificates'] as const;

/** Withheld numbers are written independently of language. */
const WITHHELD = 'withheld';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-reports');
  const choice = choiceOf(url, new Date());
  const { period, total, groups, others } = await api(readPeriodReport, { query: { ...queryOf(choice), locale } });
  const valuesOf = (numbers: (typeof total)['now']) =>
    numbers === null
      ? FIGURES.map(() => WITHHELD)
      : FIGURES.map((figure) => {
          if (figure === 'rate') return rateOf(numbers)?.toFixed(3);
          return numbers[figure] ?? WITHHELD;
        });
  const rows = [
    ...groups.map((group) => ({
      ...group,
      label: choice.by === 'country' && group.label ? (countryName(group.label, locale) ?? group.label) : group.label,
    })),
    ...(others ? [{ key: 'others', label: 'others', ...others }] : []),
    { key: 'total', label: 'total', ...total },
  ];
  return csvReply(
    `report-${choice.by}-${period.from}`,
    [choice.by, ...FIGURES, ...FIGURES.map((figure) => `${figure}Before`)],
    rows.map(({ label, now, before }) => [label ?? '', ...valuesOf(now), ...valuesOf(before)]),
  );
}
