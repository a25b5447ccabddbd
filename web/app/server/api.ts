import { data, type RouterContextProvider } from 'react-router';
import { addressOf } from '@officium/contract/client';
import type { CallOf, Endpoint, ReplyOf } from '@officium/contract/endpoint';
import { findMovedPage } from '@officium/contract/search';
import { explicitOf, negotiateLocale } from '@officium/i18n/negotiate';
import type { Locale } from '@officium/i18n/locales';
import { parseReply } from './deleted-user.ts';
import { pageContext, type PageContext, type Viewer } from './page-context.ts';
import { readForm } from '../form/read-form.ts';
import { keepable, type FormState, type Issue } from '../form/state.ts';
import { loadMessages } from '../messages.ts';
import { showFromHere, type ShownFrom } from './pictures.ts';
import { redirect } from './redirect.ts';

type Context = Readonly<RouterContextProvider>;

/** State of a sign-in that still needs a second factor. */
type SecondStep = { challenge?: string; methods?: string[] };

/** A refusal of the API, as far as a page can show it. */
export type Failure = {
  status: number;
  message: string;
  code?: string;
  issues: Issue[];
  retryAfter?: number;
  /** The file of an archive that caused it. */
  file?: string;
} & SecondStep;

type WithFile<E extends Endpoint> = CallOf<E> & (E['upload'] extends string ? { file: Blob } : object);
/** `object` lets callers leave out the second argument when every part of it is optional. */
type Call<E extends Endpoint> = object extends WithFile<E> ? [call?: WithFile<E>] : [call: WithFile<E>];

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown; file?: Blob };

/** Calls an operation as the visitor. 401 redirects to the sign-in page; any other refusal shows an error page. */
export type Api = <E extends Endpoint>(endpoint: E, ...call: Call<E>) => Promise<ReplyOf<E>>;

/** Calls an operation and returns a refusal instead of throwing it (401 still redirects to the sign-in page). */
export type Attempt = <E extends Endpoint>(
  endpoint: E,
  ...call: Call<E>
) => Promise<{ ok: true; body: ReplyOf<E> } | { ok: false; failure: Failure; refusal: Refusal }>;

/** Result of an action whose form was refused: return it and read it with `useFormState`. */
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

/** For loaders: `const { api, viewer, locale } = await load(request, context)`. Pictures are served from this site. */
export async function load(request: Request, context: Context): Promise<LoadArgs> {
  return await argsOf(request, context, { shownFrom: context.get(pageContext).shownFrom });
}

async function argsOf(request: Request, context: Context, calling: Omit<Calling, 'locale'>): Promise<LoadArgs> {
  const ctx = context.get(pageContext);
  const [viewer, locale] = await Promise.all([viewerOf(context), localeOf(request, context)]);
  const calls = callers(request, ctx, { ...calling, locale });
  return { ...calls, viewer, locale, origin: ctx.origin, url: pageUrl(request) };
}

/** For loaders of members-only pages: redirects a visitor to the sign-in page and back. */
export async function loadSignedIn(request: Request, context: Context): Promise<LoadArgs & { viewer: Viewer }> {
  const args = await load(request, context);
  if (!args.viewer) throw toSignIn(request);
  return { ...args, viewer: args.viewer };
}

/**
 * For actions: like `load`, plus the submitted fields. A refusal carries them back so that the form keeps its values.
 */
export async function act(request: Request, context: Context): Promise<LoadArgs & { fields: FormData }> {
  const fields = await fieldsOf(request);
  return { ...(await argsOf(request, context, { values: keepable(fields) })), fields };
}

/** For loaders of forms: like `load`, but keeps the original picture addresses, because the form sends them back. */
export async function loadForm(request: Request, context: Context): Promise<LoadArgs & { viewer: Viewer }> {
  const args = await argsOf(request, context, {});
  if (!args.viewer) throw toSignIn(request);
  return { ...args, viewer: args.viewer };
}

/** The submitted fields of a form; 400 for a body that is not a form. */
export async function fieldsOf(request: Request): Promise<FormData> {
  return await readForm(request).catch(() => {
    throw data(null, { status: 400 });
  });
}

/** A refusal by the action itself, for rules the API does not know. */
export function refuse(state: FormState, status = 400): Refusal {
  return data(state, { status });
}

/** The viewer, or null. Read once per page request, and not at all without a session cookie. */
export function viewerOf(context: Context): Promise<Viewer | null> {
  const ctx = context.get(pageContext);
  return (ctx.viewer ??= hasSession(ctx) ? fetchViewer(ctx) : Promise.resolve(null));
}

