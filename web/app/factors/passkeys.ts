import { useSyncExternalStore } from 'react';
import { hasPasskeys } from './passkey-talk.ts';

const never = () => () => {};

/** Whether this browser can; false on the server and without script. */
export function usePasskeys(): boolean {
  return useSyncExternalStore(never, hasPasskeys, () => false);
}
