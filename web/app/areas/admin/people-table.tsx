import { Link } from 'react-router';
import type { findPeople } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { type Text, useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { keyOf, State } from './person-state.tsx';

type Person = ReplyOf<typeof findPeople>['people'][number];
type Props = { people: Person[]; sort: string; sorted: Record<string, string>; isWaiting: boolean };

/** The list of people. Those who wait for a decision can be approved together. */
export function PeopleTable({ people, sort, sorted, isWaiting }: Props) {
  const text = useText();
  const { t } = text;
  const { isSubmitting } = useSubmitting();
  const table = (
    <DataTable
      caption={t('admin.people')}
      columns={isWaiting ? [choiceOf(text), ...columnsOf(text)] : columnsOf(text)}
      rows={people}
      keyOf={({ id }) => id}
      sort={sort}
      sortedBy={(sort) => sorted[sort] ?? ''}
    />
  );
  if (!isWaiting) return table;
  return (
    <SmartForm>
      <p className="mb-3 max-w-prose text-muted">{t('admin.people_waiting_hint')}</p>
      {table}
      <div className="mt-4">
        <Button isBusy={isSubmitting}>{t('admin.people_approve_selected')}</Button>
      </div>
    </SmartForm>
  );
}

/** A checkbox, ticked when a rule matches the address. */
function choiceOf({ t }: Text): Column<Person> {
  return {
    name: 'choice',
    label: t('admin.people_select'),
    cell: ({ id, name, email, rule }) => (
      <label className="inline-flex min-h-11 items-center gap-3" htmlFor={`choose-${id}`}>
        <input
          type="checkbox"
          id={`choose-${id}`}
          name="email"
          value={email}
          defaultChecked={rule !== null}
          className="choice"
        />
        <span className="sr-only">
          {t('admin.people_select')}: {name}
        </span>
        {rule === null ? null : <span className="text-sm wrap-anywhere">{t('admin.people_by_rule', { rule })}</span>}
      </label>
    ),
  };
}

function columnsOf({ t }: Text): Column<Person>[] {
  return [
    {
      name: 'name',
      label: t('auth.name'),
      isHeading: true,
      isSortable: true,
      cell: ({ id, name, email }) => (
        <>
          <Link to={`/admin/people/${id}`} className="link inline-flex min-h-6 items-center">
            <bdi>{name}</bdi>
          </Link>
          <bdi className="block font-normal wrap-anywhere text-muted">{email}</bdi>
        </>
      ),
    },
    {
      name: 'organization',
      label: t('auth.organization'),
      cell: ({ organization }) => (organization ? <Organization name={organization} /> : '–'),
    },
    { name: 'role', label: t('admin.people_role'), cell: ({ role }) => t(`admin.people_role_${keyOf(role)}`) },
    { name: 'state', label: t('admin.people_state'), cell: ({ state }) => <State state={state} /> },
    {
      name: 'lastSeenAt',
      label: t('admin.people_last_seen'),
      cell: ({ lastSeenAt }) => (lastSeenAt ? <Time value={lastSeenAt} /> : '–'),
    },
    {
      name: 'createdAt',
      label: t('admin.people_since'),
      isSortable: true,
      cell: ({ createdAt }) => <Time value={createdAt} look="date" />,
    },
  ];
}

/** Leads to the people of the organisation. */
function Organization({ name }: { name: string }) {
  return (
    <Link
      to={`/admin/people?${new URLSearchParams({ organization: name }).toString()}`}
      className="link inline-flex min-h-6 items-center wrap-anywhere"
    >
      <bdi>{name}</bdi>
    </Link>
  );
}
