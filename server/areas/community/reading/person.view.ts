import { ANONYMOUS_USER_ID, DELETED_USER_NAME } from '@officium/contract/common';
import type { Actor, MentionedUsers } from '@officium/contract/community';
import type { z } from 'zod';
import { canSeeProfile } from '#server/access/can.ts';
import type { Viewer } from '#server/access/viewer.ts';
import type { AuthoredRow } from '../viewer.sql.ts';
import type { RowKeys } from './hydrate.service.ts';
import { oncePerRow } from './once.cache.ts';
import { toKeys, type Versioned } from './row.cache.ts';
import type { ShownPersonRow } from './rows.repository.ts';

const NAME_ONLY = { thumbnail: null, jobTitle: null, organization: null, badges: {} };
type ActorView = z.output<typeof Actor>;
const DELETED = {
  id: ANONYMOUS_USER_ID,
  name: DELETED_USER_NAME,
  isDeleted: true,
  ...NAME_ONLY,
} satisfies ActorView;
const DELETED_TEXT = JSON.stringify(DELETED);

const toProfile = ({ id, name, thumbnail, jobTitle, organization, badges }: ShownPersonRow): ActorView => ({
  id,
  name,
  thumbnail,
  jobTitle,
  organization,
  badges,
});
const toName = ({ id, name }: ShownPersonRow): ActorView => ({ id, name, ...NAME_ONLY });
const profileText = oncePerRow((person: ShownPersonRow) => JSON.stringify(toProfile(person)));
const nameText = oncePerRow((person: ShownPersonRow) => JSON.stringify(toName(person)));

const isProfileShown = (viewer: Viewer, { id, visibility }: ShownPersonRow, isConnected: boolean) =>
  canSeeProfile(viewer, { userId: id, visibility }, isConnected);

/** The author of a text, as far as the viewer may see the profile; a missing person as a deleted one. */
export function toActor(viewer: Viewer, person: ShownPersonRow | undefined, isConnected: boolean): ActorView {
  if (!person || person.isErased) return DELETED;
  return isProfileShown(viewer, person, isConnected) ? toProfile(person) : toName(person);
}

/** `toActor` as JSON text. */
export function actorText(viewer: Viewer, person: ShownPersonRow, isConnected: boolean): string {
  if (person.isErased) return DELETED_TEXT;
  return isProfileShown(viewer, person, isConnected) ? profileText(person) : nameText(person);
}

/** The people whom a text mentions, without erased ones. */
export function toMentionedUsers(
  mentioned: Versioned[],
  people: Map<string, ShownPersonRow>,
): z.output<typeof MentionedUsers> {
  const named = mentioned.flatMap(({ id }) => people.get(id) ?? []).filter(({ isErased }) => !isErased);
  const byId = named.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ id, name }) => [id, { id, name }]);
  return Object.fromEntries(byId);
}

/** `toMentionedUsers` as JSON text. */
export function mentionedText(mentioned: Versioned[], people: Map<string, ShownPersonRow>): string {
  return mentioned.length === 0 ? '{}' : JSON.stringify(toMentionedUsers(mentioned, people));
}

/** The rows that authored texts are shown with. */
export const peopleOf = (rows: AuthoredRow[]): RowKeys => ({
  people: rows.flatMap(({ authorId: id, authorVersion: version, mentioned }) => [
    { id, version },
    ...toKeys(mentioned),
  ]),
});

/** The author of a text and the people it mentions. */
export function toAuthored(viewer: Viewer, row: AuthoredRow, people: Map<string, ShownPersonRow>) {
  return {
    actor: toActor(viewer, people.get(row.authorId), row.isConnected),
    mentionedUsers: toMentionedUsers(toKeys(row.mentioned), people),
  };
}
