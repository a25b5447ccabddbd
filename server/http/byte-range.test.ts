import { describe, expect, it } from 'vitest';
import { requestedRange } from './byte-range.ts';

const file = { bytes: 1000, etag: '"a"' };

describe('requestedRange', () => {
  it.each<[string | undefined, ReturnType<typeof requestedRange>]>([
    [undefined, 'all'],
    ['bytes=0-', { start: 0, end: 999 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=500-599', { start: 500, end: 599 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=1000-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=5-2', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['bytes=-', 'all'],
    ['items=0-1', 'all'],
    ['bytes=a-b', 'all'],
  ])('%s', (range, expected) => {
    expect(requestedRange({ range }, file)).toEqual(expected);
  });

  it('ignores the range when the client holds another version', () => {
    expect(requestedRange({ range: 'bytes=5-', 'if-range': '"a"' }, file)).toEqual({ start: 5, end: 999 });
    expect(requestedRange({ range: 'bytes=5-', 'if-range': '"b"' }, file)).toBe('all');
    expect(requestedRange({ range: 'bytes=5-', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' }, file)).toBe('all');
  });

  it('finds nothing in an empty file', () => {
    expect(requestedRange({ range: 'bytes=0-' }, { bytes: 0, etag: '"a"' })).toBe('none');
  });
});
