import { FIGURES, readFigures } from '@officium/contract/figures';
import type { Route } from './+types/figures.csv';
import { csvReply } from '../../admin/csv.ts';
import { choiceOf } from './figures.ts';
import { loadAdmin } from '../../admin/load.ts';

/** The figures of the overview: the named one, or all. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'read-reports');
  const { weeks } = await api(readFigures, { query: choiceOf(url) });
  const named = FIGURES.filter((figure) => figure === url.searchParams.get('figure'));
  const figures = named.length > 0 ? named : FIGURES;
  return csvReply(
    ['figures', ...named].join('-'),
    ['week', ...figures],
    weeks.map((row) => [row.week, ...figures.map((figure) => row[figure])]),
  );
}
