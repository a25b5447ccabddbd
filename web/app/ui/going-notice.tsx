import { useEffect, useRef, type FocusEvent, type ReactNode } from 'react';
import { useText } from '../text.tsx';
import { Button } from './button.tsx';
import { finishGoing, holdGoing, runTimer, undoGoing, type Going } from './going.ts';

type Props = {
  id: string;
  state: Going;
  /** What the buttons say; that something is deleted unless told. */
  labels?: { undo: string; now: string };
  /** Says what is about to be deleted, and what with it. */
  children: ReactNode;
};

/**
 * Stands where something is about to be deleted and takes that back. The time stops while the pointer rests here or a
 * key may press a button here: nobody has to be quick.
 */
export function GoingNotice({ id, state, labels, children }: Props) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('button')?.focus({ preventScroll: true }), []);
  const holdForKeys = ({ target }: FocusEvent<Element>) => {
    if (target.matches(':focus-visible')) holdGoing(id);
  };
  const undo = () => {
    undoGoing(id);
    // What was taken back stands here again, and who did it goes on from it.
    requestAnimationFrame(() => document.getElementById(id)?.focus({ preventScroll: true }));
  };
  return (
    <div
      ref={box}
      onPointerEnter={() => holdGoing(id)}
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
          <Button type="button" look="danger" onClick={() => void finishGoing(id)}>
            {labels?.now ?? t('thread.delete_now')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
