import { useEffect, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { withPage, type FeedPage } from './feed-pages.ts';

/** Instructions of a link to the feed page, kept in the history state. */
export type FeedArrival = {
  /** Append the page to those already shown. */
  isMore?: boolean;
  /** Scroll to the first post that is not older than this id. */
  since?: string;
};

export function arrivalOf(state: unknown): FeedArrival {
  return typeof state === 'object' && state !== null ? state : {}; // only our own links set this state
}

// Browser only: pages shown per history entry, so that Back restores them at once.
const shown = new Map<string, FeedPage[]>();
const MOST_PLACES = 20;

/** All pages of a feed to show: the one in the address, and those appended before it. */
export function useFeedPages(page: FeedPage): FeedPage[] {
  const { key, state } = useLocation();
  const type = useNavigationType();
  const { t } = useText();
  const { isMore, since } = arrivalOf(state);
  const [last, setLast] = useState(page);
  const [pages, setPages] = useState(() => withPage(shown.get(key) ?? [], page));
  if (last !== page) {
    setLast(page);
    setPages(withPage(isMore ? pages : (shown.get(key) ?? []), page));
  }

  useEffect(() => {
    shown.set(key, pages);
    const [oldest] = shown.keys();
    if (shown.size > MOST_PLACES && oldest !== undefined) shown.delete(oldest);
  }, [key, pages]);

  useEffect(() => {
    if (type === 'POP') return;
    if (isMore) announce(t('feed.shown', { count: page.posts.length }));
    const first = isMore ? page.posts[0] : since && page.posts.find(({ id, isPinned }) => !isPinned && id >= since);
    const element = first ? document.getElementById(first.id) : null;
    if (!element) return;
    element.tabIndex = -1;
    element.focus({ preventScroll: isMore });
    // Once per navigation, however often data reloads.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return pages;
}
