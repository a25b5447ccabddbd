import type { ByteRange } from '#server/outside/files.ts';

/**
 * The part of a file that a request asks for (RFC 9110, section 14): `all` without a usable range, `none` when the file
 * is shorter. Several ranges at once are answered with the whole file.
 */
export function requestedRange(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | undefined },
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | 'all' | 'none' {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(range ?? '') ?? [];
  // A client that holds part of another version gets the whole file.
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return 'all';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'none' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < start) return 'all'; // not a range
  return start < bytes ? { start, end } : 'none';
}
