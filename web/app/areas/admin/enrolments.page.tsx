import { Link } from 'react-router';
import type { CallOf, ReplyOf } from '@officium/contract/endpoint';
import { listBulkEnrolments, readBulkEnrolment, updateBulkEnrolment } from '@officium/contract/people-records';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/enrolments.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { endOfDay } from './enrolment-end.ts';
import { SearchForm } from './search-form.tsx';

type Body = NonNullable<CallOf<typeof updateBulkEnrolment>['body']>;
type Row = ReplyOf<typeof listBulkEnrolments>['bulkEnrolments'][number];

const STATES = {
  created: 'admin.audit_is_created',
  pending: 'admin.cohorts_waiting',
  enrolled: 'admin.audit_is_enrolled',
  expired: 'admin.audit_is_expired',
} as const;
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

/** Changes the end of one enrolment. The API replaces the metadata, so the rest is sent back unchanged. */
export async function action({ request, context }: Route.ActionArgs) {
  const { api, attempt, fields, url } = await act(request, context);
  const params = { id: textOf(fields, 'id') };
  const { metadata, email } = await api(readBulkEnrolment, { params });
  const expiresOn = endOfDay(textOf(fields, 'expiresOn'));
  const body = { metadata: { ...metadata, expiresOn } } as Body; // stored metadata is valid input again
  const saved = await attempt(updateBulkEnrolment, { params, body });
  if (!saved.ok) return saved.refusal;
  return redirectWith(`/admin/enrolments${url.search}`, { key: 'admin.enrol_done', values: { email } });
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

function useColumns(): Column<Row>[] {
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
    { name: 'status', label: t('admin.people_state'), cell: ({ status }) => t(STATES[status]) },
    { name: 'until', label: t('admin.enrol_until'), cell: (row) => <End row={row} /> },
  ];
}

function End({ row: { id, email, metadata } }: { row: Row }) {
  const { t } = useText();
  const intent = `end-${id}`;
  const { isSubmitting } = useSubmitting(intent);
  return (
    <SmartForm intent={intent} className="flex flex-wrap items-end gap-2 max-md:justify-end">
      <input type="hidden" name="id" value={id} />
      <Field
        name="expiresOn"
        id={`end-${id}`}
        type="date"
        label={`${t('admin.enrol_until')}: ${email}`}
        hideLabel
        hideOptional
        defaultValue={metadata.expiresOn?.slice(0, 10) ?? ''}
      />
      <Button look="quiet" isBusy={isSubmitting}>
        {t('common.save')}
        <span className="sr-only">: {email}</span>
      </Button>
    </SmartForm>
  );
}
