import type { Locale } from '@officium/contract/common';
import { recordAction } from '#server/audit/audit.ts';
import { type GivenRole, requireMayGiveRole } from '#server/access/given-role.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import { announceSessionChange, endSessions } from '#server/access/sessions.ts';
import type { Role, UserViewer } from '#server/access/viewer.ts';
import { isActive, isAdministrator } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { isBlank, stripMarkup } from '#server/text/sanitise.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import { erasePerson } from '#server/personal-data/erase.ts';
import { notify } from '#server/notify/notify.ts';
import { approvingRule } from '#server/areas/people/auto-approval.service.ts';
import { runClaims } from './claims.service.ts';
import { noteErasureJob } from './erasure.jobs.ts';
import { hashPassword } from './password-hash.service.ts';
import {
  getUser,
  getUserByEmail,
  findOtherAdministrators,
  hasOtherAdministrator,
  insertUser,
  lockUser,
  updatePassword,
  updateProven,
  updateRole,
  updateUser,
  type NewUser,
  type UserChanges,
  type UserRow,
} from './user.repository.ts';

export { getUser, getUserByEmail, lockUser, type NewUser, type UserChanges, type UserRow };

/** Cleans a name for storage: one line, no markup, at least one visible character. */
export function toName(given: string): string {
  const name = stripMarkup(given);
  if (isBlank(name)) throw invalid('name', 'Name must have at least 1 character');
  return name;
}

/** Notifies the other administrators of a new one, except the one who made them. */
async function notifyOfAdministrator(db: Db, userId: string, by: GivenRole['by']): Promise<void> {
  const others = await findOtherAdministrators(db, userId);
  const author = by !== 'system' && by.kind === 'user' ? by.id : null;
  await notify(
    db,
    others.filter((id) => id !== author).map((id) => ({ userId: id, event: 'administrator', objectId: userId })),
  );
}

/**
 * Creates an account, a non-public-servant unless a role is given. Undefined when the address already has one. `db` is
 * a transaction.
 */
export async function addUser(db: Db, user: NewUser, given?: GivenRole): Promise<UserRow | undefined> {
  if (given) requireMayGiveRole(given);
  const row = await insertUser(db, user, given?.role);
  if (row && user.isProven) await runClaims(db, { userId: row.id, email: user.email });
  if (row && given?.role === 'administrator') await notifyOfAdministrator(db, row.id, given.by);
  return row;
}

/** Changes details of an account and reloads its sessions. Undefined when there is no account. */
export async function changeUser(ctx: Ctx, db: Db, id: string, changes: UserChanges): Promise<UserRow | undefined> {
  const row = await updateUser(db, id, changes);
  await announceSessionChange(db, id);
  ctx.sessions.forget(id);
  return row;
}

/** Registration status after a change to this role. */
function registrationIn(role: Role, status: string | null): string | null {
  if (status !== null && (role === 'public-servant' || role === 'administrator')) return 'approved';
  return role === 'non-public-servant' && status === 'approved' ? 'pending' : status;
}

/** True for the only administrator who can sign in. The caller must have locked the row. */
export async function isLastAdministrator(db: Db, user: UserRow): Promise<boolean> {
  const isOne = user.role === 'administrator' && user.email_proven_at !== null;
  return isOne && !(await hasOtherAdministrator(db, user.id));
}

/** 409 for the last administrator, because only administrators can appoint another. */
async function refuseLastAdministrator(db: Db, user: UserRow): Promise<void> {
  if (await isLastAdministrator(db, user)) throw new AppError('people.last_administrator');
}

/**
 * Writes the role of an existing account. Apart from approval rules, nothing else writes it. Refuses to demote the last
 * administrator, and notifies the others of a new one.
 */
export async function giveRole(db: Db, user: UserRow, given: GivenRole): Promise<void> {
  requireMayGiveRole(given, user);
  if (given.role !== 'administrator') await refuseLastAdministrator(db, user);
  await updateRole(db, user.id, given.role);
  if (given.role === 'administrator' && user.role !== 'administrator')
    await notifyOfAdministrator(db, user.id, given.by);
}

/**
 * Changes the role of an account and ends its sessions; the same role changes nothing. A reactivated account gets what
 * was reserved for its address meanwhile. `db` is a transaction.
 */
export async function changeRole(ctx: Ctx, db: Db, id: string, given: GivenRole): Promise<UserRow | undefined> {
  const user = await lockUser(db, id);
  if (!user) return undefined;
  await giveRole(db, user, given);
  if (user.role === given.role) return user;
  const row = await updateUser(db, id, {
    approved_by_rule: null,
    registration_status: registrationIn(given.role, user.registration_status),
  });
  if (user.role === 'inactive' && user.email && user.email_proven_at)
    await runClaims(db, { userId: id, email: user.email });
  const isApproval = user.registration_status !== 'approved' && row?.registration_status === 'approved';
  // A role given by the system is part of the person's own sign-in.
  if (isApproval && given.by !== 'system')
    await notify(db, [{ userId: id, event: 'registration_decided', objectId: id }]);
  await endSessions(db, id);
  ctx.sessions.forget(id);
  return row;
}

