import { z } from 'zod';
import type { ErrorBody } from './common.ts';
import { isEndpoint, mountedPath, type CallOf, type Endpoint, type ReplyOf } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

export type ClientRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Sent as JSON, or as a multipart form when it is FormData. */
  body?: unknown;
  signal?: AbortSignal;
  /** The reply is a file, not JSON. */
  isDownload: boolean;
};
export type ClientResponse = { status: number; text: string; file?: Blob; retryAfter?: string | null };
/** Sends one request; adds the base address, cookies and keys. */
export type Send = (request: ClientRequest) => Promise<ClientResponse>;

/** The known fields of an error body. Three operations answer fields of their own; see docs/api.md. */
export type ApiErrorBody = Partial<Omit<z.output<typeof ErrorBody>, 'code'>> & {
  code?: ErrorCode | (string & {});
  errorCode?: string;
  [field: string]: unknown;
};

/** Thrown for every status that the contract does not declare as a success. */
export class ApiError extends Error {
  readonly status: number;
  /** The parsed body; an empty object when it was not a JSON object. */
  readonly body: ApiErrorBody;
  /** The delay before a retry, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  constructor({ status, text, retryAfter }: ClientResponse) {
    super(`API request failed with status ${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = parsedObject(text);
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined;
  }
}

function parsedObject(text: string): ApiErrorBody {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as ApiErrorBody; // every field may be absent
  } catch {
    // A proxy in between may answer with HTML.
  }
  return {};
}

/** A query as programs write it: numbers and booleans are accepted beside their text form. */
type QueryOf<S extends z.core.$ZodType> = {
  [K in keyof z.input<S>]: z.input<S>[K] | Extract<z.output<S>[K & keyof z.output<S>], number | boolean>;
};

/** The arguments of one call: the inputs of its endpoint, and call options. */
export type ClientCall<E extends Endpoint> = Omit<CallOf<E>, 'query'> &
  (E['query'] extends z.core.$ZodType
    ? object extends z.input<E['query']>
      ? { query?: QueryOf<E['query']> }
      : { query: QueryOf<E['query']> }
    : object) &
  (E['headers'] extends z.core.$ZodType ? { headers: z.input<E['headers']> } : object) &
  (E['upload'] extends string ? { file: Blob } : object) & {
    /** For a POST: repeating the key within 24 hours returns the first reply and has no further effect. */
    idempotencyKey?: string;
    signal?: AbortSignal;
  };

type Reply<E extends Endpoint> = E['download'] extends string ? Blob : ReplyOf<E>;

/** One function per endpoint of a contract module; its other exports are left out. */
export type Client<M> = {
  [K in keyof M as M[K] extends Endpoint ? K : never]: M[K] extends Endpoint
    ? (
        ...call: object extends ClientCall<M[K]> ? [call?: ClientCall<M[K]>] : [call: ClientCall<M[K]>]
      ) => Promise<Reply<M[K]>>
    : never;
};

type LooseCall = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, unknown>;
  file?: Blob;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** The path of a call: placeholders are filled in and encoded, query parameters appended, undefined ones left out. */
export function addressOf(endpoint: Endpoint, call: Pick<LooseCall, 'params' | 'query'>): string {
  const path = mountedPath(endpoint).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.append(name, String(value));
  const search = query.toString();
  return search ? `${path}?${search}` : path;
}

function headersOf({ headers = {}, idempotencyKey }: LooseCall): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
}

function bodyOf(endpoint: Endpoint, { body, file }: LooseCall): unknown {
  if (!endpoint.upload || !file) return body;
  const form = new FormData();
  form.set(endpoint.upload, file);
  return form;
}

/**
 * Creates one function per endpoint of a contract module, such as `import * as community from
 * '@officium/contract/community'`. It returns the parsed body (undefined when empty, a Blob for a file) for a status of
 * 200 to 299 or another declared status, and throws ApiError otherwise.
 */
export function createClient<M extends object>(endpoints: M, send: Send): Client<M> {
  const client: Record<string, (call?: LooseCall) => Promise<unknown>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (!isEndpoint(endpoint)) continue;
    client[name] = async (call = {}) => {
      const response = await send({
        method: endpoint.method,
        path: addressOf(endpoint, call),
        headers: headersOf(call),
        body: bodyOf(endpoint, call),
        signal: call.signal,
        isDownload: endpoint.download !== undefined,
      });
      const { status, text, file } = response;
      if ((status < 200 || status > 299) && !(status in endpoint.replies)) throw new ApiError(response);
      return file ?? (text === '' ? undefined : JSON.parse(text));
    };
  }
  return client as unknown as Client<M>; // built above, one function per endpoint of M
}

export type FetchOptions = {
  /** The address of the installation, such as `https://learn.example.gov`. */
  baseUrl: string;
  /** A key of SERVICE_API_KEYS, for programs that act as a service. */
  serviceKey?: string;
  /** Sent with every request, such as `accept-language`. */
  headers?: Record<string, string>;
  /**
   * The session cookies by name. Pass your own map to keep the session and resume it later. Browsers manage cookies
   * themselves and leave this empty.
   */
  cookies?: Map<string, string>;
  /** Replaces the global fetch, for a proxy or for tests. */
  fetch?: typeof fetch;
};

/** A `send` over fetch that keeps the session cookies. */
export function fetchSend(options: FetchOptions): Send {
  const { baseUrl, serviceKey, cookies = new Map<string, string>() } = options;
  const send = options.fetch ?? fetch;
  return async ({ method, path, headers, body, signal, isDownload }) => {
    const isForm = body instanceof FormData;
    const response = await send(new URL(path, baseUrl), {
      method,
      headers: {
        ...options.headers,
        ...(serviceKey === undefined ? {} : { authorization: `Bearer ${serviceKey}` }),
        // With a session cookie, requests that change something must state that they are same-origin.
        ...(cookies.size === 0 ? {} : { cookie: cookieHeader(cookies), 'sec-fetch-site': 'same-origin' }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    keepCookies(cookies, response.headers.getSetCookie());
    const { status } = response;
    if (isDownload && response.ok) return { status, text: '', file: await response.blob() };
    return { status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  };
}

const cookieHeader = (cookies: Map<string, string>) =>
  Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');

/** All cookies apply to the whole origin, so only their name and expiry matter. */
function keepCookies(cookies: Map<string, string>, lines: string[]): void {
  for (const line of lines) {
    const [, name, value = '', rest = ''] = /^([^=;]+)=([^;]*)(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const [, maxAge] = /;\s*max-age=(-?\d+)/i.exec(rest) ?? [];
    const [, expires] = /;\s*expires=([^;]+)/i.exec(rest) ?? [];
    const isOver =
      maxAge === undefined ? expires !== undefined && Date.parse(expires) <= Date.now() : Number(maxAge) <= 0;
    if (isOver) cookies.delete(name);
    else cookies.set(name, value);
  }
}
