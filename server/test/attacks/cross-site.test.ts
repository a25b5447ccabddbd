import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '@officium/contract/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { closeConnections, exchange } from '../fuzz/exchange.ts';
import { addressWithNothing } from './address.ts';

const test = await createTestApp({}, { countsAnswers: false });
const administrator = await makePerson(test, { role: 'administrator' });
const cookie = `session=${administrator.as.token}`;
let port = 0;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port; // it listens on TCP
});
afterAll(closeConnections);

/** What a page of somebody else makes a browser say, and what is said by who tries to look like a browser. */
const FORGED: [string, Record<string, string>][] = [
  ['a browser of today', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a neighbour under the same domain', { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost:3000' }],
  ['an older browser', { origin: 'https://evil.example' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['no word of where it came from', {}],
  ['another port', { origin: 'http://localhost:3001' }],
  ['another scheme', { origin: 'https://localhost:3000' }],
  ['a longer name', { origin: 'http://localhost:3000.evil.example' }],
  ['our name in capitals', { origin: 'HTTP://LOCALHOST:3000' }],
  ['a Host that fits the Origin', { origin: 'https://evil.example', host: 'evil.example' }],
  ['a proxy nobody named', { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }],
  ['a Referer of ours', { referer: 'http://localhost:3000/me' }],
  ['two answers at once', { 'sec-fetch-site': 'cross-site, same-origin' }],
  ['capitals', { 'sec-fetch-site': 'Same-Origin' }],
  ['nothing', { 'sec-fetch-site': '' }],
];

const unsafe = ENDPOINTS.filter(({ method, auth }) => method !== 'GET' && auth !== 'webhook');

describe('a request another site made a browser send', () => {
  it.each(FORGED)('is refused by every operation that may change something: %s', async (_, headers) => {
    const passed: string[] = [];
    for (const endpoint of unsafe) {
      const { status, text } = await exchange(port, {
        method: endpoint.method,
        url: addressWithNothing(endpoint),
        headers: { cookie, ...headers },
      });
      const { code } = JSON.parse(text) as { code?: string };
      if (status !== 403 || code !== 'auth.cross_site') passed.push(`${endpoint.name} ${status} ${code}`);
    }
    expect(passed).toEqual([]);
  });

  it('is refused without a session, too, when it says so itself: nobody is signed in as somebody else', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' };
    const body = JSON.stringify({ email: administrator.email, password: 'whatever it is' });
    const answer = await exchange(port, { method: 'POST', url: '/api/auth/logins', headers, body });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'auth.cross_site']);
  });

  it('is asked for no permission, and gets none: nothing answers a preflight', async () => {
    for (const endpoint of unsafe) {
      const { status, headers } = await exchange(port, {
        method: 'OPTIONS',
        url: addressWithNothing(endpoint),
        headers: { origin: 'https://evil.example', 'access-control-request-method': endpoint.method },
      });
      expect([endpoint.name, status, Object.keys(headers).filter((name) => name.startsWith('access-control'))]).toEqual(
        [endpoint.name, 404, []],
      );
    }
  });

  it('reads nothing either: no answer is shared with another origin', async () => {
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
