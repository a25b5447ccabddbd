import { listActivityReactions, listChildReactions, locateReaction } from '@officium/contract/community';
import type { Api, Attempt } from '../../server/api.ts';
import { NO_BRANCH, toReply, type Branch, type ReactionItem, type ReplyData } from './model.ts';
import { idBefore, type ThreadView } from './thread-address.ts';

/** Replies on one page; replies to a reply before and after "more". */
const PAGE_SIZE = '25';
const BRANCH_SIZE = '10';
const WHOLE_BRANCH_SIZE = '100';
const DEEPEST = 3;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type ThreadPage = {
  replies: ReplyData[];
  next: string | null;
  /** There are replies before the first one on this page. */
  hasBefore: boolean;
  /** The requested reply no longer exists. */
  isLost: boolean;
};

type At = {
  slug: string;
  id: string;
  /** Id of the reply being edited, whose source text is needed. */ edit: string | undefined;
};

/** One page of replies with their branches; null when the viewer may not see replies. */
export async function loadReplies(
  { api, attempt }: { api: Api; attempt: Attempt },
  at: At,
  view: ThreadView,
): Promise<ThreadPage | null> {
  const path = view.at ? await pathTo(view.at) : [];
  const [top] = path;
  // Oldest first by default; ids sort by time.
  const from = view.order === 'newest' ? { id_lt: view.after } : { id_gt: view.after ?? FIRST_ID };
  let page = await listTop(top ? { id_gt: FIRST_ID } : from);
  const isFar = top !== undefined && page.ok && !page.body.results.some(({ id }) => id === top);
  if (isFar) page = await listTop({ id_gt: idBefore(top) });
  if (!page.ok) return null;
  const opened = new Set([...path, view.open]);
  const next = new URLSearchParams(page.body.next);
  return {
    replies: await Promise.all(page.body.results.map((item) => withChildren(item, 1))),
    next: next.get('id_gt') ?? next.get('id_lt'),
    hasBefore: isFar || (view.at === undefined && view.after !== undefined),
    isLost: view.at !== undefined && top === undefined,
  };

  async function pathTo(id: string): Promise<string[]> {
    const found = await attempt(locateReaction, { params: { slug: at.slug, id } });
    return found.ok && found.body.activityId === at.id ? found.body.path : [];
  }

  function listTop(window: { id_gt?: string; id_lt?: string }) {
    return attempt(listActivityReactions, {
      params: { slug: at.slug, id: at.id },
      query: { ...window, limit: PAGE_SIZE },
    });
  }

  async function withChildren(item: ReactionItem, level: number): Promise<ReplyData> {
    const source = item.id === at.edit;
    if (level >= DEEPEST || item.children_counts.reply === 0) return toReply(item, level, NO_BRANCH, source);
    return toReply(item, level, await branchOf(item.id, level), source);
  }

  /** Starts at the first reply, or at the requested one when that is further down. */
  async function branchOf(id: string, level: number): Promise<Branch> {
    const isOpen = opened.has(id);
    const wanted = path[path.indexOf(id) + 1 || path.length];
    let page = await listChildren(id, FIRST_ID, isOpen);
    const isFar = wanted !== undefined && !page.results.some((child) => child.id === wanted);
    if (isFar) page = await listChildren(id, idBefore(wanted), isOpen);
    const children = await Promise.all(page.results.map((child) => withChildren(child, level + 1)));
    return { children, hasBefore: isFar, hasAfter: isOpen && page.next !== undefined };
  }

  function listChildren(id: string, after: string, isOpen: boolean) {
    return api(listChildReactions, {
      params: { slug: at.slug, id },
      query: { id_gt: after, limit: isOpen ? WHOLE_BRANCH_SIZE : BRANCH_SIZE },
    });
  }
}
