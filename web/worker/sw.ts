import {
  CACHE,
  CACHES,
  entriesOf,
  FRESH_MS,
  isGone,
  lessonAt,
  lessonKey,
  LIST,
  NOTHING,
  SHELL,
  dueForCheck,
  withLesson,
  type SavedLesson,
  type WorkerReply,
  type SavedState,
  type WorkerMessage,
} from './saved-lessons.ts';
import { isForAnother, readPushed } from './push.ts';
import { asSaved, filesOf, withLessons } from './saved-page.ts';

// Keeps lessons readable offline. Online, everything comes from the network. Saved are whole lesson pages without
// script, each with its own styles, fonts and images, so a new release may take over immediately: old and new files are
// never mixed.

const worker = self as unknown as ServiceWorkerGlobalScope; // typed as a generic worker by the library

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('activate', (event) => event.waitUntil(begin()));

async function begin(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

worker.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage; // only our own pages can message it
  event.waitUntil(
    inTurn(() => handleMessage(message)).then(
      (answer) => event.ports[0]?.postMessage(answer),
      () => event.ports[0]?.postMessage(message.kind === 'list' ? [] : false),
    ),
  );
  if (message.kind === 'here') event.waitUntil(inTurn(dropWithdrawn));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin) return;
  if (request.method === 'POST' && /^\/logout(?:\.data)?$/.test(url.pathname)) event.waitUntil(inTurn(forget));
  if (request.mode === 'navigate') event.respondWith(navigate(event, url));
  else if (request.method === 'GET' && /^(?:style|font|image)$/.test(request.destination))
    event.respondWith(fetch(request).catch(async () => (await savedFile(url)) ?? Response.error()));
});

worker.addEventListener('push', (event) => {
  const pushed = readPushed(event.data?.text());
  if (pushed) event.waitUntil(worker.registration.showNotification(pushed.title, pushed.options));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage((event.notification.data as { path: string }).path)); // set by readPushed
});

/** Opens a page in a window of the site that is open, else in a new one. */
async function openPage(path: string): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window' });
  // A window that this worker does not control cannot be led anywhere.
  const led = await open?.navigate(path).catch(() => undefined);
  await (led ? led.focus() : worker.clients.openWindow(path));
}

async function endPush(): Promise<void> {
  await (await worker.registration.pushManager.getSubscription())?.unsubscribe();
}

async function navigate(event: FetchEvent, url: URL): Promise<Response> {
  const { request } = event;
  const isRead = request.method === 'GET';
  try {
    const answer = ((isRead && (await event.preloadResponse)) || undefined) ?? (await fetch(request));
    if (isRead && isGone(answer)) event.waitUntil(inTurn(() => dropLesson(url.pathname)));
    // A lesson that is closed to the reader leads to its course.
    else if (isRead && answer.type === 'opaqueredirect') event.waitUntil(inTurn(() => checkSavedAt(url)));
    return answer;
  } catch {
    return ((isRead && (await savedLesson(url))) || undefined) ?? (await offlinePage(!isRead));
  }
}

// Changes to the cache run one at a time, because two pages may send messages at once.
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}

async function handleMessage(message: WorkerMessage): Promise<WorkerReply<WorkerMessage>> {
  if (message.kind === 'list') return (await readState()).lessons;
  if (message.kind === 'drop') return await drop(message.key);
  const state = await readState();
  if (message.kind === 'shows') return await writeState({ ...state, shows: message.person }).then(() => true);
  const theirs = await stateOf(message.person, state);
  if (theirs !== state) await writeState(theirs);
  return message.kind === 'here' ? await saveShell(theirs, message) : await saveLesson(theirs, message);
}

/** The state for a person: without the lessons of another, whose notifications end too. */
async function stateOf(person: string, state: SavedState): Promise<SavedState> {
  const theirs = state.person === person ? state : { ...state, person, lessons: [] };
  if (!isForAnother(state.shows, person)) return theirs;
  const { shows: _, ...others } = theirs;
  await endPush();
  return others;
}

async function saveShell(
  state: SavedState,
  { locale, release, files }: Extract<WorkerMessage, { kind: 'here' }>,
): Promise<boolean> {
  if (state.shell.release === release) return true;
  // Fetched as a visitor, because this page outlives a sign-out.
  const page = await fetch(`${SHELL}?locale=${encodeURIComponent(locale)}`, { credentials: 'omit' });
  const needs = await savePage(SHELL, page, files);
  if (!needs) return false;
  await writeState({ ...state, shell: { release, files: needs } });
  return true;
}

