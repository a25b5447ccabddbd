import { data, type RouterContextProvider } from 'react-router';
import { addressOf } from '@officium/contract/client';
import type { CallOf, Endpoint, ReplyOf } from '@officium/contract/endpoint';
import { findMovedPage } from '@officium/contract/search';
import { negotiateLocale } from '@officium/i18n/negotiate';
import type { Locale } from '@officium/i18n/locales';
import { parseReply } from './deleted-user.ts';
import { doorContext, type Door, type Viewer } from './door.ts';
import { readForm } from './form/read-form.ts';
import { keepable, type FormState, type Issue } from './form/state.ts';
import { loadMessages } from './messages.ts';
import { showFromHere, type ShownFrom } from './pictures.ts';
import { redirect } from './redirect.ts';

type Context = Readonly<RouterContextProvider>;

/** What a sign-in goes on with that needs a second factor. */
type SecondStep = { challenge?: string; methods?: string[] };

/** What the API refused, as far as a page can say it. */
export type Failure = {
  status: number;
  message: string;
  code?: string;
  issues: Issue[];
  retryAfter?: number;
  /** Which file of an archive it is about. */
  file?: string;
} & SecondStep;

type WithFile<E extends Endpoint> = CallOf<E> & (E['upload'] extends string ? { file: Blob } : object);
/** `object` where everything is optional lets the second argument be left out. */
type Call<E extends Endpoint> = object extends WithFile<E> ? [call?: WithFile<E>] : [call: WithFile<E>];

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown; file?: Blob };

/** Calls an operation of the contract as the visitor. 401 leads to the sign-in page, any other refusal to an error page. */
export type Api = <E extends Endpoint>(endpoint: E, ...call: Call<E>) => Promise<ReplyOf<E>>;

/** Calls an operation and hands a refusal back instead (401 still leads to the sign-in page). */
export type Attempt = <E extends Endpoint>(
  endpoint: E,
  ...call: Call<E>
) => Promise<{ ok: true; body: ReplyOf<E> } | { ok: false; failure: Failure; refusal: Refusal }>;

/** Answer of an action whose form was refused: return it and read it with `useFormState`. */
export type Refusal = ReturnType<typeof data<FormState>>;

type LoadArgs = {
  api: Api;
  attempt: Attempt;
  viewer: Viewer | null;
  locale: Locale;
  /** Origin for absolute addresses. */
  origin: string;
  url: URL;
};

/** For loaders: `const { api, viewer, locale } = await load(request, context)`. Pictures are shown from this site. */
export async function load(request: Request, context: Context): Promise<LoadArgs> {
  return await argsOf(request, context, { shownFrom: context.get(doorContext).shownFrom });
}

async function argsOf(request: Request, context: Context, calling: Omit<Calling, 'locale'>): Promise<LoadArgs> {
  const door = context.get(doorContext);
  const [viewer, locale] = await Promise.all([viewerOf(context), localeOf(request, context)]);
  const calls = callers(request, door, { ...calling, locale });
  return { ...calls, viewer, locale, origin: door.origin, url: pageUrl(request) };
}

/** For loaders of pages that are for members only: a visitor is led to the sign-in page and back. */
export async function loadSignedIn(request: Request, context: Context): Promise<LoadArgs & { viewer: Viewer }> {
  const args = await load(request, context);
  if (!args.viewer) throw toSignIn(request);
  return { ...args, viewer: args.viewer };
}

/** For actions: as `load`, with the fields sent. A refusal carries them back, so that the form is not emptied. */
export async function act(request: Request, context: Context): Promise<LoadArgs & { fields: FormData }> {
  const fields = await fieldsOf(request);
  return { ...(await argsOf(request, context, { values: keepable(fields) })), fields };
}

/** For loaders of forms: as `load`, with the addresses of pictures as they were given, to be sent back. */
export async function loadForm(request: Request, context: Context): Promise<LoadArgs & { viewer: Viewer }> {
  const args = await argsOf(request, context, {});
  if (!args.viewer) throw toSignIn(request);
  return { ...args, viewer: args.viewer };
}

/** The fields of a form that was sent; a body that is no form is 400. */
export async function fieldsOf(request: Request): Promise<FormData> {
  return await readForm(request).catch(() => {
    throw data(null, { status: 400 });
  });
}

/** A refusal of the action's own, for what the API cannot know. */
export function refuse(state: FormState, status = 400): Refusal {
  return data(state, { status });
}

/** Who is looking, or null. Asked once per page request, and not at all without a session cookie. */
export function viewerOf(context: Context): Promise<Viewer | null> {
  const door = context.get(doorContext);
  return (door.viewer ??= hasSession(door) ? askViewer(door) : Promise.resolve(null));
}

async function askViewer(door: Door): Promise<Viewer | null> {
  const { status, text } = await door.send({ method: 'GET', path: '/api/auth/session' });
  if (status !== 200) return null;
  const { viewer } = JSON.parse(text) as { viewer: Viewer | null }; // shape: contract/auth.ts, readSession
  return showFromHere(viewer, door.shownFrom);
}

/** What waits for the viewer, asked for beside who they are; null for whoever is told of nothing. */
export async function inboxOf(context: Context): Promise<{ unread: number } | null> {
  const [viewer, count] = await Promise.all([viewerOf(context), countUnread(context)]);
  return viewer && !viewer.limited && viewer.role !== 'inactive' ? { unread: count } : null;
}

/** 0 where the count is refused or fails: the frame of a page shall not take the page down with it. */
async function countUnread(context: Context): Promise<number> {
  const door = context.get(doorContext);
  if (!hasSession(door)) return 0;
  const { status, text } = await door.send({ method: 'GET', path: '/api/notifications/inbox/count' });
  return status === 200 ? (JSON.parse(text) as { unread: number }).unread : 0; // shape: contract/notifications.ts
}

