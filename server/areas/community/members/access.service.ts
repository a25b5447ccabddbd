import {
  BASIC,
  communityJoin,
  communityLevel,
  communitySight,
  FULL_CONTROL,
  isShutOut,
  type JoinAnswer,
  type Level,
  type Membership,
  REDUCED,
} from '#server/access/can.ts';
import { recordHourly } from '#server/audit/audit.ts';
import { isAdministrator, type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type CommunityAccessRow, type Expected, getAccess, type ReadAccess } from './access.repository.ts';
import type { Standing } from '../posts/activity.policy.ts';
import { keep } from '../memory.cache.ts';

export { BASIC, FULL_CONTROL, REDUCED };

/** A community that the viewer may know of, and what they may do there. */
export type CommunityAccess = Standing & {
  community: CommunityAccessRow;
  membership: Membership;
  /** page: name and description only. */
  sight: 'page' | 'content';
  join: JoinAnswer;
};

/** What somebody is to a community; nothing to one that the token of their session leaves out. */
export function membershipOf(viewer: Viewer, { slug, role, level, status }: CommunityAccessRow): Membership {
  return role !== null && status !== null && !isShutOut(viewer, slug) ? { role, level, status } : null;
}

/** What a viewer may do, from the row; 404 when the community is hidden from them. */
export function toAccess(viewer: Viewer, row: CommunityAccessRow | undefined): CommunityAccess {
  if (!row) throw notFound();
  const membership = membershipOf(viewer, row);
  const sight = communitySight(viewer, row, membership);
  if (sight === 'hidden') throw notFound();
  return {
    community: row,
    membership,
    ...standingIn(viewer, row),
    sight,
    join: communityJoin(viewer, row, membership),
  };
}

/** What a viewer is among those who write in a community. */
export function standingIn(viewer: Viewer, row: CommunityAccessRow): Standing {
  const membership = membershipOf(viewer, row);
  const level = communityLevel(viewer, row, membership);
  return { level, isTop: level === FULL_CONTROL && (isAdministrator(viewer) || membership?.role === 'owner') };
}

/**
 * Lets a viewer in to what is said in a community: anonymous visitors are asked to sign in, others told that they may
 * not, and of an administrator who comes to a closed one without being its member it is noted.
 */
export async function enterContent(db: Db, viewer: Viewer, access: CommunityAccess): Promise<void> {
  if (access.sight !== 'content') throw new AppError(viewer.kind === 'anonymous' ? 'auth.required' : 'auth.forbidden');
  if (isIntruder(access))
    await recordHourly(db, viewer, { action: 'community.read-private', object: access.community.id });
}

/** Whoever comes to a closed community without being its member. */
function isIntruder({ community, membership }: CommunityAccess): boolean {
  const isForMembers = community.privacy === 'closed-visible' || community.privacy === 'closed-hidden';
  return isForMembers && membership?.status !== 'active';
}

export function requireLevel(access: CommunityAccess, level: Level): void {
  if (access.level < level) throw new AppError('auth.forbidden');
}

/** A slug no community has. Opened for a thing that does not exist, so that it costs the same queries as a hidden one. */
export const NOWHERE = '';

/** Opens a community's page, in one query. 404 when it is absent, withdrawn or hidden from the viewer. */
export async function openCommunity(db: Db, viewer: Viewer, slug: string): Promise<CommunityAccess> {
  return toAccess(viewer, await getAccess(db, { slug, userId: viewerId(viewer) }));
}

/** Opens what is said in a community; beyond 404, 401 or 403 for whom only the page is. */
export async function openContent(db: Db, viewer: Viewer, slug: string): Promise<CommunityAccess> {
  const access = await openCommunity(db, viewer, slug);
  await enterContent(db, viewer, access);
  return access;
}

/** Opens a community to act in it: REDUCED is any member, BASIC who may post, FULL_CONTROL who moderates. */
export async function openWithLevel(db: Db, viewer: Viewer, slug: string, level: Level): Promise<CommunityAccess> {
  const access = await openContent(db, viewer, slug);
  requireLevel(access, level);
  return access;
}

/** How people last stood to where they write, by person and slug: what is decided by it is checked as it is written. */
const remembered = new Map<string, ReadAccess>();
const MAX_REMEMBERED = 10_000;
const keyOf = (viewer: UserViewer, slug: string) => `${viewer.id} ${slug}`;

/** Remembers the access of somebody who writes, for `actByMemory`. */
export function rememberAccess(viewer: UserViewer, access: ReadAccess): void {
  keep(remembered, MAX_REMEMBERED, keyOf(viewer, access.slug), access);
}

/**
 * Writes in a community: decides by the access and has it checked by the statement that writes, which does nothing when it
 * is not the `expected` one, for which undefined is answered.
 */
type Act<T> = (access: CommunityAccess, expected?: Expected) => Promise<T | undefined>;

/** What came of writing by a remembered access: `done`, or why it was `refused` by the access that was `known`. */
type Attempt<T> = { done?: T; refused?: AppError; known?: ReadAccess };

/** Writes by the remembered access, if there is one, in one query with its check. Throws when an allowance is used up. */
async function attempt<T>(viewer: UserViewer, slug: string, act: Act<T>): Promise<Attempt<T>> {
  const known = remembered.get(keyOf(viewer, slug));
  if (!known) return {};
  try {
    const access = toAccess(viewer, known);
    if (access.sight !== 'content' || isIntruder(access)) return {};
    return { done: await act(access, known) };
  } catch (error) {
    // 429 was counted, whatever the access is by now.
    if (error instanceof AppError && error.status !== 429) return { refused: error, known };
    throw error;
  }
}

/**
 * What came of writing by a remembered access; undefined when there is none, when it was wrong and when it refuses: then
 * nothing was written, and it is to be decided by the access as it is.
 */
export async function actByMemory<T>(viewer: UserViewer, slug: string, act: Act<T>): Promise<T | undefined> {
  return (await attempt(viewer, slug, act)).done;
}

/**
 * Writes by memory, else by the access as it is read. Throws as `openContent`, and what `act` throws. `act` may run twice,
 * when the access is another than was remembered: it takes allowances once (`allowancesOf`).
 */
export async function actIn<T>(db: Db, viewer: UserViewer, slug: string, act: Act<T>): Promise<T> {
  const { done, refused, known } = await attempt(viewer, slug, act);
  if (done !== undefined) return done;
  const row = await getAccess(db, { slug, userId: viewer.id });
  if (refused && row?.text === known?.text) throw refused;
  const access = toAccess(viewer, row);
  await enterContent(db, viewer, access);
  if (row) rememberAccess(viewer, row);
  const result = await act(access);
  if (result === undefined) throw new AppError('request.conflict'); // nothing was expected, so it cannot be
  return result;
}
