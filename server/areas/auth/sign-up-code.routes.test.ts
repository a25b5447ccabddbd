import { confirmMySignUp } from '@officium/contract/account';
import { confirmSignUp, createAccount, resendSignUpCode } from '@officium/contract/auth';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { mailSignUpCode } from './mails.service.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, itInProcess, type As, type TestApp } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn } from '#server/test/factories/accounts.ts';

// Each counting test uses its own client address, through X-Forwarded-For.
const counting = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
const test = await createTestApp();

let counter = 0;
const newEmail = (domain = 'city.example') => `code-${(counter += 1)}@${domain}`;
const origin = () => ({ 'x-forwarded-for': `203.0.113.${(counter += 1) % 250}` });
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');

async function signUp(at: TestApp, email = newEmail()) {
  const answer = await at.call(createAccount, undefined, { body: { name: 'Ana', email }, headers: origin() });
  expect(answer.status).toBe(200);
  return { email, as: sessionIn(answer), ...(await mailed(at, email)) };
}

async function mailed(at: TestApp, email: string) {
  const { code, link } = await lastMail(at, email, 'sign_up_code');
  return { code, secret: link.searchParams.get('code') ?? '' };
}

async function resend(at: TestApp, email: string) {
  await at.call(resendSignUpCode, undefined, { body: { email }, headers: origin() });
  return await mailed(at, email);
}

async function confirm(at: TestApp, email: string, code: string, as?: As) {
  const operation = as ? confirmMySignUp : confirmSignUp;
  const { status, body } = await at.call(operation, as, { body: { email, code }, headers: origin() });
  return [status, body.code];
}

const DONE = [200, undefined];
const WRONG = [400, 'auth.wrong_code'];
const PAUSED = [429, 'auth.codes_paused'];

describe('the link of a sign-up', () => {
  it('carries a 256-bit secret instead of the code and works once', async () => {
    const { email, code, secret } = await signUp(test);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(secret).not.toContain(code);
    const uses = await Promise.all(Array.from({ length: 20 }, () => confirm(test, email, secret)));
    expect(uses.filter(([status]) => status === 200)).toHaveLength(1);
    expect(uses.filter(([status]) => status === 400)).toHaveLength(19);
    expect(await confirm(test, email, code)).toEqual(WRONG);
  });

  it('works only for its own address, for ten minutes', async () => {
    const [one, two] = [await signUp(test), await signUp(test)];
    expect(await confirm(test, two.email, one.secret)).toEqual(WRONG);
    expect(await confirm(test, one.email, one.secret, two.as)).toEqual(WRONG);
    expect(await confirm(test, one.email, `${one.secret.slice(0, -1)}${one.secret.endsWith('A') ? 'B' : 'A'}`)).toEqual(
      WRONG,
    );
    await sql`update challenges set expires_at = now() - interval '1 second' where kind = 'sign-up-link'`.execute(
      test.ctx.db,
    );
    expect(await confirm(test, one.email, one.secret)).toEqual(WRONG);
    expect(await confirm(test, one.email, one.code)).toEqual(DONE);
  });
});

describe('a code or a link mailed while the address was being proven', () => {
  it('does not sign in, so that it cannot bypass a second factor', async () => {
    const { id, email } = await makePerson(test);
    await test.ctx.db
      .transaction()
      .execute((trx) => mailSignUpCode(test.ctx, trx, { userId: id, email, locale: 'en' }));
    const { code, secret } = await mailed(test, email);
    expect(await confirm(test, email, code)).toEqual(WRONG);
    expect(await confirm(test, email, secret)).toEqual(WRONG);
  });
});

