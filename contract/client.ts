import { mountedPath, type CallOf, type Endpoint, type ReplyOf } from './endpoint.ts';

export type ClientRequest = { method: string; path: string; body?: unknown };
export type ClientResponse = { status: number; text: string };
/** Carries one request; the place for the base address, cookies and keys. */
export type Send = (request: ClientRequest) => Promise<ClientResponse>;

/** Raised for every status outside 200 to 299; `body` is the answer as text. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: string;
  constructor(status: number, body: string) {
    super(`API request failed with status ${status}: ${body}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export type Client<E extends Record<string, Endpoint>> = {
  [K in keyof E]: (
    ...call: object extends CallOf<E[K]> ? [call?: CallOf<E[K]>] : [call: CallOf<E[K]>]
  ) => Promise<ReplyOf<E[K]>>;
};

type LooseCall = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** The address of a call: placeholders filled and encoded, query parameters appended; undefined ones left out. */
export function addressOf(endpoint: Endpoint, call: LooseCall): string {
  const path = mountedPath(endpoint).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) query.append(name, String(value));
  const search = query.toString();
  return search ? `${path}?${search}` : path;
}

/**
 * A function for each endpoint. Answers the parsed body for a status of 200 to 299 (undefined when it is empty) and
 * throws ApiError otherwise.
 */
export function createClient<const E extends Record<string, Endpoint>>(endpoints: E, send: Send): Client<E> {
  const client: Record<string, (call?: LooseCall) => Promise<unknown>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    client[name] = async (call = {}) => {
      const { status, text } = await send({
        method: endpoint.method,
        path: addressOf(endpoint, call),
        body: call.body,
      });
      if (status < 200 || status > 299) throw new ApiError(status, text);
      return text === '' ? undefined : JSON.parse(text);
    };
  }
  return client as Client<E>; // built above, one function for each key of E
}

/** A `send` over fetch. `headers` is asked anew for each request. */
export function fetchSend(baseUrl: string, headers: () => Record<string, string> = () => ({})): Send {
  return async ({ method, path, body }) => {
    const init: RequestInit = {
      method,
      headers: { ...headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
    };
    const response = await fetch(new URL(path, baseUrl), init);
    return { status: response.status, text: await response.text() };
  };
}