async function saveLesson(state: SavedState, message: Extract<WorkerMessage, { kind: 'keep' }>): Promise<boolean> {
  const { person, url, title, lang } = message;
  const key = lessonKey(new URL(url, worker.location.origin));
  if (!key) return false;
  const known = state.lessons.find((lesson) => lesson.key === key);
  const keptAt = Date.now();
  if (known && keptAt - known.keptAt < FRESH_MS) {
    await writeState({ ...state, lessons: withLesson(state.lessons, known) });
    return true;
  }
  const page = await fetch(key, { credentials: 'same-origin' });
  // The viewer may have changed since the message.
  const files = await savePage(key, page, message.files, `data-person="${person}"`);
  if (!files) return false;
  await writeState({ ...state, lessons: withLesson(state.lessons, { key, title, lang, files, keptAt }) });
  return true;
}

/** Saves a page and its files. Returns the file addresses, or undefined when the response is not the expected page. */
async function savePage(key: string, page: Response, used: string[], sign = ''): Promise<string[] | undefined> {
  if (!page.ok || page.redirected) return undefined;
  const html = await page.text();
  if (!html.includes(sign)) return undefined;
  const cache = await caches.open(CACHE);
  const files = [...new Set([...filesOf(html, worker.location.origin), ...used])];
  await Promise.all(
    files.map(async (file) => {
      if (await cache.match(file)) return;
      const answer = await fetch(file);
      if (answer.ok) await cache.put(file, answer);
    }),
  );
  await cache.put(key, document(asSaved(html), page.headers.get('content-security-policy')));
  return files;
}

function document(html: string, policy: string | null, status = 200): Response {
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
  if (policy) headers.set('content-security-policy', policy);
  return new Response(html, { status, headers });
}

async function drop(key: string): Promise<boolean> {
  const state = await readState();
  await writeState({ ...state, lessons: state.lessons.filter((lesson) => lesson.key !== key) });
  return true;
}

/** Deletes a lesson in all its languages. */
async function dropLesson(path: string): Promise<void> {
  const state = await readState();
  const lessons = state.lessons.filter(({ key }) => key.split('?')[0] !== path);
  if (lessons.length < state.lessons.length) await writeState({ ...state, lessons });
}

/** Checks lessons saved a while ago and deletes withdrawn ones. */
async function dropWithdrawn(): Promise<void> {
  const { lessons } = await readState();
  await check(dueForCheck(lessons, Date.now()));
}

async function checkSavedAt(url: URL): Promise<void> {
  const { lessons } = await readState();
  const saved = lessonAt(lessons, url);
  if (saved) await check([saved]);
}

/** Asks the server about saved lessons and deletes those that are gone or closed to the reader. */
async function check(lessons: SavedLesson[]): Promise<void> {
  for (const { key } of lessons) {
    const answer = await fetch(key, { method: 'HEAD', credentials: 'same-origin', redirect: 'manual' }).catch(
      () => undefined,
    );
    if (!answer) return; // offline: nothing is known
    if (isGone(answer)) await dropLesson(key.split('?')[0] ?? key);
    else await markChecked(key);
  }
}

async function markChecked(key: string): Promise<void> {
  const state = await readState();
  const askedAt = Date.now();
  await writeState({ ...state, lessons: state.lessons.map((one) => (one.key === key ? { ...one, askedAt } : one)) });
}

async function forget(): Promise<void> {
  const { shows: _, ...state } = await readState();
  await writeState({ ...state, person: '', lessons: [] });
  await endPush();
}

async function readState(): Promise<SavedState> {
  const list = await (await caches.open(CACHE)).match(LIST);
  return list ? ((await list.json()) as SavedState) : NOTHING; // written below
}

/** Writes the list and deletes everything it does not contain. */
async function writeState(state: SavedState): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(LIST, Response.json(state));
  const entries = entriesOf(state);
  for (const request of await cache.keys()) {
    const { pathname, search } = new URL(request.url);
    if (!entries.has(pathname + search)) await cache.delete(request);
  }
}

async function savedFile(url: URL): Promise<Response | undefined> {
  return await (await caches.open(CACHE)).match(url.pathname + url.search);
}

async function savedLesson(url: URL): Promise<Response | undefined> {
  const lesson = lessonAt((await readState()).lessons, url);
  return lesson && (await (await caches.open(CACHE)).match(lesson.key));
}

async function offlinePage(isUnsent: boolean): Promise<Response> {
  const shell = await (await caches.open(CACHE)).match(SHELL);
  if (!shell) return Response.error();
  const html = withLessons(await shell.text(), (await readState()).lessons, isUnsent);
  return document(html, shell.headers.get('content-security-policy'), 503);
}
