import { listCases } from '@officium/contract/moderation-office';
import type { ReplyOf } from '@officium/contract/endpoint';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import { casesOf } from './moderation-query.ts';
import type { Route } from './+types/moderation.csv';

const PAGE = 100;
/** The largest offset the API accepts. */
const MOST = 10_000;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context, 'read-cases');
  const cases: ReplyOf<typeof listCases>['cases'] = [];
  for (let offset = 0; offset <= MOST; offset += PAGE) {
    const query = { ...casesOf(url), state: 'decided' as const, locale, limit: String(PAGE), offset: String(offset) };
    const page = await api(listCases, { query });
    cases.push(...page.cases);
    if (cases.length >= page.total || page.cases.length === 0) break;
  }
  const header = [
    'decidedAt',
    'community',
    'lesson',
    'article',
    'kind',
    'id',
    'decision',
    'reasons',
    'reports',
    'decidedBy',
    'appeal',
  ];
  const rows = cases.map((one) => [
    one.since,
    one.community?.slug,
    one.lesson && `${one.lesson.course}/${one.lesson.journey}/${one.lesson.lesson}`,
    one.article?.slug,
    one.kind,
    one.id,
    one.status,
    one.reasons.join(' '),
    one.reports,
    one.decidedBy,
    one.appeal,
  ]);
  return csvReply('moderation-decisions', header, rows);
}
