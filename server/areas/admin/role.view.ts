import type { LocalizedText, Locale } from '@officium/contract/common';
import type { AssignedRole, Assignment, PlaceKind } from '@officium/contract/roles';
import { pickText } from '#server/text/localised.ts';
import type { AssignmentRow } from './role.repository.ts';

/** The title or name of a place; null for the installation. */
export function titleOf(place: { title: LocalizedText | null; name: string | null }, locale: Locale): string | null {
  return place.title ? pickText(place.title, locale).text : place.name;
}

export function toAssignment(row: AssignmentRow, locale: Locale): Assignment {
  return {
    id: row.id,
    person: { id: row.user_id, name: row.user_name },
    role: row.role as AssignedRole, // a constraint of the table
    place: {
      kind: row.kind as PlaceKind, // a constraint of the table
      id: row.place_id,
      title: titleOf(row, locale),
    },
    givenBy: row.given_by,
    givenAt: row.given_at.toISOString(),
  };
}
