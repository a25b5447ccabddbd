import { ANONYMOUS_USER_ID } from '@officium/contract/common';
import type { DeletedReaction, Reaction } from '@officium/contract/community';
import type { z } from 'zod';
import { type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import { reactionPermissions, type Rights } from '../posts/activity.policy.ts';
import type { AddedReaction } from '../reactions/reaction.repository.ts';
import type { Hydrated } from './hydrate.service.ts';
import { members, timestamp } from './json-text.view.ts';
import { oncePerRow } from './once.cache.ts';
import { actorText, mentionedText } from './person.view.ts';
import type { OwnReactionPart, ReactionKey } from './reaction-skeleton.repository.ts';
import type { ShownPersonRow, ReactionRow } from './rows.repository.ts';

type ReactionView = z.output<typeof Reaction>;
type SharedMembers = Omit<ReactionView, 'user_id' | 'actor' | 'mentioned_users' | 'own_reactions' | 'can'>;

/** The part of a reaction that all viewers share. */
const sharedText = oncePerRow((row: ReactionRow) =>
  members({
    id: row.id,
    children_counts: { like: row.likeCount, reply: row.replyCount },
    kind: row.kind,
    activity_id: row.activityId,
    parent_id: row.parentId ?? undefined,
    body: row.body,
    bodyHtml: row.bodyHtml,
    locale: row.locale,
    additional_data: row.additionalData,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    editedAt: row.editedAt === null ? undefined : timestamp(row.editedAt),
  } satisfies SharedMembers),
);

const deletedText = oncePerRow(({ id, likeCount, replyCount }: ReactionRow) =>
  JSON.stringify({
    id,
    children_counts: { like: likeCount, reply: replyCount },
    deleted: true,
  } satisfies z.output<typeof DeletedReaction>),
);

/** The place of reactions and the viewer's rights there. `owners`: active owners of the community. */
export type ReactionPlace = { rights: Rights; isReportable: boolean; owners: ReadonlySet<string> };

/** The contract's Reactions, or DeletedReactions, as JSON text, each as the viewer may see it. */
export function reactionTexts(
  viewer: Viewer,
  keys: ReactionKey[],
  { reactions, people }: Pick<Hydrated, 'reactions' | 'people'>,
  part: OwnReactionPart,
  { rights, isReportable, owners }: ReactionPlace,
): string[] {
  const connected = new Set(part.connected);
  const own = new Map<string, object>();
  for (const [reply, kind, id] of part.reactions ?? []) own.set(reply, { ...own.get(reply), [kind]: id });
  return keys.flatMap((key) => {
    const row = reactions.get(key.id);
    const author = people.get(key.author.id);
    if (!row || !author) return []; // deleted a moment ago
    if (row.isDeleted) return [deletedText(row)];
    const can = reactionPermissions(viewerId(viewer), rights, {
      authorId: author.id,
      isAuthorTop: author.isAdministrator || owners.has(author.id),
      kind: row.kind,
      depth: row.depth,
      isReportable,
    });
    const actor = actorText(viewer, author, connected.has(author.id));
    const mentioned = mentionedText(key.mentioned, people);
    const ownReactions = JSON.stringify(own.get(key.id) ?? {});
    return `{${sharedText(row)},"user_id":"${shownId(author)}","actor":${actor},"mentioned_users":${mentioned},"own_reactions":${ownReactions},"can":${JSON.stringify(can)}}`;
  });
}

/** A reaction that was just added, for its author: it has no replies or likes yet. */
export function newReactionText(
  viewer: UserViewer,
  added: AddedReaction,
  place: Omit<ReactionPlace, 'owners'>,
): string {
  const version = ''; // these rows are not cached
  const { reaction, author, mentioned } = added;
  const key = {
    id: reaction.id,
    version,
    author: { id: author.id, version },
    mentioned: mentioned.map(({ id }) => ({ id, version })),
    bytes: 0,
  };
  const rows = {
    reactions: new Map([[reaction.id, { ...reaction, version }]]),
    people: new Map([author, ...mentioned].map((person) => [person.id, { ...person, version }])),
  };
  const nothing = { reactions: null, connected: null };
  return reactionTexts(viewer, [key], rows, nothing, { ...place, owners: new Set() })[0]!; // its rows exist
}

const shownId = ({ isErased, id }: ShownPersonRow) => (isErased ? ANONYMOUS_USER_ID : id);
