import { Link } from 'react-router';
import { listBulkEnrolments } from '@officium/contract/people-records';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/enrolments.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { saveEnd } from './enrolment-end.act.ts';
import { type Enrolment, ENROLMENT_STATES, EnrolmentEnd } from './enrolment-end-form.tsx';
import { SearchForm } from './search-form.tsx';

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { match, page, limit, offset, addressOf } = listingOf(url);
  // The API finds whole addresses only; anything else matches nothing.
  const isPossible = match === '' || ADDRESS.test(match);
  const query = { limit: String(limit), offset: String(offset), ...(match ? { email: match } : {}) };
  const { bulkEnrolments, total } = isPossible
    ? await api(listBulkEnrolments, { query })
    : { bulkEnrolments: [], total: 0 };
  return {
    rows: bulkEnrolments,
    total,
    match,
    page,
    from: offset + 1,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const acting = await act(request, context);
  const { done, email } = await saveEnd(acting);
  if (!done.ok) return done.refusal;
  return redirectWith(`/admin/enrolments${acting.url.search}`, { key: 'admin.enrol_done', values: { email } });
}

export default function Enrolments({ loaderData }: Route.ComponentProps) {
  const { rows, total, match, page, from, previous, next } = loaderData;
  const { t } = useText();
  const columns = useColumns();
  return (
    <Admin title={t('admin.enrol_records')} intro={t('admin.enrol_records_text')} crumb={<UpToPeople />}>
      <SearchForm label={t('auth.email')} value={match} />
      {rows.length ? (
        <>
          <p className="mt-6 mb-2 text-sm text-muted">
            {t('admin.table_rows', { total, from, to: from + rows.length - 1 })}
          </p>
          <DataTable caption={t('admin.enrol_records')} columns={columns} rows={rows} keyOf={({ id }) => id} />
          <Pagination page={page} previous={previous} next={next} />
        </>
      ) : (
        <div className="mt-6">
          <EmptyState title={t(match ? 'admin.table_none_found' : 'admin.enrol_none')} />
        </div>
      )}
    </Admin>
  );
}

function UpToPeople() {
  const { t } = useText();
  return (
    <Link to="/admin/people" className="link inline-flex min-h-11 items-center">
      {t('admin.people')}
    </Link>
  );
}

function useColumns(): Column<Enrolment>[] {
  const { t } = useText();
  return [
    {
      name: 'email',
      label: t('auth.email'),
      isHeading: true,
      cell: ({ email }) => <bdi className="wrap-anywhere">{email}</bdi>,
    },
    {
      name: 'slug',
      label: t('admin.content_kind_course'),
      cell: ({ type, slug }) => (
        <Link to={`/${type}/${slug}`} className="link -my-1 inline-block py-1">
          <bdi>{slug}</bdi>
        </Link>
      ),
    },
    { name: 'status', label: t('admin.people_state'), cell: ({ status }) => t(ENROLMENT_STATES[status]) },
    { name: 'until', label: t('admin.enrol_until'), cell: (row) => <EnrolmentEnd row={row} about={row.email} /> },
  ];
}