/**
 * Marks the address as proven after its owner answered a mail. An auto-approval rule may make them a public servant,
 * and they get what was reserved for the address. A refused registration stays refused. `isApproved`: a rule approved
 * their registration. `db` is a transaction.
 */
export async function proveAddress(ctx: Ctx, db: Db, user: UserRow, email: string): Promise<{ isApproved: boolean }> {
  const rule = await approvingRule(db, email, user.registration_status);
  await updateProven(db, { id: user.id, ruleId: rule?.id ?? null });
  await runClaims(db, { userId: user.id, email });
  await announceSessionChange(db, user.id);
  ctx.sessions.forget(user.id);
  const isWaiting = user.role === 'non-public-servant' && user.registration_status === 'pending';
  return { isApproved: isWaiting && rule !== undefined };
}

/**
 * Erases the user as every table declares; a job deletes the files. With `leavesAddress`, rows keyed by address alone,
 * such as invitations, stay for the next user who proves it. `db` is a transaction.
 */
export async function eraseUser(ctx: Ctx, db: Db, id: string, { leavesAddress = false } = {}): Promise<boolean> {
  const user = await lockUser(db, id);
  if (!user?.email) return false;
  const keys = await erasePerson(db, ctx.personalTables, { id, email: leavesAddress ? null : user.email });
  if (keys.length > 0) await ctx.jobs.enqueue(db, removeFilesJob, { keys });
  await ctx.jobs.enqueue(db, noteErasureJob, { id });
  await announceSessionChange(db, id);
  ctx.sessions.forget(id);
  return true;
}

/**
 * Erases an account after a recent sign-in and writes the audit entry. The caller checks permission. 404 when it is
 * already erased, 409 for the last administrator.
 */
export async function eraseFor(
  ctx: Ctx,
  viewer: UserViewer,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<void> {
  requireRecentSignIn(viewer);
  await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, userId);
    if (user) await refuseLastAdministrator(trx, user);
    if (!(await eraseUser(ctx, trx, userId))) throw notFound();
    await recordAction(trx, viewer, { action: 'auth.delete-account', object: userId, requestId });
  });
  ctx.sessions.forget(userId);
}

/** Erases the account of an address: the viewer's own, or any for an administrator. */
export async function eraseByEmail(
  ctx: Ctx,
  viewer: UserViewer,
  email: string,
  requestId: string,
): Promise<{ isOwn: boolean }> {
  const isOwn = viewer.email === email;
  if (!isOwn && !isAdministrator(viewer)) throw new AppError('auth.forbidden');
  const userId = isOwn ? viewer.id : (await getUserByEmail(ctx.db, email))?.id;
  if (userId === undefined) throw notFound();
  await eraseFor(ctx, viewer, { userId, requestId });
  return { isOwn };
}

/** Creates the administrator named in the settings if missing. Safe to run in several processes at once. */
export async function ensureAdministrator(ctx: Ctx): Promise<void> {
  const { admin } = ctx.config;
  if (!admin) return;
  const existing = await getUserByEmail(ctx.db, admin.email);
  if (existing?.role === 'administrator' && existing.email_proven_at) return;
  const passwordHash = await hashPassword(admin.password);
  await inTransaction(ctx.db, async (trx) => {
    const given: GivenRole = { role: 'administrator', by: 'system' };
    const account = { email: admin.email, name: 'Administrator', locale: 'en' satisfies Locale, isProven: true };
    const made = await addUser(trx, account, given);
    const action = 'auth.make-administrator';
    if (made) {
      await updatePassword(trx, { id: made.id, passwordHash });
      return await recordAction(trx, 'system', { action, object: made.id });
    }
    const user = await getUserByEmail(trx, admin.email);
    const row = user && (await lockUser(trx, user.id));
    if (!row || (row.role === 'administrator' && row.email_proven_at)) return;
    await proveAddress(ctx, trx, row, admin.email);
    await giveRole(trx, row, given);
    await updateUser(trx, row.id, { approved_by_rule: null });
    if (row.password_hash === null) await updatePassword(trx, { id: row.id, passwordHash });
    await endSessions(trx, row.id);
    await recordAction(trx, 'system', { action, object: row.id, detail: { from: row.role } });
  });
}

/** The viewer that a session of this user would have, for work without one; undefined for an account that is not active. */
export async function findActiveViewer(db: Db, userId: string): Promise<UserViewer | undefined> {
  const user = await getUser(db, userId);
  if (!user?.email) return undefined;
  const viewer: UserViewer = {
    kind: 'user',
    id: user.id,
    role: user.role as Role, // a check constraint of the column
    name: user.name,
    email: user.email,
    locale: user.locale as Locale, // only locales are stored
    localeChosen: user.locale_chosen,
    thumbnail: user.image_thumbnail,
    limited: user.email_proven_at === null,
    permissions: null,
    sessionId: '',
    recentUntilMs: 0,
    hasSecondFactor: user.second_factor,
  };
  return isActive(viewer) ? viewer : undefined;
}
