import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import type { FetchOptions } from '#server/outside/public-fetch.ts';
import { decodePage } from '#server/outside/page-text.ts';
import { isFetchable } from '#server/outside/public-address.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { type Preview, toPreview } from './link-preview.view.ts';

const LOOKS = { max: 120, windowSeconds: 300 };
const KEPT = 2000;
const GOOD_FOR_MS = 24 * 3_600_000;
const BAD_FOR_MS = 600_000;
const MAX_URL = 2048;
/** Whoever waited longer for their turn behind slow pages is told to come again. */
const PATIENCE_MS = 5000;

/** The address in a path parameter, base64 or base64url; undefined when it holds none. */
export function readEncodedUrl(encoded: string): URL | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64')).trim();
    if (text.length > MAX_URL || !/^https?:\/\//i.test(text)) return undefined;
    const url = URL.parse(text);
    if (url) url.hash = '';
    return url ?? undefined;
  } catch {
    return undefined; // no text
  }
}

type Kept = { until: number; preview: Promise<Preview | undefined> };

export type LinkPreviews = (ctx: Ctx, actor: UserViewer, encodedUrl: string) => Promise<Preview>;

/**
 * Previews of pages, each node for itself: ten pages at once, one of a host, remembered for a day, and for ten minutes
 * when there is none.
 */
export function createLinkPreviews(options: FetchOptions): LinkPreviews {
  const kept = new Map<string, Kept>();
  const inTurn = takeTurns({ running: 10, waiting: 100 });
  const hosts = new Map<string, { users: number; inTurn: ReturnType<typeof takeTurns> }>();

  const oneOfHost = async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    const line = hosts.get(host) ?? { users: 0, inTurn: takeTurns({ running: 1, waiting: 50 }) };
    hosts.set(host, line);
    line.users += 1;
    try {
      return await line.inTurn(work);
    } finally {
      line.users -= 1;
      if (line.users === 0) hosts.delete(host);
    }
  };

  const look = async (ctx: Ctx, url: URL): Promise<Preview | undefined> => {
    const asked = performance.now();
    return await oneOfHost(url.host, async () =>
      inTurn(async () => {
        if (performance.now() - asked > PATIENCE_MS) throw new AppError('server.unavailable', { retryAfterSeconds: 5 });
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

  const remember = (key: string, entry: Kept) => {
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  };

  const lookOnce = (ctx: Ctx, url: URL): Promise<Preview | undefined> => {
    const now = ctx.clock.now().getTime();
    const known = kept.get(url.href);
    if (known && known.until > now) return known.preview;
    const entry: Kept = { until: now + GOOD_FOR_MS, preview: look(ctx, url) };
    remember(url.href, entry);
    entry.preview.then(
      (preview) => {
        if (!preview) entry.until = now + BAD_FOR_MS;
      },
      () => void kept.delete(url.href), // too busy: the next may try again
    );
    return entry.preview;
  };

  return async (ctx, actor, encodedUrl) => {
    await takeLimit(ctx, `link-preview:${actor.id}`, LOOKS);
    const url = readEncodedUrl(encodedUrl);
    const preview = url && isFetchable(url, options.allow) ? await lookOnce(ctx, url) : undefined;
    if (!preview) throw new AppError('assets.no_preview');
    return preview;
  };
}
