import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readLinkPreview } from '@officium/contract/assets';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const CORPUS = fileURLToPath(new URL('../../../../shared/data/linkpreview-unfurl/', import.meta.url));

const asked = new Map<string, number>();
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  asked.set(path, (asked.get(path) ?? 0) + 1);
  const file = CORPUS + path.slice(1);
  if (path.startsWith('/page')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Page ${path}</title>`);
  } else if (path.endsWith('.html') && existsSync(file)) {
    response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync(file));
  } else response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has an AddressInfo
afterAll(() => server.close());

const test = await createTestApp({ LINK_PREVIEW_ALLOW: host });
const maya = await makePerson(test);

const encode = (address: string, alphabet: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(address).toString(alphabet);
const look = async (address: string, alphabet?: 'base64url') =>
  await test.call(readLinkPreview, maya.as, { params: { encodedUrl: encode(address, alphabet) } });

describe('readLinkPreview', () => {
  it('returns the page’s metadata for both base64 alphabets', async () => {
    for (const alphabet of [undefined, 'base64url'] as const) {
      const { status, body } = await look(`http://${host}/page?a=~~~&b=???#part`, alphabet);
      expect(status).toBe(200);
      expect(readLinkPreview.replies[200].strict().parse(body)).toEqual({
        url: `http://${host}/page?a=~~~&b=???`,
        title: 'Page /page?a=~~~&b=???',
      });
    }
  });

  itInProcess('fetches a page once for many requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => look(`http://${host}/page/once`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(asked.get('/page/once')).toBe(1);
  });

  it('fetches pages of one host one at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => look(`http://${host}/page/${n}`)));
    expect(answers.map(({ body }) => body.title)).toEqual(Array.from({ length: 20 }, (_, n) => `Page /page/${n}`));
  });

  itInProcess('caches a failure for ten minutes', async () => {
    for (let n = 0; n < 3; n++) expect((await look(`http://${host}/missing`)).status).toBe(400);
    expect(asked.get('/missing')).toBe(1);
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost./',
    `http://2130706433:${host.split(':')[1]}1/`,
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1%25eth0]/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://127.0.0.1.:80/',
    'http://①②⑦.⓪.⓪.①/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0/',
    'http://example.org:22/',
    `http://maya@${host}/page`,
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//example.org/',
    '/page',
    'not an address',
    `http://example.org/${'a'.repeat(2100)}`,
    'http://no-such-host.invalid/',
  ])('refuses %s', async (address) => {
    const { status, body } = await look(address);
    expect(body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: 'There is no preview of this address.',
    });
    expect(status).toBe(400);
  });

  it('refuses an overlong address', async () => {
    for (const length of [4096, 4097, 12_000]) {
      const { status, body } = await test.send('GET', `/api/assets/link-previews/${'a'.repeat(length)}`, {
        as: maya.as,
      });
      expect([length, status, body.statusCode, body.error]).toEqual([length, 400, 400, 'Bad Request']);
    }
  });

  it.each(['!', 'aHR0c A==', '%00', '%ff', 'gICA', '===', 'https:%2F%2Fexample.org'])(
    'refuses an invalid encoding: %s',
    async (encodedUrl) => {
      const answer = await test.send('GET', `/api/assets/link-previews/${encodedUrl}`, { as: maya.as });
      expect(answer.status).toBe(400);
    },
  );

  it('requires a proven address', async () => {
    const params = { encodedUrl: encode(`http://${host}/page`) };
    expect((await test.call(readLinkPreview, undefined, { params })).status).toBe(401);
    const unproven = await makePerson(test, { isProven: false });
    expect((await test.call(readLinkPreview, unproven.as, { params })).status).toBe(403);
  });
});

// Runs only where the test pages of unfurl are installed.
describe.skipIf(!existsSync(CORPUS))('pages of all kinds', () => {
  it.each([
    ['basic/basic', { title: 'ccc', description: 'aaa' }],
    ['basic/basic-body', { title: 'ccc', description: 'aaa' }],
    ['basic/basic-duplicates', { title: 'zzz', description: 'xxx' }],
    ['open_graph/multi', { title: 'Coinbase - Buy/Sell Digital Currency' }],
    [
      'open_graph/images',
      {
        title: '127.0.0.1',
        image: {
          src: 'https://assets-cdn.github.com/images/modules/open_graph/github-logo.png',
          width: 1200,
          height: 1200,
          alt: 'The Github logo.',
        },
      },
    ],
  ])('of %s has the expected preview', async (name, preview) => {
    const { status, body } = await look(`http://${host}/${name}.html`);
    expect(status).toBe(200);
    expect(readLinkPreview.replies[200].strict().parse(body)).toMatchObject(preview);
  });

  it.each(['basic/keyword-edge-cases', 'open_graph/article'])('of %s has no preview', async (name) => {
    expect((await look(`http://${host}/${name}.html`)).status).toBe(400);
  });
});
