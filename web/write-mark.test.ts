import { expect, it } from 'vitest';
import { withMark } from './write-mark.ts';

it('passes the write mark to the reads of the same page, and no other cookie', () => {
  const once = withMark('session=abc; written=1', ['session=new; Path=/', 'written=22; Path=/; HttpOnly']);
  expect(once).toBe('written=22; session=abc; written=1');
  expect(withMark('session=abc', ['locale=fr; Path=/'])).toBe('session=abc');
  expect(withMark('', ['__Host-written=4; Path=/; Secure'])).toBe('__Host-written=4');
  expect(withMark('', [])).toBe('');
});
