import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { getUser, type UserRow } from '#server/areas/auth/user.service.ts';

/** `me` or an id, as an id. */
export function idOf(actor: UserViewer, ref: string): string {
  return ref === 'me' ? actor.id : ref;
}

/** Is this account the actor's own, or are they an administrator? */
export function mayOpen(actor: UserViewer, ref: string): boolean {
  return idOf(actor, ref) === actor.id || isAdministrator(actor);
}

/** Opens an account to change it: 404 when there is none to be seen, 403 when it is another's. */
export async function openUser(ctx: Ctx, actor: UserViewer, ref: string): Promise<UserRow> {
  const user = await getUser(ctx.db, idOf(actor, ref));
  if (!user || (!user.email_proven_at && !mayOpen(actor, ref))) throw notFound();
  if (!mayOpen(actor, ref)) throw new AppError('auth.forbidden');
  return user;
}
