import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../text.tsx';
import { areKeysOn } from './keys-switch.ts';

export const COMPLETE_FORM = 'complete-lesson';
/** Event that opens the dialog. */
const ASKED = 'lesson-keys';

const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));

/** n: next lesson, p: previous, c: complete and continue, ?: help. Ignored while typing and with modifiers. */
export function LessonKeys({ previous, next }: { previous: string | null; next: string | null }) {
  const navigate = useNavigate();
  // null: never opened, and therefore not loaded.
  const [isOpen, setOpen] = useState<boolean | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      const isWriting =
        target instanceof HTMLElement &&
        (target.isContentEditable || target.closest('input, textarea, select, dialog'));
      if (
        isWriting ||
        event.defaultPrevented ||
        event.repeat ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        !areKeysOn()
      )
        return;
      const key = event.key.toLowerCase();
      if (key === 'n' && next) void navigate(next);
      else if (key === 'p' && previous) void navigate(previous);
      else if (key === 'c') (document.getElementById(COMPLETE_FORM) as HTMLFormElement | null)?.requestSubmit();
      else if (key === '?') setOpen(true);
      else return;
      event.preventDefault();
    };
    const open = () => setOpen(true);
    document.addEventListener('keydown', press);
    document.addEventListener(ASKED, open);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener(ASKED, open);
    };
  }, [navigate, previous, next]);
  return isOpen === null ? null : (
    <Suspense>
      <KeysDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Suspense>
  );
}

/** A visible button for the same dialog. */
export function ShortcutsHelp() {
  const { t } = useText();
  return (
    <p className="needs-network mt-8 border-t border-line pt-2 text-sm noscript:hidden">
      <button
        type="button"
        className="inline-flex min-h-9 items-center text-muted underline decoration-dotted underline-offset-4"
        onClick={() => document.dispatchEvent(new Event(ASKED))}
      >
        {t('learning.keys')}
      </button>
    </p>
  );
}
