import { readPiece } from '@officium/contract/authoring';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import {
  readQuestionStatistics,
  STATISTICS_PEOPLE,
  type QuestionStatistics,
} from '@officium/contract/question-statistics';
import { endonymOf } from '@officium/i18n/locales';
import { data } from 'react-router';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/piece-statistics.page';
import { addressOf } from './kinds.ts';
import { PiecePage } from './piece-head.tsx';

type Row = QuestionStatistics['questions'][number] & { nth: number };

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context, 'edit-content');
  if (params.kind !== 'lesson') throw data(null, { status: 404 });
  const [piece, statistics] = await Promise.all([
    api(readPiece, { params: { kind: 'lesson', key: params.key } }),
    api(readQuestionStatistics, { params: { key: params.key } }),
  ]);
  return { piece, statistics };
}

export default function Statistics({ loaderData: { piece, statistics } }: Route.ComponentProps) {
  const { t } = useText();
  const { questions } = statistics;
  return (
    <PiecePage piece={piece} name={t('admin.statistics')}>
      {questions.length === 0 ? (
        <EmptyState title={t('admin.statistics_none')} />
      ) : (
        <div className="grid gap-5">
          <div className="grid max-w-prose gap-2 text-muted">
            <p>{t('admin.statistics_intro', { count: STATISTICS_PEOPLE })}</p>
            <p>{t('admin.statistics_discrimination_text')}</p>
            <p>{t('admin.report_withheld_text', { count: LEAST_PUBLISHED })}</p>
          </div>
          <Questions statistics={statistics} />
          <p>
            <a href={addressOf('lesson', piece.key, '/statistics.csv')} download className="link inline-block py-1.5">
              {t('transcript.csv')}
            </a>
          </p>
        </div>
      )}
    </PiecePage>
  );
}

function Questions({ statistics: { questions } }: { statistics: QuestionStatistics }) {
  const { t, number } = useText();
  const isMany = new Set(questions.map(({ locale }) => locale)).size > 1;
  const say = (value: number | null, digits = 0) =>
    value === null ? t('admin.report_withheld') : number(value, { maximumFractionDigits: digits });
  const columns: Column<Row>[] = [
    {
      name: 'question',
      label: t('admin.content_kind_question'),
      isHeading: true,
      cell: ({ question, locale, isCurrent }) => (
        <>
          <span lang={locale} dir="auto" className="wrap-anywhere">
            {question}
          </span>
          {isCurrent ? null : <span className="block text-sm text-muted">{t('admin.statistics_former')}</span>}
        </>
      ),
    },
    ...(isMany
      ? [{ name: 'language', label: t('common.language'), cell: ({ locale }: Row) => endonymOf(locale) }]
      : []),
    { name: 'people', label: t('admin.statistics_people'), isNumber: true, cell: ({ people }) => say(people) },
    {
      name: 'facility',
      label: t('admin.statistics_facility'),
      isNumber: true,
      cell: ({ facility }) =>
        facility === null
          ? t('admin.report_withheld')
          : number(facility / 100, { style: 'percent', maximumFractionDigits: 1 }),
    },
    {
      name: 'discrimination',
      label: t('admin.statistics_discrimination'),
      isNumber: true,
      cell: ({ people, discrimination }) => (people !== null && discrimination === null ? '–' : say(discrimination, 2)),
    },
  ];
  return (
    <DataTable
      caption={t('admin.statistics')}
      columns={columns}
      rows={questions.map((question, nth) => ({ ...question, nth }))}
      keyOf={({ nth }) => String(nth)}
    />
  );
}
