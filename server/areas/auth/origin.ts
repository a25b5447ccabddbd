import type { NewSession } from '#server/access/sessions.ts';

/** Where a request comes from, as a session remembers it. */
export type Origin = { address: string; userAgent: string | undefined };

export function sessionOf(origin: Origin, session: Omit<NewSession, 'userAgent' | 'address'>): NewSession {
  return { ...session, address: origin.address, userAgent: origin.userAgent };
}
