import { useSyncExternalStore } from 'react';

// Deletion with undo: the deletion waits for a while before it is sent, and until then affects only this page. It is
// also sent when the page is left. Browsers lose some of these late requests, so the tab's next page sends them again.

export const UNDO_MS = 10_000;

/** waiting: can be undone; sent: cannot; gone: deleted; failed: refused or not delivered. */
export type DeletionState = 'waiting' | 'sent' | 'gone' | 'failed';

/** The API call that deletes something: a DELETE without a body, else a POST. */
export type Deletion = { path: string; body?: object };

type Entry = { state: DeletionState; deletion: Deletion; timer: ReturnType<typeof setTimeout> | undefined };

const LEFT = 'going';

// Outside of components, so that navigation does not stop it.
const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Starts the time for undo. */
export function startDeletion(id: string, deletion: Deletion): void {
  if (entries.size === 0) addEventListener('pagehide', finishAll);
  entries.set(id, { state: 'waiting', deletion, timer: undefined });
  runTimer(id);
}

export function undoDeletion(id: string): void {
  clearTimeout(entries.get(id)?.timer);
  entries.delete(id);
  tell();
}

/** Starts the timer, or restarts it after `pauseTimer`. */
export function runTimer(id: string): void {
  const entry = entries.get(id);
  if (entry?.state !== 'waiting') return;
  clearTimeout(entry.timer);
  entry.timer = setTimeout(() => void finishDeletion(id), UNDO_MS);
  tell();
}

/** Pauses the timer while a button may be about to be pressed. */
export function pauseTimer(id: string): void {
  clearTimeout(entries.get(id)?.timer);
}

/** Deletes it now. */
export async function finishDeletion(id: string): Promise<void> {
  const entry = entries.get(id);
  if (entry?.state !== 'waiting') return;
  clearTimeout(entry.timer);
  entry.state = 'sent';
  tell();
  entry.state = (await send(entry.deletion).catch(() => false)) ? 'gone' : 'failed';
  tell();
}

/**
 * Returns whether it is gone, whoever deleted it. Calls the API rather than the page's action, because only that can be
 * sent while the page unloads.
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
  for (const [id] of open) void finishDeletion(id);
}

/** Repeats the deletions that the tab's previous page sent while unloading. */
export function repeatLeftDeletions(): void {
  const left = JSON.parse(sessionStorage.getItem(LEFT) ?? '[]') as Deletion[]; // written above
  sessionStorage.removeItem(LEFT);
  for (const deletion of left) void send(deletion).catch(() => undefined);
}

/** State of a deletion; undefined when none was started here. */
export function useDeletionState(id: string): DeletionState | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => entries.get(id)?.state,
    () => undefined,
  );
}
