import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { forgetDraft, readDraft, saveDraft } from '../../form/draft.ts';
import { keepable } from '../../form/state.ts';
import type { Values } from './article-form.ts';

const SAVE_AFTER_MS = 300;
/** Not part of what is written. */
const APART = new Set(['intent', 'draft']);

type Options = {
  key: string; /** Any field of the form. */
  field: RefObject<HTMLInputElement | null>;
  /** What the form begins with. */ initial: Values;
  /** The form comes back from the server as it was sent. */ isSent: boolean;
};

type DraftState = {
  /** Of an earlier visit, to begin with instead. */
  found: { values: Values; savedAt: string } | undefined;
  /** Whether something is written that is not published. */
  isDirty: boolean;
  /** Whether it is kept in this browser. */
  isKept: boolean;
  /** The form has changed. */
  touch(): void;
  discard(): void;
};

/** Keeps what is typed into a form in this browser, and finds it again. */
export function useDraft({ key, field, initial, isSent }: Options): DraftState {
  const [found, setFound] = useState<DraftState['found']>();
  const [isDirty, setDirty] = useState(isSent);
  const [isKept, setKept] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What stands in the form when the page opens; later answers to it change nothing of that.
  const first = useRef({ initial, isSent });

  useEffect(() => {
    const draft = first.current.isSent ? undefined : readDraft(key);
    if (draft && !isSame(draft.values, first.current.initial)) {
      setFound(draft);
      setDirty(true);
      setKept(true);
    }
  }, [key]);

  const stop = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);

  const save = useCallback(() => {
    stop();
    const form = field.current?.form;
    if (form) setKept(saveDraft(key, valuesIn(form)));
  }, [field, key, stop]);

  useEffect(() => {
    const saveNow = () => timer.current !== undefined && save(); // the page goes, and what waits would with it
    addEventListener('pagehide', saveNow);
    return () => {
      removeEventListener('pagehide', saveNow);
      stop();
    };
  }, [save, stop]);

  const touch = useCallback(() => {
    setDirty(true);
    stop();
    timer.current = setTimeout(save, SAVE_AFTER_MS);
  }, [save, stop]);

  const discard = useCallback(() => {
    stop();
    forgetDraft(key);
    setFound(undefined);
    setDirty(false);
    setKept(false);
  }, [key, stop]);

  return { found, isDirty, isKept, touch, discard };
}

function valuesIn(form: HTMLFormElement): Values {
  return Object.fromEntries(Object.entries(keepable(new FormData(form))).filter(([name]) => !APART.has(name)));
}

function isSame(draft: Values, values: Values): boolean {
  const names = new Set([...Object.keys(draft), ...Object.keys(values)]);
  return [...names].every((name) => (draft[name] ?? '') === (values[name] ?? ''));
}
