import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { trustedHtml } from '../trusted.ts';

const EVERY_MS = 2_000;
const AGAIN = { __html: trustedHtml('<meta http-equiv="refresh" content="5">') };

/** Reloads the data while work is in progress. Without script, the page refreshes itself. */
export function AutoRefresh() {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== 'idle') return undefined;
    const timer = setTimeout(() => void revalidate(), EVERY_MS);
    return () => clearTimeout(timer);
  }, [revalidate, state]);
  return <noscript dangerouslySetInnerHTML={AGAIN} />;
}
