import { listCohorts } from '@officium/contract/admin';
import { findPeople } from '@officium/contract/admin-people';
import { writeRegistration } from '@officium/contract/people';
import { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/people.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { PeopleFilters } from './people-filters.tsx';
import { PERSON_STATES, ROLES, searchOf } from './people-search.ts';
import { PeopleTable } from './people-table.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const listing = listingOf(url);
  const { page, limit, offset, addressOf } = listing;
  const search = searchOf(url, listing);
  const [{ people, total }, { cohorts }] = await Promise.all([
    api(findPeople, { query: { ...search, limit: String(limit), offset: String(offset) } }),
    api(listCohorts, { query: { limit: '100' } }),
  ]);
  const pageAt = (number: number) => addressOf({ page: number === 1 ? undefined : String(number) });
  const sorts = ['name', 'createdAt'].flatMap((sort) => [sort, `-${sort}`]);
  return {
    people,
    total,
    search,
    page,
    from: offset + 1,
    cohorts: cohorts.map(({ id, name }) => ({ value: id, label: name })),
    roles: ROLES,
    states: PERSON_STATES,
    csv: `/admin/people.csv${url.search}`,
    sorted: Object.fromEntries(sorts.map((sort) => [sort, addressOf({ sort })])),
    previous: page > 1 ? pageAt(page - 1) : undefined,
    next: offset + people.length < total && offset + limit <= 10_000 ? pageAt(page + 1) : undefined,
  };
}

/** Approves the chosen registrations one by one; the first refusal ends it. */
export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const emails = [...new Set(fields.getAll('email').map(String))].slice(0, MAX_AT_ONCE);
  if (emails.length === 0)
    return redirectWith(`/admin/people${url.search}`, { key: 'admin.people_none_selected', tone: 'info' });
  for (const email of emails) {
    const done = await attempt(writeRegistration, { body: { email, status: 'approved', reason: null } });
    if (!done.ok) return done.refusal;
  }
  return redirectWith(`/admin/people${url.search}`, {
    key: 'admin.people_approved_count',
    values: { count: emails.length },
  });
}

const MAX_AT_ONCE = 100;

export default function People({ loaderData }: Route.ComponentProps) {
  const { people, total, search, page, from, csv, sorted, previous, next } = loaderData;
  const { t } = useText();
  const { match, role, state, organization, cohort, notSeenSince } = search;
  const isFiltered = Boolean(match || role || state || organization || cohort || notSeenSince);
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
      <PeopleFilters {...loaderData} />
      {people.length === 0 ? (
        <EmptyState title={t(isFiltered ? 'admin.table_none_found' : 'admin.table_empty')} />
      ) : (
        <>
          <p className="mb-3 text-sm text-muted" role="status">
            {t('admin.table_rows', { from, to: from + people.length - 1, total })}
          </p>
          <PeopleTable people={people} sort={search.sort} sorted={sorted} isWaiting={search.state === 'waiting'} />
          <Pagination previous={previous} next={next} page={page} />
        </>
      )}
    </Admin>
  );
}
