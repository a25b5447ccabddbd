import type { IncomingMessage, ServerResponse } from 'node:http';
import { startTwin } from './http-twin.ts';

export type TwinEntry = { id: string; type: string; version: number; fields: Record<string, Record<string, unknown>> };

export const entryLink = (id: string) => ({ sys: { type: 'Link', linkType: 'Entry', id } });

/** A picture or another file of the space. Without bytes its download fails. */
export type TwinAsset = {
  id: string;
  version: number;
  mime: string;
  bytes?: Uint8Array;
  description: Record<string, string>;
};

/** A link field in the twin's default language. */
export const links = (...ids: string[]) => ({ 'en-US': ids.map(entryLink) });
export const en = (value: unknown) => ({ 'en-US': value });
export const assetLink = (id: string) => ({ sys: { type: 'Link', linkType: 'Asset', id } });

/** A local twin of the platform's delivery API over an in-memory space. */
export type DeliveryTwin = {
  settings: Record<string, string>;
  entries: Map<string, TwinEntry>;
  assets: Map<string, TwinAsset>;
  /** Faults for the next requests, in order. */
  faults: ('limited' | 'cut' | 'silent' | 'broken')[];
  /** Requested paths with their queries. */
  asked: string[];
  put(entry: TwinEntry): void;
  putAsset(asset: TwinAsset): void;
  remove(id: string): void;
  close(): Promise<void>;
};

const TOKEN = 'delivery-token';
const SYNC_PAGE = 3;
const LOCALES = [
  { code: 'en-US', default: true, fallbackCode: null },
  { code: 'de-DE', default: false, fallbackCode: 'en-US' },
];

/** The delivery API's representation of an asset; the file URL leads to the twin too. */
function shownAsset({ id, version, mime, description }: TwinAsset, host: string) {
  const file = { url: `http://${host}/media/${id}`, fileName: `${id}.bin`, contentType: mime, details: {} };
  const sys = { id, type: 'Asset', revision: version, publishedVersion: version };
  return { sys, fields: { description, file: { 'en-US': file } } };
}

function shown({ id, type, version, fields }: TwinEntry) {
  const sys = { id, type: 'Entry', revision: version, publishedVersion: version, contentType: { sys: { id: type } } };
  return { sys, fields };
}

type Space = { entries: Map<string, TwinEntry>; assets: Map<string, TwinAsset>; history: string[] };

const SYNC_TOKEN = /^(all|since)\.(\d+)\.(\d+)$/;

/** A page of the sync API. A token contains the position in the history and how many items were returned. */
function syncPage({ entries, assets, history }: Space, query: URLSearchParams) {
  const token = query.get('initial') === 'true' ? `all.${history.length}.0` : query.get('sync_token');
  const [, scope, from, skip] = SYNC_TOKEN.exec(token ?? '') ?? [];
  if (!scope) return undefined;
  const ids = scope === 'all' ? [...entries.keys(), ...assets.keys()] : [...new Set(history.slice(Number(from)))];
  const done = Number(skip) + SYNC_PAGE;
  const items = ids.slice(Number(skip), done).map((id) => {
    const [entry, asset] = [entries.get(id), assets.get(id)];
    return entry ? shown(entry) : asset ? shownAsset(asset, 'twin') : { sys: { type: 'DeletedEntry', id } };
  });
  const next = scope === 'all' ? Number(from) : history.length;
  const address = (name: string) => `https://cdn.example/spaces/space1/environments/master/sync?sync_token=${name}`;
  return done < ids.length
    ? { items, nextPageUrl: address(`${scope}.${from}.${done}`) }
    : { items, nextSyncUrl: address(`since.${next}.0`) };
}

/** Returns the requested page; the real API limits it to 1000 items. */
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
  const assets = new Map<string, TwinAsset>();
  const faults: DeliveryTwin['faults'] = [];
  const asked: string[] = [];
  /** Ids of changed and removed items, in order. */
  const history: string[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://twin');
    asked.push(`${url.pathname.split('/').at(-1)}${url.search}`);
    const fault = faults.shift();
    if (fault) return fail(response, fault);
    const media = assets.get(/^\/media\/([^/]+)$/.exec(url.pathname)?.[1] ?? '');
    if (media?.bytes) return void response.writeHead(200, { 'content-type': media.mime }).end(media.bytes);
    if (url.pathname.startsWith('/media/')) return void response.writeHead(404).end();
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end('{}');
    const [, path] = /^\/spaces\/space1\/environments\/master\/(\w+)$/.exec(url.pathname) ?? [];
    const query = url.searchParams;
    const all = [...entries.values()].toSorted((a, b) => a.id.localeCompare(b.id));
    if (path === 'locales') return page(response, LOCALES, query);
    if (path === 'content_types') {
      const types = [...new Set(all.map(({ type }) => type))];
      return page(response, types.map((id) => ({ sys: { id }, name: id })), query); // prettier-ignore
    }
    if (path === 'sync') {
      const found = syncPage({ entries, assets, history }, query);
      return void response.writeHead(found ? 200 : 400).end(JSON.stringify(found ?? {}));
    }
    const ids = query.get('sys.id[in]')?.split(',');
    if (path === 'assets') {
      const named = [...assets.values()].filter(({ id }) => ids?.includes(id));
      return page(response, named.map((asset) => shownAsset(asset, request.headers.host ?? '')), query); // prettier-ignore
    }
    if (path !== 'entries') return void response.writeHead(404).end('{}');
    const target = query.get('links_to_entry') ?? query.get('links_to_asset');
    const kind = query.has('links_to_asset') ? 'Asset' : 'Entry';
    const isLinking = ({ fields }: TwinEntry) =>
      JSON.stringify(fields).includes(`"linkType":"${kind}","id":"${target}"`);
    const found = all.filter((entry) => (ids?.includes(entry.id) ?? true) && (target === null || isLinking(entry)));
    page(response, found.map(shown), query);
  }

  const { port, close } = await startTwin(answer);
  return {
    settings: {
      CONTENT_SPACE: 'space1',
      CONTENT_TOKEN: TOKEN,
      CONTENT_HOST: `http://127.0.0.1:${port}`,
      LINK_PREVIEW_ALLOW: `127.0.0.1:${port}`,
    },
    entries,
    assets,
    faults,
    asked,
    put(entry) {
      entries.set(entry.id, entry);
      history.push(entry.id);
    },
    putAsset(asset) {
      assets.set(asset.id, asset);
      history.push(asset.id);
    },
    remove(id) {
      entries.delete(id);
      history.push(id);
    },
    close,
  };
}
