import { readCohort } from '@officium/contract/admin';
import {
  INVITATION_SORTS,
  listResends,
  resendInvitations,
  searchInvitations,
  withdrawInvitation,
} from '@officium/contract/cohorts';
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
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/cohort-invitations.page';
import { CohortFrame } from './cohort-frame.tsx';
import { takesPeople } from './cohort-days.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { DeletableRow } from './deletable-row.tsx';
import { Resends } from './resends.tsx';
import { SearchForm } from './search-form.tsx';

type Invitation = ReplyOf<typeof searchInvitations>['invitations'][number];

export function sortOf(url: URL): (typeof INVITATION_SORTS)[number] {
  const asked = url.searchParams.get('sort');
  return INVITATION_SORTS.find((sort) => sort === asked) ?? 'createdAt';
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'manage-cohort');
  const { match, addressOf } = listingOf(url);
  const after = url.searchParams.get('after') ?? undefined;
  const sort = sortOf(url);
  const [cohort, { invitations, hasMore }, { resends }] = await Promise.all([
    api(readCohort, { params }),
    api(searchInvitations, { params, query: { match, sort, ...(after ? { after } : {}) } }),
    api(listResends, { params, query: { limit: '3' } }),
  ]);
  const last = invitations.at(-1);
  return {
    cohort,
    invitations,
    resends,
    match,
    sort,
    sorts: Object.fromEntries(INVITATION_SORTS.map((one) => [one, addressOf({ sort: one, after: undefined })])),
    csv: `/admin/cohorts/${params.id}/invitations.csv?${new URLSearchParams({ sort, q: match }).toString()}`,
    previous: after ? addressOf({ after: undefined }) : undefined,
    next: hasMore && last ? addressOf({ after: last.id }) : undefined,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, url } = await act(request, context);
  const here = `/admin/cohorts/${params.id}/invitations${url.search}`;
  const invitationId = textOf(fields, 'invitationId');
  if (textOf(fields, 'intent').startsWith('withdraw')) {
    const done = await attempt(withdrawInvitation, { params: { id: params.id, invitationId } });
    return done.ok ? redirectWith(here, { key: 'admin.cohorts_was_withdrawn' }) : done.refusal;
  }
  const sent = await attempt(resendInvitations, { params, body: invitationId ? { invitationId } : {} });
  if (!sent.ok) return sent.refusal;
  return redirectWith(here, { key: invitationId ? 'admin.cohorts_sent_one' : 'admin.cohorts_sent_all' });
}

export default function CohortInvitations({ loaderData }: Route.ComponentProps) {
  const { cohort, invitations, resends, match, sort, sorts, csv, previous, next } = loaderData;
  const { t } = useText();
  const columns = useColumns(cohort);
  return (
    <CohortFrame cohort={cohort} tab="/invitations">
      <p className="mb-6">
        <Link to={`/admin/cohorts/${cohort.id}/invitations/mail`} className="link inline-flex min-h-11 items-center">
          {t('admin.cohorts_mail')}
        </Link>
      </p>
      {cohort.total.invitations ? (
        <>
          {!takesPeople(cohort) ? null : <SendAll />}
          <Resends resends={resends} />
          <div className="mt-8">
            <SearchForm
              label={t('admin.cohorts_find_address')}
              value={match}
              kept={{ sort: sort === 'createdAt' ? undefined : sort }}
            />
          </div>
        </>
      ) : null}
      {invitations.length ? (
        <div className="mt-6">
          <p className="mb-2 text-end">
            <a href={csv} className="link inline-flex min-h-11 items-center">
              {t('admin.table_csv')}
            </a>
          </p>
          <DataTable
            caption={t('admin.cohorts_invitations')}
            columns={columns}
            rows={invitations}
            keyOf={({ id }) => id}
            sort={sort}
            sortedBy={(name) => sorts[name] ?? ''}
          />
          <Pagination previous={previous} next={next} />
        </div>
      ) : (
        <div className="mt-6">
          <EmptyState title={t('admin.cohorts_no_invitations')}>
            {t(match ? 'admin.table_none_found' : 'admin.cohorts_no_invitations_text')}
          </EmptyState>
        </div>
      )}
    </CohortFrame>
  );
}

function SendAll() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('send-all');
  return (
    <SmartForm intent="send-all" className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <Button look="secondary" isBusy={isSubmitting}>
        {t('admin.cohorts_send_all')}
      </Button>
      <p className="max-w-prose text-sm text-muted">{t('admin.cohorts_send_text')}</p>
    </SmartForm>
  );
}

type InvitingCohort = { id: string } & Parameters<typeof takesPeople>[0];

function useColumns(cohort: InvitingCohort): Column<Invitation>[] {
  const { t } = useText();
  return [
    {
      name: 'email',
      label: t('auth.email'),
      isHeading: true,
      isSortable: true,
      cell: ({ email }) => <bdi>{email}</bdi>,
    },
    { name: 'name', label: t('people.name'), cell: ({ name }) => (name ? <bdi>{name}</bdi> : null) },
    {
      name: 'createdAt',
      label: t('admin.cohorts_invited_on'),
      isSortable: true,
      cell: ({ createdAt }) => <Time value={createdAt} look="date" />,
    },
    {
      name: 'sentAt',
      label: t('admin.cohorts_last_sent'),
      isSortable: true,
      cell: ({ sentAt, timesSentAgain }) => (
        <>
          <Time value={sentAt} />
          {timesSentAgain ? (
            <span className="block text-muted">{t('admin.cohorts_times', { count: timesSentAgain })}</span>
          ) : null}
        </>
      ),
    },
    {
      name: 'change',
      label: t('admin.cohorts_change'),
      cell: (row) => <Change row={row} cohort={cohort} />,
    },
  ];
}

function Change({ row: { id, email, canSendAgain }, cohort }: { row: Invitation; cohort: InvitingCohort }) {
  const { t } = useText();
  return (
    <div className="flex flex-wrap gap-2 max-md:justify-end">
      {canSendAgain && takesPeople(cohort) ? (
        <SmartForm intent={`send-${id}`}>
          <input type="hidden" name="invitationId" value={id} />
          <Button look="quiet">
            {t('admin.cohorts_send_one')}
            <span className="sr-only">: {email}</span>
          </Button>
        </SmartForm>
      ) : null}
      <DeletableRow
        path={`/api/admin/cohorts/${cohort.id}/invitations/${id}`}
        pending={t('admin.cohorts_going_invitation', { email })}
        now={t('admin.cohorts_withdraw_now')}
        done={t('admin.cohorts_was_withdrawn')}
        intent={`withdraw-${id}`}
        label={t('admin.cohorts_withdraw')}
        about={email}
        fields={{ invitationId: id }}
        look="quiet"
      >
        {t('admin.cohorts_withdraw_text')}
      </DeletableRow>
    </div>
  );
}
