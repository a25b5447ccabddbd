import { z } from 'zod';
import { endpoint } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { everyone, people, servicesAndAdministrators, type Policy } from '#server/access/policies.ts';
import { buildApp } from '#server/app/app.ts';
import { newId } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { implement } from './implement.ts';

const echo = endpoint({
  name: 'echoWord',
  service: 'auth',
  method: 'POST',
  path: '/test-echo/{id}',
  auth: 'none',
  summary: 'a test',
  params: z.object({ id: z.string() }),
  query: z.object({ count: z.coerce.number().int().positive().default(1) }),
  body: z.object({
    word: z.string().max(5, 'Word is too long'),
    inner: z.object({ list: z.array(z.int()) }).optional(),
  }),
  replies: { 200: z.object({ id: z.string(), word: z.string(), count: z.number() }) },
});
const addAudit = endpoint({
  name: 'addAudit',
  service: 'auth',
  method: 'POST',
  path: '/test-audit',
  auth: 'user',
  summary: 'a test that writes',
  body: z.object({ action: z.string() }),
  replies: { 201: z.object({ id: z.string() }) },
});
const serviceOnly = endpoint({
  name: 'serviceOnly',
  service: 'auth',
  method: 'GET',
  path: '/test-service',
  auth: 'service',
  summary: 'a test',
  replies: { 200: z.object({ kind: z.string() }) },
});

const test = await createTestApp();
let app: FastifyInstance;
let runs = 0;

beforeAll(async () => {
  app = await buildApp(test.ctx, {
    mountPages: async (instance) => {
      implement(instance, test.ctx, echo, {
        policy: everyone,
        // More than the contract names: the serializer must drop it.
        handle: async ({ params, query, body }) =>
          ({ id: params.id, word: body.word, count: query.count, secret: 'x' }) as never,
      });
      implement(instance, test.ctx, addAudit, {
        policy: people,
        handle: async ({ ctx, body, viewer }) => {
          runs += 1;
          const id = newId();
          await sql`insert into audit_log (id, actor, action, object) values (${id}, ${viewer.id}, ${body.action}, 'test')`.execute(
            ctx.db,
          );
          if (body.action === 'refuse') throw new AppError('request.conflict');
          if (body.action.startsWith('fail')) throw new Error('a secret detail');
          return { id };
        },
      });
      implement(instance, test.ctx, serviceOnly, {
        policy: servicesAndAdministrators,
        handle: async ({ viewer }) => ({ kind: viewer.kind }),
      });
    },
  });
  await app.ready();
});
afterAll(() => app.close());

