import { PEOPLE_SORTS, PERSON_STATES, findPeople } from '@officium/contract/admin-people';
import { Role } from '@officium/contract/people';
import type { CallOf } from '@officium/contract/endpoint';
import type { Listing } from '../../admin/listing.ts';

type Query = NonNullable<CallOf<typeof findPeople>['query']>;

export const ROLES = Role.options;
export { PERSON_STATES };

/** Reads the query of the list from the address; unknown roles, states and orders are ignored. */
export function searchOf(url: URL, { match }: Pick<Listing, 'match'>): Query & { sort: (typeof PEOPLE_SORTS)[number] } {
  const among = <T extends string>(values: readonly T[], name: string) =>
    values.find((value) => value === url.searchParams.get(name));
  return {
    match,
    role: among(ROLES, 'role'),
    state: among(PERSON_STATES, 'state'),
    sort: among(PEOPLE_SORTS, 'sort') ?? 'name',
  };
}
