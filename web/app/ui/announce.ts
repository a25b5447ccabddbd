/** Says a short sentence to screen readers, once: after a vote, a like, a reply. */
export function announce(message: string): void {
  const region = document.getElementById('announcer');
  if (!region) return;
  region.textContent = '';
  // Emptied first, so that the same sentence twice is still said twice.
  setTimeout(() => (region.textContent = message), 50);
}
