import { useEffect } from 'react';
import type { Flash } from '../form/flash.ts';
import { forgetDrafts, isOfAnother, wasJustSent } from './drafts.ts';

/**
 * Used by the page frame. Deletes drafts when the server has accepted them, when their author signs out, and when
 * another user signs in on the device. An expired session keeps them, or the text would be lost.
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
