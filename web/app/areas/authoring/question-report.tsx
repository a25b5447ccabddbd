import type { QuestionImport } from '@officium/contract/question-files';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';

type Problem = QuestionImport['problems'][number] & { nth: number };

/** The questions that an import added or would add, and those it did not take, line by line. */
export function QuestionReport({ report, isDryRun }: { report: QuestionImport; isDryRun: boolean }) {
  const { t } = useText();
  const { added, text } = report;
  const isSuccess = !isDryRun && added > 0;
  return (
    <div className="grid gap-6">
      <div role="status">
        <Notice tone={isSuccess ? 'success' : 'info'}>
          {t(isDryRun ? 'admin.questions_can_add' : 'admin.questions_added', { count: added })}
        </Notice>
      </div>
      {text === '' ? null : (
        <details>
          <summary className="link inline-block min-h-11 cursor-pointer py-2">{t('admin.questions_text')}</summary>
          <pre
            dir="auto"
            tabIndex={0}
            role="region"
            aria-label={t('admin.questions_text')}
            className="max-h-96 overflow-auto rounded border border-line bg-card p-4 text-sm wrap-anywhere whitespace-pre-wrap"
          >
            {text}
          </pre>
        </details>
      )}
      <Problems report={report} />
    </div>
  );
}

function Problems({ report: { problems, problemCount } }: { report: QuestionImport }) {
  const { t, number } = useText();
  if (problems.length === 0) return null;
  const title = t('admin.questions_problems');
  const columns: Column<Problem>[] = [
    {
      name: 'question',
      label: t('admin.content_kind_question'),
      isHeading: true,
      cell: ({ question }) => <bdi className="wrap-anywhere">{question}</bdi>,
    },
    {
      name: 'problem',
      label: t('admin.folder_problem'),
      cell: ({ reason, detail }) => (
        <>
          {t(`admin.questions_reason_${reason}`)}
          {detail === '' ? null : (
            <>
              {': '}
              <bdi className="wrap-anywhere">{detail}</bdi>
            </>
          )}
        </>
      ),
    },
    { name: 'effect', label: t('admin.cohorts_outcome'), cell: ({ effect }) => t(`admin.questions_effect_${effect}`) },
    { name: 'file', label: t('admin.folder_file_in'), cell: ({ file }) => <bdi className="wrap-anywhere">{file}</bdi> },
    { name: 'line', label: t('admin.folder_line'), isNumber: true, cell: ({ line }) => number(line) },
  ];
  return (
    <div>
      <h3 className="mb-3 text-2xl">{title}</h3>
      {problemCount > problems.length ? (
        <p className="mb-2 text-sm text-muted">
          {t('admin.questions_first', { count: problems.length, total: problemCount })}
        </p>
      ) : null}
      <DataTable
        caption={title}
        columns={columns}
        rows={problems.map((problem, nth) => ({ ...problem, nth }))}
        keyOf={({ nth }) => String(nth)}
      />
    </div>
  );
}
