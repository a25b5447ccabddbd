import { ASSIGNED_ROLES, type Assignment, listRoleAssignments } from '@officium/contract/roles';
import { Form, Link } from 'react-router';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/roles.page';
import { KIND_TEXTS, ROLE_TEXTS } from './role-words.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url, locale } = await loadAdmin(request, context);
  const { page, limit, offset, addressOf } = listingOf(url);
  const role = ASSIGNED_ROLES.find((one) => one === url.searchParams.get('role'));
  const { assignments, total } = await api(listRoleAssignments, {
    query: { locale, ...(role ? { role } : {}), limit: String(limit), offset: String(offset) },
  });
  return {
    assignments,
    total,
    role: role ?? '',
    page,
    from: offset + 1,
    previous: page > 1 ? addressOf({ page: page > 2 ? String(page - 1) : undefined }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export default function Roles({ loaderData }: Route.ComponentProps) {
  const { assignments, total, role, page, from, previous, next } = loaderData;
  const { t } = useText();
  const columns = useColumns();
  return (
    <Admin title={t('admin.roles')} intro={t('admin.roles_text')}>
      <Form role="search" className="flex flex-wrap items-end gap-4">
        <Select
          key={role}
          name="role"
          label={t('admin.people_role')}
          hideOptional
          defaultValue={role}
          options={[
            { value: '', label: t('admin.people_any') },
            ...ASSIGNED_ROLES.map((value) => ({ value, label: t(ROLE_TEXTS[value].name) })),
          ]}
        />
        <Button look="secondary">{t('admin.overview_show')}</Button>
      </Form>
      {assignments.length > 0 ? (
        <>
          <p role="status" className="mt-6 mb-2 text-sm text-muted">
            {t('admin.table_rows', { total, from, to: from + assignments.length - 1 })}
          </p>
          <DataTable caption={t('admin.roles')} columns={columns} rows={assignments} keyOf={({ id }) => id} />
        </>
      ) : (
        <div className="mt-6">
          <EmptyState title={t('admin.roles_none')} />
        </div>
      )}
      <Pagination page={page} previous={previous} next={next} />
    </Admin>
  );
}

function useColumns(): Column<Assignment>[] {
  const { t } = useText();
  return [
    {
      name: 'person',
      label: t('people.name'),
      isHeading: true,
      cell: ({ person }) => (
        <Link to={`/admin/people/${person.id}#roles`} className="link -my-1 inline-block py-1">
          <bdi>{person.name}</bdi>
        </Link>
      ),
    },
    { name: 'role', label: t('admin.people_role'), cell: ({ role }) => t(ROLE_TEXTS[role].name) },
    {
      name: 'place',
      label: t('admin.roles_place'),
      cell: ({ place: { kind, title } }) => (
        <>
          {title === null ? null : <bdi className="block">{title}</bdi>}
          <span className={title === null ? '' : 'text-muted'}>{t(KIND_TEXTS[kind])}</span>
        </>
      ),
    },
    {
      name: 'by',
      label: t('admin.roles_given_by'),
      cell: ({ givenBy, givenAt }) => (
        <>
          {givenBy ? <bdi className="block">{givenBy}</bdi> : null}
          <Time value={givenAt} look="date" />
        </>
      ),
    },
  ];
}
