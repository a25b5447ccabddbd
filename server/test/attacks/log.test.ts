import {
  changeEmail,
  confirmSignUp,
  createAccount,
  exchangeToken,
  mintToken,
  requestLoginLink,
  requestPasswordReset,
  setPassword,
  signIn,
} from '@officium/contract/auth';
import { addressOf } from '@officium/contract/client';
import type { Endpoint } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app/app.ts';
import { createLogger } from '#server/log.ts';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY, type Sent } from '../app.ts';
import { lastMail, makePerson } from '../factories/accounts.ts';

const test = await createTestApp();
const lines: string[] = [];
const log = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) });
const ctx = { ...test.ctx, log, config: { ...test.ctx.config, mode: 'production' as const } };
let app: FastifyInstance;

beforeAll(async () => {
  app = await buildApp(ctx);
  await app.ready();
});
afterAll(() => app.close());

const EMAIL = 'very.secret.person@example.gov';
const PASSWORDS = ['first-secret-password', 'second-secret-password', 'wrong-secret-password'];
/** Every secret that was sent, mailed or returned. */
const secrets = new Set<string>([EMAIL, encodeURIComponent(EMAIL), ...PASSWORDS, SERVICE_KEY, WEBHOOK_KEY]);

async function call(endpoint: Endpoint, sent: Sent = {}, headers: Record<string, string> = {}) {
  const reply = await app.inject({
    method: endpoint.method,
    url: addressOf(endpoint, sent),
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(sent.body ?? {}),
  });
  for (const { value } of reply.cookies) if (value) secrets.add(value);
  return reply;
}
const cookieOf = (reply: Awaited<ReturnType<typeof call>>) => ({
  cookie: `session=${reply.cookies.find(({ name }) => name === 'session')?.value}`,
  'sec-fetch-site': 'same-origin',
});

/**
 * Signs up, signs in, resets the password, changes the address and uses a token, each once successfully and once not.
 */
async function accountLifecycle(): Promise<number[]> {
  const statuses: number[] = [];
  const noted = async (reply: ReturnType<typeof call>) => {
    statuses.push((await reply).statusCode);
    return await reply;
  };
  await noted(call(createAccount, { body: { name: 'Ana', email: EMAIL } }));
  const { code } = await lastMail(test, EMAIL, 'sign_up_code');
  secrets.add(code);
  await noted(call(confirmSignUp, { body: { email: EMAIL, code: '000000' } }));
  const proven = await noted(call(confirmSignUp, { body: { email: EMAIL, code } }));
  const onboardingState = new URL(proven.json().redirectPath, 'http://x').searchParams.get('onboardingState') ?? '';
  secrets.add(onboardingState);
  const me = cookieOf(proven);
  await noted(call(setPassword, { body: { password: PASSWORDS[0], onboardingState } }, me));
  await noted(call(signIn, { body: { email: EMAIL, password: PASSWORDS[2] } }));
  const signedIn = cookieOf(await noted(call(signIn, { body: { email: EMAIL, password: PASSWORDS[0] } })));
  await noted(call(requestLoginLink, { body: { email: EMAIL } }));
  secrets.add((await lastMail(test, EMAIL, 'login_link')).link.searchParams.get('token') ?? '');
  await noted(call(requestPasswordReset, { params: { email: EMAIL } }));
  const forgotPassword = (await lastMail(test, EMAIL, 'password_reset')).link.searchParams.get('forgotPassword') ?? '';
  secrets.add(forgotPassword);
  await noted(call(setPassword, { body: { password: PASSWORDS[1], forgotPassword } }));
  await noted(call(changeEmail, { body: { newEmail: `new.${EMAIL}`, password: PASSWORDS[1] } }, signedIn));
  const person = await test.ctx.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', EMAIL)
    .executeTakeFirstOrThrow();
  const bearer = { authorization: `Bearer ${SERVICE_KEY}` };
  const minted = await noted(call(mintToken, { body: { id: person.id, email: EMAIL, name: 'Ana' } }, bearer));
  const { token } = minted.json();
  secrets.add(token);
  for (let times = 0; times < 2; times++) await noted(call(exchangeToken, { query: { token, redirectUrl: '/' } }));
  await noted(call(signIn, { body: { email: EMAIL, password: { $gt: PASSWORDS[2] } } }));
  await app.inject({
    url: '/api/auth/session',
    headers: { authorization: `Bearer ${SERVICE_KEY}x`, 'x-webhook-key': WEBHOOK_KEY },
  });
  await app.inject({ url: `/api/auth/cookies/token%?token=${token}`, headers: { cookie: me.cookie } });
  return statuses;
}

