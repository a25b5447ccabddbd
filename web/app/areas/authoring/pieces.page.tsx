import { Form, Link } from 'react-router';
import { listPieces } from '@officium/contract/authoring';
import type { ReplyOf } from '@officium/contract/endpoint';
import { endonymOf, LOCALES, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/pieces.page';
import { addressOf, HELD_KINDS, isKind, LISTED, LOOKS, OWN_KINDS, STATES } from './kinds.ts';
import { queryOf } from './pieces-query.ts';
import { titleOf } from './title.ts';

/** In the usual order of locales. */
const inOrder = (languages: readonly Locale[]) => LOCALES.filter((locale) => languages.includes(locale));

type Row = ReplyOf<typeof listPieces>['pieces'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, viewer } = await loadAdmin(request, context, 'read-content');
  const listing = listingOf(url);
  const query = queryOf(url);
  const { pieces, total } = await api(listPieces, {
    query: { ...query, limit: String(listing.limit), offset: String(listing.offset) },
  });
  const to = Math.min(listing.offset + pieces.length, total);
  return {
    isAll: viewer.role === 'administrator',
    pieces,
    total,
    from: listing.offset + 1,
    to,
    page: listing.page,
    hasNext: to < total,
    query,
    search: url.search,
  };
}

const MARK_OF = (row: Row) =>
  isKind(row.kind) ? addressOf(row.kind, row.key) : `/articles/${encodeURIComponent(row.key)}`;

export default function Pieces({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { isAll, pieces, total, from, to, page, hasNext, query, search } = loaderData;
  const { addressOf: listAddress } = listingOf(new URL(`/admin/content${search}`, 'http://list'));
  return (
    <Admin
      title={t('admin.content')}
      intro={t(isAll ? 'admin.content_intro' : 'admin.content_intro_own')}
      actions={<Actions search={search} isAll={isAll} />}
    >
      {isAll ? <NewPieces /> : null}
      <Filters query={query} kinds={isAll ? LISTED : HELD_KINDS} />
      {pieces.length > 0 ? (
        <>
          <p className="mt-6 mb-2 text-sm text-muted">
            {t('admin.table_rows', { total, from: `${from}`, to: `${to}` })}
          </p>
          <Table rows={pieces} sort={query.sort} sortedBy={(sort) => listAddress({ sort })} />
        </>
      ) : (
        <div className="mt-6">
          <EmptyState title={t('admin.table_empty')}>{t('admin.table_none_found')}</EmptyState>
        </div>
      )}
      <Pagination
        page={page}
        previous={page > 1 ? listAddress({ page: page > 2 ? String(page - 1) : undefined }) : undefined}
        next={hasNext ? listAddress({ page: String(page + 1) }) : undefined}
      />
    </Admin>
  );
}

/** The other tools for content, and the table as a file. */
function Actions({ search, isAll }: { search: string; isAll: boolean }) {
  const { t } = useText();
  return (
    <>
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

type TableProps = { rows: Row[]; sort: string; sortedBy: (sort: string) => string };

function Table({ rows, sort, sortedBy }: TableProps) {
  const { t, locale } = useText();
  const columns: Column<Row>[] = [
    {
      name: 'title',
      label: t('admin.content_field_title'),
      isHeading: true,
      isSortable: true,
      cell: (row) => {
        const { text, lang } = titleOf(row.title, locale);
        return (
          <Link to={MARK_OF(row)} className="link inline-block py-1" lang={lang} dir="auto">
            {text || row.slug}
          </Link>
        );
      },
    },
    {
      name: 'kind',
      label: t('admin.content_kind'),
      isSortable: true,
      cell: (row) => t(`admin.content_kind_${row.kind}`),
    },
    {
      name: 'state',
      label: t('admin.content_state'),
      cell: (row) => <Tag look={LOOKS[row.state]}>{t(`admin.content_state_${row.state}`)}</Tag>,
    },
    { name: 'languages', label: t('admin.content_languages'), cell: (row) => inOrder(row.languages).join(', ') },
    {
      name: 'updated',
      label: t('admin.content_updated'),
      isSortable: true,
      cell: (row) => <Time value={row.updatedAt} />,
    },
  ];
  return (
    <DataTable
      caption={t('admin.content')}
      columns={columns}
      rows={rows}
      keyOf={(row) => `${row.kind} ${row.key}`}
      sort={sort}
      sortedBy={sortedBy}
    />
  );
}

function Filters({ query, kinds }: { query: ReturnType<typeof queryOf>; kinds: readonly Row['kind'][] }) {
  const { t } = useText();
  const all = { value: '', label: t('admin.content_all') };
  return (
    <Form
      method="get"
      role="search"
      className="grid items-end gap-4 border-y border-line py-5 sm:grid-cols-2 xl:grid-cols-5"
    >
      <Field name="q" type="search" label={t('admin.content_search')} defaultValue={query.q} hideOptional />
      <Select
        name="kind"
        label={t('admin.content_kind')}
        options={[all, ...kinds.map((kind) => ({ value: kind, label: t(`admin.content_kind_${kind}`) }))]}
        defaultValue={query.kind ?? ''}
        hideOptional
      />
      <Select
        name="state"
        label={t('admin.content_state')}
        options={[all, ...STATES.map((state) => ({ value: state, label: t(`admin.content_state_${state}`) }))]}
        defaultValue={query.state ?? ''}
        hideOptional
      />
      <Select
        name="language"
        label={t('admin.content_language')}
        options={[all, ...LOCALES.map((value) => ({ value, label: endonymOf(value) }))]}
        defaultValue={query.language ?? ''}
        hideOptional
      />
      <div>
        <Button look="secondary">{t('admin.content_show')}</Button>
      </div>
    </Form>
  );
}
