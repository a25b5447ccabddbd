import { useEffect } from 'react';
import type { Flash } from '../form/flash.ts';
import { forgetDrafts, isOfAnother, wasJustSent } from './drafts.ts';

/**
 * For the frame around every page: drafts go when the server has taken them, when their writer signs out, and when
 * somebody else signs in on the same device. An expired session leaves them: the text would be lost with it.
 */
export function useDraftGuard(person: string | undefined, flash: Flash | null | undefined): void {
  useEffect(() => {
    if (person) forgetDrafts(localStorage, (key) => isOfAnother(key, person));
  }, [person]);
  useEffect(() => {
    if (flash?.tone === 'success') forgetDrafts(localStorage, (_key, draft) => wasJustSent(draft));
  }, [flash]);
  useEffect(() => {
    const onSubmit = ({ target }: SubmitEvent) => {
      if (target instanceof HTMLFormElement && new URL(target.action).pathname === '/logout')
        forgetDrafts(localStorage, () => true);
    };
    document.addEventListener('submit', onSubmit);
    return () => document.removeEventListener('submit', onSubmit);
  }, []);
}
