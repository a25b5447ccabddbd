import { COHORT_SORTS, listCohorts } from '@officium/contract/admin';
import { listArchivedCohorts } from '@officium/contract/cohort-lifecycle';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/cohorts.page';
import { Admin } from '../../admin/admin.tsx';
import { CohortDays } from './cohort-days.tsx';
import { useTypeName } from './cohort-fields.tsx';
import { UpToCohorts } from './cohort-frame.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { SearchForm } from './search-form.tsx';

type Row = ReplyOf<typeof listCohorts>['cohorts'][number];
type Sort = (typeof COHORT_SORTS)[number];

export function sortOf(url: URL): Sort {
  const asked = url.searchParams.get('sort');
  return COHORT_SORTS.find((sort) => sort === asked) ?? '-createdAt';
}

export const isArchive = (url: URL) => url.searchParams.get('state') === 'archived';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, viewer } = await loadAdmin(request, context, 'read-cohort');
  const isOffice = viewer.role === 'administrator';
  const { page, limit, offset, match, addressOf } = listingOf(url);
  const sort = sortOf(url);
  const isArchived = isOffice && isArchive(url);
  const { cohorts, total } = await api(isArchived ? listArchivedCohorts : listCohorts, {
    query: { match, sort, limit: String(limit), offset: String(offset), withLiveStats: 'true' },
  });
  return {
    isOffice,
    cohorts,
    total,
    match,
    sort,
    isArchived,
    page,
    from: offset + 1,
    sorts: Object.fromEntries(COHORT_SORTS.map((one) => [one, addressOf({ sort: one })])),
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
    csv: `/admin/cohorts.csv${url.search}`,
  };
}

export default function Cohorts({ loaderData }: Route.ComponentProps) {
  const { isOffice, cohorts, total, match, sort, isArchived, page, from, sorts, previous, next, csv } = loaderData;
  const { t } = useText();
  const columns = useColumns();
  const create = <LinkButton to="/admin/cohorts/new">{t('admin.cohorts_new')}</LinkButton>;
  const archive = (
    <LinkButton to="/admin/cohorts?state=archived" look="secondary">
      {t('admin.cohorts_archived')}
    </LinkButton>
  );
  return (
    <Admin
      title={t(isArchived ? 'admin.cohorts_archived' : 'admin.cohorts')}
      intro={isArchived ? null : t('admin.cohorts_text')}
      crumb={isArchived ? <UpToCohorts /> : null}
      actions={
        isArchived || !isOffice ? null : (
          <>
            {archive}
            {create}
          </>
        )
      }
    >
      <SearchForm
        label={t('admin.cohorts_search')}
        value={match}
        kept={{ state: isArchived ? 'archived' : undefined, sort: sort === '-createdAt' ? undefined : sort }}
      />
      {cohorts.length ? (
        <>
          <div className="mt-6 mb-2 flex flex-wrap items-baseline justify-between gap-x-6">
            <p className="text-sm text-muted">
              {t('admin.table_rows', { total, from, to: from + cohorts.length - 1 })}
            </p>
            <a href={csv} className="link inline-flex min-h-11 items-center">
              {t('admin.table_csv')}
            </a>
          </div>
          <DataTable
            caption={t('admin.cohorts')}
            columns={columns}
            rows={cohorts}
            keyOf={({ id }) => id}
            sort={sort}
            sortedBy={(name) => sorts[name] ?? ''}
          />
          <Pagination page={page} previous={previous} next={next} />
        </>
      ) : (
        <div className="mt-6">
          {isArchived && !match ? (
            <EmptyState title={t('admin.cohorts_archived_none')} />
          ) : (
            <EmptyState title={t(match ? 'admin.cohorts_none_found' : 'admin.cohorts_none')}>
              {t(match ? 'admin.table_none_found' : 'admin.cohorts_none_text')}
            </EmptyState>
          )}
        </div>
      )}
    </Admin>
  );
}

function useColumns(): Column<Row>[] {
  const { t, number } = useText();
  const typeName = useTypeName();
  return [
    {
      name: 'name',
      label: t('admin.cohorts_name'),
      isHeading: true,
      isSortable: true,
      cell: ({ id, name, capabilities }) => (
        <Link
          to={`/admin/cohorts/${id}${capabilities?.includes('manage-cohort') === false ? '/progress' : ''}`}
          className="link -my-1 inline-block py-1"
          dir="auto"
        >
          {name}
        </Link>
      ),
    },
    { name: 'type', label: t('admin.cohorts_type'), cell: ({ type }) => typeName(type) },
    { name: 'partner', label: t('admin.cohorts_partner'), cell: ({ primaryPartner }) => <bdi>{primaryPartner}</bdi> },
    { name: 'days', label: t('admin.cohorts_days'), cell: (row) => <CohortDays {...row} /> },
    ...(['members', 'invitations', 'products'] as const).map((name) => ({
      name,
      label: t(`admin.cohorts_${name}`),
      isNumber: true,
      cell: ({ liveStats }: Row) => number(liveStats?.[name] ?? 0),
    })),
    {
      name: 'createdAt',
      label: t('admin.cohorts_created'),
      isSortable: true,
      cell: ({ createdAt }) => <Time value={createdAt} look="date" />,
    },
  ];
}
