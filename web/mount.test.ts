import { expect, test } from 'vitest';
import { setBy } from './mount.ts';

const OWN = '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax';
const response = new Response(null, {
  headers: [
    ['set-cookie', 'theme=dark; Path=/; SameSite=Lax'],
    ['set-cookie', 'insecure=secure; Path=/'],
  ],
});

test('cookies of pages are sent over https alone where the product is, and say so once', () => {
  expect(setBy(response, [OWN], true)).toEqual([
    OWN,
    'theme=dark; Path=/; SameSite=Lax; Secure',
    'insecure=secure; Path=/; Secure',
  ]);
});

test('cookies of pages stay as they are where there is no https', () => {
  expect(setBy(response, [], false)).toEqual(['theme=dark; Path=/; SameSite=Lax', 'insecure=secure; Path=/']);
});
