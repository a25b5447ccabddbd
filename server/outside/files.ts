import type { Readable } from 'node:stream';
import type { PartedFiles } from './files-parts.ts';

/** Positions of the first and the last byte, both included. */
export type ByteRange = { start: number; end: number };

/**
 * File storage. We generate the keys: letters, digits, dots, hyphens and slashes. A `signal`, or else a timeout of some
 * seconds, ends the wait for a store; an interrupted write may or may not have happened. Throws `server.unavailable`
 * when the store is down or fails.
 */
export type Files = {
  put(key: string, bytes: Uint8Array, mime: string, signal?: AbortSignal): Promise<void>;
  /** Stores content of any size. Replaces an existing file only after the whole stream has arrived. */
  putStream(key: string, content: Readable, mime: string): Promise<void>;
  get(key: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** The signal applies only until the content begins to arrive. */
  stream(key: string, signal?: AbortSignal, range?: ByteRange): Promise<Readable>;
  exists(key: string, signal?: AbortSignal): Promise<boolean>;
  /** The size in bytes; undefined when the file does not exist. */
  size(key: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Renames a file of at most 5 GB, replacing what was there. */
  move(from: string, to: string): Promise<void>;
  /** Succeeds also when the file does not exist. */
  delete(key: string): Promise<void>;
  parts: PartedFiles;
};

/** One timeout for all storage calls of a user's request. */
export function storageTimeout(): AbortSignal {
  return AbortSignal.timeout(4_000);
}
