import { ASSIGNED_ROLES, findRolePlaces, giveRole, PLACE_KINDS } from '@officium/contract/roles';
import type { Locale } from '@officium/contract/common';
import type { Api, Attempt } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import type { PlaceSearch } from './person-roles.tsx';

const roleIn = (value: unknown) => ASSIGNED_ROLES.find((role) => role === value);

/** The places for the role and the words in the address; null without a role. */
export async function searchPlaces(api: Api, url: URL, locale: Locale): Promise<PlaceSearch | null> {
  const role = roleIn(url.searchParams.get('role'));
  if (!role) return null;
  const match = (url.searchParams.get('place') ?? '').trim().slice(0, 200);
  const { places } = await api(findRolePlaces, { query: { role, match, locale } });
  return { role, match, places };
}

/** Assigns the chosen role in the chosen place, which the form sends as its kind and id. */
export async function assign(attempt: Attempt, fields: FormData, id: string) {
  const [kind = '', placeId = ''] = textOf(fields, 'at').split(' ');
  return await attempt(giveRole, {
    params: { id },
    body: {
      // An unknown value is refused by the API.
      role: roleIn(textOf(fields, 'role')) ?? ASSIGNED_ROLES[0],
      kind: PLACE_KINDS.find((one) => one === kind) ?? 'installation',
      placeId: placeId || null,
    },
  });
}
