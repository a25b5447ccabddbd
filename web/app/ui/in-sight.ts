import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/** For a row of links that scrolls on a narrow window: the page one is on is moved into sight. Give the row its ref. */
export function useCurrentInSight<T extends HTMLElement>(): RefObject<T | null> {
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
