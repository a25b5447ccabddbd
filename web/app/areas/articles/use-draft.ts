import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { forgetDraft, readDraft, saveDraft } from '../../form/draft.ts';
import { keepable } from '../../form/state.ts';
import type { Values } from './article-form.ts';

const SAVE_AFTER_MS = 300;
/** Fields that are not content. */
const APART = new Set(['intent', 'draft']);

type Options = {
  key: string; /** Any field of the form. */
  field: RefObject<HTMLInputElement | null>;
  /** Initial values of the form. */ initial: Values;
  /** The form has just been returned by the server with its submitted values. */ isSent: boolean;
};

type DraftState = {
  /** A draft of an earlier visit, to start from instead. */
  found: { values: Values; savedAt: string } | undefined;
  /** Whether there are unpublished changes. */
  isDirty: boolean;
  /** Whether the draft is stored in this browser. */
  isKept: boolean;
  /** Call when the form changes. */
  touch(): void;
  discard(): void;
};

/** Saves a form as a draft in this browser and restores it. */
export function useDraft({ key, field, initial, isSent }: Options): DraftState {
  const [found, setFound] = useState<DraftState['found']>();
  const [isDirty, setDirty] = useState(isSent);
  const [isKept, setKept] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Values at first render; later responses do not change them.
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
    const saveNow = () => timer.current !== undefined && save(); // leaving the page: save the pending change first
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
  names.delete('basedOn'); // the edited state, not content
  return [...names].every((name) => (draft[name] ?? '') === (values[name] ?? ''));
}
