import { isSameText, keptFields, readDraft, saveDraft, type Draft, type Fields } from './drafts.ts';

const PAUSE_MS = 300;

type Keeping = {
  /** The server refused the text, which the form shows again. */
  isRefused: boolean;
  /** The page says that the text was accepted. */
  isThanked: boolean;
  onChange: (isChanged: boolean) => void;
  /** The time at which the draft that fills the form was written; null once it is gone. */
  onFound: (at: number | null) => void;
  onOffline: (isOffline: boolean) => void;
};

/** The draft to fill the form with. One that was accepted, or says the same as the form, is deleted. */
function takeDraft(key: string, blank: Fields, { isRefused, isThanked }: Keeping): Draft | undefined {
  const draft = readDraft(localStorage, key);
  // Submitted, but the form is back without a success message: it was refused.
  if (draft?.isSent) {
    if (isThanked) localStorage.removeItem(key);
    else saveDraft(localStorage, key, { ...draft, isSent: false });
  }
  if (!draft || isRefused || (draft.isSent && isThanked)) return undefined;
  if (!isSameText(draft.fields, blank)) return draft;
  localStorage.removeItem(key);
  return undefined;
}

/** Keeps the text of a form as a draft under `key` on this device, until the returned function is called. */
export function keepForm(form: HTMLFormElement, key: string, keeping: Keeping): () => void {
  // Accepted after a refusal, which kept the text in the fields: they take the values of the page.
  if (keeping.isThanked && readDraft(localStorage, key)?.isSent) form.reset();
  const blank = keptFields(new FormData(form));
  let isChanged = false;
  let timer: number | undefined;
  const note = (changed: boolean) => {
    isChanged = changed;
    keeping.onChange(changed);
  };
  const save = (isSent = false) => {
    clearTimeout(timer);
    timer = undefined;
    if (!isChanged) return;
    const fields = keptFields(new FormData(form));
    if (isSameText(fields, blank)) localStorage.removeItem(key);
    else saveDraft(localStorage, key, { fields, at: Date.now(), isSent });
  };
  const draft = takeDraft(key, blank, keeping);
  if (draft) {
    fillForm(form, draft.fields);
    note(true);
    keeping.onFound(draft.at);
  } else if (!keeping.isRefused) note(false);
  const onInput = () => {
    note(true);
    clearTimeout(timer);
    timer = window.setTimeout(save, PAUSE_MS);
  };
  const onSubmit = (event: Event) => {
    note(true);
    save(navigator.onLine);
    keeping.onOffline(!navigator.onLine);
    if (navigator.onLine) return;
    // The router would show an error page and discard the form.
    event.preventDefault();
    event.stopPropagation();
  };
  const onReset = () => {
    note(false);
    localStorage.removeItem(key);
    keeping.onFound(null);
  };
  const stop = new AbortController();
  const { signal } = stop;
  form.addEventListener('input', onInput, { signal });
  form.addEventListener('change', onInput, { signal });
  form.addEventListener('submit', onSubmit, { capture: true, signal });
  form.addEventListener('reset', onReset, { signal });
  window.addEventListener('pagehide', () => save(), { signal });
  window.addEventListener('online', () => keeping.onOffline(false), { signal });
  return () => {
    if (timer !== undefined) save(); // pending change
    stop.abort();
  };
}

/** Fills the fields of a form as if typed. */
function fillForm(form: HTMLFormElement, fields: Fields): void {
  const values = new Map(fields);
  for (const element of form.elements) {
    // Restores the edited version, so that a later one by someone else causes a conflict instead of being overwritten.
    if (element instanceof HTMLInputElement && element.name === 'version')
      element.value = values.get('version') ?? element.value;
    else if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio'))
      element.checked = fields.some(([name, value]) => name === element.name && value === element.value);
    else if (
      (element instanceof HTMLInputElement && element.type !== 'hidden') ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
    ) {
      const value = values.get(element.name);
      if (value === undefined) continue;
      element.value = value;
      element.dispatchEvent(new Event('refill', { bubbles: true }));
    }
  }
}
