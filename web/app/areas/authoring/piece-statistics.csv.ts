import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { readQuestionStatistics } from '@officium/contract/question-statistics';
import { data } from 'react-router';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/piece-statistics.csv';

const HEADER = ['question', 'language', 'current', 'people', 'facility', 'discrimination'];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context, 'edit-content');
  if (params.kind !== 'lesson') throw data(null, { status: 404 });
  const { questions } = await api(readQuestionStatistics, { params: { key: params.key } });
  const rows = questions.map(({ question, locale, isCurrent, people, facility, discrimination }) => [
    question,
    locale,
    isCurrent ? 'yes' : 'no',
    people ?? `<${LEAST_PUBLISHED}`, // withheld, written independently of language
    facility,
    discrimination,
  ]);
  return csvReply(`questions-${params.key}`, HEADER, rows);
}
