import { describe, expect, it } from 'vitest';
import { allowedTarget, ownPath, safeRedirect } from './redirect.policy.ts';

const rules = {
  publicUrl: 'https://learn.example',
  trustedRedirects: ['https://partner.example', 'http://localhost:4000'],
};

describe('safeRedirect', () => {
  it.each([
    ['/', '/'],
    ['/courses/plain-language?x=1#top', '/courses/plain-language?x=1#top'],
    ['/search?q=a%2F%2Fb', '/search?q=a%2F%2Fb'],
    ['/articles/caf%C3%A9', '/articles/caf%C3%A9'],
    ['https://learn.example/courses', '/courses'],
    ['https://partner.example/back?ok=1', 'https://partner.example/back?ok=1'],
    ['http://localhost:4000', 'http://localhost:4000/'],
  ])('follows %s', (target, expected) => {
    expect(safeRedirect(target, rules)).toBe(expected);
    expect(allowedTarget(target, rules)).toBe(target);
  });

  it.each([
    undefined,
    null,
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/%2F/evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/%252F%252Fevil.example',
    '/%09/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/a/%2e%2e/%2e%2e//evil.example',
    'evil.example',
    'courses',
    'javascript:alert(1)',
    'data:text/html,hi',
    'http:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https://evil.example',
    'https://evil.example/https://partner.example',
    'https://partner.example@evil.example/',
    'https://user:secret@partner.example/',
    'https://partner.example.evil.example/',
    'https://partner.example:8443/',
    'http://partner.example/',
    'https://partner.example\\@evil.example/',
    'https://learn.example@evil.example/',
    'https://learn.example//evil.example',
    'ftp://partner.example/',
  ])('falls back to / instead of %j', (target) => {
    expect(safeRedirect(target, rules)).toBe('/');
    expect(allowedTarget(target, rules)).toBe('/');
  });
});

it('ownPath refuses another origin', () => {
  expect(ownPath('https://partner.example/x', rules.publicUrl)).toBeUndefined();
  expect(ownPath('/files/a.webp', rules.publicUrl)).toBe('/files/a.webp');
});
