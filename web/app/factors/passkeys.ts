import { useSyncExternalStore } from 'react';
import { hasPasskeys } from './browser-passkeys.ts';

const never = () => () => {};

/** Whether this browser supports passkeys; false on the server and without script. */
export function usePasskeys(): boolean {
  return useSyncExternalStore(never, hasPasskeys, () => false);
}
