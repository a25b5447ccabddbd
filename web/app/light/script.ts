import { keepLesson, KEEP_AFTER_MS, startWorker } from '../worker-talk.ts';
import { askPasskey, fetchOptions, hasPasskeys } from '../factors/passkey-talk.ts';
import { tellTimeZone } from '../time-zone.ts';

// All the script of a page that is sent without the application. The page does everything without it; this makes some
// of it quicker. It is small, depends on nothing, and finds what it serves by attributes of the page.

/** Said by the script element itself; see app/light/light-scripts.tsx. */
const { release = '', locale = '' } = (document.currentScript as HTMLScriptElement).dataset; // a classic script has one

tellTimeZone();

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]');

/** A press or the focus elsewhere closes a menu. */
function closeOthers({ target }: Event): void {
  for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
}
addEventListener('pointerdown', closeOthers);
addEventListener('focusin', closeOthers);

addEventListener('keydown', (event) => {
  const { key, target } = event;
  const element = target instanceof HTMLElement ? target : undefined;
  if (key === 'Escape') {
    const menu = element?.closest<HTMLDetailsElement>('details[data-menu][open]');
    if (menu) {
      menu.querySelector('summary')?.focus();
      menu.open = false;
    }
  }
  if (key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (element?.closest('input, textarea, select, [contenteditable]')) return;
  event.preventDefault();
  // Where the header has no room for the field, the page of searching has one.
  const fields = document.querySelectorAll<HTMLInputElement>('[aria-keyshortcuts="/"], #search-q');
  const field = [...fields].find((one) => one.offsetParent);
  if (field) field.focus();
  else location.assign('/search');
});

// What is pressed twice is sent once.
const sent = new WeakSet<HTMLFormElement>();
addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement; // nothing else is submitted
  if (form.method !== 'post' || event.defaultPrevented) return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), 3000);
});

// The buttons that use a passkey; see factors/passkey-button.tsx.
if (hasPasskeys()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey], form[data-passkey-path]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void prove(form);
    });
  }
}

/** Sends what the person's device answers to the options in the page, or to those an operation gives. */
async function prove(form: HTMLFormElement): Promise<void> {
  const { passkey = '', passkeyPath } = form.dataset;
  const failure = form.querySelector<HTMLElement>('[data-failure]');
  if (failure) failure.textContent = '';
  try {
    const given = passkeyPath ? await fetchOptions(passkeyPath) : { options: JSON.parse(passkey) as unknown };
    if (!('options' in given)) throw new Error(`no options: ${given.status}`);
    const answer = await askPasskey('prove', given.options);
    const field = form.elements.namedItem('passkey');
    if (answer === undefined || !(field instanceof HTMLInputElement)) return;
    field.value = answer;
    form.submit();
  } catch {
    // Whatever it was, the person can only try again or sign in otherwise.
    if (failure) failure.textContent = failure.dataset['failure'] ?? '';
  }
}

/** The browser may show a page again as it was left; its reader may have signed in meanwhile. */
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted) return;
  const reply = await fetch('/api/auth/session').catch(() => undefined);
  const { viewer } = reply?.ok ? ((await reply.json()) as { viewer: object | null }) : { viewer: null }; // readSession
  if (viewer) location.reload();
});

if ('serviceWorker' in navigator) {
  // A browser may refuse the worker to anybody: in a private window, or by policy.
  startWorker({ person: '', locale, release }).catch(() => undefined);
  const mark = document.querySelector<HTMLElement>('[data-keep]');
  if (mark) setTimeout(() => void keep(mark), KEEP_AFTER_MS);
}

/** Keeps the lesson of this page for reading without a network, and says so. */
async function keep(mark: HTMLElement): Promise<void> {
  const { keep: url = '', title = '', lang = '' } = mark.dataset;
  mark.hidden = !(await keepLesson({ person: '', url, title, lang }).catch(() => false));
}
