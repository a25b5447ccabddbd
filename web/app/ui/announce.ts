/** Announces a short message to screen readers: after a vote, a like, a reply. */
export function announce(message: string): void {
  const region = document.getElementById('announcer');
  if (!region) return;
  region.textContent = '';
  // Emptied first, so that a repeated message is announced again.
  setTimeout(() => (region.textContent = message), 50);
}
