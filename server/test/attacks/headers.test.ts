import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAccount, exchangeToken, mintToken, readSession, signIn, signOut } from '@officium/contract/auth';
import { setLocale } from '@officium/contract/account';
import { describe, expect, it } from 'vitest';
import { type Answer, createTestApp, SERVICE_KEY } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { exchange, listen } from '../fuzz/exchange.ts';

const test = await createTestApp({
  PUBLIC_URL: 'https://learn.example.gov',
  MAIL_FROM: 'Officium <no-reply@example.gov>',
});
const password = 'a password of hers';
const maya = await makePerson(test, { password });
const administrator = await makePerson(test, { role: 'administrator' });
const port = await listen(test);

const SAFE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': expect.stringMatching(/^(?:strict-origin-when-cross-origin|no-referrer)$/),
  'strict-transport-security': 'max-age=31536000',
  'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/),
  'content-security-policy': expect.stringMatching(
    /^(?=.*object-src 'none')(?=.*base-uri 'none')(?=.*frame-ancestors 'none')(?=.*(?:script-src 'self' 'nonce-.*require-trusted-types-for 'script'|default-src 'none'))(?!.*img-src(?! 'self' data:(?:;|$)))(?!.*unsafe)/,
  ),
};
/** A service creates a sign-in token for Maya. */
const mint = () =>
  test.call(mintToken, { serviceKey: SERVICE_KEY }, { body: { id: maya.id, email: maya.email, name: maya.name } });
const fetchUrl = async (method: string, url: string, headers: Record<string, string> = {}, body?: string) =>
  await exchange(port, { method, url, headers, ...(body === undefined ? {} : { body }) });
const json = { 'content-type': 'application/json' };

describe('every kind of response', () => {
  it.each<[string, number, () => ReturnType<typeof fetchUrl>]>([
    ['an API response', 200, () => fetchUrl('GET', '/api/auth/session')],
    ['a refusal', 401, () => fetchUrl('GET', '/api/auth/sessions')],
    ['a forbidden request', 403, () => fetchUrl('POST', '/api/auth/logins', { 'sec-fetch-site': 'cross-site' })],
    ['an unknown path', 404, () => fetchUrl('GET', '/nothing/here')],
    ['an unknown API path', 404, () => fetchUrl('GET', '/api/nothing')],
    ['an undecodable URL', 400, () => fetchUrl('GET', '/api/%')],
    ['a body that is too large', 413, () => fetchUrl('POST', '/api/auth/logins', json, ' '.repeat(1_100_000))],
    ['a body that is not JSON', 415, () => fetchUrl('POST', '/api/auth/logins', { 'content-type': 'text/plain' }, 'x')],
    [
      'a redirection',
      302,
      async () => fetchUrl('GET', `/api/auth/cookies/token?token=${(await mint()).body.token}&redirectUrl=/`),
    ],
    ['health', 200, () => fetchUrl('GET', '/healthz')],
    ['metrics', 200, () => fetchUrl('GET', '/metrics')],
    ['the documentation without script', 200, () => fetchUrl('GET', '/api/docs/plain')],
    ['its style sheet', 200, () => fetchUrl('GET', '/api/docs.css')],
    ['the description of the API', 200, () => fetchUrl('GET', '/api/openapi.json')],
    ['robots.txt', 200, () => fetchUrl('GET', '/robots.txt')],
    ['the sitemap', 200, () => fetchUrl('GET', '/sitemap.xml')],
    ['a missing picture', 404, () => fetchUrl('GET', '/content-assets/none.webp')],
  ])('carries the security headers: %s', async (_, status, ask) => {
    const answer = await ask();
    expect([answer.status, answer.headers]).toEqual([status, expect.objectContaining(SAFE)]);
    expect(answer.headers['x-powered-by'] ?? answer.headers['server']).toBeUndefined();
  });

  it('carries them on the API reference, whose script may write styles and HTML', async () => {
    const { status, headers } = await fetchUrl('GET', '/api/docs');
    const { 'content-security-policy': policy, ...others } = SAFE;
    expect([status, headers]).toEqual([200, expect.objectContaining(others)]);
    const sent = String(headers['content-security-policy']);
    expect(sent).not.toContain('trusted-types');
    const strict = sent.replace("style-src 'self' 'unsafe-inline'", '') + ";require-trusted-types-for 'script'";
    expect(strict).toEqual(policy);
  });

  it('carries them on an internal error', async () => {
    const { find } = test.ctx.sessions;
    test.ctx.sessions.find = async () => await Promise.reject(new Error('an internal fault'));
    try {
      const answer = await fetchUrl('GET', '/api/auth/session', { cookie: '__Host-session=x' });
      expect([answer.status, answer.headers]).toEqual([500, expect.objectContaining(SAFE)]);
      expect(answer.text).not.toContain('an internal fault');
    } finally {
      test.ctx.sessions.find = find;
    }
  });

  it('is no page when the request was not HTTP', async () => {
    const socket = connect(port, '127.0.0.1', () => socket.end('<script>alert(1)</script>\r\n\r\n'));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(body).not.toContain('script');
  });
});

describe('cookies over https', () => {
  const host = { 'sec-fetch-site': 'same-origin' };
  const linesOf = (answer: Answer) => [answer.headers['set-cookie'] ?? []].flat();
  const attributes = '; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax$';
  const kept = new RegExp(`^__Host-session=[\\w-]{43}${attributes}`);
  const known = new RegExp(`^__Host-device=[\\w-]{43}${attributes}`);

  it('of sessions are hidden from scripts, sent only over TLS and settable by no sibling domain', async () => {
    const minted = await mint();
    const signedIn = await test.call(signIn, undefined, { body: { email: maya.email, password } });
    expect(linesOf(signedIn)).toEqual([expect.stringMatching(kept), expect.stringMatching(known)]);
    const answers = [
      await test.call(createAccount, undefined, { body: { name: 'Ana', email: 'ana@example.gov' } }),
      minted,
      await test.call(exchangeToken, undefined, { query: { token: minted.body.token } }),
    ];
    for (const answer of answers) expect(linesOf(answer)).toEqual([expect.stringMatching(kept)]);
    const [, token = ''] = /^(__Host-session=[^;]+)/.exec(linesOf(signedIn)[0] ?? '') ?? [];
    const left = await test.call(signOut, undefined, { headers: { ...host, cookie: token } });
    expect(linesOf(left)).toEqual([
      expect.stringMatching(
        /^__Host-session=; Max-Age=0; Path=\/;(?: Expires=[^;]+;)? HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('of another name open no session', async () => {
    for (const name of ['session', '__Secure-session', '__host-session', '__Host-session[]'])
      expect(
        (await test.call(readSession, undefined, { headers: { cookie: `${name}=${maya.as.token}` } })).body,
      ).toEqual({
        viewer: null,
      });
    const own = { headers: { cookie: `__Host-session=${maya.as.token}` } };
    expect((await test.call(readSession, undefined, own)).body.viewer.id).toBe(maya.id);
  });

  it('of other kinds are sent only over TLS too', async () => {
    const headers = { ...host, cookie: `__Host-session=${administrator.as.token}` };
    const answer = await test.call(setLocale, undefined, { body: { locale: 'de' }, headers });
    expect(linesOf(answer)).toEqual(['locale=de; Path=/; Max-Age=31536000; SameSite=Lax; Secure']);
  });
});

describe('a response for one viewer', () => {
  it('is not cached by proxies and sends no referrer', async () => {
    const { token } = (await mint()).body;
    const { status, headers } = await fetchUrl('GET', `/api/auth/cookies/token?token=${token}&redirectUrl=/me`);
    expect([status, headers.location, headers['cache-control'], headers['referrer-policy']]).toEqual([
      302,
      '/me',
      'no-store',
      'no-referrer',
    ]);
  });
});
