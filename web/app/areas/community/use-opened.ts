import { useEffect, useRef, type RefObject } from 'react';

/**
 * Moves the focus into a form that opens in place, because the link that opened it may vanish with its menu. A reader
 * who is already in the form, because its script came late, stays where they are.
 */
export function useOpened(): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!box.current?.contains(document.activeElement)) box.current?.focus();
  }, []);
  return box;
}
