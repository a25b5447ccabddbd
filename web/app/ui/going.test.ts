import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const { finishGoing, holdGoing, runTimer, startGoing, UNDO_MS, undoGoing } = await load();

/** The browser's window as far as this needs one. */
async function load() {
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('leave', () => target.dispatchEvent(new Event('pagehide')));
  return await import('./going.ts');
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('sends when the time is over, and not before', async () => {
  const send = vi.fn(async () => true);
  startGoing('a', send);
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(send).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(send).toHaveBeenCalledOnce();
  await finishGoing('a'); // again
  expect(send).toHaveBeenCalledOnce();
});

it('never sends what was undone', async () => {
  const send = vi.fn(async () => true);
  startGoing('b', send);
  undoGoing('b');
  await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
  expect(send).not.toHaveBeenCalled();
});

it('waits while it is held, and then as long again', async () => {
  const send = vi.fn(async () => true);
  startGoing('c', send);
  holdGoing('c');
  await vi.advanceTimersByTimeAsync(UNDO_MS * 3);
  expect(send).not.toHaveBeenCalled();
  runTimer('c');
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(send).toHaveBeenCalledOnce();
});

it('sends at once when the page goes', async () => {
  const send = vi.fn(async () => true);
  startGoing('d', send);
  (globalThis as unknown as { leave: () => void }).leave(); // stubbed above
  expect(send).toHaveBeenCalledOnce();
});
