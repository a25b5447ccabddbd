import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';

type Props = {
  max: number;
  /** Measures how much of `max` a text uses. */
  measure: (text: string) => number;
  /** Text of the count; `count of max` by default. */
  wording?: (used: number) => string;
  children: ReactNode;
};

/** Share of the limit from which the remaining characters are announced. */
const NEAR = 0.85;
const QUIET_MS = 900;

/** A field with a live count below, which needs script. The field's hint states the limit. */
export function Counted({ max, measure, wording, children }: Props) {
  const { t, number } = useText();
  const box = useRef<HTMLDivElement>(null);
  const [used, setUsed] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const count = () => {
    const field = box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input[name], textarea[name]');
    return field ? measure(field.value) : 0;
  };
  useEffect(() => {
    setUsed(count());
    return () => clearTimeout(timer.current);
    // The input event reports changes; the initial value is read once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const onInput = () => {
    const now = count();
    setUsed(now);
    clearTimeout(timer.current);
    if (now < max * NEAR || wording) return;
    const left = max - now;
    timer.current = setTimeout(
      () => announce(left >= 0 ? t('article.chars_left', { count: left }) : t('article.chars_over', { count: -left })),
      QUIET_MS,
    );
  };
  const isOver = used !== undefined && used > max;
  return (
    <div ref={box} onInput={onInput}>
      {children}
      <p
        aria-hidden="true"
        className={`mt-1 min-h-5 text-end text-sm ${isOver ? 'font-semibold text-danger' : 'text-muted'}`}
      >
        {used === undefined
          ? null
          : isOver && !wording
            ? t('article.chars_over', { count: used - max })
            : (wording?.(used) ?? t('article.count', { count: number(used), max: number(max) }))}
      </p>
    </div>
  );
}
