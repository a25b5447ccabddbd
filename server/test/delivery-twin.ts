import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TwinEntry = { id: string; type: string; version: number; fields: Record<string, Record<string, unknown>> };

const linkTo = (id: string) => ({ sys: { type: 'Link', linkType: 'Entry', id } });

/** A link field in the default language of the twin. */
export const links = (...ids: string[]) => ({ 'en-US': ids.map(linkTo) });
export const en = (value: unknown) => ({ 'en-US': value });

/** A local twin of the platform's delivery API over a space in memory. */
export type DeliveryTwin = {
  settings: Record<string, string>;
  entries: Map<string, TwinEntry>;
  /** What the next requests meet, in order, instead of an answer. */
  faults: ('limited' | 'cut' | 'silent' | 'broken')[];
  /** Paths with queries, as they were asked. */
  asked: string[];
  put(entry: TwinEntry): void;
  close(): Promise<void>;
};

const TOKEN = 'delivery-token';
const LOCALES = [
  { code: 'en-US', default: true, fallbackCode: null },
  { code: 'de-DE', default: false, fallbackCode: 'en-US' },
];

function shown({ id, type, version, fields }: TwinEntry) {
  const sys = { id, type: 'Entry', revision: version, publishedVersion: version, contentType: { sys: { id: type } } };
  return { sys, fields };
}

/** Answers the page that is asked for; the real API gives 1000 at most. */
function page(response: ServerResponse, items: unknown[], query: URLSearchParams): void {
  const skip = Number(query.get('skip') ?? 0);
  const limit = Math.min(1000, Number(query.get('limit') ?? 100));
  const body = { sys: { type: 'Array' }, total: items.length, skip, limit, items: items.slice(skip, skip + limit) };
  response.writeHead(200, { 'content-type': 'application/vnd.contentful.delivery.v1+json' }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, fault: DeliveryTwin['faults'][number]): void {
  if (fault === 'limited') response.writeHead(429, { 'x-contentful-ratelimit-reset': '0' }).end('{}');
  if (fault === 'broken') response.writeHead(502).end('bad gateway');
  if (fault === 'cut') {
    response.writeHead(200, { 'content-length': '500' }).write('{"items": [');
    setImmediate(() => response.destroy());
  }
}

export async function openDeliveryTwin(): Promise<DeliveryTwin> {
  const entries = new Map<string, TwinEntry>();
  const faults: DeliveryTwin['faults'] = [];
  const asked: string[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://twin');
    asked.push(`${url.pathname.split('/').at(-1)}${url.search}`);
    const fault = faults.shift();
    if (fault) return fail(response, fault);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end('{}');
    const [, path] = /^\/spaces\/space1\/environments\/master\/(\w+)$/.exec(url.pathname) ?? [];
    const query = url.searchParams;
    const all = [...entries.values()].toSorted((a, b) => a.id.localeCompare(b.id));
    if (path === 'locales') return page(response, LOCALES, query);
    if (path === 'content_types') {
      const types = [...new Set(all.map(({ type }) => type))];
      return page(response, types.map((id) => ({ sys: { id }, name: id })), query); // prettier-ignore
    }
    if (path !== 'entries') return void response.writeHead(404).end('{}');
    const ids = query.get('sys.id[in]')?.split(',');
    const target = query.get('links_to_entry');
    const isLinking = ({ fields }: TwinEntry) => JSON.stringify(fields).includes(`"linkType":"Entry","id":"${target}"`);
    const found = all.filter((entry) => (ids?.includes(entry.id) ?? true) && (target === null || isLinking(entry)));
    page(response, found.map(shown), query);
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    settings: { CONTENT_SPACE: 'space1', CONTENT_TOKEN: TOKEN, CONTENT_HOST: `http://127.0.0.1:${port}` },
    entries,
    faults,
    asked,
    put: (entry) => void entries.set(entry.id, entry),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
