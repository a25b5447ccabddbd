import { Agent } from 'undici';

/** The outcome of a request: a status, or the connection error. */
export type Answer = { status: number; text: string; retryAfterMs: number } | { error: string };

/** One request with its timestamps, by the monotonic clock (`performance.now()`). */
export type Attempt = {
  /** The process or proxy that received it. */
  origin: string;
  method: string;
  startedMs: number;
  endedMs: number;
  status: number | undefined;
  error: string | undefined;
};

export type Sending = { method: string; path: string; body?: unknown; cookie?: string; key?: string };

/** The client timeout. Far longer than any answer may take, so that late answers are recorded as late. */
export const PATIENCE_MS = 30_000;

/**
 * A client of one product at one or several addresses, used in turn. It never retries and records every request in
 * `attempts`.
 */
export function createHttp(urls: readonly string[]) {
  const agent = new Agent({ connections: 512, keepAliveTimeout: 4_000, connect: { timeout: 5_000 } });
  const attempts: Attempt[] = [];
  let turn = 0;

  async function send({ method, path, body, cookie, key }: Sending): Promise<Answer> {
    const url = new URL(path, urls[turn++ % urls.length]);
    const startedMs = performance.now();
    const note = (status: number | undefined, error: string | undefined) =>
      void attempts.push({ origin: url.origin, method, startedMs, endedMs: performance.now(), status, error });
    try {
      const reply = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as 'GET', // undici's type wants a literal method
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(cookie === undefined ? {} : { cookie: `session=${cookie}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: PATIENCE_MS,
        bodyTimeout: PATIENCE_MS,
      });
      const text = await reply.body.text();
      note(reply.statusCode, undefined);
      return { status: reply.statusCode, text, retryAfterMs: Number(reply.headers['retry-after'] ?? 0) * 1000 };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown }; // errors of undici and Node have both
      note(undefined, String(code ?? message));
      return { error: String(code ?? message) };
    }
  }

  return { send, attempts, close: () => agent.destroy() };
}

export type Http = ReturnType<typeof createHttp>;

export const isOk = (answer: Answer): answer is Extract<Answer, { status: number }> =>
  'status' in answer && answer.status >= 200 && answer.status < 300;
