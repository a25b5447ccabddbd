/** A file that arrives in parts: its key, and what the store calls it. */
export type PartedFile = { key: string; token: string };
export type FilePart = { number: number; bytes: Uint8Array };

/** Stores a file of equal parts of at least 5 MiB, which arrive in any order; the last may be shorter. */
export type PartedFiles = {
  /** Begins a file and returns its token. */
  begin(key: string, mime: string): Promise<string>;
  /** Stores a part, numbered from 1, again if need be. Returns a receipt for `join`. Throws ENOENT for a discarded file. */
  put(file: PartedFile, part: FilePart): Promise<string>;
  /** Makes the file of all its parts, given their receipts in order. Succeeds again when that was done. */
  join(file: PartedFile, receipts: readonly string[]): Promise<void>;
  /** Deletes the file and its parts, joined or not. */
  discard(file: PartedFile): Promise<void>;
};
