import {
  changeEmail,
  checkEmail,
  checkPassword,
  createAccount,
  requestLoginLink,
  setPassword,
  signIn,
} from '@officium/contract/auth';
import { describe, expect, it } from 'vitest';
import { hashPassword } from './password-hash.service.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { finishProviderSignIn, startProviderSignIn } from '@officium/contract/provider-sign-in';
import * as factor from '@officium/contract/second-factor';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeAuthenticator } from '#server/test/factories/authenticator.ts';
import { giveApp } from '#server/test/factories/factors.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const PASSWORD = 'correct horse';

describe('with limits on', () => {
  it('checkEmail allows ten requests a minute', async () => {
    const answers = [];
    for (let n = 0; n < 12; n += 1)
      answers.push(await test.call(checkEmail, undefined, { params: { email: `a${n}@example.gov` } }));
    expect(answers.map((answer) => answer.status)).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('signIn refuses even the right password after ten failures for one account from one origin', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const attempt = (password: string) => test.call(signIn, undefined, { body: { email: maya.email, password } });
    const failures = await Promise.all(Array.from({ length: 12 }, () => attempt('wrong horse')));
    expect(failures.filter((answer) => answer.status === 401)).toHaveLength(10);
    const locked = await attempt(PASSWORD);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['checkPassword', checkPassword, { password: 'wrong horse' }, 200],
    ['confirmSession', factor.confirmSession, { password: 'wrong horse' }, 400],
    ['changeEmail', changeEmail, { newEmail: 'new@example.gov', password: 'wrong horse' }, 400],
    ['setPassword', setPassword, { oldPassword: 'wrong horse', password: 'another horse' }, 400],
  ])('%s stops after ten failures across all sessions of an account', async (_, operation, body, usual) => {
    const maya = await makePerson(test, { password: PASSWORD });
    const [first, second] = [maya.as, await test.signIn(maya.id)];
    const attempt = async (nth: number) => (await test.call(operation, nth % 2 ? first : second, { body })).status;
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, nth) => attempt(nth)));
    expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(usual), 429, 429]);
  });

  it('changeEmail mails ten new addresses an hour for one account across its sessions', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const sessions = [maya.as, await test.signIn(maya.id)];
    const statuses = [];
    for (let nth = 0; nth < 12; nth += 1) {
      const body = { newEmail: `stranger-${nth}@elsewhere.org`, password: PASSWORD };
      statuses.push((await test.call(changeEmail, sessions[nth % 2], { body })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const mails = await test.mails();
    expect(mails.filter(({ recipient }) => recipient.startsWith('stranger-'))).toHaveLength(10);
  });

  it('signIn does not count successes and replies the same for an unknown address', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    for (let n = 0; n < 15; n += 1)
      expect((await test.call(signIn, undefined, { body: { email: maya.email, password: PASSWORD } })).status).toBe(
        200,
      );
    const answers = [];
    for (let n = 0; n < 11; n += 1)
      answers.push(await test.call(signIn, undefined, { body: { email: 'unknown@example.gov', password: PASSWORD } }));
    expect(answers.map((answer) => answer.status)).toEqual([...Array<number>(10).fill(401), 429]);
  });

  it('signIn accepts any number of parallel right passwords for one account and from one address', async () => {
    const people = await Promise.all(Array.from({ length: 150 }, () => makePerson(test)));
    const passwordHash = await hashPassword(PASSWORD);
    await test.ctx.db
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where(
        'id',
        'in',
        people.map(({ id }) => id),
      )
      .execute();
    const signInAll = async (emails: string[]) => {
      const attempt = (email: string) => test.call(signIn, undefined, { body: { email, password: PASSWORD } });
      const answers = await Promise.all(emails.map(attempt));
      return new Set(answers.map(({ status }) => status));
    };
    expect(await signInAll(Array<string>(50).fill(people[0]!.email))).toEqual(new Set([200]));
    expect(await signInAll(people.map(({ email }) => email))).toEqual(new Set([200]));
  }, 120_000);

  it('signIn compares ten of fifty parallel wrong passwords, and not the right one behind them', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const attempt = (password: string) => test.call(signIn, undefined, { body: { email: maya.email, password } });
    const wrong = Array.from({ length: 50 }, () => attempt('wrong horse'));
    const answers = await Promise.all([...wrong, attempt(PASSWORD)]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(41).fill(429)]);
  }, 60_000);

  it('sends three mails to an address and replies the same afterwards', async () => {
    const maya = await makePerson(test);
    for (let n = 0; n < 5; n += 1) {
      const answer = await test.call(requestLoginLink, undefined, { body: { email: maya.email } });
      expect([answer.status, answer.body]).toEqual([200, { created: true }]);
    }
    await test.call(createAccount, undefined, { body: { email: maya.email, name: 'M' } });
    expect(await test.mails(maya.email)).toHaveLength(3);
  });

  it('requests with an Idempotency-Key do not exhaust the connection pool', async () => {
    const email = 'keyed@example.gov';
    const ask = (key: string) =>
      test.call(createAccount, undefined, { body: { name: 'Maya', email }, headers: { 'idempotency-key': key } });
    const same = await Promise.all(Array.from({ length: 20 }, () => ask('one')));
    expect(same.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(await test.mails(email)).toHaveLength(1);
    const various = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(`key-${n}`)));
    expect(various.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
  });

  it('wrong codes stop after ten per account across all operations', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    await giveApp(test, maya);
    const confirm = () => test.call(factor.confirmSession, maya.as, { body: { code: '000000' } });
    const answers = await Promise.all(Array.from({ length: 12 }, confirm));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await test.call(factor.confirmTotp, maya.as, { body: { code: '000000' } })).status).toBe(429);
    const begun = await test.call(signIn, undefined, { body: { email: maya.email, password: PASSWORD } });
    const proof = { challenge: begun.body.challenge, code: '000000' };
    expect((await test.call(factor.proveSecondFactor, undefined, { body: proof })).status).toBe(429);
  });

  it('mailConfirmationCode mails three codes per quarter of an hour', async () => {
    const maya = await makePerson(test);
    const ask = async () => (await test.call(factor.mailConfirmationCode, maya.as)).status;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
  });

  it.each([
    ['startPasskeySignIn', factor.startPasskeySignIn, {}],
    ['signInWithPasskey', factor.signInWithPasskey, { passkey: makeAuthenticator().prove({ challenge: 'none' }) }],
    ['startFactorPasskey', factor.startFactorPasskey, { challenge: 'none' }],
    ['startProviderSignIn', startProviderSignIn, {}],
    ['finishProviderSignIn', finishProviderSignIn, { attempt: 'none', answer: '' }],
  ])('%s stops a script', async (_, operation, body) => {
    let last = 0;
    for (let nth = 0; nth <= 300 && last !== 429; nth++)
      last = (await test.call(operation, undefined, { body })).status;
    expect(last).toBe(429);
  });

  it('startConfirmationPasskey stops a script', async () => {
    const maya = await makePerson(test);
    let last = 0;
    for (let nth = 0; nth < 61; nth++) last = (await test.call(factor.startConfirmationPasskey, maya.as)).status;
    expect(last).toBe(429);
  });

  it('createAccount stops a script but not a service', async () => {
    const make = (n: number, as = {}) =>
      test.call(createAccount, as, { body: { email: `many-${n}@example.gov`, name: 'M' } });
    let last = 0;
    for (let n = 0; n < 51; n += 1) last = (await make(n)).status;
    expect(last).toBe(429);
    expect((await make(100, { serviceKey: SERVICE_KEY })).status).toBe(200);
  });
});
