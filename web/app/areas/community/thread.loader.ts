import { listActivityReactions, listChildReactions } from '@officium/contract/community';
import type { Api, Attempt } from '../../api.ts';
import { toReply, type ReactionItem, type ReplyData } from './model.ts';

/** Replies on one page of a thread; replies to a reply before "more" is offered, and after. */
const PAGE_SIZE = '25';
const BRANCH_SIZE = '10';
const WHOLE_BRANCH_SIZE = '100';
const DEEPEST = 3;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type ThreadView = {
  order: 'oldest' | 'newest';
  /** The reply after which this page starts. */
  after: string | undefined;
  /** The reply whose own replies are all shown. */
  open: string | undefined;
};

export type ThreadPage = { replies: ReplyData[]; next: string | null };

type At = {
  slug: string;
  id: string;
  /** The reply whose text is wanted as it was written. */ edit: string | undefined;
};

/** One page of replies with what is below them; null when the reader may not see replies. */
export async function loadReplies(
  { api, attempt }: { api: Api; attempt: Attempt },
  at: At,
  view: ThreadView,
): Promise<ThreadPage | null> {
  // The conversation is read from its beginning; ids sort by time.
  const window = view.order === 'newest' ? { id_lt: view.after } : { id_gt: view.after ?? FIRST_ID };
  const page = await attempt(listActivityReactions, {
    params: { slug: at.slug, id: at.id },
    query: { ...window, limit: PAGE_SIZE },
  });
  if (!page.ok) return null;
  const next = new URLSearchParams(page.body.next);
  const replies = await Promise.all(page.body.results.map((item) => withChildren(item, 1)));
  return { replies, next: next.get('id_gt') ?? next.get('id_lt') };

  async function withChildren(item: ReactionItem, level: number): Promise<ReplyData> {
    const source = item.id === at.edit;
    if (level >= DEEPEST || item.children_counts.reply === 0) return toReply(item, level, [], source);
    const { results } = await api(listChildReactions, {
      params: { slug: at.slug, id: item.id },
      query: { id_gt: FIRST_ID, limit: view.open === item.id ? WHOLE_BRANCH_SIZE : BRANCH_SIZE },
    });
    const children = await Promise.all(results.map((child) => withChildren(child, level + 1)));
    return toReply(item, level, children, source);
  }
}
