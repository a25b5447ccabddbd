import { listModerationFigures } from '@officium/contract/moderation-office';
import { load } from '../../server/api.ts';
import { csvReply } from '../../admin/csv.ts';
import type { Route } from './+types/figures.csv';

/** Withheld numbers are written independently of language. */
const say = (count: number | null) => count ?? 'withheld';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await load(request, context);
  const { years } = await api(listModerationFigures);
  const reasons = years[0]?.byReason.map(({ reason }) => reason) ?? [];
  const header = ['year', 'reports', 'kept', 'removed', ...reasons, 'appeals', 'reversed', 'medianHours'];
  const rows = years.map((year) => [
    year.year,
    say(year.reports),
    say(year.kept),
    say(year.removed),
    ...year.byReason.map(({ count }) => say(count)),
    say(year.appeals),
    say(year.reversed),
    year.medianHours,
  ]);
  return csvReply('moderation-report', header, rows);
}
