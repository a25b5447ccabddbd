import { readSession, signIn } from '@officium/contract/auth';
import { describe, expect, it } from 'vitest';
import { firstStart } from '#server/process/first-start.ts';
import { createTestApp, itInProcess, type TestApp } from '../test/app.ts';
import { DEMO_ACCOUNTS } from './accounts.ts';
import { DEMO_PASSWORD } from '#server/published-password.ts';

const ADMIN = { ADMIN_EMAIL: 'boss@city.example', ADMIN_PASSWORD: 'correct horse battery' };
const REACHABLE: [string, Record<string, string>][] = [
  ['PUBLIC_URL', { PUBLIC_URL: 'https://learn.example.gov' }],
  ['PUBLIC_URL without TLS', { PUBLIC_URL: 'http://learn.example.gov' }],
  ['HOST', { HOST: '0.0.0.0' }],
  ['HOST as a name', { HOST: 'learn.example.gov' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.5' }],
  ['ADMIN_EMAIL', ADMIN],
];

async function start(test: TestApp): Promise<string[]> {
  const lines: string[] = [];
  await firstStart(test.ctx, (line) => lines.push(line));
  return lines;
}

const statusesOf = async (test: TestApp, password: string) =>
  Promise.all(
    DEMO_ACCOUNTS.map(async (email) => (await test.call(signIn, undefined, { body: { email, password } })).status),
  );

/** The status of a sign-in from this machine with the published password. */
const statusWith = async (test: TestApp, headers: Record<string, string>) => {
  const body = { email: 'admin@example.gov', password: DEMO_PASSWORD };
  return (await test.send('POST', '/api/auth/logins', { body, headers })).status;
};

const findRules = (test: TestApp) => test.ctx.db.selectFrom('auto_approvals').select('value').execute();

/** Passwords parsed from the printed lines, by address. */
const passwordsIn = (lines: string[]) =>
  new Map(
    lines.flatMap((line) => {
      const [, email, password] = /^Sign in as (\S+) with (\S+) /.exec(line) ?? [];
      return email && password ? [[email, password]] : [];
    }),
  );

describe('a first start with the embedded database, reachable by others', () => {
  it.each(REACHABLE)('creates no demo and no account with a known password: %s', async (_, settings) => {
    const test = await createTestApp(settings);
    expect((await start(test)).join('\n')).not.toContain(DEMO_PASSWORD);
    expect(await statusesOf(test, DEMO_PASSWORD)).toEqual([401, 401, 401]);
    const users = await test.ctx.db.selectFrom('users').select('email').execute();
    expect(users).toEqual('ADMIN_EMAIL' in settings ? [{ email: ADMIN.ADMIN_EMAIL }] : []);
    expect(await findRules(test)).toEqual([]);
    expect(test.ctx.config.adminSecondFactor).toBe('screens');
  });

  it('names the settings to set when there is no administrator', async () => {
    const test = await createTestApp({ HOST: '0.0.0.0' });
    expect(await start(test)).toEqual(['There is no administrator: set ADMIN_EMAIL and ADMIN_PASSWORD and start again.']);
    expect(await start(await createTestApp(ADMIN))).toEqual([]);
  });
});

describe('demo accounts of a product that others can reach', () => {
  it('get random passwords, printed once', async () => {
    const test = await createTestApp({ PUBLIC_URL: 'https://learn.example.gov', DEMO_CONTENT: 'on' });
    const passwords = passwordsIn(await start(test));
    expect([...passwords.keys()].sort()).toEqual([...DEMO_ACCOUNTS].sort());
    expect(new Set(passwords.values()).size).toBe(3);
    for (const [email, password] of passwords) {
      expect(password).toMatch(/^[\w-]{20}$/);
      expect((await test.call(signIn, undefined, { body: { email, password } })).status).toBe(200);
    }
    expect(await statusesOf(test, DEMO_PASSWORD)).toEqual([401, 401, 401]);
    expect(await findRules(test)).toEqual([]);
    expect(test.ctx.config.adminSecondFactor).toBe('screens');
    expect(await start(test)).toEqual([]);
  });

  it('lose the published password, their sessions and their rule when a local demo is opened to others', async () => {
    const test = await createTestApp();
    expect((await start(test)).join('\n')).toContain(DEMO_PASSWORD);
    expect(await statusesOf(test, DEMO_PASSWORD)).toEqual([200, 200, 200]);
    expect(await findRules(test)).toEqual([{ value: 'example.gov' }]);
    const admin = await test.ctx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'admin@example.gov')
      .executeTakeFirstOrThrow();
    const session = await test.signIn(admin.id);
    const opened = { ...test, ctx: { ...test.ctx, config: { ...test.ctx.config, isLocal: false } } };

    // Two nodes start together: only one sets the passwords and prints them.
    const [one, other] = await Promise.all([start(opened), start(opened)]);
    const passwords = passwordsIn([...one, ...other]);
    expect([...one, ...other]).toHaveLength(4);
    await test.forgetSessions(admin.id);
    expect(await statusesOf(test, DEMO_PASSWORD)).toEqual([401, 401, 401]);
    expect((await test.call(readSession, session)).body.viewer).toBeNull();
    expect(await findRules(test)).toEqual([]);
    for (const [email, password] of passwords)
      expect((await test.call(signIn, undefined, { body: { email, password } })).status).toBe(200);
    expect(await start(opened)).toEqual([]);
  });

  itInProcess('reject the published password under a host name that is not local', async () => {
    const test = await createTestApp();
    await start(test);
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'officium.localhost'])
      expect([host, await statusWith(test, { host })]).toEqual([host, 200]);
    for (const host of ['learn.example.gov', 'localhost.example.gov', '192.0.2.1:3000', 'localhost:3000:x'])
      expect([host, await statusWith(test, { host })]).toEqual([host, 401]);
  });
});
