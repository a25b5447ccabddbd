import { useSyncExternalStore } from 'react';

// What somebody decided to delete is deleted after a while in which they may think better of it. Until then nothing has
// happened anywhere but on this page; from then on it has happened for everybody. It is sent when the page goes, too.
// Browsers lose some of what is sent so late: the tab's next page sends it again.

export const UNDO_MS = 10_000;

/** waiting: it can be undone; sent: no more; gone: it is deleted; failed: that was refused, or did not arrive. */
export type Going = 'waiting' | 'sent' | 'gone' | 'failed';

/** The operation that deletes something: without a body a DELETE, else a POST. */
export type Deletion = { path: string; body?: object };

type Entry = { state: Going; deletion: Deletion; timer: ReturnType<typeof setTimeout> | undefined };

const LEFT = 'going';

// Kept outside of components: going on to another page does not stop it.
const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Starts the time in which it can be undone. */
export function startGoing(id: string, deletion: Deletion): void {
  if (entries.size === 0) addEventListener('pagehide', finishAll);
  entries.set(id, { state: 'waiting', deletion, timer: undefined });
  runTimer(id);
}

export function undoGoing(id: string): void {
  clearTimeout(entries.get(id)?.timer);
  entries.delete(id);
  tell();
}

/** Lets the time run, or from its beginning again after `holdGoing`. */
export function runTimer(id: string): void {
  const entry = entries.get(id);
  if (entry?.state !== 'waiting') return;
  clearTimeout(entry.timer);
  entry.timer = setTimeout(() => void finishGoing(id), UNDO_MS);
  tell();
}

/** Stops the time, as long as somebody is about to press a button. */
export function holdGoing(id: string): void {
  clearTimeout(entries.get(id)?.timer);
}

/** Deletes it now. */
export async function finishGoing(id: string): Promise<void> {
  const entry = entries.get(id);
  if (entry?.state !== 'waiting') return;
  clearTimeout(entry.timer);
  entry.state = 'sent';
  tell();
  entry.state = (await send(entry.deletion).catch(() => false)) ? 'gone' : 'failed';
  tell();
}

/**
 * Answers whether it is gone, by this or by somebody else. By the API itself, and not by the page's action: only so it can
 * be sent while the page goes.
 */
async function send({ path, body }: Deletion): Promise<boolean> {
  const reply = await fetch(path, {
    method: body ? 'POST' : 'DELETE',
    keepalive: true,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return reply.ok || reply.status === 404;
}

function finishAll(): void {
  const open = [...entries].filter(([, { state }]) => state === 'waiting' || state === 'sent');
  if (open.length === 0) return;
  sessionStorage.setItem(LEFT, JSON.stringify(open.map(([, { deletion }]) => deletion)));
  for (const [id] of open) void finishGoing(id);
}

/** Deletes what the page before in this tab sent while it went. */
export function finishLeft(): void {
  const left = JSON.parse(sessionStorage.getItem(LEFT) ?? '[]') as Deletion[]; // written above
  sessionStorage.removeItem(LEFT);
  for (const deletion of left) void send(deletion).catch(() => undefined);
}

/** How far a thing has gone; undefined when nobody deletes it here. */
export function useGoing(id: string): Going | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => entries.get(id)?.state,
    () => undefined,
  );
}
