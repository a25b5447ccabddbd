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
  unasked,
  withLesson,
  type Answer,
  type Kept,
  type Told,
} from './kept.ts';
import { asSaved, filesOf, withLessons } from './saved-page.ts';

// Lessons stay readable without a network. Everything comes from the network while there is one; what is kept are
// whole pages of lessons, without script, each with the styles, fonts and images it was made with. So a new release
// may take over at once: nothing old is ever mixed with it.

const worker = self as unknown as ServiceWorkerGlobalScope; // the library types `self` as a worker of any kind

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('activate', (event) => event.waitUntil(begin()));

async function begin(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

worker.addEventListener('message', (event) => {
  const told = event.data as Told; // only our own pages can reach their worker
  event.waitUntil(
    inTurn(() => heed(told)).then(
      (answer) => event.ports[0]?.postMessage(answer),
      () => event.ports[0]?.postMessage(told.kind === 'list' ? [] : false),
    ),
  );
  if (told.kind === 'here') event.waitUntil(inTurn(dropWithdrawn));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin) return;
  if (request.method === 'POST' && /^\/logout(?:\.data)?$/.test(url.pathname)) event.waitUntil(inTurn(forget));
  if (request.mode === 'navigate') event.respondWith(navigate(event, url));
  else if (request.method === 'GET' && /^(?:style|font|image)$/.test(request.destination))
    event.respondWith(fetch(request).catch(async () => (await keptFile(url)) ?? Response.error()));
});

async function navigate(event: FetchEvent, url: URL): Promise<Response> {
  const { request } = event;
  const isRead = request.method === 'GET';
  try {
    const answer = ((isRead && (await event.preloadResponse)) || undefined) ?? (await fetch(request));
    if (isRead && isGone(answer)) event.waitUntil(inTurn(() => dropLesson(url.pathname)));
    return answer;
  } catch {
    return ((isRead && (await keptLesson(url))) || undefined) ?? (await offlinePage(!isRead));
  }
}

// What changes the cache goes one after another: two pages may speak at once.
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}

async function heed(told: Told): Promise<Answer<Told>> {
  if (told.kind === 'list') return (await readKept()).lessons;
  if (told.kind === 'drop') return await drop(told.key);
  const kept = await readKept();
  const theirs = kept.person === told.person ? kept : { ...kept, person: told.person, lessons: [] };
  if (theirs !== kept) await writeKept(theirs);
  return told.kind === 'here' ? await keepShell(theirs, told) : await keepLesson(theirs, told);
}

async function keepShell(kept: Kept, { locale, release, files }: Extract<Told, { kind: 'here' }>): Promise<boolean> {
  if (kept.shell.release === release) return true;
  // As a stranger sees it: this page outlives a sign-out.
  const page = await fetch(`${SHELL}?locale=${encodeURIComponent(locale)}`, { credentials: 'omit' });
  const needs = await keepPage(SHELL, page, files);
  if (!needs) return false;
  await writeKept({ ...kept, shell: { release, files: needs } });
  return true;
}

async function keepLesson(kept: Kept, told: Extract<Told, { kind: 'keep' }>): Promise<boolean> {
  const { person, url, title, lang } = told;
  const key = lessonKey(new URL(url, worker.location.origin));
  if (!key) return false;
  const known = kept.lessons.find((lesson) => lesson.key === key);
  const keptAt = Date.now();
  if (known && keptAt - known.keptAt < FRESH_MS) {
    await writeKept({ ...kept, lessons: withLesson(kept.lessons, known) });
    return true;
  }
  const page = await fetch(key, { credentials: 'same-origin' });
  // Who is signed in may have changed since the page spoke.
  const files = await keepPage(key, page, told.files, `data-person="${person}"`);
  if (!files) return false;
  await writeKept({ ...kept, lessons: withLesson(kept.lessons, { key, title, lang, files, keptAt }) });
  return true;
}

/** Keeps a page and what it needs; says what that is, or nothing when this is not the page that was meant. */
async function keepPage(key: string, page: Response, used: string[], sign = ''): Promise<string[] | undefined> {
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
  const kept = await readKept();
  await writeKept({ ...kept, lessons: kept.lessons.filter((lesson) => lesson.key !== key) });
  return true;
}

/** Lets go of a lesson in all its languages. */
async function dropLesson(path: string): Promise<void> {
  const kept = await readKept();
  const lessons = kept.lessons.filter(({ key }) => key.split('?')[0] !== path);
  if (lessons.length < kept.lessons.length) await writeKept({ ...kept, lessons });
}

/** Asks for lessons that were kept a while ago, and lets go of those that were withdrawn since. */
async function dropWithdrawn(): Promise<void> {
  const { lessons } = await readKept();
  for (const { key } of unasked(lessons, Date.now())) {
    const answer = await fetch(key, { method: 'HEAD', credentials: 'same-origin', redirect: 'manual' }).catch(
      () => undefined,
    );
    if (!answer) return; // without a network nothing is known
    if (isGone(answer)) await dropLesson(key.split('?')[0] ?? key);
    else await noteAsked(key);
  }
}

async function noteAsked(key: string): Promise<void> {
  const kept = await readKept();
  const askedAt = Date.now();
  await writeKept({ ...kept, lessons: kept.lessons.map((one) => (one.key === key ? { ...one, askedAt } : one)) });
}

async function forget(): Promise<void> {
  await writeKept({ ...(await readKept()), person: '', lessons: [] });
}

async function readKept(): Promise<Kept> {
  const list = await (await caches.open(CACHE)).match(LIST);
  return list ? ((await list.json()) as Kept) : NOTHING; // written below
}

/** Writes the list and lets go of everything it does not name. */
async function writeKept(kept: Kept): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(LIST, Response.json(kept));
  const entries = entriesOf(kept);
  for (const request of await cache.keys()) {
    const { pathname, search } = new URL(request.url);
    if (!entries.has(pathname + search)) await cache.delete(request);
  }
}

async function keptFile(url: URL): Promise<Response | undefined> {
  return await (await caches.open(CACHE)).match(url.pathname + url.search);
}

async function keptLesson(url: URL): Promise<Response | undefined> {
  const lesson = lessonAt((await readKept()).lessons, url);
  return lesson && (await (await caches.open(CACHE)).match(lesson.key));
}

async function offlinePage(isUnsent: boolean): Promise<Response> {
  const shell = await (await caches.open(CACHE)).match(SHELL);
  if (!shell) return Response.error();
  const html = withLessons(await shell.text(), (await readKept()).lessons, isUnsent);
  return document(html, shell.headers.get('content-security-policy'), 503);
}
