import { readPiece } from '@officium/contract/authoring';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { readEvaluationResults, type EvaluationResults } from '@officium/contract/evaluation-results';
import { data } from 'react-router';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/piece-evaluation.page';
import { addressOf } from './kinds.ts';
import { PiecePage } from './piece-head.tsx';

type Result = EvaluationResults['questions'][number];
type Row = { nth: number; label: string; count: number; share: number };

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context, 'edit-content');
  if (params.kind !== 'journey') throw data(null, { status: 404 });
  const [piece, results] = await Promise.all([
    api(readPiece, { params: { kind: 'journey', key: params.key } }),
    api(readEvaluationResults, { params: { key: params.key }, query: { locale } }),
  ]);
  return { piece, results };
}

export default function EvaluationPage({ loaderData: { piece, results } }: Route.ComponentProps) {
  const { t } = useText();
  const { asked, people, questions } = results;
  return (
    <PiecePage piece={piece} name={t('admin.content_field_evaluation')}>
      {questions.length === 0 ? (
        <EmptyState title={t('admin.evaluation_none')} />
      ) : (
        <div className="grid gap-10">
          <div className="grid max-w-prose gap-2 text-muted">
            <p>{t('admin.evaluation_people', { people, asked })}</p>
            <p>{t('admin.evaluation_batches', { count: LEAST_PUBLISHED })}</p>
          </div>
          {questions.map((result, nth) => (
            <Question key={nth} result={result} />
          ))}
          <p>
            <a href={addressOf('journey', piece.key, '/evaluation.csv')} download className="link inline-block py-1.5">
              {t('transcript.csv')}
            </a>
          </p>
        </div>
      )}
    </PiecePage>
  );
}

function Question({ result }: { result: Result }) {
  const { t, number } = useText();
  const { text, locale, isCurrent, answers, mean, type, texts } = result;
  return (
    <section>
      <h3 className="text-xl" lang={locale} dir="auto">
        {text}
      </h3>
      <p className="mt-1 mb-3 text-sm text-muted">
        {answers === null ? t('admin.report_withheld') : t('admin.evaluation_answers', { count: answers })}
        {mean === null ? null : (
          <> · {t('admin.evaluation_mean', { mean: number(mean, { maximumFractionDigits: 2 }) })}</>
        )}
        {isCurrent ? null : <> · {t('admin.statistics_former')}</>}
      </p>
      {type === 'text' ? <Texts texts={texts ?? []} /> : <Counts result={result} />}
    </section>
  );
}

/** The counts as a table whose rows have bars. */
function Counts({ result: { type, text, locale, options, counts, answers } }: { result: Result }) {
  const { t, number, dir } = useText();
  if (counts === null || !answers) return null;
  const rows = counts.map((count, nth): Row => ({
    nth,
    label: type === 'scale' ? number(nth + 1) : (options[nth] ?? number(nth + 1)),
    count,
    share: count / answers,
  }));
  const columns: Column<Row>[] = [
    {
      name: 'answer',
      label: t('admin.evaluation_answer'),
      isHeading: true,
      cell: ({ label, share }) => (
        <>
          <span lang={type === 'scale' ? undefined : locale} dir="auto" className="wrap-anywhere">
            {label}
          </span>
          <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-1 block h-2.5 w-full">
            <rect width="100" height="4" className="fill-sunk forced-colors:fill-[Canvas]" />
            <rect
              x={dir === 'rtl' ? 100 - 100 * share : 0}
              width={100 * share}
              height="4"
              className="fill-accent forced-colors:fill-[CanvasText]"
            />
          </svg>
        </>
      ),
    },
    { name: 'people', label: t('admin.statistics_people'), isNumber: true, cell: ({ count }) => number(count) },
    {
      name: 'share',
      label: t('admin.evaluation_share'),
      isNumber: true,
      cell: ({ share }) => number(share, { style: 'percent', maximumFractionDigits: 0 }),
    },
  ];
  return <DataTable caption={text} columns={columns} rows={rows} keyOf={({ nth }) => String(nth)} />;
}

function Texts({ texts }: { texts: readonly string[] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {texts.map((text, nth) => (
        <li key={nth} dir="auto" className="py-3 whitespace-pre-wrap wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
}
