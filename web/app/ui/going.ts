import { useSyncExternalStore } from 'react';

// What somebody decided to delete is deleted after a while in which they may think better of it. Until then nothing has
// happened anywhere but on this page; from then on it has happened for everybody. It is sent when the page goes, too.

export const UNDO_MS = 10_000;

/** waiting: it can be undone; sent: no more; gone: it is deleted; failed: that was refused, or did not arrive. */
export type Going = 'waiting' | 'sent' | 'gone' | 'failed';

type Entry = { state: Going; send: () => Promise<boolean>; timer: ReturnType<typeof setTimeout> | undefined };

// Kept outside of components: going on to another page does not stop it.
const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Starts the time in which it can be undone. `send` deletes it and answers whether that was done. */
export function startGoing(id: string, send: () => Promise<boolean>): void {
  if (entries.size === 0) addEventListener('pagehide', finishAll);
  entries.set(id, { state: 'waiting', send, timer: undefined });
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
  entry.state = (await entry.send().catch(() => false)) ? 'gone' : 'failed';
  tell();
}

function finishAll(): void {
  for (const id of entries.keys()) void finishGoing(id);
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
