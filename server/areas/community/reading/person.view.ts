import { ANONYMOUS_USER_ID, DELETED_USER_NAME } from '@officium/contract/common';
import type { Actor, MentionedUsers } from '@officium/contract/community';
import type { z } from 'zod';
import { canSeeProfile } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import { oncePerRow } from './once.cache.ts';
import type { Versioned } from './row.cache.ts';
import type { ShownPersonRow } from './rows.repository.ts';

const NAME_ONLY = { thumbnail: null, jobTitle: null, organization: null, badges: {} };
type ActorView = z.output<typeof Actor>;
const DELETED = JSON.stringify({
  id: ANONYMOUS_USER_ID,
  name: DELETED_USER_NAME,
  isDeleted: true,
  ...NAME_ONLY,
} satisfies ActorView);

const profileText = oncePerRow(({ id, name, thumbnail, jobTitle, organization, badges }: ShownPersonRow) =>
  JSON.stringify({ id, name, thumbnail, jobTitle, organization, badges } satisfies ActorView),
);
const nameText = oncePerRow(({ id, name }: ShownPersonRow) =>
  JSON.stringify({ id, name, ...NAME_ONLY } satisfies ActorView),
);

/** The author of a post or reply, as far as the viewer may see the profile. */
export function actorText(viewer: Viewer, person: ShownPersonRow, isConnected: boolean): string {
  if (person.isErased) return DELETED;
  const profile = { userId: person.id, visibility: person.visibility };
  return canSeeProfile(viewer, profile, isConnected) ? profileText(person) : nameText(person);
}

/** The contract's MentionedUsers, as JSON text. */
export function mentionedText(mentioned: Versioned[], people: Map<string, ShownPersonRow>): string {
  if (mentioned.length === 0) return '{}';
  const named = mentioned.flatMap(({ id }) => people.get(id) ?? []).filter(({ isErased }) => !isErased);
  const byId = named.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ id, name }) => [id, { id, name }]);
  return JSON.stringify(Object.fromEntries(byId) satisfies z.output<typeof MentionedUsers>);
}
