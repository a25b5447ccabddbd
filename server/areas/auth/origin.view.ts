import type { NewSession } from '#server/access/sessions.ts';

/** Origin of a request. `device` is the cookie of a browser that has signed in before. */
export type Origin = { address: string; userAgent: string | undefined; device: string | undefined };

export function sessionOf(origin: Origin, session: Omit<NewSession, 'userAgent' | 'address'>): NewSession {
  return { ...session, address: origin.address, userAgent: origin.userAgent };
}
