import type { Readable } from 'node:stream';

/**
 * Stored files, by keys we make ourselves: letters, digits, dots, hyphens and slashes. A `signal` ends the waiting for a
 * store that does not answer, as some seconds do without one; what was being stored may be there afterwards or not. A store
 * that is away or fails is `server.unavailable`.
 */
export type Files = {
  put(key: string, bytes: Uint8Array, mime: string, signal?: AbortSignal): Promise<void>;
  /** Of any size; what was there is replaced once all of it has come. */
  putStream(key: string, content: Readable, mime: string): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** Once its content begins to come, no signal ends it. */
  stream(key: string, signal?: AbortSignal): Promise<Readable>;
  exists(key: string, signal?: AbortSignal): Promise<boolean>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
};

/** Ends the waiting for several answers of the store, one after another, for which somebody waits. */
export function storePatience(): AbortSignal {
  return AbortSignal.timeout(4_000);
}
