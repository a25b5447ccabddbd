import type { Http } from '#server/http/implement.ts';
import type { SignedIn } from './signed-in.service.ts';

/** Sets the cookies of a complete sign-in. */
export function setSignInCookies(http: Http, { sessionToken, device }: SignedIn): void {
  http.openSession(sessionToken);
  if (device !== undefined) http.rememberDevice(device);
}
