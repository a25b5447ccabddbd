import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { exchange, listen } from '../fuzz/exchange.ts';
import { unusedUrl } from './address.ts';

const test = await createTestApp({}, { countsAnswers: false });
const administrator = await makePerson(test, { role: 'administrator' });
const cookie = `session=${administrator.as.token}`;
const port = await listen(test);

/** Headers of a browser on another site's page, and of clients that imitate a browser. */
const FORGED: [string, Record<string, string>][] = [
  ['a current browser', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a sibling under the same domain', { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost:3000' }],
  ['an older browser', { origin: 'https://evil.example' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['no origin information', {}],
  ['another port', { origin: 'http://localhost:3001' }],
  ['another scheme', { origin: 'https://localhost:3000' }],
  ['a longer name', { origin: 'http://localhost:3000.evil.example' }],
  ['our origin in capitals', { origin: 'HTTP://LOCALHOST:3000' }],
  ['a Host that matches the Origin', { origin: 'https://evil.example', host: 'evil.example' }],
  ['an untrusted proxy', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }],
  ['a Referer of ours', { referer: 'http://localhost:3000/me' }],
  ['two values at once', { 'sec-fetch-site': 'cross-site, same-origin' }],
  ['capitals', { 'sec-fetch-site': 'Same-Origin' }],
  ['nothing', { 'sec-fetch-site': '' }],
];

const unsafe = ENDPOINTS.filter(({ method, auth }) => method !== 'GET' && auth !== 'webhook');

describe('a cross-site request', () => {
  it.each(FORGED)('is refused by every unsafe operation: %s', async (_, headers) => {
    const passed: string[] = [];
    for (const endpoint of unsafe) {
      const { status, text } = await exchange(port, {
        method: endpoint.method,
        url: unusedUrl(endpoint),
        headers: { cookie, ...headers },
      });
      const { code } = JSON.parse(text) as { code?: string };
      if (status !== 403 || code !== 'auth.cross_site') passed.push(`${endpoint.name} ${status} ${code}`);
    }
    expect(passed).toEqual([]);
  });

  it('is refused without a session too, so that no site can sign a visitor in as someone else', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' };
    const body = JSON.stringify({ email: administrator.email, password: 'whatever it is' });
    const answer = await exchange(port, { method: 'POST', url: '/api/auth/logins', headers, body });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'auth.cross_site']);
  });

  it('gets no answer to a preflight', async () => {
    for (const endpoint of unsafe) {
      const { status, headers } = await exchange(port, {
        method: 'OPTIONS',
        url: unusedUrl(endpoint),
        headers: { origin: 'https://evil.example', 'access-control-request-method': endpoint.method },
      });
      expect([endpoint.name, status, Object.keys(headers).filter((name) => name.startsWith('access-control'))]).toEqual(
        [endpoint.name, 404, []],
      );
    }
  });

  it('may not read responses', async () => {
    const { status, headers } = await exchange(port, {
      method: 'GET',
      url: '/api/auth/session',
      headers: { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect([status, headers['access-control-allow-origin'], headers['cross-origin-resource-policy']]).toEqual([
      200,
      undefined,
      'same-origin',
    ]);
  });
});
