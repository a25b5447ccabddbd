import { useEffect, useRef, type RefObject } from 'react';

/** Moves the focus into a form that opens in place, because the link that opened it may vanish with its menu. */
export function useOpened(): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return box;
}
