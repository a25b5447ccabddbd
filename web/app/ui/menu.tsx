import { useEffect, useRef, type ReactNode } from 'react';

type Props = {
  /** Content of the button. */
  label: ReactNode;
  /** Accessible name when the label is only an icon. */
  name?: string;
  /** Side of the button at which the panel is aligned: `start` extends towards the end of the line. */
  align?: 'start' | 'end';
  /** Opens upwards, for bars at the bottom. */
  isUpward?: boolean;
  summaryClassName?: string;
  panelClassName?: string;
  children: ReactNode;
};

/** A panel behind a button, built on `details`: works without script; with it, Esc and a click elsewhere close it. */
export function Menu({
  label,
  name,
  align = 'end',
  isUpward,
  summaryClassName = '',
  panelClassName = '',
  children,
}: Props) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const element = details.current;
    if (!element) return undefined;
    const close = (event: Event) => {
      if (!element.open || (event.target instanceof Node && element.contains(event.target) && event.type !== 'keydown'))
        return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        element.querySelector('summary')?.focus();
      }
      element.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    element.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
      element.removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details ref={details} data-menu="" className="relative">
      <summary className={`btn btn-quiet text-ink ${summaryClassName}`}>
        {name ? <span className="sr-only">{name}</span> : null}
        {label}
      </summary>
      <div
        className={`panel absolute z-40 max-h-[70dvh] max-w-[calc(100vw-2rem)] min-w-56 overflow-y-auto p-2 ${align === 'end' ? 'end-0' : 'start-0'} ${isUpward ? 'bottom-full mb-2' : 'top-full mt-2'} ${panelClassName}`}
        onClick={(event) => {
          if (details.current && event.target instanceof Element && event.target.closest('a, button'))
            details.current.open = false;
        }}
      >
        {children}
      </div>
    </details>
  );
}
