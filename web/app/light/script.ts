import { saveLesson, SAVE_LESSON_AFTER_MS, startWorker } from '../offline/worker-messages.ts';
import { askPasskey, fetchOptions, hasPasskeys } from '../factors/browser-passkeys.ts';
import { tellTimeZone } from '../time-zone.ts';

// The whole script of pages without the application. The pages work without it; it only makes parts of them quicker.
// Small, without dependencies; it finds its elements by attributes.

/** Data attributes of the script element; see app/light/light-scripts.tsx. */
const { release = '', locale = '' } = (document.currentScript as HTMLScriptElement).dataset; // set for classic scripts

tellTimeZone();

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]');

/** Closes open menus when a click or the focus goes elsewhere. */
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
  // When the header has no room for the search field, the search page has one.
  const fields = document.querySelectorAll<HTMLInputElement>('[aria-keyshortcuts="/"], #search-q');
  const field = [...fields].find((one) => one.offsetParent);
  if (field) field.focus();
  else location.assign('/search');
});

// Blocks double submission.
const sent = new WeakSet<HTMLFormElement>();
addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement; // only forms fire submit
  if (form.method !== 'post' || event.defaultPrevented) return;
  if (sent.has(form)) event.preventDefault();
  sent.add(form);
  setTimeout(() => sent.delete(form), 3000);
});

// Passkey buttons; see factors/passkey-button.tsx.
if (hasPasskeys()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey], form[data-passkey-path]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void prove(form);
    });
  }
}

/** Submits the device's response to the options in the page, or to those an operation returns. */
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
    // Whatever failed, the user can only retry or sign in another way.
    if (failure) failure.textContent = failure.dataset['failure'] ?? '';
  }
}

/** The browser may restore a page from its cache after the visitor has signed in elsewhere. */
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted) return;
  const reply = await fetch('/api/auth/session').catch(() => undefined);
  const { viewer } = reply?.ok ? ((await reply.json()) as { viewer: object | null }) : { viewer: null }; // readSession
  if (viewer) location.reload();
});

if ('serviceWorker' in navigator) {
  // Browsers may refuse the worker: in private windows, or by policy.
  startWorker({ person: '', locale, release }).catch(() => undefined);
  const mark = document.querySelector<HTMLElement>('[data-keep]');
  if (mark) setTimeout(() => void keep(mark), SAVE_LESSON_AFTER_MS);
}

/** Saves the lesson of this page for offline reading and shows the mark. */
async function keep(mark: HTMLElement): Promise<void> {
  const { keep: url = '', title = '', lang = '' } = mark.dataset;
  mark.hidden = !(await saveLesson({ person: '', url, title, lang }).catch(() => false));
}
