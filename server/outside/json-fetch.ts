/** A service answered, but not what it should have; the reason is for the log. */
export class BadAnswer extends Error {
  /** With a status other than 200; absent when the answer was cut short or is no JSON. */
  readonly response: { status: number; headers: Headers } | undefined;

  constructor(message: string, options?: ErrorOptions & { response?: { status: number; headers: Headers } }) {
    super(message, options);
    this.response = options?.response;
  }
}

export type JsonRequest = { signal: AbortSignal; maxBytes: number; form?: Record<string, string>; token?: string };

/**
 * Asks a service of ours for JSON: a GET, or a POST of a form. Only 200 counts, redirects are not followed, and no more
 * is read than `maxBytes`, however long the answer goes on.
 */
export async function fetchJson(url: URL, { signal, maxBytes, form, token }: JsonRequest): Promise<unknown> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new BadAnswer(`status ${response.status}`, { response });
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) throw new BadAnswer(`more than ${maxBytes} bytes`); // leaving the loop cancels the rest
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch (cause) {
    throw new BadAnswer('no JSON', { cause });
  }
}
