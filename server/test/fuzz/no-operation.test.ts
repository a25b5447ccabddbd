import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { mountedPath } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { endpointAt } from '../answers.ts';
import { createTestApp, SERVICE_KEY } from '../app.ts';
import { faultsOf } from './faults.ts';
import { exchange, listen } from './exchange.ts';

const test = await createTestApp({}, { countsAnswers: false });
const port = await listen(test);

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'];

describe('a method that a path does not support', () => {
  it.each(METHODS)('%s is refused with the standard error body', async (method) => {
    const paths = new Set(ENDPOINTS.map((endpoint) => mountedPath(endpoint).replace(/\{\w+\}/g, 'x')));
    for (const url of paths) {
      if (endpointAt(method, url)) continue;
      const headers = { authorization: `Bearer ${SERVICE_KEY}` };
      const answer = await exchange(port, { method, url, headers });
      expect([400, 404], `${method} ${url}`).toContain(answer.status);
      if (method !== 'HEAD') expect(faultsOf(undefined, answer, []), `${method} ${url}`).toEqual([]);
    }
  });
});

/** Sends raw bytes and returns the first response. */
async function sendRaw(sent: string): Promise<{ status: number; body: string; headers: Record<string, string> }> {
  const socket = connect(port, '127.0.0.1', () => socket.end(Buffer.from(sent, 'latin1')));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => field.toLowerCase().split(': ', 2)));
  return { status: Number(line.split(' ')[1]), body, headers };
}

describe('malformed HTTP', () => {
  const own = 'host: localhost\r\nconnection: close\r\n';
  it.each([
    ['an unknown method', `BREW /api/auth/session HTTP/1.1\r\n${own}\r\n`],
    ['an unknown version', `GET /api/auth/session HTTP/7.7\r\n${own}\r\n`],
    ['a space in the URL', `GET /api/auth/users/a b HTTP/1.1\r\n${own}\r\n`],
    ['a NUL in a header', `GET /api/nothing HTTP/1.1\r\n${own}a: b\0c\r\n\r\n`],
    ['a header over two lines', `GET /api/nothing HTTP/1.1\r\n${own}a: b\r\n c\r\n\r\n`],
    ['a header without a name', `GET /api/nothing HTTP/1.1\r\n${own}: b\r\n\r\n`],
    ['two lengths', `POST /api/auth/logins HTTP/1.1\r\n${own}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    [
      'a length and chunks',
      `POST /api/auth/logins HTTP/1.1\r\n${own}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a negative length', `POST /api/auth/logins HTTP/1.1\r\n${own}content-length: -1\r\n\r\n`],
    ['a chunk without a size', `POST /api/auth/logins HTTP/1.1\r\n${own}transfer-encoding: chunked\r\n\r\nx\r\n`],
    ['an absolute URL of another host', `GET http://evil.example/api/nothing HTTP/1.1\r\n${own}\r\n`],
    ['two slashes', `GET //api/auth/session HTTP/1.1\r\n${own}\r\n`],
    ['no path', `GET ?x HTTP/1.1\r\n${own}\r\n`],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${own}\r\n`],
  ])('%s is refused with the standard error body', async (_, sent) => {
    const { status, body, headers } = await sendRaw(sent);
    expect(faultsOf(undefined, { status, headers, text: body, elapsedMs: 0, cpuMs: 0 }, [])).toEqual([]);
  });
});
