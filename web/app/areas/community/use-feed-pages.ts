import { useEffect, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { withPage, type FeedPage } from './feed-pages.ts';

/** What a link to a feed asks of the page it leads to, kept in the history. */
export type FeedArrival = {
  /** Put the page below those that are shown. */
  isMore?: boolean;
  /** Lead the reader to the first post that is not older than this id. */
  since?: string;
};

export function arrivalOf(state: unknown): FeedArrival {
  return typeof state === 'object' && state !== null ? state : {}; // only our own links put something there
}

// In the browser alone: what was shown at each place of the history, so that Back finds it again at once.
const shown = new Map<string, FeedPage[]>();
const MOST_PLACES = 20;

/** All pages of a feed that are to be shown: the one of the address, and those loaded before it in place. */
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
    // Once for each arrival, whatever is loaded again later.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return pages;
}
