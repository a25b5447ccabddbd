import { Form, Link } from 'react-router';
import { findPeople } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { useText, type Text } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/people.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { keyOf, State } from './person-state.tsx';
import { PERSON_STATES, ROLES, searchOf } from './people-search.ts';

type Person = ReplyOf<typeof findPeople>['people'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const listing = listingOf(url);
  const { page, limit, offset, addressOf } = listing;
  const search = searchOf(url, listing);
  const { people, total } = await api(findPeople, {
    query: { ...search, limit: String(limit), offset: String(offset) },
  });
  const pageAt = (number: number) => addressOf({ page: number === 1 ? undefined : String(number) });
  const sorts = ['name', 'createdAt'].flatMap((sort) => [sort, `-${sort}`]);
  return {
    people,
    total,
    search,
    page,
    from: offset + 1,
    roles: ROLES,
    states: PERSON_STATES,
    csv: `/admin/people.csv${url.search}`,
    sorted: Object.fromEntries(sorts.map((sort) => [sort, addressOf({ sort })])),
    previous: page > 1 ? pageAt(page - 1) : undefined,
    next: offset + people.length < total && offset + limit <= 10_000 ? pageAt(page + 1) : undefined,
  };
}

export default function People({ loaderData }: Route.ComponentProps) {
  const { people, total, search, page, from, csv, sorted, previous, next } = loaderData;
  const text = useText();
  const { t } = text;
  const isFiltered = Boolean(search.match || search.role || search.state);
  return (
    <Admin
      title={t('admin.people')}
      actions={
        <>
          {people.length > 0 ? (
            <LinkButton to={csv} look="secondary" reloadDocument>
              {t('admin.table_csv')}
            </LinkButton>
          ) : null}
          <LinkButton to="/admin/enrolments" look="secondary">
            {t('admin.enrol_records')}
          </LinkButton>
          <LinkButton to="/admin/people/new">{t('admin.people_new')}</LinkButton>
        </>
      }
    >
      <Filters data={loaderData} />
      {people.length === 0 ? (
        <EmptyState title={t(isFiltered ? 'admin.table_none_found' : 'admin.table_empty')} />
      ) : (
        <>
          <p className="mb-3 text-sm text-muted" role="status">
            {t('admin.table_rows', { from, to: from + people.length - 1, total })}
          </p>
          <DataTable
            caption={t('admin.people')}
            columns={columnsOf(text)}
            rows={people}
            keyOf={({ id }) => id}
            sort={search.sort}
            sortedBy={(sort) => sorted[sort] ?? ''}
          />
          <Pagination previous={previous} next={next} page={page} />
        </>
      )}
    </Admin>
  );
}

function columnsOf({ t }: Text): Column<Person>[] {
  return [
    {
      name: 'name',
      label: t('auth.name'),
      isHeading: true,
      isSortable: true,
      cell: ({ id, name }) => (
        <Link to={`/admin/people/${id}`} className="link inline-flex min-h-6 items-center">
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { name: 'email', label: t('auth.email'), cell: ({ email }) => <bdi className="wrap-anywhere">{email}</bdi> },
    { name: 'role', label: t('admin.people_role'), cell: ({ role }) => t(`admin.people_role_${keyOf(role)}`) },
    { name: 'state', label: t('admin.people_state'), cell: ({ state }) => <State state={state} /> },
    {
      name: 'createdAt',
      label: t('admin.people_since'),
      isSortable: true,
      cell: ({ createdAt }) => <Time value={createdAt} look="date" />,
    },
  ];
}

function Filters({ data }: { data: Route.ComponentProps['loaderData'] }) {
  const { search, roles, states } = data;
  const { t } = useText();
  const any = { value: '', label: t('admin.people_any') };
  return (
    <Form role="search" className="mb-6 flex flex-wrap items-end gap-4">
      <Field
        name="q"
        type="search"
        label={t('admin.people_find')}
        defaultValue={search.match}
        hideOptional
        className="min-w-0 flex-1 basis-64"
      />
      <Select
        name="role"
        label={t('admin.people_role')}
        defaultValue={search.role ?? ''}
        options={[any, ...roles.map((value) => ({ value, label: t(`admin.people_role_${keyOf(value)}`) }))]}
        hideOptional
      />
      <Select
        name="state"
        label={t('admin.people_state')}
        defaultValue={search.state ?? ''}
        options={[any, ...states.map((value) => ({ value, label: t(`admin.people_state_${value}`) }))]}
        hideOptional
      />
      {search.sort === 'name' ? null : <input type="hidden" name="sort" value={search.sort} />}
      <Button look="secondary">{t('common.apply')}</Button>
    </Form>
  );
}
