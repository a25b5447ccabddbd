import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector, request } from 'undici';
import { dnsLookup } from './dns-lookup.ts';
import { isAllowed, isFetchable, isPublicAddress } from './public-address.ts';

export type FetchedPage = {
  /** Where the page was found in the end. */
  url: URL;
  bytes: Buffer;
  /** The Content-Type header. */
  type: string;
};

export type PageFetchOptions = {
  /** `host:port`s that may be fetched whatever their address. */
  allow: readonly string[];
  lookup?: LookupFunction;
  totalMs?: number;
};

export const MAX_PAGE_BYTES = 512 * 1024;
const MAX_REDIRECTS = 3;
const TOTAL_MS = 5000;
const CONNECT_MS = 2000;
const HEADERS_MS = 3000;
const HEADERS = {
  'user-agent': 'Officium-LinkPreview/1 (+link preview; one page, no links followed)',
  accept: 'text/html,application/xhtml+xml',
  'accept-encoding': 'gzip, deflate, br',
};

const publicDns = dnsLookup({ timeoutMs: CONNECT_MS });

/** A page that is not fetched, or not in a form we read; the reason is for the log. */
export class PageRefused extends Error {}

/** Looks a name up and refuses it when any of its addresses is not public. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (error || !first) return callback(error ?? new PageRefused('no such host'), [], 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new PageRefused('not a public address'), [], 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Connections that only ever reach public addresses: the name's addresses are looked at, and the socket's own. */
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
        // A literal address is never looked up.
        if (isExempt || isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
        socket.destroy();
        callback(new PageRefused('not a public address'), null);
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

/** At most two codings, as layers of thousands have brought clients down. */
function decoded(body: Readable, header: string | undefined): Readable {
  const codings = (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const layers = codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
  if (layers.length > 2) throw new PageRefused('too many codings');
  return layers.reduce<Readable>((stream, coding) => {
    const decoder = DECODERS.get(coding)?.();
    if (!decoder) throw new PageRefused('unknown coding');
    return pipeline(stream, decoder, () => {}); // whoever reads the last one sees the error
  }, body);
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    // no encoding was set
    size += chunk.length;
    if (size > MAX_PAGE_BYTES) throw new PageRefused('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

type Step = FetchedPage | { next: URL };

async function fetchOnce(url: URL, { allow, lookup }: PageFetchOptions, signal: AbortSignal): Promise<Step> {
  if (!isFetchable(url, allow)) throw new PageRefused('not an address we fetch');
  const isExempt = isAllowed(url, allow);
  // A place of one's own may have a name that only this machine knows.
  const usual = isExempt ? (systemLookup as LookupFunction) : publicDns; // one of its overloads
  const agent = openAgent(isExempt, lookup ?? usual);
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, headers: HEADERS, signal });
    body.on('error', () => {}); // it may fail after nobody reads it any more
    if ([301, 302, 303, 307, 308].includes(statusCode)) {
      const next = URL.parse(one(headers['location']) ?? '', url.href);
      if (!next) throw new PageRefused('a redirect to nowhere');
      return { next };
    }
    if (statusCode < 200 || statusCode > 299) throw new PageRefused(`status ${statusCode}`);
    const type = one(headers['content-type']) ?? '';
    if (!/^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type)) throw new PageRefused('not a page');
    return { url, type, bytes: await readAll(decoded(body, one(headers['content-encoding']))) };
  } finally {
    await agent.destroy();
  }
}

/**
 * Fetches a page of the public internet: http and https on their own ports, at most 3 redirects, 5 s, 512 KiB after
 * decompression, no cookies. Throws when it cannot be had.
 */
export async function fetchPage(address: URL, options: PageFetchOptions): Promise<FetchedPage> {
  const signal = AbortSignal.timeout(options.totalMs ?? TOTAL_MS);
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const step = await fetchOnce(url, options, signal);
    if (!('next' in step)) return step;
    url = step.next;
  }
  throw new PageRefused('too many redirects');
}
