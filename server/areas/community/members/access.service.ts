import {
  BASIC,
  communityJoin,
  communityLevel,
  communityVisibility,
  FULL_CONTROL,
  isShutOut,
  type JoinAnswer,
  type Level,
  type Membership,
  REDUCED,
} from '#server/access/can.ts';
import { mayByRole } from '#server/access/roles.ts';
import { recordHourly } from '#server/audit/audit.ts';
import { isActive, isAdministrator, type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type CommunityAccessRow, type Expected, getAccess, type ReadAccess } from './access.repository.ts';
import type { Rights } from '../posts/activity.policy.ts';
import { setBounded } from '../bounded.cache.ts';

export { BASIC, FULL_CONTROL, REDUCED };

/** A community that is visible to the viewer, and the viewer's rights there. */
export type CommunityAccess = Rights & {
  community: CommunityAccessRow;
  membership: Membership;
  /** page: name and description only. */
  visibility: 'page' | 'content';
  join: JoinAnswer;
};

/** The viewer's membership; null when the session's token leaves the community out. */
export function membershipOf(viewer: Viewer, { slug, role, level, status }: CommunityAccessRow): Membership {
  return role !== null && status !== null && !isShutOut(viewer, slug) ? { role, level, status } : null;
}

/** The viewer's access, from the row; 404 when the community is hidden from them. */
export function toAccess(viewer: Viewer, row: CommunityAccessRow | undefined): CommunityAccess {
  if (!row) throw notFound();
  const membership = membershipOf(viewer, row);
  const visibility = communityVisibility(viewer, row, membership);
  if (visibility === 'hidden') throw notFound();
  return {
    community: row,
    membership,
    ...rightsIn(viewer, row),
    visibility,
    join: communityJoin(viewer, row, membership),
  };
}

/**
 * The access to the page of a community. A moderator by an assigned role sees the page of a hidden one, which contains
 * the cases.
 */
export function toPageAccess(viewer: Viewer, row: CommunityAccessRow | undefined): CommunityAccess {
  if (!row || !rightsIn(viewer, row).isByRole) return toAccess(viewer, row);
  const membership = membershipOf(viewer, row);
  return {
    community: row,
    membership,
    ...rightsIn(viewer, row),
    visibility: communityVisibility(viewer, row, membership) === 'content' ? 'content' : 'page',
    join: communityJoin(viewer, row, membership),
  };
}

/**
 * The viewer's rights in a community. The role moderator adds full control of what the viewer sees there anyway; without
 * membership it opens only the cases of a closed community.
 */
export function rightsIn(viewer: Viewer, row: CommunityAccessRow): Rights {
  const membership = membershipOf(viewer, row);
  const level = communityLevel(viewer, row, membership);
  const place = { kind: 'community', id: row.id } as const;
  if (level < FULL_CONTROL && mayByRole(viewer, 'moderate-community', place))
    return { level: FULL_CONTROL, isTop: false, isShutOut: false, isByRole: true };
  return {
    level,
    isTop: level === FULL_CONTROL && (isAdministrator(viewer) || membership?.role === 'owner'),
    isShutOut: isShutOut(viewer, row.slug),
    isGuest: isActive(viewer) && membership?.status !== 'active' && !isShutOut(viewer, row.slug),
  };
}

/**
 * Admits a viewer to the content of a community: 401 for anonymous viewers, 403 for others without access. Records when
 * an administrator reads a closed community without being its member.
 */
export async function enterContent(db: Db, viewer: Viewer, access: CommunityAccess): Promise<void> {
  if (access.visibility !== 'content')
    throw new AppError(viewer.kind === 'anonymous' ? 'auth.required' : 'auth.forbidden');
  if (isOutsider(access))
    await recordHourly(db, viewer, { action: 'community.read-private', object: access.community.id });
}

/** True for an administrator in a closed community of which they are no member. */
function isOutsider({ community, membership }: CommunityAccess): boolean {
  const isForMembers = community.privacy === 'closed-visible' || community.privacy === 'closed-hidden';
  return isForMembers && membership?.status !== 'active';
}

export function requireLevel(access: CommunityAccess, level: Level): void {
  if (access.level < level) throw new AppError('auth.forbidden');
}

/** A slug no community has. Opened for a missing object, so that it costs the same queries as a hidden one. */
export const NOWHERE = '';

/** Opens a community's page, in one query. 404 when it is absent, withdrawn or hidden from the viewer. */
export async function openCommunity(db: Db, viewer: Viewer, slug: string): Promise<CommunityAccess> {
  return toAccess(viewer, await getAccess(db, { slug, userId: viewerId(viewer) }));
}

