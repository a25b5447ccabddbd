import { LOCALES } from '@officium/i18n/locales';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createVisitorPages, withNonce, withoutNonce } from './visitor-pages.ts';

const SITE = { version: 1, languages: LOCALES, defaultLanguage: 'en' as const, notices: [] };
const NOTICE = {
  id: 'a',
  version: 1,
  level: 'warning' as const,
  audience: 'everyone' as const,
  texts: { en: 'Closed' },
  url: null,
  startsAt: new Date(0),
  endsAt: null,
};

/** Pages of data whose version a test sets. */
function pagesOf() {
  const data = { version: '1' };
  const pages = createVisitorPages(async () => {
    if (data.version === '') throw new Error('the database is away');
    return data.version;
  });
  const visit = (url: string, cookies: Record<string, string> = {}, given: Partial<FastifyRequest> = {}) =>
    pages.visitOf({ method: 'GET', headers: {}, url, ...given } as FastifyRequest, cookies, SITE);
  return { data, pages, visit };
}
const page = (text: string) => ({ parts: [Buffer.from(text)], headers: [] });

describe('pages of visitors', () => {
  it('are only public ones, asked for without a session or a message', () => {
    const { visit } = pagesOf();
    for (const url of ['/', '/courses', '/courses/a/b/c?locale=de', '/communities/a/activities/b', '/articles/a'])
      expect([url, visit(url)]).not.toEqual([url, undefined]);
    const elsewhere = [
      '/courses/%2e%2E/login',
      '/courses/.%2e/me',
      '/courses/..%5Cme',
      '/courses\\..\\me',
      '/courses/a\\b',
    ];
    const others = ['/login', '/signup/confirm?secret=a', '/me', '/search?q=a', '/coursesabc', '/courses/a.data'];
    for (const url of [...others, ...elsewhere]) expect([url, visit(url)]).toEqual([url, undefined]);
    for (const name of ['session', '__Host-session', 'flash', 'written', '__Host-written', 'other'])
      expect([name, visit('/', { [name]: '1' })]).toEqual([name, undefined]);
    expect(visit('/', {}, { method: 'POST' })).toBeUndefined();
    expect(visit('/', {}, { headers: { authorization: 'Bearer key' } })).toBeUndefined();
  });

  it('differ by address, language, theme, time zone and site', () => {
    const { pages, visit } = pagesOf();
    const visits = [
      visit('/'),
      visit('/?a=1'),
      visit('/', { locale: 'de' }),
      visit('/', { theme: 'dark' }),
      visit('/', { tz: 'Europe/Paris' }),
      visit('/', { 'dismissed-notices': 'a.1' }),
      ...[
        { ...SITE, version: 2 },
        { ...SITE, notices: [NOTICE] },
        { ...SITE, notices: [{ ...NOTICE, version: 2 }] },
      ].map((site) => pages.visitOf({ method: 'GET', headers: {}, url: '/' } as FastifyRequest, {}, site)),
    ];
    expect(new Set(visits.map((one) => one?.key)).size).toBe(visits.length);
    expect(visit('/', {}, { headers: { 'accept-language': 'de' } })).toEqual(visit('/', { locale: 'de' }));
    expect(visit('/', { device: 'a' })).toEqual(visit('/'));
    const ended = { ...SITE, notices: [{ ...NOTICE, endsAt: new Date(1) }] };
    expect(pages.visitOf({ method: 'GET', headers: {}, url: '/' } as FastifyRequest, {}, ended)).toEqual(visit('/'));
  });

  it('are right while the data has their version, and made while it cannot be asked', async () => {
    const { data, pages, visit } = pagesOf();
    const front = visit('/')!;
    const found = await pages.find(front);
    expect(found).toEqual({ version: '1' });
    data.version = '2'; // written while the page was made
    pages.keep(front, page('one'), found as { version: string });
    expect(await pages.find(front)).toEqual({ version: '2' });
    pages.keep(front, page('two'), { version: '2' });
    expect(await pages.find(front)).toMatchObject({ page: { parts: [Buffer.from('two')] } });
    data.version = '';
    expect(await pages.find(front)).toEqual({ version: undefined });
    pages.keep(front, page('an error'), { version: undefined });
    data.version = '2';
    expect(await pages.find(front)).toMatchObject({ page: { parts: [Buffer.from('two')] } });
  });

  it('get a nonce of their own in every place', () => {
    const parts = withoutNonce('<a nonce="old">é</a><b nonce="old">', 'old');
    expect(withNonce(parts, 'new').toString()).toBe('<a nonce="new">é</a><b nonce="new">');
  });

  it('leave memory, the oldest first', async () => {
    const { pages, visit } = pagesOf();
    const visits = Array.from({ length: 40 }, (_none, n) => visit(`/?n=${n}`)!);
    for (const one of visits) pages.keep(one, page('x'.repeat(2 ** 20)), { version: '1' });
    const known = await Promise.all(visits.map(async (one) => 'page' in (await pages.find(one))));
    expect(known.filter(Boolean)).toHaveLength(31);
    expect(known.at(-1)).toBe(true);
    expect(known[0]).toBe(false);
  });
});
