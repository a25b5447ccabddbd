import type { PostPermissions } from '@officium/contract/community';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, type Level, REDUCED } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';

/** What somebody is where something is said. `isTop`: an owner of the community or an administrator, above moderators. */
export type Standing = { level: Level; isTop: boolean };
/** On a profile whoever sees it may take part; only administrators have more. */
export function standingOnProfile(viewer: UserViewer): Standing {
  const isTop = isAdministrator(viewer);
  return { level: isTop ? FULL_CONTROL : BASIC, isTop };
}

export type Author = { authorId: string; isAuthorTop: boolean };

/** Its author, and nobody else. */
export function canEdit(viewerId: string, standing: Standing, thing: Author): boolean {
  return thing.authorId === viewerId && standing.level >= BASIC;
}

/** Its author at `ownLevel`, or a moderator; one who is not an owner has no say over owners and administrators. */
export function canDelete(viewerId: string, standing: Standing, thing: Author, ownLevel: Level = BASIC): boolean {
  if (thing.authorId === viewerId) return standing.level >= ownLevel;
  return standing.level >= FULL_CONTROL && (standing.isTop || !thing.isAuthorTop);
}

export type Post = Author & { verb: 'post' | 'poll'; isInCommunity: boolean };

/** What a viewer may do with a post or poll; pages offer nothing else. */
export function postPermissions(viewerId: string, standing: Standing, post: Post): z.output<typeof PostPermissions> {
  return {
    edit: post.verb === 'post' && canEdit(viewerId, standing, post),
    delete: canDelete(viewerId, standing, post),
    moderate: standing.level >= FULL_CONTROL,
    react: standing.level >= REDUCED,
    reply: standing.level >= BASIC,
    report: post.isInCommunity && standing.level >= REDUCED && post.authorId !== viewerId,
  };
}

export type Reaction = Author & { kind: 'like' | 'pin' | 'reply'; depth: number; isInCommunity: boolean };

/** How many levels deep replies go. */
export const DEEPEST_REPLY = 3;

/** The level at which somebody takes back what is their own. */
export const ownLevelOf = (kind: Reaction['kind']): Level => (kind === 'reply' ? BASIC : REDUCED);

/** The same of a reaction; only replies are edited, reacted to and reported. */
export function reactionPermissions(
  viewerId: string,
  standing: Standing,
  reaction: Reaction,
): z.output<typeof PostPermissions> {
  const isReply = reaction.kind === 'reply';
  return {
    edit: isReply && canEdit(viewerId, standing, reaction),
    delete: canDelete(viewerId, standing, reaction, ownLevelOf(reaction.kind)),
    moderate: standing.level >= FULL_CONTROL,
    react: isReply && standing.level >= REDUCED,
    reply: isReply && standing.level >= BASIC && reaction.depth < DEEPEST_REPLY,
    report: isReply && reaction.isInCommunity && standing.level >= REDUCED && reaction.authorId !== viewerId,
  };
}
