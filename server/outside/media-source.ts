import type { Readable } from 'node:stream';
import type { ByteRange } from './files.ts';

/** A file to examine. It is read in parts, because a recording does not fit into memory. */
export type MediaSource = { name: string; bytes: number; read(range?: ByteRange): Promise<Readable> };
