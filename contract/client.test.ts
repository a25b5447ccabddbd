import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, fetchSend } from './client.ts';
import * as content from './content.ts';
import { ApiError, createOfficium } from './index.ts';
import { ENDPOINTS } from './services.ts';

type RecordedRequest = { method?: string; url?: string; headers: IncomingHttpHeaders; body: string };
type TestReply = { status: number; headers?: Record<string, string | string[]>; body?: string };

let baseUrl = '';
let requests: RecordedRequest[] = [];
let replies: TestReply[] = [];

/** Replaces the product: records each request and sends the replies set by the test, then `{}`. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    const { status, headers, body: answer = '{}' } = replies.shift() ?? { status: 200 };
    response.writeHead(status, headers).end(answer);
  });
});

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
});
afterAll(() => new Promise((closed) => server.close(closed)));

function replyWith(...testReplies: TestReply[]): void {
  requests = [];
  replies = testReplies;
}

describe('createOfficium', () => {
  it('has every operation of the contract under its service', () => {
    const officium = createOfficium({ baseUrl });
    const missing = ENDPOINTS.filter(({ service, name }) => !Object.hasOwn(officium[service], name));
    expect(missing.map(({ service, name }) => `${service}.${name}`)).toEqual([]);
  });

  it('fills path placeholders, serialises queries and leaves out undefined values', async () => {
    replyWith();
    await createOfficium({ baseUrl }).community.listActivities({
      params: { slug: 'a b/c' },
      query: { limit: 3, offset: undefined, ranking: 'recent_with_pin' },
    });
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: '/api/community/communities/a%20b%2Fc/activities?limit=3&ranking=recent_with_pin',
    });
  });

  it('keeps the session that a sign-in opens and forgets it when it ends', async () => {
    const cookies = new Map<string, string>();
    const officium = createOfficium({ baseUrl, cookies });
    replyWith(
      { status: 200, headers: { 'set-cookie': ['session=first; Path=/; HttpOnly; Max-Age=60', 'locale=fr; Path=/'] } },
      { status: 200, headers: { 'set-cookie': 'session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT' } },
    );
    await officium.auth.signIn({ body: { email: 'learner@example.gov', password: 'x' } });
    expect(requests[0]?.headers).not.toHaveProperty('cookie');
    expect([...cookies]).toEqual([
      ['session', 'first'],
      ['locale', 'fr'],
    ]);
    await officium.auth.signOut();
    expect(requests[1]?.headers).toMatchObject({ cookie: 'session=first; locale=fr', 'sec-fetch-site': 'same-origin' });
    await officium.auth.readSession();
    expect(requests[2]?.headers['cookie']).toBe('locale=fr');
  });

  it('sends the service key, custom headers and an idempotency key', async () => {
    replyWith();
    const officium = createOfficium({ baseUrl, serviceKey: 'k'.repeat(32), headers: { 'accept-language': 'fr' } });
    await officium.auth.createAccount({ body: { name: 'A', email: 'a@example.gov' }, idempotencyKey: 'once' });
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${'k'.repeat(32)}`,
      'accept-language': 'fr',
      'idempotency-key': 'once',
      'content-type': 'application/json',
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ name: 'A', email: 'a@example.gov' });
  });

  it('uploads a file as a form and downloads a file unchanged', async () => {
    replyWith({ status: 201 }, { status: 200, headers: { 'content-type': 'application/zip' }, body: 'PK zipped' });
    const officium = createOfficium({ baseUrl });
    await officium.assets.uploadProfileImage({ params: { userId: 'me' }, file: new Blob(['pixels']) });
    expect(requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(requests[0]?.body).toContain('name="file"');
    expect(requests[0]?.body).toContain('pixels');
    const file = await officium.account.downloadDataExport({ params: { id: '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57' } });
    expect(file.type).toBe('application/zip');
    expect(await file.text()).toBe('PK zipped');
  });
});

describe('an error response', () => {
  it('is thrown with its status, body and retry delay', async () => {
    const body = JSON.stringify({
      statusCode: 429,
      error: 'Too Many Requests',
      message: 'Wait.',
      code: 'request.too_many',
    });
    replyWith({ status: 429, headers: { 'retry-after': '7' }, body });
    const error = await createOfficium({ baseUrl })
      .auth.readSession()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      message: `API request failed with status 429: ${body}`,
      body: { code: 'request.too_many', message: 'Wait.' },
      retryAfterSeconds: 7,
    });
  });

  it('is thrown when the body is not JSON, as from a proxy', async () => {
    replyWith({ status: 502, body: '<h1>Bad Gateway</h1>' });
    await expect(createOfficium({ baseUrl }).auth.readSession()).rejects.toMatchObject({
      status: 502,
      body: {},
      message: 'API request failed with status 502: <h1>Bad Gateway</h1>',
    });
  });
});

describe('createClient', () => {
  it('creates functions for the endpoints of a module and nothing else', () => {
    const client = createClient(content, fetchSend({ baseUrl }));
    expect(Object.keys(client).toSorted()).toEqual(
      ENDPOINTS.filter(({ name }) => name in content)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('returns undefined for an empty reply and treats a declared redirect as a success', async () => {
    replyWith({ status: 302, headers: { location: '/' }, body: '' });
    expect(await createOfficium({ baseUrl }).auth.exchangeToken({ query: { token: 'secret' } })).toBeUndefined();
  });
});
