import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../text.tsx';

export const COMPLETE_FORM = 'complete-lesson';
const SWITCH = 'lesson-keys';

// A single letter must be possible to switch off (WCAG 2.1.4): people who speak to their computer type by accident.
function areOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== 'off';
  } catch {
    return true;
  }
}

/** n: next lesson, p: previous, c: complete and go on. Not while writing, and not with a modifier. */
export function useLessonKeys(previous: string | null, next: string | null): void {
  const navigate = useNavigate();
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
        !areOn()
      )
        return;
      const key = event.key.toLowerCase();
      if (key === 'n' && next) void navigate(next);
      else if (key === 'p' && previous) void navigate(previous);
      else if (key === 'c') (document.getElementById(COMPLETE_FORM) as HTMLFormElement | null)?.requestSubmit();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, previous, next]);
}

/** What the keys do, and their switch. */
export function ShortcutsHelp() {
  const { t } = useText();
  const [isOn, setOn] = useState(true);
  useEffect(() => setOn(areOn()), []);
  const keys = [
    ['N', t('learning.key_next')],
    ['P', t('learning.key_previous')],
    ['C', t('learning.key_complete')],
  ] as const;
  return (
    <details className="mt-8 border-t border-line pt-2 text-sm noscript:hidden">
      <summary className="inline-flex min-h-9 items-center text-muted underline decoration-dotted underline-offset-4">
        {t('learning.keys')}
      </summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-block min-w-6 rounded border border-edge px-1.5 text-center font-sans">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-3 flex min-h-9 items-center gap-2.5">
        <input
          type="checkbox"
          className="choice"
          checked={isOn}
          onChange={(event) => {
            setOn(event.target.checked);
            localStorage.setItem(SWITCH, event.target.checked ? 'on' : 'off');
          }}
        />
        {t('learning.keys_on')}
      </label>
    </details>
  );
}
