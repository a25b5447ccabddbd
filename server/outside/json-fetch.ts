/** A service returned an unexpected response. The message is for the log. */
export class BadAnswer extends Error {
  /** Set for a status other than 200; undefined when the body is too large or not JSON. */
  readonly response: { status: number; headers: Headers } | undefined;

  constructor(message: string, options?: ErrorOptions & { response?: { status: number; headers: Headers } }) {
    super(message, options);
    this.response = options?.response;
  }
}

export type JsonRequest = {
  signal: AbortSignal;
  maxBytes: number;
  form?: Record<string, string>;
  token?: string;
  headers?: Record<string, string>;
};

/**
 * Fetches JSON from a configured service with GET, or POST for a form. Accepts only status 200, follows no redirects
 * and reads at most `maxBytes`.
 */
export async function fetchJson(url: URL, { signal, maxBytes, form, token, headers }: JsonRequest): Promise<unknown> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json', ...headers, ...(token && { authorization: `Bearer ${token}` }) },
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
    throw new BadAnswer('not JSON', { cause });
  }
}
