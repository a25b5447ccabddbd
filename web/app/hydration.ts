// A page whose hydration fails would be empty: React removes what it cannot render, and browsers refuse the scripts
// that it would write again. Such a page stays as the server sent it, and works as it does without script.

const keyOf = () => `unhydrated ${location.pathname}`;

/** Tells whether the hydration of this page failed earlier in this tab. */
export function isLeftAsSent(): boolean {
  try {
    return sessionStorage.getItem(keyOf()) !== null;
  } catch {
    return false; // browsers that store nothing for this site also refuse to read
  }
}

/** Loads the page again, to be left as it is sent. */
export function leaveAsSent(error: unknown): void {
  reportError(error);
  try {
    sessionStorage.setItem(keyOf(), '');
  } catch {
    return; // without the note, loading the page again would not end
  }
  location.replace(location.href);
}
