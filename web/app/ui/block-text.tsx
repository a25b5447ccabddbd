import type { ComponentProps, MouseEvent } from 'react';
import { RichText } from './rich-text.tsx';

/** Plays an outside video in its box. Other clicks on its link, as for a new tab, lead to its page. */
function play(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.embed-link') : null;
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void import('./play-embed.ts').then(
    ({ playEmbed }) => playEmbed(link),
    () => window.location.assign(link.href), // offline, or a new release
  );
}

/** A text that may have blocks, as those of lessons and articles. */
export function BlockText(props: ComponentProps<typeof RichText>) {
  return (
    <div className="contents" onClick={props.html.includes('class="embed"') ? play : undefined}>
      <RichText {...props} />
    </div>
  );
}
