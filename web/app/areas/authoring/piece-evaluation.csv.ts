import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { readEvaluationResults } from '@officium/contract/evaluation-results';
import { data } from 'react-router';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece-evaluation.csv';

const HEADER = ['question', 'language', 'type', 'current', 'answer', 'people'];

/** One line for each option or step, and for each text. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context, 'edit-content');
  if (params.kind !== 'journey') throw data(null, { status: 404 });
  const { questions } = await api(readEvaluationResults, { params: { key: params.key }, query: { locale } });
  const rows = questions.flatMap(({ text, locale: language, type, isCurrent, options, answers, counts, texts }) => {
    const of = [text, language, type, isCurrent ? 'yes' : 'no'];
    if (answers === null) return [[...of, '', `<${LEAST_PUBLISHED}`]]; // withheld, written independently of language
    if (type === 'text') return (texts ?? []).map((written) => [...of, written, 1]);
    return (counts ?? []).map((count, at) => [...of, options[at] ?? at + 1, count]);
  });
  return csvReply(`evaluation-${params.key}`, HEADER, rows);
}
