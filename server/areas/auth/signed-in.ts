import { openSession } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import type { Http } from '#server/http/implement.ts';
import { deviceMarkOf } from './device.ts';
import { sessionOf, type Origin } from './origin.ts';
import type { UserRow } from './user.repository.ts';

/** What the browser of somebody who has signed in gets. */
export type SignedIn = { sessionToken: string; device: string | undefined };

/** Opens the session of somebody who has proven all that is asked of them. */
export async function letIn(ctx: Ctx, db: Db, user: UserRow, origin: Origin): Promise<SignedIn> {
  const sessionToken = await openSession(db, sessionOf(origin, { userId: user.id }));
  return { sessionToken, device: deviceMarkOf(ctx, user) };
}

/** Gives it to the browser. */
export function handOver(http: Http, { sessionToken, device }: SignedIn): void {
  http.openSession(sessionToken);
  if (device !== undefined) http.rememberDevice(device);
}
