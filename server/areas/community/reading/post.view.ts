import type { Activity } from '@officium/contract/community';
import type { z } from 'zod';
import { type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import { type Post, postPermissions, type Rights } from '../posts/activity.policy.ts';
import type { AddedPost } from '../posts/activity.repository.ts';
import type { Hydrated } from './hydrate.service.ts';
import { members, timestamp } from './json-text.view.ts';
import { oncePerKey, oncePerRow } from './once.cache.ts';
import { actorText, mentionedText } from './person.view.ts';
import { toPollView } from './poll.view.ts';
import type { OwnPostPart, PostKey } from './post-skeleton.repository.ts';
import type { ActivityRow } from './rows.repository.ts';

type ActivityView = z.output<typeof Activity>;

/** The place of a post, as the viewer may see it. */
export type PostPlace = {
  community: { slug: string; title: string } | null;
  rights: Rights;
  /** Active owners of the community. */
  owners: ReadonlySet<string>;
};

type SharedMembers = Omit<ActivityView, 'actor' | 'mentioned_users' | 'community' | 'own_reactions' | 'poll' | 'can'>;

/** The part of a post that all viewers share. */
const sharedText = oncePerRow((row: ActivityRow) =>
  members({
    id: row.id,
    verb: row.verb,
    title: row.title,
    body: row.body,
    bodyHtml: row.bodyHtml,
    locale: row.locale,
    categories: row.categories,
    additional_data: row.additionalData,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    editedAt: row.editedAt === null ? undefined : timestamp(row.editedAt),
    pinned: row.isPinned,
    reaction_counts: { like: row.likeCount, reply: row.replyCount },
  } satisfies SharedMembers),
);

/** The viewer's own part of a page, by post. */
function byPost({ reactions, votes, connected, readAt }: OwnPostPart) {
  const own = { reactions: new Map<string, object>(), votes: new Map<string, { id: string; optionId: string }[]>() };
  for (const [post, kind, id] of reactions ?? []) own.reactions.set(post, { ...own.reactions.get(post), [kind]: id });
  for (const [poll, id, optionId] of votes ?? [])
    own.votes.set(poll, [...(own.votes.get(poll) ?? []), { id, optionId }]);
  return { ...own, connected: new Set(connected), now: readAt };
}

/** `postPermissions` as text, memoised for posts with the same permissions. */
const permissionTexts = (id: string, rights: Rights) =>
  oncePerKey(
    ({ authorId, isAuthorTop, verb }: Post) => `${verb} ${authorId === id} ${isAuthorTop}`,
    (post) => JSON.stringify(postPermissions(id, rights, post)),
  );

/** The contract's Activities as JSON text, each as the viewer may see it. `placeOf` returns the place of a post. */
export function activityTexts(
  viewer: Viewer,
  posts: PostKey[],
  { activities, people, polls }: Omit<Hydrated, 'reactions'>,
  part: OwnPostPart,
  placeOf: (post: PostKey) => PostPlace,
): string[] {
  const own = byPost(part);
  const id = viewerId(viewer);
  const inPlace = oncePerKey(
    (place: PostPlace) => place,
    ({ community, rights }) => ({ text: JSON.stringify(community), permissions: permissionTexts(id, rights) }),
  );
  return posts.flatMap((post) => {
    const row = activities.get(post.id);
    const author = people.get(post.author.id);
    if (!row || !author) return []; // deleted a moment ago
    const place = placeOf(post);
    const { text: community, permissions } = inPlace(place);
    const can = permissions({
      authorId: author.id,
      isAuthorTop: author.isAdministrator || place.owners.has(author.id),
      verb: row.verb,
      isInCommunity: place.community !== null,
    });
    const actor = actorText(viewer, author, own.connected.has(author.id));
    const mentioned = mentionedText(post.mentioned, people);
    const { isShutOut } = place.rights;
    const reactions = isShutOut ? undefined : own.reactions.get(post.id);
    const ownReactions = reactions ? JSON.stringify(reactions) : '{}';
    const poll = post.poll && polls.get(post.id);
    const ownVotes = isShutOut ? [] : (own.votes.get(post.id) ?? []);
    const votes = poll && { ownVotes, now: own.now };
    const pollText = votes ? `,"poll":${JSON.stringify(toPollView(poll, row.title, votes))}` : '';
    return `{${sharedText(row)},"actor":${actor},"mentioned_users":${mentioned},"community":${community},"own_reactions":${ownReactions},"can":${can}${pollText}}`;
  });
}

/** A post that was just added, for its author: it has no reactions yet. */
export function newPostText(
  viewer: UserViewer,
  { post, author, mentioned, title }: AddedPost,
  { slug, ...rights }: Rights & { slug: string },
): string {
  const version = ''; // these rows are not cached
  const key = {
    id: post.id,
    version,
    author: { id: author.id, version },
    mentioned: mentioned.map(({ id }) => ({ id, version })),
    poll: null,
    communityId: null,
    bytes: 0,
  };
  const rows = {
    activities: new Map([[post.id, { ...post, version }]]),
    people: new Map([author, ...mentioned].map((person) => [person.id, { ...person, version }])),
    polls: new Map(),
  };
  const own = { reactions: null, votes: null, connected: null, readAt: new Date() };
  const place = { community: { slug, title }, rights, owners: new Set<string>() };
  return activityTexts(viewer, [key], rows, own, () => place)[0]!; // its row and author exist
}
