import { DEFAULT_LOCALE, type Locale } from '@officium/contract/common';
import type { createUserRecord, updateUserRecord } from '@officium/contract/people';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction, recordHourly, recordSearch } from '#server/audit/audit.ts';
import { isUser, type ServiceViewer, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { getProfileFor } from '#server/areas/account/profile.service.ts';
import { toDetails } from '#server/areas/auth/sign-up.service.ts';
import { addUser, changeRole, changeUser, getUser, lockUser, type UserRow } from '#server/areas/auth/user.service.ts';
import { approvingRule } from './auto-approval.service.ts';
import { idOf, mayOpen, openUser } from './user-access.service.ts';
import { findUsers } from './user.repository.ts';
import { toVisibleRecord, toUserRecord, type UserRecordAnswer } from './user-record.view.ts';

const ADDRESS_ELSEWHERE = 'An address is changed with PUT /api/auth/users/me/email.';

/** Creates an account whose address counts as proven. */
export async function createUser(
  ctx: Ctx,
  viewer: Viewer,
  { user, requestId }: { user: InputOf<typeof createUserRecord>['body']; requestId: string },
): Promise<UserRow> {
  const { email, role, ...details } = user;
  return await inTransaction(ctx.db, async (trx) => {
    const rule = role === undefined ? await approvingRule(trx, email) : undefined;
    const account = { ...toDetails(ctx, details, DEFAULT_LOCALE), email, approved_by_rule: rule?.id, isProven: true };
    const given = { role: role ?? (rule ? 'public-servant' : 'non-public-servant'), by: viewer } as const;
    const row = await addUser(trx, account, given);
    if (!row) throw new AppError('auth.email_taken');
    await recordAction(trx, viewer, {
      action: 'people.create-user',
      object: row.id,
      detail: { role: row.role },
      requestId,
    });
    return row;
  });
}

/** Lists accounts and records in the audit log that an administrator searched. */
export async function listUsers(
  ctx: Ctx,
  viewer: Viewer,
  query: { email?: string; limit: number; offset: number },
): Promise<{ rows: UserRow[]; total: number }> {
  const found = await findUsers(ctx.db, query);
  await recordSearch(ctx.lastingDb, viewer);
  return found;
}

/** The full record for its owner and administrators. Other viewers get what the profile shows. */
export async function readUser(
  ctx: Ctx,
  viewer: UserViewer,
  { ref, locale }: { ref: string; locale: Locale },
): Promise<UserRecordAnswer> {
  if (!mayOpen(viewer, ref)) return toVisibleRecord(await getProfileFor(ctx, viewer, { id: ref, locale }));
  const row = await getUser(ctx.db, idOf(viewer, ref));
  if (!row) throw notFound();
  if (row.id !== viewer.id) await recordHourly(ctx.lastingDb, viewer, { action: 'admin.read-person', object: row.id });
  return toUserRecord(row, viewer);
}

/** Loads the account to change. A service may change any account except an administrator's. */
async function openRecord(ctx: Ctx, viewer: UserViewer | ServiceViewer, ref: string): Promise<UserRow> {
  if (isUser(viewer)) return await openUser(ctx, viewer, ref);
  if (ref === 'me') throw invalid('id', 'A service has no account: name the user by id');
  const user = await getUser(ctx.db, ref);
  if (!user) throw notFound();
  if (user.role === 'administrator') throw new AppError('auth.forbidden');
  return user;
}

/** Replaces the details of an account. */
export async function replaceUser(
  ctx: Ctx,
  viewer: UserViewer | ServiceViewer,
  { ref, user, requestId }: { ref: string; user: InputOf<typeof updateUserRecord>['body']; requestId: string },
): Promise<UserRow> {
  const { email, role, ...details } = user;
  const former = await openRecord(ctx, viewer, ref);
  const isOwn = isUser(viewer) && former.id === viewer.id;
  if (email !== undefined && email !== former.email)
    throw new AppError('auth.forbidden', { message: ADDRESS_ELSEWHERE });
  return await inTransaction(ctx.db, async (trx) => {
    const from = (await lockUser(trx, former.id))?.role;
    if (!isUser(viewer) && from === 'administrator') throw new AppError('auth.forbidden'); // appointed meanwhile
    if (role !== undefined) await changeRole(ctx, trx, former.id, { role, by: viewer });
    const row = await changeUser(ctx, trx, former.id, toDetails(ctx, details, former.locale as Locale)); // only locales are stored
    if (!row) throw notFound();
    if (!isOwn)
      await recordAction(trx, viewer, {
        action: 'people.update-user',
        object: row.id,
        detail: role === undefined ? {} : { from, to: role },
        requestId,
      });
    return row;
  });
}
