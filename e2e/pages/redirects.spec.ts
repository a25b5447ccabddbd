import { expect, it } from 'vitest';
import { query } from '../../server/test/cluster.ts';
import { currentProduct } from '../demo.ts';
import { PASSWORD, visit } from '../visitor.ts';

/** Characters that headers cannot carry or that browsers rewrite. */
const CAME_IN = [
  '/日本',
  '/é?ü=ß#ñ',
  '/😀',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/a/../..//evil.example/%2f..',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\r\nlocation: //evil.example',
  'https://evil.example',
  'javascript:alert(1)',
];
const NOBODY = '019fffff-0000-7000-8000-000000000000';

type Sent = { path: string; form?: Record<string, string>; referer?: string; isVisitor?: boolean };

/** Every page that redirects to a value from the request. */
const REDIRECTS: Record<string, (came: string) => Sent> = {
  'signing in': (came) => ({
    path: `/login?next=${encodeURIComponent(came)}`,
    form: { intent: 'password', email: 'learner@example.gov', password: PASSWORD },
    isVisitor: true,
  }),
  'signing in again': (came) => ({ path: `/login?next=${encodeURIComponent(came)}` }),
  'the second step': (came) => ({ path: `/login/second?next=${encodeURIComponent(came)}` }),
  'confirming again': (came) => ({ path: `/confirm?next=${encodeURIComponent(came)}` }),
  confirming: (came) => ({
    path: `/confirm?next=${encodeURIComponent(came)}`,
    form: { intent: 'password', password: PASSWORD },
  }),
  'asking for a code': (came) => ({ path: `/confirm?next=${encodeURIComponent(came)}`, form: { intent: 'mail' } }),
  'a notification': (came) => ({ path: `/notifications/${NOBODY}?to=${encodeURIComponent(came)}` }),
  'a dismissed notice': (came) => ({ path: '/dismiss-notice', form: { notice: 'a.1', next: came } }),
  'the theme': (came) => ({ path: '/theme', form: { theme: 'dark', next: came } }),
  'a preview': (came) => ({ path: '/preview', form: { end: '', next: came } }),
  'the language': (came) => ({ path: '/language', form: { locale: 'en', next: came } }),
  joining: (came) => ({ path: '/communities/plain-words/membership', form: { intent: 'join', next: came } }),
  connecting: (came) => ({ path: `/people/${NOBODY}/connection`, form: { next: came } }),
  'a pin': (came) => ({
    path: '/communities/plain-words/react',
    form: { pin: '1', activity: NOBODY },
    referer: encodeURI(came),
  }),
  'a vote': (came) => ({ path: `/polls/${NOBODY}/vote`, form: { option: NOBODY }, referer: encodeURI(came) }),
  'a membership URL': (came) => ({ path: `/communities/${encodeURIComponent(came)}/membership` }),
  'a reaction URL': (came) => ({ path: `/communities/${encodeURIComponent(came)}/react` }),
  'a connection URL': (came) => ({ path: `/people/${encodeURIComponent(came)}/connection` }),
  'a journey URL': (came) => ({ path: `/courses/${encodeURIComponent(came)}/${encodeURIComponent(came)}` }),
  'a members-only URL': (came) => ({ path: `/me/settings${encodeURI(came)}`, isVisitor: true }),
};

it.each(Object.entries(REDIRECTS))('%s redirects only within the product', async (_name, sentFor) => {
  const { url } = await currentProduct();
  const signedIn = await fetch(new URL('/api/auth/logins', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'learner@example.gov', password: PASSWORD }),
  });
  const session = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  for (const came of CAME_IN) {
    const { path, form, referer, isVisitor } = sentFor(came);
    const reply = await fetch(new URL(url + path), {
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        ...(isVisitor ? {} : { cookie: session.join('; ') }),
        ...(referer ? { referer: url + referer } : {}),
      },
      body: form && new URLSearchParams(form),
      redirect: 'manual',
    });
    expect([came, reply.status]).toEqual([came, expect.toBeOneOf([302, 400, 404])]);
    const location = reply.headers.get('location');
    if (reply.status === 302)
      expect([came, location]).toEqual([came, expect.stringMatching(/^\/(?![/\\])[\x21-\x7e]*$/)]);
    expect([came, new URL(location ?? '/', url).origin]).toEqual([came, url]);
  }
});

it('a former URL redirects to the current one, with and without JavaScript', async () => {
  const { url, databaseUrl } = await currentProduct();
  await query(
    databaseUrl,
    `insert into former_slugs (kind, slug, key) select 'community', 'plain-words-before', id::text from communities where slug = 'plain-words'`,
  );
  const page = await fetch(`${url}/communities/plain-words-before/rules?locale=fr`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location'), page.headers.get('cache-control')]).toEqual([
    301,
    '/communities/plain-words/rules?locale=fr',
    expect.stringContaining('no-cache'),
  ]);
  const { page: tab } = await visit();
  await tab.goto('/communities/plain-words-before');
  expect(new URL(tab.url()).pathname).toBe('/communities/plain-words');
  await tab.evaluate(() => {
    const link = document.createElement('a');
    link.href = '/communities/plain-words-before/rules';
    document.body.append(link);
    link.click();
  });
  await tab.waitForURL('**/communities/plain-words/rules');
});
