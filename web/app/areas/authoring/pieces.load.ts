import { listPieces } from '@officium/contract/authoring';
import { PAGE_SIZE } from '../../admin/listing.ts';
import type { Api } from '../../server/api.ts';
import { isSearch, queryOf } from './pieces-query.ts';
import { isOpenable, openIn, toTree } from './pieces-tree.ts';

/** The tree with its open pieces, the parts of one piece (`in`), or a filtered list; each a page after `after`. */
export async function loadPieces(api: Api, url: URL) {
  const query = queryOf(url);
  const after = url.searchParams.get('after')?.slice(0, 2000);
  const page = { limit: String(PAGE_SIZE), ...(after ? { continuationToken: after } : {}) };
  const inside = url.searchParams.get('in');
  if (isSearch(query, url)) {
    const { pieces, total, continuationToken: next } = await api(listPieces, { query: { ...query, ...page } });
    return { look: 'list' as const, query, pieces, nodes: [], total, ...places(url, after, next) };
  }
  if (isOpenable(inside)) {
    const found = await api(listPieces, { query: { under: inside, ...page } });
    const { pieces, total, continuationToken: next } = found;
    return { look: 'parts' as const, query, pieces, nodes: [], total, ...places(url, after, next) };
  }
  const open = openIn(url);
  const [top, parts] = await Promise.all([
    api(listPieces, { query: { under: 'top', ...page } }),
    open.length > 0 ? api(listPieces, { query: { under: open.join(), limit: String(PAGE_SIZE) } }) : undefined,
  ]);
  const nodes = toTree(top.pieces, parts?.pieces ?? [], open);
  const around = places(url, after, top.continuationToken);
  return { look: 'tree' as const, query, pieces: [], nodes, total: top.total, ...around };
}

/** The addresses of the first and of the next page. */
function places(url: URL, after: string | undefined, next: string | undefined) {
  const at = (token?: string) => {
    const query = new URLSearchParams(url.searchParams);
    query.delete('after');
    if (token) query.set('after', token);
    return query.size > 0 ? `/admin/content?${query.toString()}` : '/admin/content';
  };
  return { first: after ? at() : undefined, next: next ? at(next) : undefined };
}
