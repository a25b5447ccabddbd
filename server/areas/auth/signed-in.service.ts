import { openSession } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { deviceToken } from './device.service.ts';
import { sessionOf, type Origin } from './origin.view.ts';
import type { UserRow } from './user.repository.ts';

/** The cookies of a complete sign-in. */
export type SignedIn = { sessionToken: string; device: string | undefined };

/** Opens the session. Call it once every required factor is proven. */
export async function completeSignIn(ctx: Ctx, db: Db, user: UserRow, origin: Origin): Promise<SignedIn> {
  const sessionToken = await openSession(db, sessionOf(origin, { userId: user.id }));
  return { sessionToken, device: deviceToken(ctx, user) };
}
