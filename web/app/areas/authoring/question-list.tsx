import type { Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListedQuestion } from './questions-in.ts';

type Row = ListedQuestion & { nth: number };

/** The questions of the draft in one language, and how many have each tag: assessments draw by tag. */
export function QuestionList({ questions, locale }: { questions: readonly ListedQuestion[]; locale: Locale }) {
  const { t, number } = useText();
  const title = t('admin.questions_list');
  const columns: Column<Row>[] = [
    {
      name: 'question',
      label: t('admin.content_kind_question'),
      isHeading: true,
      cell: ({ text }) => (
        <span lang={locale} dir="auto" className="wrap-anywhere">
          {text || '–'}
        </span>
      ),
    },
    {
      name: 'type',
      label: t('admin.content_kind'),
      cell: ({ type }) => (type ? t(`admin.questions_type_${type}`) : '–'),
    },
    { name: 'tags', label: t('admin.questions_tags'), cell: ({ tags }) => <Tags tags={tags} locale={locale} /> },
    { name: 'points', label: t('admin.questions_points'), isNumber: true, cell: ({ points }) => number(points) },
  ];
  return (
    <section aria-labelledby="questions">
      <h3 id="questions" className="text-2xl">
        {title}
      </h3>
      {questions.length === 0 ? (
        <div className="mt-4">
          <EmptyState title={t('admin.questions_none')} />
        </div>
      ) : (
        <div className="mt-4 grid gap-5">
          <TagCounts questions={questions} locale={locale} />
          <DataTable
            caption={title}
            columns={columns}
            rows={questions.map((question, nth) => ({ ...question, nth }))}
            keyOf={({ nth }) => String(nth)}
          />
        </div>
      )}
    </section>
  );
}

function Tags({ tags, locale }: { tags: readonly string[]; locale: Locale }) {
  const { list } = useText();
  return tags.length === 0 ? '–' : <bdi lang={locale}>{list(tags, { type: 'unit' })}</bdi>;
}

function TagCounts({ questions, locale }: { questions: readonly ListedQuestion[]; locale: Locale }) {
  const { t, number } = useText();
  const counts = new Map<string, number>();
  for (const tag of questions.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  if (counts.size === 0) return null;
  return (
    <dl className="flex flex-wrap items-baseline gap-x-5 gap-y-1" aria-label={t('admin.questions_by_tag')}>
      {[...counts].map(([tag, count]) => (
        <div key={tag} className="flex gap-2">
          <dt className="wrap-anywhere text-muted">
            <bdi lang={locale}>{tag}</bdi>
          </dt>
          <dd className="font-semibold tabular-nums">{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
