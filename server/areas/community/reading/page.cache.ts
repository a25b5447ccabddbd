import type { Ctx } from '#server/ctx.ts';
import { Memory } from '../memory.cache.ts';
import type { Hydrated } from './hydrate.service.ts';

/** The rows of a page, and how long their texts are. */
export type PageRows = { rows: Hydrated; bytes: number };

/** Longer pages are put together from the row cache each time: 200 pages are remembered of each sort. */
const MAX_BYTES = 128 * 2 ** 10;

/**
 * Remembers pages by what the skeleton says of them: the same text means the same rows. `make` reads the rows of a page
 * that is not remembered.
 */
export function pageMemory<Page extends PageRows>(
  make: (ctx: Ctx, shared: string) => Promise<Page>,
): (ctx: Ctx, key: string, shared: string) => Promise<Page> {
  const pages = new Memory<{ shared: string; page: Page }>();
  return async (ctx, key, shared) => {
    const known = pages.get(ctx.pool, key);
    if (known?.shared === shared) return known.page;
    const readAt = performance.now();
    const page = await make(ctx, shared);
    if (page.bytes <= MAX_BYTES) pages.put(ctx.pool, key, { shared, page }, readAt);
    return page;
  };
}
