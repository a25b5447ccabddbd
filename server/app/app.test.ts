import { STATUS_CODES } from 'node:http';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readProfile, updateProfile } from '@officium/contract/account';
import { uploadProfileImage } from '@officium/contract/assets';
import { signIn } from '@officium/contract/auth';
import { uploadPiecePicture } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { readUploadFile } from '@officium/contract/cohorts';
import { checkContentZip } from '@officium/contract/content-folder';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { endSessions } from '#server/access/sessions.ts';
import { buildApp } from './app.ts';
import { newId } from '#server/db/client.ts';
import { createLogger, logTo } from '#server/log.ts';
import { openCtx } from './open.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });

describe('the frame', () => {
  it('reports liveness, readiness and metrics', async () => {
    expect((await test.send('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await test.send('GET', '/readyz')).body).toEqual({ status: 'ready' });
    expect((await test.send('GET', '/metrics')).body).toContain('http_request_duration_seconds');
  });

  it('is not ready without its tables', async () => {
    await sql`alter table migrations rename to elsewhere`.execute(test.ctx.db);
    const { status, body, headers } = await test.send('GET', '/readyz');
    await sql`alter table elsewhere rename to migrations`.execute(test.ctx.db);
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'server.unavailable', '5']);
    expect((await test.send('GET', '/readyz')).status).toBe(200);
  });

  it('documents every operation in OpenAPI 3.1 and on a page', async () => {
    const { body } = await test.send('GET', '/api/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/api/auth/session'].get).toMatchObject({
      operationId: 'readSession',
      'x-extension': true,
      tags: ['auth', 'extension'],
    });
    const page = await test.send('GET', '/api/docs/plain');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('/api/auth/session');
  });

  it('redirects browsers without script from the API reference to the plain page', async () => {
    const { body } = await test.send('GET', '/api/docs');
    expect(body).toMatch(/<noscript>.*\/api\/docs\/plain.*<\/noscript>/);
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('lets the API reference write styles and HTML, but run no foreign script', async () => {
    const { headers } = await test.send('GET', '/api/docs');
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toContain(`style-src 'self' 'unsafe-inline'`);
    expect(policy.find((rule) => rule.startsWith('script-src'))).toMatch(/^script-src 'self' 'nonce-[0-9a-f]+'$/);
    expect(policy).toContain(`connect-src 'self'`);
  });

  it.each(['/api/openapi.json', '/api/docs/plain'])(
    'sends %s in the encoding the client accepts, once',
    async (path) => {
      const ask = async (headers: Record<string, string>) => await test.app.inject({ url: path, headers });
      const plain = await ask({});
      const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
      const tags = new Set([plain.headers.etag]);
      for (const [encoding, decode] of Object.entries(decoders)) {
        const reply = await ask({ 'accept-encoding': encoding });
        expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
        expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
        expect(decode(reply.rawPayload).equals(plain.rawPayload)).toBe(true);
        tags.add(reply.headers.etag);
        const again = await ask({
          'accept-encoding': encoding,
          'if-none-match': `"other", W/${String(reply.headers.etag)}`,
        });
        expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', reply.headers.etag]);
      }
      expect(tags.size).toBe(3);
      expect((await ask({ 'accept-encoding': 'gzip, deflate, br' })).headers['content-encoding']).toBe('br');
      expect((await ask({ 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding']).toBe('gzip');
      expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
      expect(plain.headers['content-encoding']).toBeUndefined();
    },
  );

  it('closes connections while draining, so that no later request is lost', async () => {
    let isDraining = false;
    const app = await buildApp(test.ctx, { isDraining: () => isDraining });
    const ask = async (url: string) => await app.inject({ url });
    expect((await ask('/healthz')).headers.connection).not.toBe('close');
    isDraining = true;
    expect((await ask('/healthz')).headers.connection).toBe('close');
    expect(await ask('/readyz')).toMatchObject({ statusCode: 503, headers: { connection: 'close' } });
    await app.close();
  });

  it('drops a connection whose client does not read the answer', async () => {
    const app = await buildApp(test.ctx, { idleMs: 300 });
    await app.inject('/api/openapi.json'); // built on the first request
    await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      const { port } = app.server.address() as AddressInfo; // it listens on TCP
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.pause();
      // More than the buffers of the machine hold.
      socket.write('GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(40));
      const held = () => new Promise<number>((told) => app.server.getConnections((_, count) => told(count)));
      await expect.poll(held, { timeout: 5_000 }).toBe(1);
      await expect.poll(held, { timeout: 20_000 }).toBe(0);
      socket.destroy();
    } finally {
      await app.close();
    }
  });

  it('answers an unknown path with the one error body and safe headers', async () => {
    const reply = await test.send('GET', '/api/nothing');
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ statusCode: 404, error: 'Not Found', requestId: reply.headers['x-request-id'] });
    expect(reply.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-[^']+'/);
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('gives each page its own nonces, and data a policy that loads nothing', async () => {
    const policyOf = async (path: string) => String((await test.send('GET', path)).headers['content-security-policy']);
    expect(await policyOf('/api/nothing')).not.toBe(await policyOf('/api/nothing'));
    expect(await policyOf('/api/auth/session')).toMatch(/^default-src 'none';/);
  });

  it('answers an undecodable address with the one error body, and does not repeat it', async () => {
    const reply = await test.send('GET', '/api/auth/users/maya%40example.gov%');
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      requestId: reply.headers['x-request-id'],
    });
    expect(JSON.stringify(reply.body)).not.toContain('maya');
  });

  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'request.malformed'],
    [
      'larger headers than fit',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
      413,
      'request.too_large',
    ],
  ])('answers %s with the one error body', async (_, sent, status, code) => {
    const app = await buildApp(test.ctx);
    await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      const { port } = app.server.address() as AddressInfo; // it listens on TCP
      const socket = connect(port, '127.0.0.1', () => socket.write(sent));
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      const [, requestId] = /x-request-id: (.+)/.exec(head) ?? [];
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(body)).toMatchObject({ statusCode: status, error: STATUS_CODES[status], requestId, code });
    } finally {
      await app.close();
    }
  });

  it.each([
    { has: 'a length', header: 'content-length: 3145728', framed: (part: string) => part, end: '' },
    {
      has: 'no length',
      header: 'transfer-encoding: chunked',
      framed: (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`,
      end: '0\r\n\r\n',
    },
  ])(
    'reads a body that is too large and has $has to its end, so that the sender gets the answer',
    async ({ header, framed, end }) => {
      const app = await buildApp(test.ctx);
      await app.listen({ port: 0, host: '127.0.0.1' });
      try {
        const { port } = app.server.address() as AddressInfo; // it listens on TCP
        const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
        const socket = connect(port, '127.0.0.1');
        const peer = await accepted;
        const answer = text(socket);
        const head = ['POST /api/auth/logins HTTP/1.1', 'host: x', 'content-type: application/json', header];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        for (let n = 0; n < 48; n += 1) {
          // The limit of 1 MiB was passed.
          if (n === 24) await vi.waitFor(() => expect(peer.bytesRead).toBeGreaterThan(1024 * 1024), 5_000);
          await promisify((part: string, done: (error?: Error | null) => void) => socket.write(part, done))(
            framed(' '.repeat(64 * 1024)),
          );
        }
        socket.write(end);
        const [said = '', body = ''] = (await answer).split('\r\n\r\n');
        expect(said).toMatch(/^HTTP\/1.1 413 /);
        expect(JSON.parse(body)).toMatchObject({ code: 'request.too_large' });
      } finally {
        await app.close();
      }
    },
  );

  it('does not cache a session that ended while it was read', async () => {
    const maya = await makePerson(test);
    const token = maya.as.token!; // makePerson signs in
    const read = test.ctx.sessions.find(token);
    test.ctx.sessions.forget(maya.id);
    await read;
    await sql`delete from sessions where user_id = ${maya.id}`.execute(test.ctx.db);
    expect(await test.ctx.sessions.find(token)).toBeUndefined();
  });

  it('ends a session on every node', async () => {
    const other = await openCtx(test.ctx.config, test.databaseUrl, test.ctx.log);
    try {
      const maya = await makePerson(test);
      const token = maya.as.token!; // makePerson signs in
      expect((await other.ctx.sessions.find(token))?.id).toBe(maya.id);
      await endSessions(test.ctx.db, maya.id);
      await expect.poll(() => other.ctx.sessions.find(token), { timeout: 5_000 }).toBeUndefined();
    } finally {
      await other.close();
    }
  });
});

describe('a session', () => {
  it("stays expired when the database's clock is set back", async () => {
    const { id, as } = await makePerson(test);
    const age = async (by: string) =>
      await sql`update sessions set expires_at = expires_at + ${by}::interval where user_id = ${id}`.execute(
        test.ctx.db,
      );
    await age('-30 days -1 minute');
    expect((await test.call(readProfile, as, { params: { id: 'me' } })).status).toBe(401);
    await age('10 minutes');
    expect((await test.call(readProfile, as, { params: { id: 'me' } })).status).toBe(401);
  });

  it('lets its user read while the database takes no writes', async () => {
    const { id, as } = await makePerson(test);
    await sql`update sessions set last_seen_at = now() - interval '10 minutes' where user_id = ${id}`.execute(
      test.ctx.db,
    );
    await sql`create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(test.ctx.db);
    await sql`create trigger disk_full before update on sessions execute function disk_full()`.execute(test.ctx.db);
    try {
      expect((await test.call(readProfile, as, { params: { id: 'me' } })).status).toBe(200);
    } finally {
      await sql`drop trigger disk_full on sessions`.execute(test.ctx.db);
    }
  });
});

describe('the log', () => {
  it.runIf(existsSync('/dev/full'))('loses only lines when its disk is full', async () => {
    const file = await open('/dev/full', 'w');
    const log = createLogger({ logLevel: 'info' }, logTo(file.fd));
    for (let line = 0; line < 3_000; line += 1) log.info({ line: 'x'.repeat(1_000) }, 'a line');
    await new Promise((later) => setImmediate(later)); // an unhandled error would be thrown by now
    await file.close();
  });

  it('logs no error for an upload that the client aborts', async () => {
    const lines: { level: number; msg: string }[] = [];
    const log = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const app = await buildApp({ ...test.ctx, log, config: { ...test.ctx.config, mode: 'production' } });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo; // it listens on TCP
    const { as } = await makePerson(test, { role: 'administrator' });
    const id = newId();
    const form = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it';
    const sent = [
      [signIn, {}, 'application/json', '{"email":'],
      [updateProfile, {}, 'application/json', '{'],
      [uploadProfileImage, { userId: 'me' }, 'multipart/form-data; boundary=x', form],
      [readUploadFile, { id }, 'multipart/form-data; boundary=x', form],
      [uploadPiecePicture, { kind: 'lesson', key: id }, 'multipart/form-data; boundary=x', form],
      [checkContentZip, {}, 'multipart/form-data; boundary=x', form],
    ] as const;
    try {
      for (const [endpoint, params, type, body] of sent) {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        const head = [
          `${endpoint.method} ${addressOf(endpoint, { params })} HTTP/1.1`,
          'host: localhost',
          `content-type: ${type}`,
          'content-length: 5000',
          `cookie: session=${as.token}`,
          'sec-fetch-site: same-origin',
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
        await new Promise((later) => setTimeout(later, 100)); // it is being read by then
        socket.resetAndDestroy();
      }
      await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(2));
      await new Promise((later) => setTimeout(later, 300)); // everything else is logged by then
    } finally {
      await app.close();
    }
    expect(lines.filter(({ level }) => level > 30)).toEqual([]);
    expect(new Set(lines.map(({ msg }) => msg))).toContain('request aborted by the client');
  });

  it('has one line per request, without secrets', async () => {
    const lines: string[] = [];
    const log = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) });
    const app = await buildApp({ ...test.ctx, log, config: { ...test.ctx.config, mode: 'production' } });
    await app.inject({
      url: '/api/auth/cookies/token?token=a-secret-token',
      headers: { cookie: 'session=a-secret-cookie' },
    });
    await app.inject({
      url: '/api/auth/users/somebody%40example.gov',
      headers: { authorization: 'Bearer a-secret-key' },
    });
    const payload = { email: 'a@example.gov', password: 'a-secret-password' };
    const { headers } = await app.inject({ method: 'POST', url: '/api/auth/logins', payload });
    await app.close();
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toMatch(/a-secret|somebody|a@example/);
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      method: 'POST',
      path: '/api/auth/logins',
      status: 401,
      requestId: headers['x-request-id'],
    });
  });
});
