import { useEffect, useRef, type FocusEvent, type ReactNode } from 'react';
import { useText } from '../text.tsx';
import { Button } from './button.tsx';
import { finishDeletion, pauseTimer, runTimer, undoDeletion, type DeletionState } from './deletion.ts';

type Props = {
  id: string;
  state: DeletionState;
  /** Button labels; for deletion by default. */
  labels?: { undo: string; now: string };
  /** The thing about to be deleted. */
  children: ReactNode;
};

/**
 * Replaces something that is about to be deleted and offers undo. The timer pauses while the notice is hovered or has
 * the focus, so that nobody has to be quick.
 */
export function DeletionNotice({ id, state, labels, children }: Props) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus({ preventScroll: true }), []);
  const holdForKeys = ({ target }: FocusEvent<Element>) => {
    if (target.matches(':focus-visible')) pauseTimer(id);
  };
  const undo = () => {
    undoDeletion(id);
    // The restored item is rendered again: return the focus to it.
    requestAnimationFrame(() => document.getElementById(id)?.focus({ preventScroll: true }));
  };
  return (
    <div
      ref={box}
      onPointerEnter={() => pauseTimer(id)}
      onPointerLeave={() => runTimer(id)}
      onFocus={holdForKeys}
      onBlur={() => runTimer(id)}
      className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded border-s-4 border-danger bg-danger-soft p-4"
    >
      <p id={`going-${id}`} className="min-w-0">
        {children}
      </p>
      {state === 'waiting' ? (
        <div className="flex flex-wrap gap-3">
          <Button type="button" look="secondary" onClick={undo} aria-describedby={`going-${id}`}>
            {labels?.undo ?? t('thread.undo')}
          </Button>
          <Button type="button" look="danger" onClick={() => void finishDeletion(id)}>
            {labels?.now ?? t('thread.delete_now')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
