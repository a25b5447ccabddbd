import type { AddressInfo } from 'node:net';
import { mountedPath } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../app.ts';
import { makePerson } from '../factories/accounts.ts';
import { closeConnections, exchange } from '../fuzz/exchange.ts';
import { addressWithNothing } from './address.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' }, { countsAnswers: false });
const maya = await makePerson(test, { password: 'a password of hers' });
let port = 0;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port; // it listens on TCP
});
afterAll(closeConnections);

/** Other ways to write a path, which a guard may take for another one than its handler does. */
const WRITTEN: [string, (path: string) => string][] = [
  ['as it is', (path) => path],
  ['with a slash at its end', (path) => `${path}/`],
  ['with two slashes at its beginning', (path) => `/${path}`],
  ['with two slashes within', (path) => path.replace('/api/', '/api//')],
  ['with encoded slashes', (path) => path.replaceAll('/', '%2F').replace('%2F', '/')],
  ['with encoded slashes, in small letters', (path) => path.replace(/\/(?=[^/]*$)/, '%2f')],
  ['with backslashes', (path) => path.replaceAll('/', '\\').replace('\\', '/')],
  ['with encoded letters', (path) => path.replace('/api', '/%61pi')],
  ['with letters encoded twice', (path) => path.replace('/api', '/%2561pi')],
  ['in capitals', (path) => path.toUpperCase()],
  ['with a parameter of the path', (path) => `${path};a=b`],
  ['with a parameter in the middle', (path) => path.replace('/api/', '/api;x/')],
  ['with a dot', (path) => path.replace('/api/', '/api/./')],
  ['with a way up', (path) => path.replace('/api/', '/api/x/../')],
  ['with an encoded way up', (path) => path.replace('/api/', '/api/x/%2e%2e/')],
  ['with a NUL', (path) => `${path}%00`],
  ['with a question mark', (path) => `${path}?`],
  ['with an encoded question mark', (path) => `${path}%3F`],
  ['with an encoded number sign', (path) => `${path}%23`],
  ['with a file behind it', (path) => `${path}.json`],
  ['with the address of a proxy', (path) => `http://localhost:3000${path}`],
];

const guarded = ENDPOINTS.filter(({ auth }) => auth !== 'none');

describe('a guarded path', () => {
  it.each(WRITTEN)('is guarded however it is written: %s', async (_, write) => {
    const open: string[] = [];
    for (const endpoint of guarded) {
      const { status } = await exchange(port, {
        method: endpoint.method,
        url: write(addressWithNothing(endpoint)),
        headers: {},
      });
      if (![400, 401, 404].includes(status)) open.push(`${endpoint.name} ${status}`);
    }
    expect(open).toEqual([]);
  });

  it('is none of an address that only begins like one', async () => {
    for (const endpoint of guarded) {
      const url = `${mountedPath(endpoint).replace(/\{\w+\}/g, 'x')}/../../healthz`;
      expect([404, 401, 400]).toContain((await exchange(port, { method: 'GET', url, headers: {} })).status);
    }
  });
});

describe('an allowance', () => {
  it('is one, however the path and the address in it are written', async () => {
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

  it('of an address of origin is not widened by what a caller says of where they are', async () => {
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