const logText = () => lines.join('');
/** Without numeric fields: six of their digits may equal a code. */
const logWithoutNumbers = () =>
  lines
    .map((line) => JSON.stringify({ ...(JSON.parse(line) as object), time: 0, requestId: '', pid: 0, ms: 0 }))
    .join('');
const leaked = () => {
  const text = logWithoutNumbers();
  return [...secrets].filter((secret) => secret !== '' && text.includes(secret));
};

describe('the log at trace level', () => {
  it('contains no secret of an account’s whole life, of successful and refused requests', async () => {
    lines.length = 0;
    const statuses = await accountLifecycle();
    expect(statuses.filter((status) => status < 400).length).toBeGreaterThan(8);
    expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(2);
    expect(secrets.size).toBeGreaterThan(15);
    expect(lines.length).toBeGreaterThan(statuses.length);
    expect(leaked()).toEqual([]);
  });

  it('contains no secret when every statement fails', async () => {
    lines.length = 0;
    const maya = await makePerson(test, { password: PASSWORDS[0] });
    secrets.add(maya.email).add(maya.as.token ?? '');
    for (const table of ['challenges', 'sessions', 'mails', 'users'])
      await sql`alter table ${sql.table(table)} rename to ${sql.ref(`${table}_away`)}`.execute(test.ctx.db);
    try {
      const me = { cookie: `session=${maya.as.token}`, 'sec-fetch-site': 'same-origin' };
      const failed = [
        await call(createAccount, { body: { name: 'Ana', email: `other.${EMAIL}` } }),
        await call(signIn, { body: { email: maya.email, password: PASSWORDS[0] } }),
        await call(requestPasswordReset, { params: { email: maya.email } }),
        await call(setPassword, { body: { password: PASSWORDS[1], forgotPassword: 'a-secret-of-a-mail' } }),
        await call(setPassword, { body: { password: PASSWORDS[1], oldPassword: PASSWORDS[0] } }, me),
        await call(exchangeToken, { query: { token: 'a-secret-token' } }),
      ];
      secrets.add('a-secret-of-a-mail').add('a-secret-token');
      expect(failed.map(({ statusCode }) => statusCode)).toEqual(failed.map(() => 500));
      expect(failed.filter(({ body }) => /relation|select|users/i.test(body))).toEqual([]);
    } finally {
      for (const table of ['challenges', 'sessions', 'mails', 'users'])
        await sql`alter table ${sql.table(`${table}_away`)} rename to ${sql.ref(table)}`.execute(test.ctx.db);
    }
    expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50).length).toBeGreaterThan(5);
    expect(leaked()).toEqual([]);
  });

  it('writes one line per event, whatever a caller sends', async () => {
    lines.length = 0;
    const forged = '{"level":30,"msg":"administrator signed in"}';
    for (const url of [
      `/api/nothing%0d%0a${encodeURIComponent(forged)}`,
      `/api/nothing\u2028${encodeURIComponent(forged)}`,
      `/api/content/articles/%0A%1b[2J${encodeURIComponent(forged)}`,
    ])
      await app.inject({ url, headers: { 'user-agent': `x\t${forged}`, 'x-request-id': `y ${forged}` } });
    const whole = logText();
    expect(whole.endsWith('\n')).toBe(true);
    expect(whole.trimEnd().split(/[\r\n\u2028\u2029]/)).toHaveLength(3);
    expect(whole).not.toContain('\u001b');
    for (const line of whole.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ msg: 'request' });
  });

  it('uses its own request ids', async () => {
    const reply = await app.inject({ url: '/api/auth/session', headers: { 'x-request-id': 'mine' } });
    expect(reply.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});

describe('responses', () => {
  it('contain no stored secret, even for an administrator', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const { rows } = await sql<{ secret: string }>`
      select password_hash as secret from users where password_hash is not null
      union all select encode(token_hash, 'base64') from sessions
      union all select encode(secret_hash, 'base64') from challenges where secret_hash is not null`.execute(
      test.ctx.db,
    );
    expect(rows.length).toBeGreaterThan(5);
    const person = await test.ctx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', EMAIL)
      .executeTakeFirstOrThrow();
    for (const url of [
      `/api/people/users/${person.id}`,
      `/api/people/v2/users/${person.id}`,
      `/api/admin/people/${person.id}`,
      '/api/admin/people',
      '/api/people/v2/users',
      '/api/admin/audit-log',
      '/api/auth/sessions',
      '/api/auth/session',
    ]) {
      const reply = await test.send('GET', url, { as: admin.as });
      const text = JSON.stringify(reply.body);
      expect(rows.filter(({ secret }) => text.includes(secret)).map(() => url)).toEqual([]);
      expect(text).not.toMatch(/password_?hash|token_?hash|\$argon2/i);
    }
  });
});
