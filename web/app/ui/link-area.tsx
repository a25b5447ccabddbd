import type { ComponentProps, MouseEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * Follows plain internal links without a reload. For long lists, where a hundred `Link`s cost the server as much as the
 * texts between them, and for links inside formatted text. A link with `data-in-place` keeps the scroll position.
 */
export function LinkArea(props: Omit<ComponentProps<'div'>, 'onClick'>) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    const isHere = link.pathname === location.pathname && link.search === location.search;
    if (link.pathname.startsWith('/api/') || (isHere && link.hash)) return;
    event.preventDefault();
    void navigate(link.pathname + link.search + link.hash, { preventScrollReset: 'inPlace' in link.dataset });
  };
  // The links themselves are pressed, also by keyboard; the area only listens.
  return <div {...props} onClick={follow} />;
}