async function fetchViewer(ctx: PageContext): Promise<Viewer | null> {
  const { status, text, headers } = await ctx.send({ method: 'GET', path: '/api/auth/session' });
  if (status !== 200) return null;
  const { viewer } = JSON.parse(text) as { viewer: Viewer | null }; // shape: contract/auth.ts, readSession
  const preview = headers['x-preview'];
  if (viewer && typeof preview === 'string') viewer.preview = { cohort: decodeURIComponent(preview) || null };
  return showFromHere(viewer, ctx.shownFrom);
}

/** Unread notifications, requested in parallel with the viewer; null for viewers who get none. */
export async function inboxOf(context: Context): Promise<{ unread: number } | null> {
  const [viewer, count] = await Promise.all([viewerOf(context), countUnread(context)]);
  return viewer && !viewer.limited && viewer.role !== 'inactive' ? { unread: count } : null;
}

/** 0 when the count is refused or fails: it must not take the whole page down. */
async function countUnread(context: Context): Promise<number> {
  const ctx = context.get(pageContext);
  if (!hasSession(ctx)) return 0;
  const { status, text } = await ctx.send({ method: 'GET', path: '/api/notifications/inbox/count' });
  return status === 200 ? (JSON.parse(text) as { unread: number }).unread : 0; // shape: contract/notifications.ts
}

function hasSession({ cookies }: PageContext): boolean {
  return Boolean(cookies['session'] ?? cookies['__Host-session']);
}

/** The language of the page among those the site offers: `?locale=`, else the viewer's, the cookie's or the browser's. */
export function localeOf(request: Request, context: Context): Promise<Locale> {
  const ctx = context.get(pageContext);
  const explicit = explicitOf(new URL(request.url).searchParams.get('locale'), ctx.site);
  const visitor = { cookie: ctx.cookies['locale'], acceptLanguage: request.headers.get('accept-language') };
  return (ctx.locale ??= viewerOf(context).then(
    (viewer) => {
      const user = viewer?.localeChosen ? viewer.locale : undefined;
      return negotiateLocale({ explicit, user, ...visitor }, ctx.site);
    },
    () => negotiateLocale(visitor, ctx.site),
  ));
}

/** The visitor's time zone as reported by the browser, else UTC. */
export function timeZoneOf(context: Context): string {
  const zone = context.get(pageContext).cookies['tz'];
  if (!zone || zone.length > 64) return 'UTC';
  let known = zones.get(zone);
  if (known === undefined) {
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(zone, (known = zoneOf(zone)));
  }
  return known;
}

// Validating a zone costs as much as rendering a dozen posts. The cache is bounded because the names come from a
// cookie.
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
  /** Submitted values that a refusal returns to the form. */
  values?: Record<string, string>;
  shownFrom?: ShownFrom;
};

function callers(
  request: Request,
  ctx: PageContext,
  { locale, values = {}, shownFrom }: Calling,
): { api: Api; attempt: Attempt } {
  const attempt: Attempt = async (endpoint, ...[call]) => {
    const parts = (call ?? {}) as Parts; // WithFile guarantees this in a way TypeScript cannot follow
    const { status, text, headers } = await ctx.send({
      method: endpoint.method,
      path: addressOf(endpoint, parts),
      ...(endpoint.upload && parts.file ? await formOf(endpoint.upload, parts.file) : { body: parts.body }),
    });
    if (status >= 200 && status <= 299) {
      // The server serializes replies by the contract, so the text has the declared shape.
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
  /** Redirects to the current address of a page whose slug has changed. */
  async function followMove(): Promise<void> {
    const { pathname, search } = pageUrl(request);
    const moved = await attempt(findMovedPage, { query: { path: pathname } });
    // Never cached: another page may take the old slug later.
    if (moved.ok) throw redirect(moved.body.path + search, { status: 301, headers: { 'cache-control': 'no-cache' } });
  }
  return { api, attempt };
}

async function nameOfDeleted(locale: Locale): Promise<string> {
  const [text] = (await loadMessages(locale))['common.deleted_user'] ?? [];
  return text?.type === 0 ? text.value : ''; // 0: plain text
}

/** A multipart form with one file, encoded. */
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
    // not an API body; the status is enough
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

/** The page address. With script, the router requests `<path>.data` and adds query parameters of its own. */
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
  // A form cannot be resubmitted after signing in, but its page can be opened again.
  return redirect(`/login?next=${encodeURIComponent(url.pathname + url.search)}`);
}

/** Asks viewers whose sign-in is too old to confirm their identity, then returns them to the same page. */
function toConfirmation(request: Request): Response {
  const url = pageUrl(request);
  return redirect(`/confirm?next=${encodeURIComponent(url.pathname + url.search)}`);
}
