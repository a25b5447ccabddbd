import { listPieces } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/pieces.csv';
import { queryOf } from './pieces-query.ts';
import { titleOf } from './title.ts';

/** The filtered list, all pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context, 'read-content');
  const query = { ...queryOf(url), limit: '100' };
  const rows: ReplyOf<typeof listPieces>['pieces'] = [];
  let after: string | undefined;
  do {
    const { pieces, continuationToken } = await api(listPieces, {
      query: { ...query, ...(after ? { continuationToken: after } : {}) },
    });
    rows.push(...pieces);
    after = continuationToken;
  } while (after);
  const named = (parent: (typeof rows)[number]['course']) => (parent ? titleOf(parent.title, locale).text : '');
  return csvReply(
    'content',
    ['kind', 'title', 'slug', 'course', 'journey', 'state', 'languages', 'updated'],
    rows.map((row) => [
      row.kind,
      titleOf(row.title, locale).text,
      row.slug,
      named(row.course),
      named(row.journey),
      row.state,
      row.languages.join(' '),
      row.updatedAt,
    ]),
  );
}
