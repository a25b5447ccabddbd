import { describe, expect, it } from 'vitest';
import { base32, codeAt, otpauthUri, stepAt, stepOf } from './totp.policy.ts';

// RFC 6238, appendix B: SHA-1, the last six of the eight digits.
const SECRET = Buffer.from('12345678901234567890');

describe('app codes', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %d seconds match the standard', (seconds, code) => {
    expect(codeAt(SECRET, stepAt(seconds))).toBe(code);
    expect(stepOf(SECRET, code, seconds)).toBe(stepAt(seconds));
  });

  it('are accepted for half a minute before and after, and no longer', () => {
    // The code of the step at 1 111 111 109 seconds.
    const at = (seconds: number) => stepOf(SECRET, '081804', seconds);
    const step = stepAt(1111111109);
    const [first, last] = [step * 30 - 30, step * 30 + 59];
    expect([first - 1, first, last, last + 1].map(at)).toEqual([undefined, step, step, undefined]);
    expect(stepOf(SECRET, '08180', 1111111109)).toBeUndefined();
  });
});

it('secrets and URIs have the format apps expect', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(otpauthUri({ secret: 'AAAA', issuer: 'City & Co', account: 'a@b.gov' })).toBe(
    'otpauth://totp/City%20%26%20Co:a%40b.gov?secret=AAAA&issuer=City%20%26%20Co',
  );
});