describe('a new code', () => {
  it('voids older codes, even once it is dead; their links stay valid', async () => {
    const { email, code, secret } = await signUp(test);
    const { code: newer } = await resend(test, email);
    const isSame = newer === code; // happens once in a million runs
    expect(await confirm(test, email, code)).toEqual(isSame ? DONE : WRONG);
    for (let n = 0; n < 5; n += 1) await confirm(test, email, wrongFor(newer));
    expect(await confirm(test, email, newer)).toEqual(WRONG);
    expect(await confirm(test, email, code)).toEqual(WRONG);
    expect(await confirm(test, email, secret)).toEqual(DONE);
  });

  it('voids older codes for confirming a session, too', async () => {
    const { mailConfirmationCode, confirmSession } = await import('@officium/contract/second-factor');
    const maya = await makePerson(test);
    const codes: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      await test.call(mailConfirmationCode, maya.as);
      codes.push((await lastMail(test, maya.email, 'confirmation_code')).code);
    }
    const tried = async (mailCode = '') => (await test.call(confirmSession, maya.as, { body: { mailCode } })).status;
    expect([await tried(codes[0]), await tried(codes[1])]).toEqual([400, 200]);
  });
});

describe('wrong codes', () => {
  itInProcess('are limited to ten a day per account, across resent codes; then only its link works', async () => {
    const { email, as, ...first } = await signUp(counting);
    let sent = first;
    for (let n = 0; n < 10; n += 1) {
      if (n === 5) sent = await resend(counting, email);
      expect(await confirm(counting, email, wrongFor(sent.code))).toEqual(WRONG);
    }
    const { code, secret } = await resend(counting, email);
    expect(await confirm(counting, email, code)).toEqual(PAUSED);
    expect(await confirm(counting, email, code, as)).toEqual(PAUSED);
    await sql`update rate_limits set window_start = window_start - interval '23 hours' where key like 'sign-up-code:%'`.execute(
      counting.ctx.db,
    );
    expect(await confirm(counting, email, code)).toEqual(PAUSED);
    expect(await confirm(counting, email, secret)).toEqual(DONE);
  });

  itInProcess('are limited alike for an address without an account', async () => {
    const tries = [];
    for (let n = 0; n < 11; n += 1) tries.push(await confirm(counting, 'unknown@city.example', '123456'));
    expect(tries).toEqual([...Array<unknown[]>(10).fill(WRONG), PAUSED]);
  });

  itInProcess('are limited when they arrive in parallel', async () => {
    const { email, code } = await signUp(counting);
    const tries = await Promise.all(Array.from({ length: 40 }, () => confirm(counting, email, wrongFor(code))));
    expect(tries.filter(([status]) => status === 400)).toHaveLength(10);
    expect(tries.filter(([status]) => status === 429)).toHaveLength(30);
  });

  itInProcess('do not include parallel uses of the right code', async () => {
    const { email, code } = await signUp(counting);
    const tries = await Promise.all(Array.from({ length: 10 }, () => confirm(counting, email, code)));
    expect(tries.filter(([status]) => status === 200)).toHaveLength(1);
    expect(tries.filter(([status]) => status === 429)).toEqual([]);
  });

  itInProcess(
    'are limited to 200 an hour across all accounts; then only links prove an address and grant a role',
    async () => {
      const at = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
      await sql`insert into auto_approvals (id, type, value) values (${newId()}, 'domain', 'census.gov')`.execute(
        at.ctx.db,
      );
      const roleOf = async (email: string) =>
        (await at.ctx.db.selectFrom('users').select('role').where('email', '=', email).executeTakeFirst())?.role;
      const before = await signUp(at, newEmail('census.gov'));
      expect(await confirm(at, before.email, before.code)).toEqual(DONE);
      expect(await roleOf(before.email)).toBe('public-servant');

      for (let n = 0; n < 20; n += 1)
        for (let nth = 0; nth < 10; nth += 1)
          expect(await confirm(at, `spray-${n}@census.gov`, '123456')).toEqual(WRONG);
      const { email, code, secret, as } = await signUp(at, newEmail('census.gov'));
      expect(await confirm(at, email, code)).toEqual(PAUSED);
      expect(await confirm(at, email, code, as)).toEqual(PAUSED);
      expect(await roleOf(email)).toBe('non-public-servant');
      expect(await confirm(at, email, secret)).toEqual(DONE);
      expect(await roleOf(email)).toBe('public-servant');

      await sql`update rate_limits set window_start = window_start - interval '1 hour' where key like 'sign-up-code:%'`.execute(
        at.ctx.db,
      );
      const later = await signUp(at, newEmail('census.gov'));
      expect(await confirm(at, later.email, later.code)).toEqual(DONE);
    },
  );
});