const post = (url: string, payload: string | undefined, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
const count = async (action: string) =>
  (await sql<{ n: number }>`select count(*) as n from audit_log where action = ${action}`.execute(test.ctx.db)).rows[0]
    ?.n;

describe('an operation', () => {
  it('returns what the contract names and nothing else', async () => {
    const reply = await post('/api/auth/test-echo/7?count=2', '{"word":"hello"}');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({ id: '7', word: 'hello', count: 2 });
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('lists every wrong field, the first one as the message', async () => {
    const reply = await post('/api/auth/test-echo/7?count=0', '{"word":"far too long","inner":{"list":[1,"x"]}}');
    expect(reply.statusCode).toBe(400);
    const body = reply.json();
    expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request', requestId: expect.any(String) });
    expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual(['count', 'word', 'inner.list.1']);
    expect(body.message).toBe(body.issues[0].message);
    expect((await post('/api/auth/test-echo/7', '{}')).json().message).toBe('word is required');
  });

  it.each([
    ['malformed JSON', '{"word":', {}, 400],
    ['a prototype key', '{"word":"a","__proto__":{"x":1}}', {}, 400],
    ['a null character', '{"word":"a\\u0000"}', {}, 400],
    ['an array', '[1]', {}, 400],
    ['null', 'null', {}, 400],
    ['no body', '', {}, 400],
    ['a form', 'word=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['text', '{"word":"a"}', { 'content-type': 'text/plain' }, 415],
    ['JSON with a tab in its type', '{"word":"far too long"}', { 'content-type': 'application/json\ta' }, 415],
    ['JSON with a space before its type', '{"word":"far too long"}', { 'content-type': ' application/json' }, 400],
    ['more than a mebibyte', JSON.stringify({ word: 'a'.repeat(1_100_000) }), {}, 413],
  ])('refuses %s', async (_, payload, headers, status) => {
    const reply = await post('/api/auth/test-echo/7', payload, headers);
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({
      statusCode: status,
      message: expect.any(String),
      requestId: reply.headers['x-request-id'],
    });
    expect(reply.body).not.toMatch(/\bat .*\.ts/);
  });

  it('refuses to start without a policy that serves it', () => {
    const unguarded = { policy: undefined as unknown as Policy, handle: async () => ({ id: '' }) };
    expect(() => implement(app, test.ctx, addAudit, unguarded)).toThrow('addAudit (user) has no policy');
    expect(() => implement(app, test.ctx, addAudit, { ...unguarded, policy: everyone })).toThrow(
      'no policy that serves it',
    );
  });

  it('hides the details of a server error', async () => {
    const maya = await makePerson(test);
    const reply = await post('/api/auth/test-audit', '{"action":"fail"}', {
      cookie: `session=${maya.as.token}`,
      'sec-fetch-site': 'same-origin',
    });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret');
  });
});

describe('admission', () => {
  it('requires a session, a proven address and an active account', async () => {
    const as = (token: string | undefined) => ({ cookie: `session=${token}`, 'sec-fetch-site': 'same-origin' });
    expect((await post('/api/auth/test-audit', '{}')).statusCode).toBe(401);
    expect((await post('/api/auth/test-audit', '{}', as('unknown'))).statusCode).toBe(401);
    const unproven = await makePerson(test, { isProven: false });
    expect((await post('/api/auth/test-audit', '{}', as(unproven.as.token))).json().code).toBe('auth.not_proven');
    const inactive = await makePerson(test, { role: 'inactive' });
    expect((await post('/api/auth/test-audit', '{}', as(inactive.as.token))).json().code).toBe('auth.inactive');
    expect((await post('/api/auth/test-audit', '{}', { authorization: `Bearer ${SERVICE_KEY}` })).statusCode).toBe(403);
  });

  it('admits a service key or an administrator to service operations', async () => {
    const get = (headers: Record<string, string>) =>
      app.inject({ method: 'GET', url: '/api/auth/test-service', headers });
    expect((await get({ authorization: `Bearer ${SERVICE_KEY}` })).json()).toEqual({ kind: 'service' });
    expect((await get({ authorization: `Bearer ${SERVICE_KEY}x` })).statusCode).toBe(401);
    expect((await get({ authorization: 'Basic abc' })).statusCode).toBe(401);
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await get({ cookie: `session=${admin.as.token}` })).json()).toEqual({ kind: 'user' });
    const maya = await makePerson(test);
    expect((await get({ cookie: `session=${maya.as.token}` })).statusCode).toBe(403);
  });

  it('refuses an unsafe request with a cookie from another site', async () => {
    const maya = await makePerson(test);
    const send = (headers: Record<string, string>) =>
      post('/api/auth/test-audit', '{"action":"csrf"}', { cookie: `session=${maya.as.token}`, ...headers });
    expect((await send({})).statusCode).toBe(403);
    expect((await send({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await send({ 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' })).statusCode).toBe(403);
    expect((await send({ origin: 'http://evil.example' })).json().code).toBe('auth.cross_site');
    expect((await send({ origin: 'null' })).statusCode).toBe(403);
    expect((await send({ origin: 'http://localhost:3000' })).statusCode).toBe(201);
    expect((await send({ 'sec-fetch-site': 'none' })).statusCode).toBe(201);
  });
});

describe('an Idempotency-Key', () => {
  it('gives parallel repetitions one effect and one answer', async () => {
    const maya = await makePerson(test);
    const headers = { cookie: `session=${maya.as.token}`, 'sec-fetch-site': 'same-origin', 'idempotency-key': 'once' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('/api/auth/test-audit', '{"action":"keyed"}', headers)),
    );
    expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([201]));
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(1);
    expect(await count('keyed')).toBe(1);
    expect((await post('/api/auth/test-audit', '{"action":"other"}', headers)).json().code).toBe('idempotency.reused');
  });

  it('belongs to its caller', async () => {
    const [maya, omar] = [await makePerson(test), await makePerson(test)];
    for (const person of [maya, omar])
      await post('/api/auth/test-audit', '{"action":"mine"}', {
        cookie: `session=${person.as.token}`,
        'sec-fetch-site': 'same-origin',
        'idempotency-key': 'shared',
      });
    expect(await count('mine')).toBe(2);
  });

  it('repeats a refusal, rolls back its writes, and drops a server error', async () => {
    const maya = await makePerson(test);
    const headers = { cookie: `session=${maya.as.token}`, 'sec-fetch-site': 'same-origin' };
    runs = 0;
    for (let turn = 0; turn < 2; turn += 1) {
      const keyed = { ...headers, 'idempotency-key': 'refused' };
      const refusal = await post('/api/auth/test-audit', '{"action":"refuse"}', keyed);
      expect(refusal.statusCode).toBe(409);
      expect(refusal.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect(runs).toBe(1);
    expect(await count('refuse')).toBe(0);
    for (let turn = 0; turn < 2; turn += 1)
      expect(
        (await post('/api/auth/test-audit', '{"action":"fail-keyed"}', { ...headers, 'idempotency-key': 'failed' }))
          .statusCode,
      ).toBe(500);
    expect(runs).toBe(3);
    expect(await count('fail-keyed')).toBe(0);
  });

  it('has 1 to 128 characters', async () => {
    const maya = await makePerson(test);
    const headers = {
      cookie: `session=${maya.as.token}`,
      'sec-fetch-site': 'same-origin',
      'idempotency-key': 'k'.repeat(129),
    };
    expect((await post('/api/auth/test-audit', '{"action":"long"}', headers)).statusCode).toBe(400);
  });
});
