import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

type Handler = (event: object) => void;

const handlers = new Map<string, Handler>();
const clients = { matchAll: vi.fn(), openWindow: vi.fn() };
const registration = { showNotification: vi.fn() };

beforeAll(async () => {
  const addEventListener = (name: string, handler: Handler) => handlers.set(name, handler);
  vi.stubGlobal('self', { addEventListener, clients, registration, location: new URL('https://learn.example') });
  // The address is a text, because the worker has other global types than tests.
  await import(/* @vite-ignore */ new URL('sw.ts', import.meta.url).href);
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => void vi.resetAllMocks());

/** Gives the worker an event and waits for what it keeps the worker alive for. */
async function dispatch(name: string, event: object): Promise<void> {
  const waiting: Promise<unknown>[] = [];
  handlers.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => waiting.push(work) });
  expect(waiting.length).toBe(1);
  await Promise.all(waiting);
}

const PATH = '/communities/plain-words/activities/1';

/** Shows a pushed message and clicks on it. */
async function click(): Promise<void> {
  const message = { id: 'n1', title: 'Officium', body: 'A reply', lang: 'en', dir: 'ltr', path: PATH };
  await dispatch('push', { data: { text: () => JSON.stringify(message) } });
  const [[, options] = []] = registration.showNotification.mock.calls;
  const close = vi.fn();
  await dispatch('notificationclick', { notification: { data: options.data, close } });
  expect(close).toHaveBeenCalledOnce();
}

const windowThat = (navigate: () => Promise<unknown>) => ({ navigate: vi.fn(navigate), focus: vi.fn() });

it('opens the page of a notification in a window of its own when the site is closed', async () => {
  clients.matchAll.mockResolvedValue([]);
  await click();
  expect(clients.openWindow.mock.calls).toEqual([[PATH]]);
});

it('shows the page of a notification in a window of the site, and brings that to the front', async () => {
  const led = windowThat(async () => undefined);
  const open = windowThat(async () => led);
  clients.matchAll.mockResolvedValue([open]);
  await click();
  expect(open.navigate.mock.calls).toEqual([[PATH]]);
  expect(led.focus).toHaveBeenCalledOnce();
  expect(clients.openWindow).not.toHaveBeenCalled();
});

it.each([
  ['refuses', () => Promise.reject(new TypeError('not controlled'))],
  ['does not get there', () => Promise.resolve(null)],
])('opens a window of its own when the one of the site %s', async (_, navigate) => {
  clients.matchAll.mockResolvedValue([windowThat(navigate)]);
  await click();
  expect(clients.openWindow.mock.calls).toEqual([[PATH]]);
});
