import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { getUser, type UserRow } from '#server/areas/auth/user.service.ts';

/** Resolves `me` to the viewer's id. */
export function idOf(viewer: UserViewer, ref: string): string {
  return ref === 'me' ? viewer.id : ref;
}

/** True for the viewer's own account and for administrators. */
export function mayOpen(viewer: UserViewer, ref: string): boolean {
  return idOf(viewer, ref) === viewer.id || isAdministrator(viewer);
}

/** Loads an account for a change: 404 if it is missing or hidden, 403 if it belongs to another user. */
export async function openUser(ctx: Ctx, viewer: UserViewer, ref: string): Promise<UserRow> {
  const user = await getUser(ctx.db, idOf(viewer, ref));
  if (!user || (!user.email_proven_at && !mayOpen(viewer, ref))) throw notFound();
  if (!mayOpen(viewer, ref)) throw new AppError('auth.forbidden');
  return user;
}
