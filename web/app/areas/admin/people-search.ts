import { PEOPLE_SORTS, PERSON_STATES, findPeople } from '@officium/contract/admin-people';
import { Role } from '@officium/contract/people';
import type { CallOf } from '@officium/contract/endpoint';
import type { Listing } from '../../admin/listing.ts';

type Query = NonNullable<CallOf<typeof findPeople>['query']>;

export const ROLES = Role.options;
export { PERSON_STATES };

/** Whether a day exists in the calendar. */
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;

/** Reads the query of the list from the address; anything invalid is ignored. */
export function searchOf(url: URL, { match }: Pick<Listing, 'match'>): Query & { sort: (typeof PEOPLE_SORTS)[number] } {
  const among = <T extends string>(values: readonly T[], name: string) =>
    values.find((value) => value === url.searchParams.get(name));
  const given = (name: 'organization' | 'cohort' | 'notSeenSince', form: RegExp) => {
    const value = (url.searchParams.get(name) ?? '').trim().slice(0, 256);
    return form.test(value) && (name !== 'notSeenSince' || isDay(value)) ? { [name]: value } : {};
  };
  return {
    match,
    role: among(ROLES, 'role'),
    state: among(PERSON_STATES, 'state'),
    ...given('organization', /\S/),
    ...given('cohort', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ...given('notSeenSince', /^[1-9]\d{3}-\d{2}-\d{2}$/),
    sort: among(PEOPLE_SORTS, 'sort') ?? 'name',
  };
}
