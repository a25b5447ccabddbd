import { useEffect, useRef, useState } from 'react';
import { useLocation, useRouteLoaderData } from 'react-router';
import { useFormScope } from '../form/form-scope.tsx';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { announce } from '../ui/announce.ts';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { draftKey, isSameText, keptFields, readDraft, saveDraft, type Fields } from './drafts.ts';

const PAUSE_MS = 300;

type Props = {
  /** Tells drafts of one page apart; left out, its form's prefix does. */
  form?: string;
  /** Told whether the form holds what the server does not have. */
  onChange?: (isChanged: boolean) => void;
};

/**
 * Put it into a form: what is written there survives a reload, a lost connection and an expired session on this device.
 * A draft that is found fills the form, which says so. It goes once the server has taken it (see draft-guard.ts).
 */
export function DraftKeeper({ form: name, onChange }: Props) {
  const { t, rich } = useText();
  const { pathname } = useLocation();
  const { state, prefix } = useFormScope();
  const root = useRouteLoaderData<RootData>('root');
  const person = root?.viewer?.id;
  const key = person && draftKey(person, pathname, name ?? prefix);
  const mark = useRef<HTMLDivElement>(null);
  const [foundAt, setFoundAt] = useState<number | null>(null);
  const [isOffline, setIsOffline] = useState(false);
  const isRefused = state !== undefined;
  const success = root?.flash?.tone === 'success' ? root.flash : null;

  const isThanked = useRef(false);
  isThanked.current = success !== null;
  const tell = useRef(onChange);
  tell.current = onChange;

  useEffect(() => {
    const form = mark.current?.closest('form');
    if (!form || !key) return undefined;
    const blank = keptFields(new FormData(form));
    let isChanged = false;
    let timer: number | undefined;
    const note = (changed: boolean) => {
      isChanged = changed;
      tell.current?.(changed);
    };
    const save = (isSent = false) => {
      clearTimeout(timer);
      timer = undefined;
      if (!isChanged) return;
      const fields = keptFields(new FormData(form));
      if (isSameText(fields, blank)) localStorage.removeItem(key);
      else saveDraft(localStorage, key, { fields, at: Date.now(), isSent });
    };
    const draft = readDraft(localStorage, key);
    // Sent, and the form is here again without thanks: it was not taken.
    if (draft?.isSent) {
      if (isThanked.current) localStorage.removeItem(key);
      else saveDraft(localStorage, key, { ...draft, isSent: false });
    }
    const isWanted = draft && !isRefused && !(draft.isSent && isThanked.current);
    if (isWanted && isSameText(draft.fields, blank)) localStorage.removeItem(key);
    else if (isWanted) {
      fillForm(form, draft.fields);
      note(true);
      setFoundAt(draft.at);
    }
    const onInput = () => {
      note(true);
      clearTimeout(timer);
      timer = window.setTimeout(save, PAUSE_MS);
    };
    const onSubmit = (event: Event) => {
      note(true);
      save(navigator.onLine);
      setIsOffline(!navigator.onLine);
      if (navigator.onLine) return;
      // The router would answer with a page of its own, and the form would be gone.
      event.preventDefault();
      event.stopPropagation();
    };
    const onLeave = () => save();
    const onReset = () => {
      note(false);
      localStorage.removeItem(key);
      setFoundAt(null);
    };
    const onOnline = () => setIsOffline(false);
    form.addEventListener('input', onInput);
    form.addEventListener('change', onInput);
    form.addEventListener('submit', onSubmit, { capture: true });
    form.addEventListener('reset', onReset);
    window.addEventListener('pagehide', onLeave);
    window.addEventListener('online', onOnline);
    return () => {
      if (timer !== undefined) save(); // written a moment ago
      form.removeEventListener('input', onInput);
      form.removeEventListener('change', onInput);
      form.removeEventListener('submit', onSubmit, { capture: true });
      form.removeEventListener('reset', onReset);
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('online', onOnline);
    };
  }, [key, isRefused]);

  // Taken, and the same page is shown again: the form is free for the next text.
  useEffect(() => {
    if (success && key && readDraft(localStorage, key)?.isSent) mark.current?.closest('form')?.reset();
  }, [success, key]);

  const discard = () => {
    const form = mark.current?.closest('form');
    form?.reset();
    form?.querySelector<HTMLElement>('input:not([type=hidden]), [contenteditable=true], textarea')?.focus();
    announce(t('compose.draft_discarded'));
  };
  return (
    <div ref={mark} className="grid gap-3 empty:hidden">
      {foundAt === null ? null : (
        <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted" role="status">
          <span>{rich('compose.draft_kept', { when: <Time value={new Date(foundAt).toISOString()} /> })}</span>
          <button type="button" className="link min-h-9" onClick={discard}>
            {t('compose.draft_discard')}
          </button>
        </p>
      )}
      {isOffline ? (
        <Notice tone="danger" live>
          {t('compose.offline')}
        </Notice>
      ) : null}
    </div>
  );
}

/** Says on a closed form that a draft waits in it. */
export function DraftMark({ form }: { form: string }) {
  const { t } = useText();
  const { pathname } = useLocation();
  const person = useRouteLoaderData<RootData>('root')?.viewer?.id;
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    const draft = person ? readDraft(localStorage, draftKey(person, pathname, form)) : null;
    setIsThere(draft !== null && !draft.isSent);
  }, [person, pathname, form]);
  return isThere ? (
    <span className="rounded-full bg-marigold px-2.5 text-sm text-[#1b1f3b] group-open:hidden">
      {t('compose.draft_waiting')}
    </span>
  ) : null;
}

/** Puts values into a form's fields as if they had been typed. */
function fillForm(form: HTMLFormElement, fields: Fields): void {
  const values = new Map(fields);
  for (const element of form.elements) {
    // The version that was edited: somebody else's later one is then not replaced unseen.
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
