import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Admin } from '../../admin/admin.tsx';
import { may } from '../../admin/areas.ts';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/pieces.page';
import { HELD_KINDS, LISTED, OWN_KINDS } from './kinds.ts';
import { PiecesFilters } from './pieces-filters.tsx';
import { PiecesOutline } from './pieces-outline.tsx';
import { PiecesTable } from './pieces-table.tsx';
import { loadPieces } from './pieces.load.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, viewer } = await loadAdmin(request, context, 'read-content');
  const found = await loadPieces(api, url);
  const isAll = viewer.role === 'administrator';
  return { ...found, isAll, mayEdit: may(viewer, 'edit-content'), search: url.search };
}

export default function Pieces({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { isAll, mayEdit, look, pieces, nodes, total, query, search, first, next } = loaderData;
  const isEmpty = pieces.length + nodes.length === 0;
  return (
    <Admin
      title={t('admin.content')}
      intro={t(isAll ? 'admin.content_intro' : 'admin.content_intro_own')}
      actions={<Actions search={search} isAll={isAll} mayEdit={isAll || mayEdit} />}
    >
      {isAll ? <NewPieces /> : null}
      <PiecesFilters query={query} kinds={isAll ? LISTED : HELD_KINDS} isList={look !== 'tree'} />
      {look === 'tree' ? null : (
        <p className="mt-6 text-sm text-muted" role="status">
          {t('admin.content_results', { total })}
        </p>
      )}
      {first ? (
        <p className="mt-4">
          <Link to={first} className="link inline-block py-1.5">
            {t('admin.content_first_page')}
          </Link>
        </p>
      ) : null}
      <div className="mt-4">
        {isEmpty ? (
          <EmptyState title={t('admin.table_empty')}>{look === 'tree' ? null : t('admin.table_none_found')}</EmptyState>
        ) : null}
        {nodes.length > 0 ? <PiecesOutline nodes={nodes} search={search} label={t('admin.content')} /> : null}
        {pieces.length > 0 ? <Found {...loaderData} /> : null}
      </div>
      <Pagination next={next} />
    </Admin>
  );
}

/** A filtered list can be sorted; the parts of one piece stay in their order. */
function Found({ look, pieces, query, search }: Route.ComponentProps['loaderData']) {
  if (look === 'parts') return <PiecesTable rows={pieces} sort={undefined} />;
  const { addressOf } = listingOf(new URL(`/admin/content${search}`, 'http://list'));
  return <PiecesTable rows={pieces} sort={query.sort} sortedBy={(sort) => addressOf({ sort, after: undefined })} />;
}

/** The other tools for content, and the table as a file. */
function Actions({ search, isAll, mayEdit }: { search: string; isAll: boolean; mayEdit: boolean }) {
  const { t } = useText();
  return (
    <>
      {mayEdit ? (
        <LinkButton to="/admin/content/media" look="secondary">
          {t('admin.media_library')}
        </LinkButton>
      ) : null}
      <LinkButton to="/admin/content/check" look="secondary">
        {t('admin.publish_check')}
      </LinkButton>
      {isAll ? (
        <LinkButton to="/admin/content/folder" look="secondary">
          {t('admin.folder')}
        </LinkButton>
      ) : null}
      <LinkButton to={`/admin/content.csv${search}`} look="secondary" reloadDocument>
        {t('admin.table_csv')}
      </LinkButton>
    </>
  );
}

/** A button for each kind of content. */
function NewPieces() {
  const { t } = useText();
  return (
    <nav aria-label={t('admin.content_begin')} className="mb-6">
      <ul className="flex flex-wrap gap-3">
        {OWN_KINDS.map((kind) => (
          <li key={kind}>
            <LinkButton to={`/admin/content/new?kind=${kind}`} look="secondary" small>
              {t(`admin.content_new_${kind}`)}
            </LinkButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}
