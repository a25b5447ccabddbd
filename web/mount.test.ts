import { expect, test } from 'vitest';
import { bodyLimitOf, FORM_BYTES, setBy } from './mount.ts';

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

const FORMS = { '/admin/content/folder': 33_000_000, '/admin/': 12_000_000 };
const limitOf = async (url: string, headers: Record<string, string>, isSignedIn: boolean) =>
  await bodyLimitOf({ url, headers }, FORMS, async () => isSignedIn);
const large = { 'content-length': '10000000', cookie: 'session=made-up' };

test.each<[string, Record<string, string>, boolean, number]>([
  ['/admin/content/folder', large, true, 33_000_000],
  ['/admin/cohorts/1/uploads', large, true, 12_000_000],
  ['/admin/content/folder', { 'transfer-encoding': 'chunked' }, true, 33_000_000],
  ['/admin/content/folder', large, false, FORM_BYTES],
  ['/admin/content/folder', { 'transfer-encoding': 'chunked' }, false, FORM_BYTES],
  ['/login', large, true, FORM_BYTES],
  ['/login', large, false, FORM_BYTES],
])('a form for %s with %o, signed in: %s, may bring %i bytes', async (url, headers, isSignedIn, bytes) => {
  expect(await limitOf(url, headers, isSignedIn)).toBe(bytes);
});

test('nobody is asked who sends a small form', async () => {
  const ask = () => Promise.reject(new Error('was asked'));
  expect(await bodyLimitOf({ url: '/admin/', headers: { 'content-length': '100' } }, FORMS, ask)).toBe(FORM_BYTES);
});
