import type { writeRegistration } from '@officium/contract/people';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction, recordHourly } from '#server/audit/audit.ts';
import { isUser, type Role, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import {
  changeRole,
  changeUser,
  getUser,
  getUserByEmail,
  lockUser,
  type UserRow,
} from '#server/areas/auth/user.service.ts';
import { roleAfter, statusOf } from './registration.policy.ts';

/** The account of an address. */
export async function getRegistration(ctx: Ctx, email: string): Promise<UserRow> {
  const user = await getUserByEmail(ctx.db, email);
  if (!user) throw notFound();
  return user;
}

/** Like `getRegistration`, and records in the audit log that an administrator viewed it. */
export async function readRegistrationOf(ctx: Ctx, viewer: Viewer, email: string): Promise<UserRow> {
  const user = await getRegistration(ctx, email);
  if (isUser(viewer) && viewer.id !== user.id)
    await recordHourly(ctx.lastingDb, viewer, { action: 'admin.read-person', object: user.id });
  return user;
}

/** The account of the viewer. */
export async function getOwnRegistration(ctx: Ctx, viewer: UserViewer): Promise<UserRow> {
  const user = await getUser(ctx.db, viewer.id);
  if (!user) throw notFound();
  return user;
}

/** Strips markup. An empty result becomes null; undefined stays undefined. */
function plain(given: string | null | undefined): string | null | undefined {
  return typeof given === 'string' ? stripMarkup(given) || null : given;
}

/** Approves or refuses a sign-up, which may change the account's role. Refused for the viewer's own account. */
export async function decideRegistration(
  ctx: Ctx,
  viewer: Viewer,
  { registration, requestId }: { registration: InputOf<typeof writeRegistration>['body']; requestId: string },
): Promise<UserRow> {
  const { email, status, organization, jobTitle, reason } = registration;
  const { id } = await getRegistration(ctx, email);
  if (isUser(viewer) && viewer.id === id) throw new AppError('people.own_rights');
  return await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, id);
    if (user?.email !== email) throw notFound();
    const role = registration.role ?? roleAfter(status, user.role as Role); // guaranteed by the column's check constraint
    await changeRole(ctx, trx, id, { role, by: viewer });
    const row = await changeUser(ctx, trx, id, {
      registration_status: status,
      registration_reason: plain(reason) ?? null,
      approved_by_rule: null,
      organization: plain(organization),
      job_title: plain(jobTitle),
    });
    if (!row) throw notFound();
    if (status !== 'pending' && status !== statusOf(user))
      await notify(trx, [{ userId: id, event: 'registration_decided', objectId: id }]);
    await recordAction(trx, viewer, {
      action: 'people.decide-registration',
      object: id,
      detail: { status, from: user.role, to: role },
      requestId,
    });
    return row;
  });
}
