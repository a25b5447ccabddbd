import type { EventSession } from '@officium/contract/events';

/** The date named in the address, else the next one, else the last one. */
export function shownSession(sessions: readonly EventSession[], url: URL): EventSession | undefined {
  const named = url.searchParams.get('session');
  const now = new Date().toISOString();
  return (
    sessions.find(({ id }) => id === named) ??
    sessions.find(({ endsAt, isCancelled }) => endsAt > now && !isCancelled) ??
    sessions.at(-1)
  );
}
