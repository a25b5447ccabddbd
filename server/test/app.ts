import { rm } from 'node:fs/promises';
import type { Endpoint } from '@officium/contract/endpoint';
import { addressOf } from '@officium/contract/client';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { afterAll, inject as provided, it, onTestFinished, TestRunner } from 'vitest';
import { openSession } from '../access/sessions.ts';
import { buildApp } from '#server/app/app.ts';
import { readConfig } from '../config.ts';
import type { Ctx } from '../ctx.ts';
import { newId } from '../db/client.ts';
import { openCtx } from '#server/app/open.ts';
import { keepAnswers, noteAnswer } from './answers.ts';
import { createDatabase, dropDatabase } from './cluster.ts';
import { removeContentFolders } from './factories/content.ts';
import { scratchFolder } from './scratch.ts';
import { install, installer, sendTo, announceSessions, uninstall } from './through.ts';

export const SERVICE_KEY = 'test-service-key-0123456789-0123456789';
export const WEBHOOK_KEY = 'test-webhook-key-0123456789-0123456789';

/**
 * A test that inspects or replaces a part of its own process, or sends what a proxy filters. Skipped when the product
 * runs as an installation (through.ts).
 */
export const itInProcess = it.skipIf(installer !== undefined);

/** The credentials a test uses: a session token, a service key, or none. */
export type As = { token?: string; serviceKey?: string };
export type Sent = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
};
export type Answer = {
  status: number;
  body: any;
  headers: LightMyRequestResponse['headers'];
  cookies: LightMyRequestResponse['cookies'];
}; // any: tests read the body they expect

export type TestApp = {
  app: FastifyInstance;
  ctx: Ctx;
  databaseUrl: string;
  /** Calls an operation of the contract over HTTP. */
  call(endpoint: Endpoint, as?: As, sent?: Sent): Promise<Answer>;
  /** Sends any request, including ones that our clients never send. */
  send(
    method: string,
    url: string,
    options?: { as?: As; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Opens a session for an account. */
  signIn(userId: string): Promise<As>;
  /** Clears cached sessions of an account after a test changed them in the database directly. */
  forgetSessions(userId: string): Promise<void>;
  /** Runs the due jobs. */
  drain(): Promise<number>;
  /** The mails in the outbox, oldest first. */
  mails(recipient?: string): Promise<
    {
      kind: string;
      recipient: string;
      subject: string;
      body_text: string;
      body_html: string;
      locale: string;
      status: string;
    }[]
  >;
};

/** A body that is sent unchanged: a text or an encoded form. */
const isRaw = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body);

/**
 * An application on its own clone of the template database, closed after the test file or the test that created it.
 * With an installer (through.ts) requests go to separate processes, and the application here only runs jobs and reads
 * the database.
 */
export async function createTestApp(
  settings: Record<string, string> = {},
  /** Whether answers count as covered; off for random requests. */
  { countsAnswers = true } = {},
): Promise<TestApp> {
  const adminUrl = provided('adminUrl');
  const name = `officium_test_${newId().replaceAll('-', '')}`;
  const databaseUrl = await createDatabase(adminUrl, name, provided('template'));
  const folder = await scratchFolder('officium-files-');
  const given = {
    NODE_ENV: 'test',
    DATA_DIR: folder,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    RATE_LIMITS: 'off',
    SERVICE_API_KEYS: `tests:${SERVICE_KEY}`,
    WEBHOOK_KEYS: WEBHOOK_KEY,
    PUBLIC_URL: 'http://localhost:3000',
    ...settings,
  };
  const installed = installer === undefined ? undefined : await install(name, given);
  const config = readConfig({ ...given, ...installed?.settings });
  const open = await openCtx(config, databaseUrl, pino({ level: config.logLevel }));
  const app = await buildApp(open.ctx);
  await app.ready();

  const close = async () => {
    if (countsAnswers) keepAnswers();
    if (installed) await uninstall(name);
    await app.close();
    await open.close();
    await dropDatabase(adminUrl, name);
    await rm(folder, { recursive: true, force: true });
    await removeContentFolders();
  };
  if (TestRunner.getCurrentTest() === undefined) afterAll(close);
  else onTestFinished(close);

  const send: TestApp['send'] = async (method, url, { as = {}, body, headers = {} } = {}) => {
    const request = {
      method: method as 'GET', // light-my-request accepts every method
      url,
      headers: {
        ...(as.token ? { cookie: `session=${as.token}`, 'sec-fetch-site': 'same-origin' } : {}),
        ...(as.serviceKey ? { authorization: `Bearer ${as.serviceKey}` } : {}),
        ...(body === undefined || isRaw(body) ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      payload: body === undefined ? undefined : isRaw(body) ? body : JSON.stringify(body),
    };
    const response = installed ? await sendTo(installed.url, request) : await app.inject(request);
    const isJson = String(response.headers['content-type'] ?? '').includes('json');
    noteAnswer(method, url, response.statusCode, response.body, body);
    return {
      status: response.statusCode,
      body: isJson && response.body !== '' ? JSON.parse(response.body) : response.body,
      headers: response.headers,
      cookies: response.cookies,
    };
  };

  return {
    app,
    ctx: open.ctx,
    databaseUrl,
    send,
    call: (endpoint, as, { body, headers, ...address } = {}) =>
      send(endpoint.method, addressOf(endpoint, address), { as, body, headers }),
    signIn: async (userId) => ({ token: await openSession(open.ctx.db, { userId }) }),
    async forgetSessions(userId) {
      open.ctx.sessions.forget(userId);
      if (installed) await announceSessions(open.ctx.lastingDb, userId);
    },
    drain: () => open.ctx.jobs.drain(open.ctx),
    mails: async (recipient) =>
      await open.ctx.db
        .selectFrom('mails')
        .select(['kind', 'recipient', 'subject', 'body_text', 'body_html', 'locale', 'status'])
        .$if(recipient !== undefined, (rows) => rows.where('recipient', '=', recipient!)) // checked by the first argument
        .orderBy('id')
        .execute(),
  };
}
