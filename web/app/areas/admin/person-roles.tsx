import { ASSIGNED_ROLES, type AssignedRole, type Assignment, type findRolePlaces } from '@officium/contract/roles';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Form } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FieldGroup, Radio, Select } from '../../ui/field.tsx';
import { Part } from '../../ui/part.tsx';
import { RemoveForm } from '../../ui/remove-form.tsx';
import { Time } from '../../ui/time.tsx';
import { KIND_TEXTS, ROLE_TEXTS } from './role-words.ts';

type Place = ReplyOf<typeof findRolePlaces>['places'][number];

/** The roles with places to choose from; the others hold on the whole platform. */
const HAVE_PLACES: readonly AssignedRole[] = ASSIGNED_ROLES.filter((role) => role !== 'auditor');

/** The role and the words that an administrator looks for a place with, and the places found. */
export type PlaceSearch = { role: AssignedRole; match: string; places: Place[] };

type Props = { assignments: Assignment[]; search: PlaceSearch | null; isOwn: boolean };

/** The delegated roles of a person. A new one is assigned in two steps: the role, then its place. */
export function PersonRoles({ assignments, search, isOwn }: Props) {
  const { t } = useText();
  return (
    <Part id="roles" title={t('admin.roles')} intro={t('admin.roles_text')}>
      {assignments.length > 0 ? (
        <ul className="divide-y divide-line border-y border-line">
          {assignments.map((assignment) => (
            <AssignmentRow key={assignment.id} assignment={assignment} isOwn={isOwn} />
          ))}
        </ul>
      ) : (
        <p className="text-muted">{t('admin.roles_none')}</p>
      )}
      {isOwn ? null : <ChooseRole search={search} />}
      {isOwn || !search ? null : (
        <>
          {HAVE_PLACES.includes(search.role) ? <SearchPlaces search={search} /> : null}
          <GiveForm search={search} />
        </>
      )}
    </Part>
  );
}

function usePlaceName(): (place: Place) => string {
  const { t } = useText();
  return ({ kind, title }) => (title === null ? t(KIND_TEXTS[kind]) : `${t(KIND_TEXTS[kind])}: ${title}`);
}

function AssignmentRow({ assignment, isOwn }: { assignment: Assignment; isOwn: boolean }) {
  const { t } = useText();
  const nameOf = usePlaceName();
  const { id, role, place, givenAt } = assignment;
  return (
    <li className="py-3">
      <p className="font-semibold">{t(ROLE_TEXTS[role].name)}</p>
      <p className="wrap-anywhere">
        <bdi>{nameOf(place)}</bdi>
      </p>
      <p className="text-sm text-muted">
        {t(ROLE_TEXTS[role].text)} <Time value={givenAt} look="date" />
      </p>
      {isOwn ? null : (
        <RemoveForm intent={`take-${id}`} id={id} label={t('admin.roles_take')} text={t('admin.roles_take_text')} />
      )}
    </li>
  );
}

function ChooseRole({ search }: { search: PlaceSearch | null }) {
  const { t } = useText();
  return (
    // Remounted per role, so that Back restores the one that was chosen there.
    <Form key={search?.role} action="#roles" className="mt-6 flex flex-wrap items-end gap-4">
      <Select
        name="role"
        id="delegated-role"
        label={t('admin.people_role')}
        hideOptional
        defaultValue={search?.role ?? ASSIGNED_ROLES[0]}
        options={ASSIGNED_ROLES.map((value) => ({ value, label: t(ROLE_TEXTS[value].name) }))}
      />
      <Button look="secondary">{t('admin.roles_next')}</Button>
    </Form>
  );
}

function SearchPlaces({ search: { role, match } }: { search: PlaceSearch }) {
  const { t } = useText();
  return (
    <Form key={`${role} ${match}`} action="#roles" className="mt-6 flex flex-wrap items-end gap-4">
      <input type="hidden" name="role" value={role} />
      <Field
        name="place"
        label={t('admin.roles_place')}
        hint={t('admin.roles_find_hint')}
        hideOptional
        defaultValue={match}
        maxLength={200}
        autoComplete="off"
        dir="auto"
      />
      <Button look="secondary">{t('admin.roles_find')}</Button>
    </Form>
  );
}

function GiveForm({ search: { role, places } }: { search: PlaceSearch }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('give-role');
  const nameOf = usePlaceName();
  if (places.length === 0)
    return (
      <p role="status" className="mt-6 text-muted">
        {t('admin.roles_no_place')}
      </p>
    );
  return (
    <SmartForm intent="give-role" className="mt-6 grid max-w-prose gap-5">
      <input type="hidden" name="role" value={role} />
      <p>
        <strong>{t(ROLE_TEXTS[role].name)}</strong>: {t(ROLE_TEXTS[role].text)}
      </p>
      <FieldGroup name="placeId" legend={t('admin.roles_place')}>
        {places.map((place, at) => (
          <Radio
            key={`${place.kind} ${place.id}`}
            name="at"
            value={`${place.kind} ${place.id ?? ''}`}
            defaultChecked={at === 0}
            label={<bdi>{nameOf(place)}</bdi>}
          />
        ))}
      </FieldGroup>
      <div>
        <Button isBusy={isSubmitting}>{t('admin.roles_give')}</Button>
      </div>
    </SmartForm>
  );
}
