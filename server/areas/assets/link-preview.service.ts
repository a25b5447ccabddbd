import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import type { FetchOptions } from '#server/outside/public-fetch.ts';
import { decodePage } from '#server/outside/page-text.ts';
import { isFetchable } from '#server/outside/public-address.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { type Preview, toPreview } from './link-preview.view.ts';

const PREVIEWS = { max: 120, windowSeconds: 300 };
const MAX_CACHED = 2000;
const CACHE_MS = 24 * 3_600_000;
const FAILURE_CACHE_MS = 600_000;
const MAX_URL = 2048;
/** Requests that wait longer than this in the queue get a 503. */
const MAX_QUEUE_MS = 5000;

/** Decodes the address in a path parameter, base64 or base64url. Undefined if it is invalid. */
export function readEncodedUrl(encoded: string): URL | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64')).trim();
    if (text.length > MAX_URL || !/^https?:\/\//i.test(text)) return undefined;
    const url = URL.parse(text);
    if (url) url.hash = '';
    return url ?? undefined;
  } catch {
    return undefined; // not valid UTF-8
  }
}

type CacheEntry = { until: number; preview: Promise<Preview | undefined> };

export type LinkPreviews = (ctx: Ctx, viewer: UserViewer, encodedUrl: string) => Promise<Preview>;

/**
 * Fetches page previews, ten at a time and one per host. Each process caches previews for a day and failures for ten
 * minutes.
 */
export function createLinkPreviews(options: FetchOptions): LinkPreviews {
  const cache = new Map<string, CacheEntry>();
  const inTurn = takeTurns({ running: 10, waiting: 100 });
  const hosts = new Map<string, { users: number; inTurn: ReturnType<typeof takeTurns> }>();

  const oncePerHost = async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    const queue = hosts.get(host) ?? { users: 0, inTurn: takeTurns({ running: 1, waiting: 50 }) };
    hosts.set(host, queue);
    queue.users += 1;
    try {
      return await queue.inTurn(work);
    } finally {
      queue.users -= 1;
      if (queue.users === 0) hosts.delete(host);
    }
  };

  const fetchPreview = async (ctx: Ctx, url: URL): Promise<Preview | undefined> => {
    const startedAt = performance.now();
    return await oncePerHost(url.host, async () =>
      inTurn(async () => {
        if (performance.now() - startedAt > MAX_QUEUE_MS)
          throw new AppError('server.unavailable', { retryAfterSeconds: 5 });
        try {
          const { fetchPage } = await import('#server/outside/page-fetch.ts'); // its client is large
          const page = await fetchPage(url, options);
          return toPreview({ url: page.url, html: decodePage(page.bytes, page.type) }, options.allow);
        } catch (error) {
          ctx.log.info({ err: error, host: url.host }, 'link preview not fetched');
          return undefined;
        }
      }),
    );
  };

  const store = (key: string, entry: CacheEntry) => {
    cache.delete(key);
    cache.set(key, entry);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  };

  const previewOf = (ctx: Ctx, url: URL): Promise<Preview | undefined> => {
    const now = ctx.clock.now().getTime();
    const known = cache.get(url.href);
    if (known && known.until > now) return known.preview;
    const entry: CacheEntry = { until: now + CACHE_MS, preview: fetchPreview(ctx, url) };
    store(url.href, entry);
    entry.preview.then(
      (preview) => {
        if (!preview) entry.until = now + FAILURE_CACHE_MS;
      },
      () => void cache.delete(url.href), // the queue was full: not cached, so the next request tries again
    );
    return entry.preview;
  };

  return async (ctx, viewer, encodedUrl) => {
    await takeLimit(ctx, `link-preview:${viewer.id}`, PREVIEWS);
    const url = readEncodedUrl(encodedUrl);
    const preview = url && isFetchable(url, options.allow) ? await previewOf(ctx, url) : undefined;
    if (!preview) throw new AppError('assets.no_preview');
    return preview;
  };
}
