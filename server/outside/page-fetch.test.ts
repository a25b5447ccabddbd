import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPage, MAX_PAGE_BYTES } from './page-fetch.ts';
import { decodePage } from './page-text.ts';
import type { FetchOptions } from './public-fetch.ts';

const HTML = '<title>Hello</title>';
const seen: IncomingMessage[] = [];
let server: Server;
let host = '';

function html(response: ServerResponse, body: string | Buffer, headers = {}) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}

const PAGES: Record<string, (response: ServerResponse) => void> = {
  '/page': (response) => html(response, HTML),
  '/gzip': (response) => html(response, gzipSync(HTML), { 'content-encoding': 'gzip' }),
  '/deflate': (response) => html(response, deflateSync(HTML), { 'content-encoding': 'deflate' }),
  '/brotli': (response) => html(response, brotliCompressSync(HTML), { 'content-encoding': 'br' }),
  '/twice': (response) => html(response, gzipSync(gzipSync(HTML)), { 'content-encoding': 'gzip, gzip' }),
  '/thrice': (response) => html(response, gzipSync(HTML), { 'content-encoding': 'gzip, gzip, gzip' }),
  '/unknown-coding': (response) => html(response, HTML, { 'content-encoding': 'rot13' }),
  '/not-gzip': (response) => html(response, HTML, { 'content-encoding': 'gzip' }),
  '/bomb': (response) => html(response, gzipSync(Buffer.alloc(200_000_000)), { 'content-encoding': 'gzip' }),
  '/full': (response) => html(response, Buffer.alloc(MAX_PAGE_BYTES, 'a')),
  '/large': (response) => html(response, Buffer.alloc(MAX_PAGE_BYTES + 1, 'a')),
  '/json': (response) => html(response, '{}', { 'content-type': 'application/json' }),
  '/svg': (response) => html(response, '<svg/>', { 'content-type': 'image/svg+xml' }),
  '/gone': (response) => response.writeHead(404, { 'content-type': 'text/html' }).end(HTML),
  '/hop/0': (response) => html(response, HTML),
  '/cookie': (response) => response.writeHead(302, { 'set-cookie': 'a=b', location: '/page' }).end(),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/private': (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/loopback': (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
  '/other-port': (response) => response.writeHead(302, { location: 'http://localhost:1/' }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/silent': () => {},
  '/slow': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    const path = request.url ?? '';
    const hop = /^\/hop\/([1-9])$/.exec(path)?.[1];
    if (hop) return response.writeHead(301, { location: `/hop/${Number(hop) - 1}` }).end();
    PAGES[path]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = async (path: string, options: Partial<FetchOptions> = {}) =>
  await fetchPage(new URL(path, `http://${host}`), { allow: [host], ...options });

describe('fetchPage', () => {
  it.each(['/page', '/gzip', '/deflate', '/brotli', '/twice', '/hop/3', '/cookie'])('reads %s', async (path) => {
    expect((await get(path)).bytes.toString()).toBe(HTML);
  });

  it('returns the final URL and sends no cookies', async () => {
    seen.length = 0;
    expect((await get('/cookie')).url.pathname).toBe('/page');
    expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });

  it('reads up to 512 KiB', async () => {
    expect((await get('/full')).bytes.length).toBe(MAX_PAGE_BYTES);
  });

  it.each([
    '/large',
    '/bomb',
    '/thrice',
    '/unknown-coding',
    '/not-gzip',
    '/json',
    '/svg',
    '/gone',
    '/hop/4',
    '/nowhere',
    '/private',
    '/loopback',
    '/other-port',
    '/file',
  ])('refuses %s', async (path) => {
    await expect(get(path)).rejects.toThrow();
  });

  it.each(['/silent', '/slow'])('gives up on %s', async (path) => {
    const began = performance.now();
    await expect(get(path, { totalMs: 300 })).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('refuses a private address in any notation', async () => {
    seen.length = 0;
    for (const name of ['127.0.0.1', '2130706433', '0x7f.1', '0177.1', '[::ffff:127.0.0.1]', 'localhost', 'localhost.'])
      await expect(fetchPage(new URL(`http://${name}/page`), { allow: [] })).rejects.toThrow();
    expect(seen).toEqual([]);
  });

  it('refuses a name with any private address, at every lookup', async () => {
    const answers = ['10.0.0.7', '127.0.0.1', '::1'];
    const rebinding: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: answers.shift() ?? '127.0.0.1', family: 4 },
      ]);
    while (answers.length > 0)
      await expect(fetchPage(new URL('http://rebind.example/page'), { allow: [], lookup: rebinding })).rejects.toThrow(
        'not a public address',
      );
  });
});

describe('decodePage', () => {
  const bytes = (...given: (string | number[])[]) => Buffer.concat(given.map((part) => Buffer.from(part as string))); // either
  it.each<[string, Buffer, string]>([
    ['the Content-Type', bytes([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), 'text/html; charset="windows-1251"'],
    ['its meta charset', bytes('<meta charset="koi8-r">', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]), 'text/html'],
    [
      'its http-equiv',
      bytes(
        '<meta http-equiv=content-type content="text/html; charset=iso-8859-5">',
        [0xbf, 0xe0, 0xd8, 0xd2, 0xd5, 0xe2],
      ),
      'text/html',
    ],
    [
      'its XML declaration',
      bytes('<?xml version="1.0" encoding="windows-1251"?>', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      'application/xhtml+xml',
    ],
    ['default', bytes('Привет'), 'text/html'],
    ['default after an unknown label', bytes('Привет'), 'text/html; charset=klingon'],
    ['a byte order mark', Buffer.from('\uFEFFПривет', 'utf16le'), 'text/html; charset=utf-8'],
  ])('decodes a page by %s', (_, given, type) => {
    expect(decodePage(given, type)).toContain('Привет');
  });

  it('decodes invalid UTF-8 as Windows-1252', () => {
    expect(decodePage(bytes([0x63, 0x61, 0x66, 0xe9]), 'text/html')).toBe('café');
  });
});
