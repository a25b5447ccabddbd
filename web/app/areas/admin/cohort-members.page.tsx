import { addCohortUser, readCohort } from '@officium/contract/admin';
import { MEMBER_SORTS, searchCohortMembers } from '@officium/contract/cohort-lifecycle';
import { removeCohortMember } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Link } from 'react-router';
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
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/cohort-members.page';
import { CohortFrame } from './cohort-frame.tsx';
import { takesPeople } from './cohort-days.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { DeletableRow } from './deletable-row.tsx';

type Member = ReplyOf<typeof searchCohortMembers>['members'][number];

export function sortOf(url: URL): (typeof MEMBER_SORTS)[number] {
  const asked = url.searchParams.get('sort');
  return MEMBER_SORTS.find((sort) => sort === asked) ?? 'joinedAt';
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const continuationToken = url.searchParams.get('after') ?? undefined;
  const sort = sortOf(url);
  const { addressOf } = listingOf(url);
  const [cohort, { members, continuationToken: next }] = await Promise.all([
    api(readCohort, { params }),
    api(searchCohortMembers, { params, query: { sort, ...(continuationToken ? { continuationToken } : {}) } }),
  ]);
  return {
    cohort,
    members,
    sort,
    sorts: Object.fromEntries(MEMBER_SORTS.map((one) => [one, addressOf({ sort: one, after: undefined })])),
    previous: continuationToken ? addressOf({ after: undefined }) : undefined,
    next: next ? addressOf({ after: next }) : undefined,
    csv: `/admin/cohorts/${params.id}/members.csv?sort=${sort}`,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const here = `/admin/cohorts/${params.id}`;
  const userId = textOf(fields, 'userId');
  if (userId) {
    const removed = await attempt(removeCohortMember, { params: { id: params.id, userId } });
    if (!removed.ok) return removed.refusal;
    return redirectWith(here + url.search, { key: 'admin.cohorts_was_removed' });
  }
  const added = await attempt(addCohortUser, { params, body: { email: textOf(fields, 'email') } });
  if (!added.ok) return added.refusal;
  return redirectWith(here, { key: 'admin.cohorts_was_added', values: { email: textOf(fields, 'email').trim() } });
}

export default function CohortMembers({ loaderData }: Route.ComponentProps) {
  const { cohort, members, sort, sorts, previous, next, csv } = loaderData;
  const { t } = useText();
  const columns = useColumns(cohort.id);
  return (
    <CohortFrame cohort={cohort} tab="">
      {!takesPeople(cohort) ? null : (
        <>
          <AddPerson />
          {cohort.capabilities ? null : (
            <p className="mt-3">
              <Link to={`/admin/cohorts/${cohort.id}/enrol`} className="link inline-flex min-h-11 items-center">
                {t('admin.enrol_title')}
              </Link>
            </p>
          )}
        </>
      )}
      {members.length ? (
        <div className="mt-8">
          <p className="mb-2 text-end">
            <a href={csv} className="link inline-flex min-h-11 items-center">
              {t('admin.table_csv')}
            </a>
          </p>
          <DataTable
            caption={t('admin.cohorts_members')}
            columns={columns}
            rows={members}
            keyOf={({ id }) => id}
            sort={sort}
            sortedBy={(name) => sorts[name] ?? ''}
          />
          <Pagination previous={previous} next={next} />
        </div>
      ) : (
        <div className="mt-8">
          <EmptyState title={t('admin.cohorts_no_members')}>{t('admin.cohorts_no_members_text')}</EmptyState>
        </div>
      )}
    </CohortFrame>
  );
}

function AddPerson() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('add');
  return (
    <SmartForm intent="add" className="flex flex-wrap items-end gap-3">
      <Field
        name="email"
        type="email"
        label={t('admin.cohorts_add')}
        hint={t('admin.cohorts_add_hint')}
        autoComplete="off"
        required
        className="min-w-0 grow basis-64 sm:max-w-md"
      />
      <Button isBusy={isSubmitting}>{t('admin.cohorts_add_now')}</Button>
    </SmartForm>
  );
}

function useColumns(cohortId: string): Column<Member>[] {
  const { t } = useText();
  return [
    {
      name: 'name',
      label: t('people.name'),
      isHeading: true,
      isSortable: true,
      cell: ({ id, name }) => (
        <Link to={`/people/${id}`} className="link -my-1 inline-block py-1" dir="auto">
          {name}
        </Link>
      ),
    },
    { name: 'email', label: t('auth.email'), cell: ({ email }) => <bdi>{email}</bdi> },
    {
      name: 'state',
      label: t('admin.people_state'),
      cell: ({ isInactive }) => t(isInactive ? 'admin.people_state_inactive' : 'admin.people_state_active'),
    },
    {
      name: 'joinedAt',
      label: t('admin.cohorts_joined'),
      isSortable: true,
      cell: ({ joinedAt }) => <Time value={joinedAt} look="date" />,
    },
    {
      name: 'remove',
      label: t('admin.cohorts_change'),
      cell: ({ id, name }) => (
        <DeletableRow
          path={`/api/admin/cohorts/${cohortId}/users/${id}`}
          pending={t('admin.cohorts_going_member', { name })}
          now={t('admin.cohorts_remove_now')}
          done={t('admin.cohorts_was_removed')}
          intent={`remove-${id}`}
          label={t('admin.cohorts_remove')}
          about={name}
          fields={{ userId: id }}
          look="quiet"
        >
          {t('admin.cohorts_remove_text')}
        </DeletableRow>
      ),
    },
  ];
}
