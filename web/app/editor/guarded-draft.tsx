import { useEffect, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import { DraftKeeper } from './draft-keeper.tsx';
import { LeaveGuard } from './leave-guard.tsx';

/**
 * Place it inside a form that takes long to fill: saves a draft, warns before leaving with unsaved changes, and lets
 * Ctrl+S press the form's first button.
 */
export function GuardedDraft({ form }: { form?: string }) {
  const mark = useRef<HTMLDivElement>(null);
  const [isChanged, setChanged] = useState(false);
  const { formData } = useNavigation();
  useEffect(() => {
    const owner = mark.current?.closest('form');
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return;
      event.preventDefault();
      owner?.querySelector<HTMLButtonElement>('button:not([type=button])')?.click();
    };
    owner?.addEventListener('keydown', onKeyDown);
    return () => owner?.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div ref={mark} className="contents">
      <DraftKeeper {...(form === undefined ? {} : { form })} onChange={setChanged} />
      <LeaveGuard isOn={isChanged && formData === undefined} />
    </div>
  );
}
