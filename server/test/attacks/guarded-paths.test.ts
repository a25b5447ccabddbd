import { mountedPath } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { exchange, listen } from '../fuzz/exchange.ts';
import { unusedUrl } from './address.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' }, { countsAnswers: false });
const maya = await makePerson(test, { password: 'a password of hers' });
const port = await listen(test);

/** Spellings of a path that a guard and a router may normalise differently. */
const WRITTEN: [string, (path: string) => string][] = [
  ['unchanged', (path) => path],
  ['with a trailing slash', (path) => `${path}/`],
  ['with two leading slashes', (path) => `/${path}`],
  ['with two inner slashes', (path) => path.replace('/api/', '/api//')],
  ['with encoded slashes', (path) => path.replaceAll('/', '%2F').replace('%2F', '/')],
  ['with a slash encoded in lower case', (path) => path.replace(/\/(?=[^/]*$)/, '%2f')],
  ['with backslashes', (path) => path.replaceAll('/', '\\').replace('\\', '/')],
  ['with encoded letters', (path) => path.replace('/api', '/%61pi')],
  ['with letters encoded twice', (path) => path.replace('/api', '/%2561pi')],
  ['in capitals', (path) => path.toUpperCase()],
  ['with a path parameter', (path) => `${path};a=b`],
  ['with a path parameter in the middle', (path) => path.replace('/api/', '/api;x/')],
  ['with a dot segment', (path) => path.replace('/api/', '/api/./')],
  ['with a parent segment', (path) => path.replace('/api/', '/api/x/../')],
  ['with an encoded parent segment', (path) => path.replace('/api/', '/api/x/%2e%2e/')],
  ['with a NUL', (path) => `${path}%00`],
  ['with a question mark', (path) => `${path}?`],
  ['with an encoded question mark', (path) => `${path}%3F`],
  ['with an encoded number sign', (path) => `${path}%23`],
  ['with a file extension', (path) => `${path}.json`],
  ['as an absolute URL', (path) => `http://localhost:3000${path}`],
];

const guarded = ENDPOINTS.filter(({ auth }) => auth !== 'none');

describe('a guarded path', () => {
  it.each(WRITTEN)('is guarded in every spelling: %s', async (_, write) => {
    const open: string[] = [];
    for (const endpoint of guarded) {
      const { status } = await exchange(port, {
        method: endpoint.method,
        url: write(unusedUrl(endpoint)),
        headers: {},
      });
      if (![400, 401, 404].includes(status)) open.push(`${endpoint.name} ${status}`);
    }
    expect(open).toEqual([]);
  });

  it('does not extend to a path that leaves it', async () => {
    for (const endpoint of guarded) {
      const url = `${mountedPath(endpoint).replace(/\{\w+\}/g, 'x')}/../../healthz`;
      expect([404, 401, 400]).toContain((await exchange(port, { method: 'GET', url, headers: {} })).status);
    }
  });
});

describe('a rate limit', () => {
  it('counts all spellings of a path and an e-mail address together', async () => {
    const tries = (url: string, email: string) =>
      exchange(port, {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'wrong all the time' }),
      });
    const paths = WRITTEN.map(([, write]) => write('/api/auth/logins'));
    const emails = [maya.email, maya.email.toUpperCase(), ` ${maya.email} `];
    const seen: number[] = [];
    for (const path of paths) for (const email of emails) seen.push((await tries(path, email)).status);
    expect(seen.filter((status) => status === 401)).toHaveLength(10);
    expect(new Set(seen)).toEqual(new Set([401, 429, 404]));
  });

  it('per address ignores a forwarded address that the caller invents', async () => {
    const ask = (n: number) =>
      exchange(port, {
        method: 'GET',
        url: '/api/auth/users/somebody%40example.gov',
        headers: {
          'x-forwarded-for': `198.51.100.${n}`,
          'x-real-ip': `198.51.100.${n}`,
          forwarded: `for=198.51.100.${n}`,
        },
      });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await ask(n)).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect(statuses).toContain(200);
  });
});
