import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { trustedHtml } from '../trusted.ts';

const FIRST_MS = 250;
const LATER_MS = 2_000;
const AGAIN = { __html: trustedHtml('<meta http-equiv="refresh" content="5">') };

/** Reloads the data while work is in progress: soon at first, because most work is short, then every two seconds. */
export function useAutoRefresh(isUnderWay: boolean): void {
  const { revalidate, state } = useRevalidator();
  const delay = useRef(FIRST_MS);
  useEffect(() => {
    if (!isUnderWay || state !== 'idle') return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      delay.current = Math.min(delay.current * 2, LATER_MS);
      void revalidate();
    }, delay.current);
    return () => clearInterval(timer);
  }, [isUnderWay, revalidate, state]);
}

/** Reloads the data while work is in progress. Without script, the page refreshes itself. */
export function AutoRefresh() {
  useAutoRefresh(true);
  return <noscript dangerouslySetInnerHTML={AGAIN} />;
}
