import { Agent } from 'undici';

/** How a request ended: with a status, or with what was wrong with the connection. */
export type Answer = { status: number; text: string; retryAfterMs: number } | { error: string };

/** One request as it was sent and answered, by the monotonic clock (`performance.now()`). */
export type Attempt = {
  /** Of the process or proxy it was sent to. */
  origin: string;
  method: string;
  begunMs: number;
  endedMs: number;
  status: number | undefined;
  error: string | undefined;
};

export type Sending = { method: string; path: string; body?: unknown; cookie?: string; key?: string };

/** What the client waits for an answer: far longer than any answer may take, so that late ones are seen as late. */
export const PATIENCE_MS = 30_000;

/**
 * A client of one product behind one or several addresses, which are taken in turn. It tries nothing again by itself,
 * and every request it sends stands in `attempts`.
 */
export function createHttp(urls: readonly string[]) {
  const agent = new Agent({ connections: 512, keepAliveTimeout: 4_000, connect: { timeout: 5_000 } });
  const attempts: Attempt[] = [];
  let turn = 0;

  async function send({ method, path, body, cookie, key }: Sending): Promise<Answer> {
    const url = new URL(path, urls[turn++ % urls.length]);
    const begunMs = performance.now();
    const note = (status: number | undefined, error: string | undefined) =>
      void attempts.push({ origin: url.origin, method, begunMs, endedMs: performance.now(), status, error });
    try {
      const reply = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as 'GET', // undici wants one of the methods there are, and gets one
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
      const { code, message } = error as { code?: unknown; message?: unknown }; // undici's and Node's errors have both
      note(undefined, String(code ?? message));
      return { error: String(code ?? message) };
    }
  }

  return { send, attempts, close: () => agent.destroy() };
}

export type Http = ReturnType<typeof createHttp>;

export const isOk = (answer: Answer): answer is Extract<Answer, { status: number }> =>
  'status' in answer && answer.status >= 200 && answer.status < 300;