/** Whether the viewer may see the page of a community. */
export async function isCommunitySeen(db: Db, viewer: Viewer, slug: string): Promise<boolean> {
  const row = await getAccess(db, { slug, userId: viewerId(viewer) });
  return row !== undefined && communityVisibility(viewer, row, membershipOf(viewer, row)) !== 'hidden';
}

/** Opens the content of a community; throws 404, and 401 or 403 for viewers who only see the page. */
export async function openContent(db: Db, viewer: Viewer, slug: string): Promise<CommunityAccess> {
  const access = await openCommunity(db, viewer, slug);
  await enterContent(db, viewer, access);
  return access;
}

/** Opens a community for an action: REDUCED for members, BASIC to post, FULL_CONTROL to moderate. */
export async function openWithLevel(db: Db, viewer: Viewer, slug: string, level: Level): Promise<CommunityAccess> {
  const access = await openContent(db, viewer, slug);
  requireLevel(access, level);
  return access;
}

/** Opens the cases of a community, for which a moderator by an assigned role need not be a member. */
export async function openToModerate(db: Db, viewer: Viewer, slug: string): Promise<CommunityAccess> {
  const access = toPageAccess(viewer, await getAccess(db, { slug, userId: viewerId(viewer) }));
  if (!access.isByRole) await enterContent(db, viewer, access);
  else if (isOutsider(access))
    await recordHourly(db, viewer, { action: 'community.read-private', object: access.community.id });
  requireLevel(access, FULL_CONTROL);
  return access;
}

/** Opens a community to manage its members, which a moderator by an assigned role may not. */
export async function openToManage(db: Db, viewer: Viewer, slug: string): Promise<CommunityAccess> {
  const access = await openWithLevel(db, viewer, slug, FULL_CONTROL);
  if (access.isByRole) throw new AppError('auth.forbidden');
  return access;
}

/**
 * The last access of users to the communities they write in, by user and slug. The writing statement checks it again.
 */
const accessCache = new Map<string, ReadAccess>();
const MAX_CACHED = 10_000;
const keyOf = (viewer: UserViewer, slug: string) => `${viewer.id} ${slug}`;

/** Caches the access of a user who writes, for `actByCache`. */
export function cacheAccess(viewer: UserViewer, access: ReadAccess): void {
  setBounded(accessCache, MAX_CACHED, keyOf(viewer, access.slug), access);
}

/**
 * A write in a community. The writing statement checks that the access is still `expected`, and returns undefined
 * without writing when it is not.
 */
type Act<T> = (access: CommunityAccess, expected?: Expected) => Promise<T | undefined>;

/** The result of a write with the cached access: `done`, or the error by which the `known` access `refused` it. */
type Attempt<T> = { done?: T; refused?: AppError; known?: ReadAccess };

/** Writes with the cached access, if there is one, in one query with its check. Throws when an allowance is used up. */
async function attempt<T>(viewer: UserViewer, slug: string, act: Act<T>): Promise<Attempt<T>> {
  const known = accessCache.get(keyOf(viewer, slug));
  if (!known) return {};
  try {
    const access = toAccess(viewer, known);
    if (access.visibility !== 'content' || isOutsider(access)) return {};
    return { done: await act(access, known) };
  } catch (error) {
    // The 429 was counted, so a retry with the current access must not count again.
    if (error instanceof AppError && error.status !== 429) return { refused: error, known };
    throw error;
  }
}

/**
 * The result of a write with the cached access. Undefined when there is none, or when it was outdated or refuses the
 * write: then nothing was written, and the caller decides with the current access.
 */
export async function actByCache<T>(viewer: UserViewer, slug: string, act: Act<T>): Promise<T | undefined> {
  return (await attempt(viewer, slug, act)).done;
}

/**
 * Writes with the cached access, else with the current one. Throws as `openContent` and `act` do. `act` may run twice,
 * so it counts allowances once (`allowancesOf`).
 */
export async function actIn<T>(db: Db, viewer: UserViewer, slug: string, act: Act<T>): Promise<T> {
  const { done, refused, known } = await attempt(viewer, slug, act);
  if (done !== undefined) return done;
  const row = await getAccess(db, { slug, userId: viewer.id });
  if (refused && row?.text === known?.text) throw refused;
  const access = toAccess(viewer, row);
  await enterContent(db, viewer, access);
  if (row) cacheAccess(viewer, row);
  const result = await act(access);
  if (result === undefined) throw new AppError('request.conflict'); // impossible, since no access was expected
  return result;
}
