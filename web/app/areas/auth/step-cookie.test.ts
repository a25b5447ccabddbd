import { describe, expect, it } from 'vitest';
import { providerAttempt } from './provider.ts';
import { secondStep } from './second-step.ts';

const HTTPS = 'https://learn.example.gov';
const HTTP = 'http://localhost:3000';

describe.each([
  ['second-step', secondStep],
  ['provider-attempt', providerAttempt],
] as const)('the cookie %s', (name, cookie) => {
  it('cannot be set by a sibling domain over https', () => {
    const [pair, ...attributes] = cookie.set('a b', HTTPS).split('; ');
    expect(pair).toBe(`__Host-${name}=a%20b`);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure']);
    // A sibling domain can set the unprefixed cookie, so https ignores it.
    expect(cookie.read({ [name]: 'planted' }, HTTPS)).toBe('');
    expect(cookie.read({ [name]: 'planted', [`__Host-${name}`]: 'own' }, HTTPS)).toBe('own');
  });

  it('has no prefix over http', () => {
    expect(cookie.set('a', HTTP)).toBe(`${name}=a; Path=/; Max-Age=600; HttpOnly; SameSite=Lax`);
    expect(cookie.read({ [name]: 'a' }, HTTP)).toBe('a');
  });

  it('is deleted under the same name and path', () => {
    expect(cookie.set('', HTTPS)).toBe(`__Host-${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure`);
  });
});
