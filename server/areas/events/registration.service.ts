import type { listSessionRegistrations, registerForSession, updateSession } from '@officium/contract/events';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction, recordSearch } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { markAttendance, notifyPromoted } from '#server/areas/catalogue/seat.repository.ts';
import { changeSession } from '#server/areas/importing/event-schedule.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { canRegister } from './event.policy.ts';
import { openEvent } from './event.service.ts';
import { accessOf } from './event.view.ts';
import * as repository from './registration.repository.ts';

/** Takes a seat, or a place on the waiting list. The access is read first; one statement under the lock of the session gives the seat. */
export async function register(
  ctx: Ctx,
  viewer: UserViewer,
  sessionId: string,
): Promise<ReplyOf<typeof registerForSession>> {
  const event = await openEvent(ctx, viewer, { session: sessionId });
  if (!canRegister(viewer, accessOf(event))) throw new AppError('auth.forbidden');
  const { status, waitingPlace } = await inTransaction(ctx.db, async (trx) => {
    const taken = await repository.takeSeat(trx, sessionId, viewer.id);
    if (taken.isNew && taken.status === 'seat')
      await notify(trx, [{ userId: viewer.id, event: 'event_seat', objectId: sessionId }]);
    return taken;
  });
  if (status === 'closed') throw new AppError('events.closed');
  ctx.news.tell(viewer.id);
  return { status, waitingPlace };
}

/** People may end their registration even when the event is hidden from them by now. */
export async function leave(ctx: Ctx, viewer: UserViewer, sessionId: string): Promise<void> {
  const outcome = await inTransaction(ctx.db, async (trx) => {
    const left = await repository.leaveSeat(trx, sessionId, viewer.id);
    await notifyPromoted(trx, [sessionId]);
    return left;
  });
  if (outcome === 'left') return;
  // A stranger to the session learns nothing about it that its page would not show.
  await openEvent(ctx, viewer, { session: sessionId });
  throw outcome === 'closed' ? new AppError('events.closed') : notFound();
}

export async function listRegistrations(
  ctx: Ctx,
  viewer: UserViewer,
  sessionId: string,
  page: InputOf<typeof listSessionRegistrations>['query'],
): Promise<ReplyOf<typeof listSessionRegistrations>> {
  if (!(await repository.hasSession(ctx.db, sessionId))) throw notFound();
  const { rows, total } = await repository.findRegistrations(ctx.db, sessionId, page);
  await recordSearch(ctx.lastingDb, viewer);
  return {
    registrations: rows.map(({ registeredAt, attendedAt, ...row }) => ({
      ...row,
      registeredAt: registeredAt.toISOString(),
      attendedAt: attendedAt?.toISOString() ?? null,
    })),
    total,
  };
}

export async function setAttendance(
  ctx: Ctx,
  viewer: UserViewer,
  mark: { sessionId: string; userId: string; attended: boolean },
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    if (!(await markAttendance(db, mark))) throw notFound();
    const { sessionId, userId, attended } = mark;
    await recordAction(db, viewer, {
      action: 'events.mark-attendance',
      object: sessionId,
      detail: { user: userId, attended },
    });
  });
}

export async function change(
  ctx: Ctx,
  viewer: UserViewer,
  sessionId: string,
  patch: InputOf<typeof updateSession>['body'],
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    if (!(await changeSession(db, sessionId, patch))) throw notFound();
    await recordAction(db, viewer, {
      action: 'events.change-session',
      object: sessionId,
      detail: { fields: Object.keys(patch).sort() },
    });
  });
}
