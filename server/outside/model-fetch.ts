import { setTimeout as sleep } from 'node:timers/promises';

export const MAX_MODEL_BYTES = 1024 * 1024;
const LONGEST_RETRY_AFTER_SECONDS = 5;

/** An answer that is larger than anything we ask for. */
export class TooLarge extends Error {}

/** Loaded with the first call. Few connections, so that a provider that hangs holds nothing else up. */
async function openClient() {
  const { Agent, fetch } = await import('undici');
  return { fetch, agent: new Agent({ connections: 50, pipelining: 1 }) };
}
let opened: ReturnType<typeof openClient> | undefined;

/** Seconds a provider asks to wait, when that is short enough to do. */
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
 * `fetch` for the provider of a language model: no redirects, at most 1 MiB after decompression, and one more try when
 * it answers 429 or 503 and asks for no more than five seconds.
 */
export function modelFetch({ onTooLarge }: { onTooLarge(error: TooLarge): void }): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { fetch, agent } = await (opened ??= openClient());
    const send = async () =>
      await fetch(String(input), {
        method: init.method ?? 'POST',
        headers: init.headers as Record<string, string>, // as the client of the provider makes them
        body: init.body as string, // JSON
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
    // The body comes decompressed.
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    const read = body as ReadableStream<Uint8Array> | null; // undici's type of the same stream
    return new Response(read && limited(read, onTooLarge), { status, statusText, headers });
  };
}
