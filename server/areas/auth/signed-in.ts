import { openSession } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import type { Http } from '#server/http/implement.ts';
import { deviceToken } from './device.ts';
import { sessionOf, type Origin } from './origin.ts';
import type { UserRow } from './user.repository.ts';

/** What a browser receives after a complete sign-in. */
export type SignedIn = { sessionToken: string; device: string | undefined };

/** Opens the session once every required factor is proven. */
export async function completeSignIn(ctx: Ctx, db: Db, user: UserRow, origin: Origin): Promise<SignedIn> {
  const sessionToken = await openSession(db, sessionOf(origin, { userId: user.id }));
  return { sessionToken, device: deviceToken(ctx, user) };
}

/** Sets the cookies of a complete sign-in. */
export function setSignInCookies(http: Http, { sessionToken, device }: SignedIn): void {
  http.openSession(sessionToken);
  if (device !== undefined) http.rememberDevice(device);
}
