import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/** Scrolls the current page's link into view in a row of links that scrolls on narrow screens. Give the row its ref. */
export function useScrollToCurrent<T extends HTMLElement>(): RefObject<T | null> {
  const row = useRef<T>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    if (!row.current || !current || row.current.scrollWidth <= row.current.clientWidth) return;
    const [inner, outer] = [current.getBoundingClientRect(), row.current.getBoundingClientRect()];
    row.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [pathname]);
  return row;
}
