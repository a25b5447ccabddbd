import { useEffect, useRef, type RefObject } from 'react';

/** For a form that opens in its place: it takes the focus, for the link that opened it may be gone with its menu. */
export function useOpened(): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return box;
}