function hasSession({ cookies }: Door): boolean {
  return Boolean(cookies['session'] ?? cookies['__Host-session']);
}

/** The language of the page: `?locale=`, the viewer's, the cookie's, the browser's. */
export function localeOf(request: Request, context: Context): Promise<Locale> {
  const door = context.get(doorContext);
  return (door.locale ??= viewerOf(context).then(
    (viewer) =>
      negotiateLocale({
        explicit: new URL(request.url).searchParams.get('locale'),
        user: viewer?.localeChosen ? viewer.locale : undefined,
        cookie: door.cookies['locale'],
        acceptLanguage: request.headers.get('accept-language'),
      }),
    () => negotiateLocale({ cookie: door.cookies['locale'], acceptLanguage: request.headers.get('accept-language') }),
  ));
}

/** The visitor's time zone as their browser reported it, else UTC. */
export function timeZoneOf(context: Context): string {
  const zone = context.get(doorContext).cookies['tz'];
  if (!zone || zone.length > 64) return 'UTC';
  let known = zones.get(zone);
  if (known === undefined) {
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(zone, (known = zoneOf(zone)));
  }
  return known;
}

// Asking for a zone costs as much as writing a dozen posts. Not kept without end, for the names come from a cookie.
const zones = new Map<string, string>();
const MAX_ZONES = 500;

function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

type Calling = {
  locale: Locale;
  /** Submitted values that a refusal carries back to the form. */
  values?: Record<string, string>;
  shownFrom?: ShownFrom;
};

function callers(
  request: Request,
  door: Door,
  { locale, values = {}, shownFrom }: Calling,
): { api: Api; attempt: Attempt } {
  const attempt: Attempt = async (endpoint, ...[call]) => {
    const parts = (call ?? {}) as Parts; // WithFile says the same, by way of types TypeScript cannot follow here
    const { status, text, headers } = await door.send({
      method: endpoint.method,
      path: addressOf(endpoint, parts),
      ...(endpoint.upload && parts.file ? await formOf(endpoint.upload, parts.file) : { body: parts.body }),
    });
    if (status >= 200 && status <= 299) {
      // The server writes replies through the contract's serializer, so the text has the declared shape.
      const body = (text === '' ? undefined : await parseReply(text, () => nameOfDeleted(locale))) as ReplyOf<
        typeof endpoint
      >;
      return { ok: true, body: shownFrom ? showFromHere(body, shownFrom) : body };
    }
    if (status === 401 && endpoint.auth !== 'none') throw toSignIn(request);
    const failure = failureOf(status, text, headers['retry-after']);
    const { message, code, issues } = failure;
    if (code === 'auth.recent_sign_in_required') throw toConfirmation(request);
    return { ok: false, failure, refusal: refuse({ message, code, issues, values, status }, status) };
  };
  const api: Api = async (endpoint, ...call) => {
    const result = await attempt(endpoint, ...call);
    if (result.ok) return result.body;
    if (result.failure.status === 404 && request.method === 'GET') await followMove();
    throw data(result.failure, { status: result.failure.status });
  };
  /** To where the page is now, when its slug has changed. */
  async function followMove(): Promise<void> {
    const { pathname, search } = pageUrl(request);
    const moved = await attempt(findMovedPage, { query: { path: pathname } });
    // Another page may take the old slug one day, so nobody keeps the redirect.
    if (moved.ok) throw redirect(moved.body.path + search, { status: 301, headers: { 'cache-control': 'no-cache' } });
  }
  return { api, attempt };
}

async function nameOfDeleted(locale: Locale): Promise<string> {
  const [text] = (await loadMessages(locale))['common.deleted_user'] ?? [];
  return text?.type === 0 ? text.value : ''; // 0: plain text
}

/** A form of one file, as it is sent. */
async function formOf(name: string, file: Blob): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const form = new FormData();
  form.set(name, file);
  const written = new Response(form);
  return { body: await written.bytes(), headers: { 'content-type': written.headers.get('content-type') ?? '' } };
}

function failureOf(status: number, text: string, retryAfter: string | string[] | undefined): Failure {
  let body: { message?: string; code?: string; issues?: Issue[]; error?: string; file?: string } & SecondStep = {};
  try {
    body = JSON.parse(text);
  } catch {
    // not one of our bodies; the status says enough
  }
  return {
    status,
    message: body.message ?? body.error ?? '',
    code: body.code,
    challenge: body.challenge,
    methods: body.methods,
    file: body.file,
    issues: Array.isArray(body.issues) ? body.issues : [],
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
  };
}

/** The address of the page asked for. With script the router asks for `<path>.data`, with words of its own in the query. */
export function pageUrl(request: Request): URL {
  const url = new URL(request.url);
  if (url.pathname.endsWith('/_.data')) url.pathname = url.pathname.slice(0, -'_.data'.length);
  else url.pathname = url.pathname.replace(/\.data$/, '');
  url.searchParams.delete('_routes');
  url.searchParams.delete('index', '');
  return url;
}

function toSignIn(request: Request): Response {
  const url = pageUrl(request);
  // A form cannot be sent again after signing in; the page it stood on can be opened again.
  return redirect(`/login?next=${encodeURIComponent(url.pathname + url.search)}`);
}

/** Whoever signed in long ago proves first that it is them, and comes back to the page they were on. */
function toConfirmation(request: Request): Response {
  const url = pageUrl(request);
  return redirect(`/confirm?next=${encodeURIComponent(url.pathname + url.search)}`);
}
