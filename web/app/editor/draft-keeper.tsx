import { useEffect, useRef, useState } from 'react';
import { useLocation, useRouteLoaderData } from 'react-router';
import { useFormScope } from '../form/form-scope.tsx';
import type { RootData } from '../root-data.ts';
import { useText } from '../text.tsx';
import { announce } from '../ui/announce.ts';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { draftKey, readDraft } from './drafts.ts';
import { keepForm } from './kept-form.ts';

type Props = {
  /** Distinguishes drafts on one page; by default the form's prefix does. */
  form?: string;
  /** Called with whether the form has unsaved changes. */
  onChange?: (isChanged: boolean) => void;
};

/**
 * Place it inside a form. The text survives a reload, a lost connection and an expired session on this device. A found
 * draft fills the form, with a note; it is deleted once the server accepts the text (see draft-guard.ts).
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
    return keepForm(form, key, {
      isRefused,
      isThanked: isThanked.current,
      onChange: (isChanged) => tell.current?.(isChanged),
      onFound: setFoundAt,
      onOffline: setIsOffline,
    });
  }, [key, isRefused]);

  // Accepted, and the same page is shown: the form is ready for the next text.
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

/** Marks a closed form that has a draft. */
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
