import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn(async (_path: string, _init: RequestInit) => new Response(null, { status: 204 }));
const { finishDeletion, repeatLeftDeletions, pauseTimer, runTimer, startDeletion, UNDO_MS, undoDeletion } =
  await load();

/** A minimal stand-in for the browser's window. */
async function load() {
  const target = new EventTarget();
  const kept = new Map<string, string>();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('leave', () => target.dispatchEvent(new Event('pagehide')));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return await import('./deletion.ts');
}
const leave = () => (globalThis as unknown as { leave: () => void }).leave(); // stubbed above

beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockClear();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => void vi.unstubAllGlobals());

it('sends when the time is over, and not before', async () => {
  startDeletion('a', { path: '/a' });
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(fetched).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await finishDeletion('a'); // again
  expect(fetched).toHaveBeenCalledExactlyOnceWith('/a', { method: 'DELETE', keepalive: true });
});

it('never sends what was undone', async () => {
  startDeletion('b', { path: '/b' });
  undoDeletion('b');
  await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
  expect(fetched).not.toHaveBeenCalled();
});

it('pauses while held, then restarts the timer', async () => {
  startDeletion('c', { path: '/c' });
  pauseTimer('c');
  await vi.advanceTimersByTimeAsync(UNDO_MS * 3);
  expect(fetched).not.toHaveBeenCalled();
  runTimer('c');
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(fetched).toHaveBeenCalledOnce();
});

it('sends when the page is left, and again from the next page', async () => {
  startDeletion('d', { path: '/d', body: { why: 'spam' } });
  leave();
  const sent = ['/d', expect.objectContaining({ method: 'POST', body: '{"why":"spam"}', keepalive: true })];
  expect(fetched.mock.calls).toEqual([sent]);
  repeatLeftDeletions();
  repeatLeftDeletions(); // nothing left
  expect(fetched.mock.calls).toEqual([sent, sent]);
});
