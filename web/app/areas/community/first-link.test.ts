import { expect, it } from 'vitest';
import { encodeAddress, firstLinkOf } from './first-link.ts';

it('finds the first link to another site', () => {
  const html = '<p><a href="/people/1">Ada</a> <a rel="ugc" href="https://example.org/?a=1&amp;b=2">x</a></p>';
  expect(firstLinkOf(html)).toBe('https://example.org/?a=1&b=2');
  expect(firstLinkOf('<p>https://example.org</p>')).toBeUndefined();
});

it('encodes an address as the API expects it', () => {
  const address = 'https://example.org/ü?>~ÿ';
  expect(encodeAddress(address)).toMatch(/^[\w-]+$/);
  expect(Buffer.from(encodeAddress(address), 'base64url').toString()).toBe(address);
});
