import { listModerationFigures } from '@officium/contract/moderation-office';
import type { ReplyOf } from '@officium/contract/endpoint';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { useReasonText } from '../../ui/reason-text.ts';
import type { Route } from './+types/figures.page';

type Year = ReplyOf<typeof listModerationFigures>['years'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await load(request, context);
  return await api(listModerationFigures);
}

export default function Figures({ loaderData: { years } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('moderation.figures')} description={t('moderation.figures_text')} />
      <div className="mx-auto max-w-[44rem]">
        <h1 className="text-4xl">{t('moderation.figures')}</h1>
        <p className="mt-2 max-w-prose text-muted">{t('moderation.figures_text')}</p>
        {years.length ? (
          <p className="mt-4 flex flex-wrap gap-x-6">
            <a href="/moderation-report.csv" download className="link inline-block py-1.5">
              CSV
            </a>
            <a href="/api/moderation/figures" className="link inline-block py-1.5">
              JSON
            </a>
          </p>
        ) : (
          <div className="mt-6">
            <EmptyState title={t('moderation.figures_none')} />
          </div>
        )}
        {years.map((year) => (
          <OneYear key={year.year} year={year} />
        ))}
      </div>
    </div>
  );
}

type Line = { name: string; value: string };

function OneYear({ year }: { year: Year }) {
  const { t, number } = useText();
  const reasonText = useReasonText();
  const say = (count: number | null) => (count === null ? t('moderation.fewer_than', { count: 5 }) : number(count));
  const lines: Line[] = [
    { name: t('moderation.figure_reports'), value: say(year.reports) },
    { name: t('moderation.figure_kept'), value: say(year.kept) },
    { name: t('moderation.figure_removed'), value: say(year.removed) },
    ...year.byReason.map(({ reason, count }) => ({
      name: `${t('moderation.figure_removed')}: ${reasonText(reason)}`,
      value: say(count),
    })),
    { name: t('moderation.figure_appeals'), value: say(year.appeals) },
    { name: t('moderation.figure_reversed'), value: say(year.reversed) },
    {
      name: t('moderation.figure_hours'),
      value: year.medianHours === null ? t('moderation.withheld') : number(year.medianHours),
    },
  ];
  const columns: Column<Line>[] = [
    { name: 'name', label: t('moderation.figure'), cell: ({ name }) => name, isHeading: true },
    { name: 'value', label: String(year.year), cell: ({ value }) => value, isNumber: true },
  ];
  return (
    <section className="mt-8" aria-labelledby={`year-${year.year}`}>
      <h2 id={`year-${year.year}`} className="mb-3 text-2xl">
        {year.year}
      </h2>
      <DataTable caption={String(year.year)} columns={columns} rows={lines} keyOf={({ name }) => name} />
    </section>
  );
}
