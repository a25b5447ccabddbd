/** Replaces the link in a box for an outside video with its player; the link stays below it. */
export function playEmbed(link: HTMLAnchorElement): void {
  const title = link.textContent ?? '';
  const frame = document.createElement('iframe');
  frame.src = `/player?${new URLSearchParams({ src: link.href, title })}`;
  frame.title = title;
  frame.allow = 'fullscreen; picture-in-picture';
  link.closest('figure')?.prepend(frame);
  link.classList.remove('embed-link');
  frame.focus();
}
