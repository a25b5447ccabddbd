import { expect, test } from 'vitest';
import type { Viewer } from './app/server/page-context.ts';
import { cookiesOf, cookiesToSet } from './cookies.ts';
import { bodyLimitOf, FORM_BYTES, VISITOR_FORM_BYTES } from './mount.ts';

const OWN = '__Host-session=x; Path=/; HttpOnly; Secure; SameSite=Lax';
const response = new Response(null, {
  headers: [
    ['set-cookie', 'theme=dark; Path=/; SameSite=Lax'],
    ['set-cookie', 'insecure=secure; Path=/'],
  ],
});

test('marks cookies of pages as secure once when the product uses https', () => {
  expect(cookiesToSet(response, [OWN], true)).toEqual([
    OWN,
    'theme=dark; Path=/; SameSite=Lax; Secure',
    'insecure=secure; Path=/; Secure',
  ]);
});

test('leaves cookies of pages unchanged without https', () => {
  expect(cookiesToSet(response, [], false)).toEqual(['theme=dark; Path=/; SameSite=Lax', 'insecure=secure; Path=/']);
});

test('lets only this host set the message of the next page over https', () => {
  const message = 'flash=a; Path=/; HttpOnly';
  const saved = new Response(null, { headers: { 'set-cookie': message } });
  expect(cookiesToSet(saved, [], true)).toEqual([`__Host-${message}; Secure`]);
  expect(cookiesToSet(saved, [], false)).toEqual([message]);
  const sent = 'flash=planted; __Host-flash=own; theme=dark; __Host-session=x';
  expect(cookiesOf(sent, true)).toEqual({ flash: 'own', theme: 'dark', '__Host-session': 'x' });
  expect(cookiesOf('flash=planted; theme=dark', true)).toEqual({ theme: 'dark' });
  expect(cookiesOf('flash=own; __Host-flash=planted', false)).toMatchObject({ flash: 'own' });
});

const FORMS = {
  '/admin/content/folder': { bytes: 33_000_000, from: 'administrators' },
  '/admin/content/': { bytes: 20_000_000, from: 'authors' },
  '/admin/': { bytes: 12_000_000, from: 'administrators' },
  '/me/settings/picture': { bytes: 11_000_000, from: 'people' },
} as const;
type Caller = Partial<Pick<Viewer, 'role' | 'limited' | 'capabilities'>> | null;
const limitOf = async (url: string, headers: Record<string, string>, caller: Caller) =>
  await bodyLimitOf({ url, headers }, FORMS, async () => caller && ({ limited: false, ...caller } as Viewer)); // only this is read
const large = { 'content-length': '10000000', cookie: 'session=made-up' };
const chunked = { 'transfer-encoding': 'chunked' };
const administrator = { role: 'administrator' } as const;
const person = { role: 'public-servant' } as const;
const author: Caller = { ...person, capabilities: ['edit-content'] };

test.each<[string, Record<string, string>, Caller, number]>([
  ['/admin/content/folder', large, administrator, 33_000_000],
  ['/admin/cohorts/1/uploads', large, administrator, 12_000_000],
  ['/admin/content/folder', chunked, administrator, 33_000_000],
  ['/admin/content/folder', large, null, VISITOR_FORM_BYTES],
  ['/admin/content/folder', chunked, null, VISITOR_FORM_BYTES],
  ['/admin/content/folder', large, person, FORM_BYTES],
  ['/admin/content/folder', chunked, person, FORM_BYTES],
  ['/admin/cohorts/1/uploads', large, person, FORM_BYTES],
  ['/admin/cohorts/1/uploads', large, { ...administrator, limited: true }, FORM_BYTES],
  ['/me/settings/picture', large, person, 11_000_000],
  ['/me/settings/picture', large, { role: 'inactive' }, FORM_BYTES],
  ['/admin/content/lesson/1', large, administrator, 20_000_000],
  ['/admin/content/lesson/1', large, author, 20_000_000],
  ['/admin/content/lesson/1', large, { ...person, capabilities: ['translate-content'] }, FORM_BYTES],
  ['/admin/content/folder', large, author, FORM_BYTES],
  ['/login', large, administrator, FORM_BYTES],
  ['/communities/a', { 'content-length': '2000000' }, person, FORM_BYTES],
  ['/communities/a', { 'content-length': '2000000' }, null, VISITOR_FORM_BYTES],
  ['/login', large, null, VISITOR_FORM_BYTES],
])('limits a form for %s with %o, from %o, to %i bytes', async (url, headers, caller, bytes) => {
  expect(await limitOf(url, headers, caller)).toBe(bytes);
});

test('does not read the session for a small form', async () => {
  const ask = () => Promise.reject(new Error('was asked'));
  expect(await bodyLimitOf({ url: '/admin/', headers: { 'content-length': '100' } }, FORMS, ask)).toBe(
    VISITOR_FORM_BYTES,
  );
});
