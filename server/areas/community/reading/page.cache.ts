import type { Ctx } from '#server/ctx.ts';
import { PageCache } from '../bounded.cache.ts';
import type { Hydrated } from './hydrate.service.ts';

/** The rows of a page and the length of their texts. */
export type PageRows = { rows: Hydrated; bytes: number };

/** Larger pages are rebuilt from the row cache each time; 200 pages are cached per statement. */
const MAX_BYTES = 128 * 2 ** 10;

/**
 * Caches pages by their skeleton: the same skeleton text means the same rows. `make` reads the rows of a page that is
 * not cached.
 */
export function cachedPages<Page extends PageRows>(
  make: (ctx: Ctx, shared: string) => Promise<Page>,
): (ctx: Ctx, key: string, shared: string) => Promise<Page> {
  const pages = new PageCache<{ shared: string; page: Page }>();
  return async (ctx, key, shared) => {
    const known = pages.get(ctx.pool, key);
    if (known?.shared === shared) return known.page;
    const readAt = performance.now();
    const page = await make(ctx, shared);
    if (page.bytes <= MAX_BYTES) pages.put(ctx.pool, key, { shared, page }, readAt);
    return page;
  };
}
