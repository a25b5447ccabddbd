import { setTimeout as sleep } from 'node:timers/promises';

export const MAX_MODEL_BYTES = 1024 * 1024;
const LONGEST_RETRY_AFTER_SECONDS = 5;

/** The response exceeds the size limit. */
export class TooLarge extends Error {}

/**
 * Imported on the first call. A separate agent with few connections keeps a hanging provider from blocking other
 * requests.
 */
async function openClient() {
  const { Agent, fetch } = await import('undici');
  return { fetch, agent: new Agent({ connections: 50, pipelining: 1 }) };
}
let opened: ReturnType<typeof openClient> | undefined;

/** Parses Retry-After of a 429 or 503. Undefined when absent or too long to wait for. */
function shortWait(status: number, header: string | null): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = header === null || !/^\d{1,3}$/.test(header.trim()) ? undefined : Number(header);
  return seconds !== undefined && seconds <= LONGEST_RETRY_AFTER_SECONDS ? seconds : undefined;
}

function limited(body: ReadableStream<Uint8Array>, onTooLarge: (error: TooLarge) => void): ReadableStream<Uint8Array> {
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= MAX_MODEL_BYTES) return controller.enqueue(chunk);
      const error = new TooLarge('the answer is too large');
      onTooLarge(error);
      throw error;
    },
  });
  return body.pipeThrough(count);
}

/**
 * Creates a `fetch` for language model providers: follows no redirects, reads at most 1 MiB after decompression and
 * retries once after a 429 or 503 with a Retry-After of up to five seconds.
 */
export function modelFetch({ onTooLarge }: { onTooLarge(error: TooLarge): void }): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { fetch, agent } = await (opened ??= openClient());
    const send = async () =>
      await fetch(String(input), {
        method: init.method ?? 'POST',
        headers: init.headers as Record<string, string>, // the SDK passes a plain object
        body: init.body as string, // the SDK passes JSON text
        signal: init.signal,
        redirect: 'error',
        dispatcher: agent,
      });
    let response = await send();
    const wait = shortWait(response.status, response.headers.get('retry-after'));
    if (wait !== undefined) {
      await response.body?.cancel();
      await sleep(wait * 1000, undefined, { signal: init.signal ?? undefined });
      response = await send();
    }
    const { status, statusText, body } = response;
    const headers = new Headers([...response.headers]);
    // The body is already decompressed.
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    const read = body as ReadableStream<Uint8Array> | null; // undici declares its own type for this stream
    return new Response(read && limited(read, onTooLarge), { status, statusText, headers });
  };
}
