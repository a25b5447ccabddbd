import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector, request } from 'undici';
import { dnsLookup } from './dns-lookup.ts';
import { isAllowed, isFetchable, isPublicAddress } from './public-address.ts';

export type Fetched = {
  /** Final URL after redirects. */
  url: URL;
  bytes: Buffer;
  /** The Content-Type header. */
  type: string;
};

/** One kind of fetch: user agent, accepted types, a check of the Content-Type and the size limit. */
export type Wanted = { userAgent: string; accept: string; isWanted: RegExp; maxBytes: number };

export type FetchOptions = {
  /** `host:port` values exempt from the address check. */
  allow: readonly string[];
  lookup?: LookupFunction;
  totalMs?: number;
};

const MAX_REDIRECTS = 3;
const TOTAL_MS = 5000;
const CONNECT_MS = 2000;
const HEADERS_MS = 3000;

const publicDns = dnsLookup({ timeoutMs: CONNECT_MS });

/** A fetch that failed or returned an unusable body; the reason is for the log. */
export class FetchRefused extends Error {}

/** Resolves a name and rejects it if any of its addresses is not public. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (error || !first) return callback(error ?? new FetchRefused('no such host'), [], 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new FetchRefused('not a public address'), [], 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Creates an agent that connects only to public addresses: it checks the resolved addresses and the socket's peer. */
function openAgent(isExempt: boolean, lookup: LookupFunction): Agent {
  const connector = buildConnector({
    timeout: CONNECT_MS,
    allowH2: false,
    lookup: isExempt ? lookup : publicLookup(lookup),
  });
  return new Agent({
    connect: (options, callback) =>
      connector(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        // A literal address never passes through the lookup.
        if (isExempt || isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
        socket.destroy();
        callback(new FetchRefused('not a public address'), null);
      }),
    headersTimeout: HEADERS_MS,
    bodyTimeout: HEADERS_MS,
    maxHeaderSize: 16 * 1024,
  });
}

const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Decodes at most two content codings, because thousands of layers could exhaust memory. */
function decoded(body: Readable, header: string | undefined): Readable {
  const codings = (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const layers = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  if (layers.length > 2) throw new FetchRefused('too many codings');
  return layers.reduce<Readable>((stream, coding) => {
    const decoder = DECODERS.get(coding)?.();
    if (!decoder) throw new FetchRefused('unknown coding');
    return pipeline(stream, decoder, () => {}); // the consumer of the last stream gets the error
  }, body);
}

async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // chunks are Buffers because no encoding was set
    size += chunk.length;
    if (size > maxBytes) throw new FetchRefused('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

type Step = Fetched | { next: URL };

async function fetchOnce(url: URL, wanted: Wanted, options: FetchOptions, signal: AbortSignal): Promise<Step> {
  const { allow, lookup } = options;
  if (!isFetchable(url, allow)) throw new FetchRefused('address not allowed');
  const isExempt = isAllowed(url, allow);
  // An allow-listed host may have a name that only this machine resolves.
  const usual = isExempt ? (systemLookup as LookupFunction) : publicDns; // matches one of its overloads
  const agent = openAgent(isExempt, lookup ?? usual);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      headers: { 'user-agent': wanted.userAgent, accept: wanted.accept, 'accept-encoding': 'gzip, deflate, br' },
      signal,
    });
    body.on('error', () => {}); // it may fail after reading has stopped
    if ([301, 302, 303, 307, 308].includes(statusCode)) {
      const next = URL.parse(one(headers['location']) ?? '', url.href);
      if (!next) throw new FetchRefused('invalid redirect location');
      return { next };
    }
    if (statusCode < 200 || statusCode > 299) throw new FetchRefused(`status ${statusCode}`);
    const type = one(headers['content-type']) ?? '';
    if (!wanted.isWanted.test(type)) throw new FetchRefused('unexpected content type');
    return { url, type, bytes: await readAll(decoded(body, one(headers['content-encoding'])), wanted.maxBytes) };
  } finally {
    await agent.destroy();
  }
}

/**
 * Fetches a public resource over http or https on standard ports, without cookies. Limits: 3 redirects, 5 s in total
 * and `maxBytes` after decompression. Throws on any failure.
 */
export async function fetchPublic(address: URL, wanted: Wanted, options: FetchOptions): Promise<Fetched> {
  const signal = AbortSignal.timeout(options.totalMs ?? TOTAL_MS);
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const step = await fetchOnce(url, wanted, options, signal);
    if (!('next' in step)) return step;
    url = step.next;
  }
  throw new FetchRefused('too many redirects');
}

/**
 * Posts bytes to a public address and returns the status of the answer, whose body is dropped. Follows no redirects.
 * Throws when the address is refused or does not answer.
 */
export async function postPublic(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  { allow, lookup, totalMs = TOTAL_MS }: FetchOptions,
): Promise<number> {
  if (!isFetchable(url, allow)) throw new FetchRefused('address not allowed');
  const isExempt = isAllowed(url, allow);
  const usual = isExempt ? (systemLookup as LookupFunction) : publicDns; // matches one of its overloads
  const agent = openAgent(isExempt, lookup ?? usual);
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers,
      body,
      signal: AbortSignal.timeout(totalMs),
    });
    answer.body.on('error', () => {}); // it is not read
    return answer.statusCode;
  } finally {
    await agent.destroy();
  }
}
