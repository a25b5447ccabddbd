import { Form } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import type { PERSON_STATES, ROLES, searchOf } from './people-search.ts';
import { keyOf } from './person-state.tsx';

type Props = {
  search: ReturnType<typeof searchOf>;
  roles: typeof ROLES;
  states: typeof PERSON_STATES;
  cohorts: { value: string; label: string }[];
};

/** The filters of the list of people. They are kept in the address. */
export function PeopleFilters({ search, roles, states, cohorts }: Props) {
  const { t } = useText();
  const any = { value: '', label: t('admin.people_any') };
  const { cohort } = search;
  const isListed = !cohort || cohorts.some(({ value }) => value === cohort);
  return (
    <Form role="search" className="mb-6 grid items-end gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <Field name="q" type="search" label={t('admin.people_find')} defaultValue={search.match} hideOptional />
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
      <Field
        name="organization"
        label={t('auth.organization')}
        defaultValue={search.organization ?? ''}
        maxLength={256}
        dir="auto"
        hideOptional
      />
      <Select
        name="cohort"
        label={t('admin.overview_cohort')}
        defaultValue={cohort ?? ''}
        options={[any, ...cohorts, ...(isListed ? [] : [{ value: cohort, label: cohort }])]}
        hideOptional
      />
      <Field
        name="notSeenSince"
        type="date"
        label={t('admin.people_not_seen')}
        defaultValue={search.notSeenSince ?? ''}
        hideOptional
      />
      {search.sort === 'name' ? null : <input type="hidden" name="sort" value={search.sort} />}
      <div>
        <Button look="secondary">{t('common.apply')}</Button>
      </div>
    </Form>
  );
}
