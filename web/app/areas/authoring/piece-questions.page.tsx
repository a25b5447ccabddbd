import { readPiece } from '@officium/contract/authoring';
import { importQuestions, type QuestionImport } from '@officium/contract/question-files';
import { isLocale } from '@officium/i18n/locales';
import { data, useActionData } from 'react-router';
import { act, refuse } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { useText } from '../../text.tsx';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece-questions.page';
import { PiecePage } from './piece-head.tsx';
import { QuestionDownloads, QuestionForm } from './question-form.tsx';
import { QuestionList } from './question-list.tsx';
import { QuestionReport } from './question-report.tsx';
import { questionsIn } from './questions-in.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context, 'edit-content');
  const piece = await api(readPiece, { params: holderOf(params) });
  const text = 'body' in piece.doc ? piece.doc.body[piece.sourceLocale] : undefined;
  return { piece, questions: questionsIn(text ?? '') };
}

/** Lessons and the question banks of courses have questions. */
function holderOf({ kind, key }: Route.LoaderArgs['params']): { kind: 'lesson' | 'course'; key: string } {
  if (kind !== 'lesson' && kind !== 'course') throw data(null, { status: 404 });
  return { kind, key };
}

type Reported = { report: QuestionImport; isDryRun: boolean };

/** Checks a file or adds its questions, by the pressed button. Both answer with the report. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const file = fields.get('file');
  const locale = textOf(fields, 'locale');
  if (!(file instanceof File) || file.size === 0) {
    const message = 'File is required';
    return refuse({ message, issues: [{ path: 'file', message }], values: { locale } });
  }
  const isDryRun = textOf(fields, 'intent') !== 'add';
  const query = { dryRun: isDryRun ? ('true' as const) : ('false' as const), ...(isLocale(locale) ? { locale } : {}) };
  const sent = await attempt(importQuestions, { params: holderOf(params), query, file });
  if (sent.ok) return { report: sent.body, isDryRun } satisfies Reported;
  const { message, code, status } = sent.failure;
  return refuse({ message, issues: [], values: { locale }, status, ...(code ? { code } : {}) }, status);
}

export default function Questions({ loaderData: { piece, questions } }: Route.ComponentProps) {
  const { t } = useText();
  const reported = useReported();
  return (
    <PiecePage piece={piece} name={t('admin.questions')}>
      <div className="grid gap-12">
        {reported ? <QuestionReport {...reported} /> : null}
        <QuestionList questions={questions} locale={piece.sourceLocale} />
        <QuestionForm sourceLocale={piece.sourceLocale} />
        <QuestionDownloads piece={piece} />
      </div>
    </PiecePage>
  );
}

function useReported(): Reported | undefined {
  const answer: unknown = useActionData();
  const isReport = typeof answer === 'object' && answer !== null && 'report' in answer;
  return isReport ? (answer as Reported) : undefined; // only the action above returns this shape
}
