import type { PostPermissions } from '@officium/contract/community';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, type Level, REDUCED } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';

/**
 * A viewer's rights in one place. `isTop`: an owner of the community or an administrator, who outrank moderators.
 * `isShutOut`: the session's token leaves the place out, so nothing that the person did there shows. `isByRole`: an
 * assigned role gives the full control, which then covers content, but neither members nor the page. `isGuest`: a
 * non-member with an account, who may report what they can read.
 */
export type Rights = { level: Level; isTop: boolean; isShutOut: boolean; isByRole?: boolean; isGuest?: boolean };
/** On a profile everybody who sees it may take part; only administrators moderate. */
export function rightsOnProfile(viewer: UserViewer): Rights {
  const isTop = isAdministrator(viewer);
  return { level: isTop ? FULL_CONTROL : BASIC, isTop, isShutOut: false };
}

export type Author = { authorId: string; isAuthorTop: boolean };

/** Only the author edits. */
export function canEdit(viewerId: string, rights: Rights, thing: Author): boolean {
  return thing.authorId === viewerId && rights.level >= BASIC;
}

/**
 * The author at `ownLevel`, or a moderator. Only owners and administrators delete what owners and administrators wrote.
 */
export function canDelete(viewerId: string, rights: Rights, thing: Author, ownLevel: Level = BASIC): boolean {
  if (thing.authorId === viewerId) return rights.level >= ownLevel;
  return rights.level >= FULL_CONTROL && (rights.isTop || !thing.isAuthorTop);
}

export type Post = Author & { verb: 'post' | 'poll'; isInCommunity: boolean };

/** The viewer's permissions on a post or poll; pages offer nothing else. */
export function postPermissions(viewerId: string, rights: Rights, post: Post): z.output<typeof PostPermissions> {
  return {
    edit: post.verb === 'post' && canEdit(viewerId, rights, post),
    delete: canDelete(viewerId, rights, post),
    moderate: rights.level >= FULL_CONTROL,
    react: rights.level >= REDUCED,
    reply: rights.level >= BASIC,
    report: post.isInCommunity && canReportPosts(rights) && post.authorId !== viewerId,
  };
}

/** Guests read the posts of open communities, so they can report them. Replies are for members. */
export function canReportPosts({ level, isGuest }: Rights): boolean {
  return level >= REDUCED || isGuest === true;
}

export type Reaction = Author & { kind: 'like' | 'pin' | 'reply'; depth: number; isReportable: boolean };

/** The depth limit of replies. */
export const DEEPEST_REPLY = 3;

/** The level needed to withdraw one's own reaction. */
export const ownLevelOf = (kind: Reaction['kind']): Level => (kind === 'reply' ? BASIC : REDUCED);

/** The viewer's permissions on a reaction. Only replies are edited, reacted to and reported. */
export function reactionPermissions(
  viewerId: string,
  rights: Rights,
  reaction: Reaction,
): z.output<typeof PostPermissions> {
  const isReply = reaction.kind === 'reply';
  return {
    edit: isReply && canEdit(viewerId, rights, reaction),
    delete: canDelete(viewerId, rights, reaction, ownLevelOf(reaction.kind)),
    moderate: rights.level >= FULL_CONTROL,
    react: isReply && rights.level >= REDUCED,
    reply: isReply && rights.level >= BASIC && reaction.depth < DEEPEST_REPLY,
    report: isReply && reaction.isReportable && rights.level >= REDUCED && reaction.authorId !== viewerId,
  };
}
