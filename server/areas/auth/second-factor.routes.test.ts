import { confirmLoginLink, exchangeToken, mintToken, readSession, setPassword, signIn } from '@officium/contract/auth';
import * as contract from '@officium/contract/second-factor';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeAuthenticator } from '#server/test/factories/authenticator.ts';
import { ageSignIn, giveApp, givePasskey } from '#server/test/factories/factors.ts';
import { codeAt, stepAt } from './totp.policy.ts';
import { issueSecret } from './challenge.service.ts';

const test = await createTestApp();
const PASSWORD = 'four words and a river';
const person = async () => await makePerson(test, { password: PASSWORD });

/** Signs in with the right password and returns the challenge for the second factor. */
async function begin({ email }: TestPerson): Promise<string> {
  const { status, body, cookies } = await test.call(signIn, undefined, { body: { email, password: PASSWORD } });
  expect([status, body.code, cookies]).toEqual([403, 'auth.second_factor_required', []]);
  return body.challenge;
}
const prove = async (challenge: string, proof: object) =>
  await test.call(contract.proveSecondFactor, undefined, { body: { challenge, ...proof } });
const isIn = async (as: As, { id }: TestPerson) => (await test.call(readSession, as)).body.viewer?.id === id;

/** Decodes a displayed secret. */
function fromBase32(secret: string): Buffer {
  const bits = [...secret].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

describe('an authenticator app', () => {
  it('takes effect with the first confirmed code, gives ten recovery codes and ends other sessions', async () => {
    const maya = await person();
    const elsewhere = await test.signIn(maya.id);
    const started = await test.call(contract.startTotp, maya.as);
    expect(started.status).toBe(201);
    expect(started.body.qrCode).toMatch(/^data:image\/svg\+xml;base64,/);
    expect((await test.call(contract.readSecondFactor, maya.as)).body).toEqual({
      totp: false,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect((await test.call(signIn, undefined, { body: { email: maya.email, password: PASSWORD } })).status).toBe(200);

    const secret = fromBase32(started.body.secret);
    const confirm = (code: string) => test.call(contract.confirmTotp, maya.as, { body: { code } });
    const wrong = await confirm('000000');
    expect([wrong.status, wrong.body.code]).toEqual([400, 'auth.wrong_proof']);
    const { status, body } = await confirm(codeAt(secret, stepAt(Date.now() / 1000)));
    expect([status, body.recoveryCodes.length, new Set(body.recoveryCodes).size]).toEqual([200, 10, 10]);
    expect((await test.call(contract.readSecondFactor, maya.as)).body).toMatchObject({ totp: true, recoveryCodes: 10 });
    expect([await isIn(maya.as, maya), await isIn(elsewhere, maya)]).toEqual([true, false]);
    expect((await test.call(contract.startTotp, maya.as)).status).toBe(409);
    const mail = await lastMail(test, maya.email, 'second_factor_changed');
    expect(mail.text).toContain('An authenticator app was added');
    expect(mail.text).not.toContain(started.body.secret);
    const { rows } = await test.ctx.pool.query('select secret from totp_factors where user_id = $1', [maya.id]);
    expect(rows[0].secret.includes(secret)).toBe(false);
  });

  it('is required after a password and accepts each code once', async () => {
    const maya = await person();
    const { code } = await giveApp(test, maya);
    const challenge = await begin(maya);
    expect((await prove(challenge, { code: '000000' })).body.code).toBe('auth.wrong_proof');
    const done = await prove(challenge, { code: code() });
    expect([done.status, done.body]).toEqual([200, { redirectPath: '/' }]);
    expect(await isIn(sessionIn(done), maya)).toBe(true);
    expect((await prove(challenge, { code: code(1) })).body.code).toBe('auth.wrong_challenge');
    expect((await prove(await begin(maya), { code: code() })).body.code).toBe('auth.wrong_proof');
    expect((await prove(await begin(maya), { code: code(-1) })).body.code).toBe('auth.wrong_proof');
    expect((await prove(await begin(maya), { code: code(1) })).status).toBe(200);
  });

  it('opens one session for twenty parallel uses of one code', async () => {
    const maya = await person();
    const { code } = await giveApp(test, maya);
    const [challenge, ...others] = await Promise.all(Array.from({ length: 5 }, () => begin(maya)));
    const tries = [...Array.from({ length: 4 }, () => challenge!), ...others]; // there are five
    const done = await Promise.all(tries.map((each) => prove(each, { code: code() })));
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(done.filter((answer) => sessionIn(answer).token)).toHaveLength(1);
  });

  it('allows five attempts per sign-in', async () => {
    const maya = await person();
    const { code } = await giveApp(test, maya);
    const challenge = await begin(maya);
    for (let nth = 0; nth < 5; nth++)
      expect((await prove(challenge, { code: '000000' })).body.code).toBe('auth.wrong_proof');
    expect((await prove(challenge, { code: code() })).body.code).toBe('auth.wrong_challenge');
  });

  it('is required after a mailed link, not for a minted session, and setting a password opens no session', async () => {
    const maya = await person();
    await giveApp(test, maya);
    const token = await issueSecret(test.ctx.db, { kind: 'login-link', userId: maya.id });
    const link = await test.call(confirmLoginLink, undefined, { body: { token } });
    expect([link.status, link.body.methods]).toEqual([403, ['totp', 'recovery-code']]);
    expect((await test.call(confirmLoginLink, undefined, { body: { token } })).status).toBe(400);

    const { id, email, name } = maya;
    const minted = await test.call(mintToken, { serviceKey: SERVICE_KEY }, { body: { id, email, name } });
    expect(await isIn(sessionIn(minted), maya)).toBe(true);
    const exchanged = await test.call(exchangeToken, undefined, { query: { token: minted.body.token } });
    expect(await isIn(sessionIn(exchanged), maya)).toBe(true);
    const removed = await test.call(contract.removeTotp, sessionIn(minted));
    expect(removed.body.code).toBe('auth.recent_sign_in_required');

    const onboardingState = await issueSecret(test.ctx.db, { kind: 'onboarding', userId: maya.id });
    const set = await test.call(setPassword, undefined, { body: { password: 'another good word', onboardingState } });
    expect([set.status, set.cookies]).toEqual([200, []]);
  });

  it('cannot complete a sign-in after a password change, and is removed with its recovery codes', async () => {
    const maya = await person();
    const { code } = await giveApp(test, maya);
    const challenge = await begin(maya);
    const forgotPassword = await issueSecret(test.ctx.db, { kind: 'password-reset', userId: maya.id });
    await test.call(setPassword, undefined, { body: { password: 'another good word', forgotPassword } });
    expect((await prove(challenge, { code: code() })).body.code).toBe('auth.wrong_challenge');
    const again = await test.signIn(maya.id);
    expect((await test.call(contract.removeTotp, again)).status).toBe(200);
    expect((await test.call(contract.removeTotp, again)).status).toBe(404);
    expect((await test.call(contract.readSecondFactor, again)).body).toEqual({
      totp: false,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect((await test.call(contract.renewRecoveryCodes, again)).body.code).toBe('auth.no_such_proof');
  });
});

describe('recovery codes', () => {
  it('work once each, in any spelling, and are void after renewal', async () => {
    const maya = await person();
    const { recoveryCodes } = await giveApp(test, maya);
    const [first = '', second = ''] = recoveryCodes;
    const typed = first.toLowerCase().replace('-', ' ');
    expect((await prove(await begin(maya), { recoveryCode: typed })).status).toBe(200);
    expect((await prove(await begin(maya), { recoveryCode: first })).status).toBe(400);
    const renewed = await test.call(contract.renewRecoveryCodes, maya.as);
    expect([renewed.status, renewed.body.recoveryCodes.length]).toEqual([201, 10]);
    expect((await prove(await begin(maya), { recoveryCode: second })).status).toBe(400);
    expect((await prove(await begin(maya), { recoveryCode: renewed.body.recoveryCodes[0] })).status).toBe(200);
  });

  it('do not work for another account', async () => {
    const [maya, other] = [await person(), await person()];
    await giveApp(test, maya);
    const { recoveryCodes } = await giveApp(test, other);
    expect((await prove(await begin(maya), { recoveryCode: recoveryCodes[0] })).status).toBe(400);
  });
});

describe('passkeys', () => {
  const add = async (as: As, device: ReturnType<typeof makeAuthenticator>, site = {}) => {
    const { options } = (await test.call(contract.startPasskey, as)).body;
    return await test.call(contract.addPasskey, as, {
      body: { name: 'Work laptop', passkey: device.make(options, site) },
    });
  };
  const signInWith = async (device: ReturnType<typeof makeAuthenticator>, site = {}) => {
    const { options } = (await test.call(contract.startPasskeySignIn)).body;
    const passkey = device.prove(options, site);
    return { passkey, answer: await test.call(contract.signInWithPasskey, undefined, { body: { passkey } }) };
  };

  it('sign in without a password, once per challenge', async () => {
    const maya = await person();
    const device = makeAuthenticator();
    const added = await add(maya.as, device);
    expect([added.status, added.body.recoveryCodes?.length]).toEqual([201, 10]);
    const { passkey, answer } = await signInWith(device);
    expect([answer.status, answer.body]).toEqual([200, { created: true }]);
    expect(await isIn(sessionIn(answer), maya)).toBe(true);
    const again = await test.call(contract.signInWithPasskey, undefined, { body: { passkey } });
    expect([again.status, again.body.code, again.cookies]).toEqual([400, 'auth.wrong_proof', []]);
  });

  it('open one session for eight parallel uses of one answer', async () => {
    const maya = await person();
    const device = makeAuthenticator();
    await add(maya.as, device);
    const { options } = (await test.call(contract.startPasskeySignIn)).body;
    const passkey = device.prove(options);
    const done = await Promise.all(
      Array.from({ length: 8 }, () => test.call(contract.signInWithPasskey, undefined, { body: { passkey } })),
    );
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([
    ['another origin', { origin: 'http://localhost:3001' }],
    ['another site', { rpId: 'example.org', origin: 'https://example.org' }],
    ['nobody verified', { isVerified: false }],
  ])('are refused from %s', async (_, site) => {
    const maya = await person();
    const device = makeAuthenticator();
    expect((await add(maya.as, makeAuthenticator(), site)).body.code).toBe('auth.wrong_proof');
    await add(maya.as, device);
    const { answer } = await signInWith(device, site);
    expect([answer.status, answer.cookies]).toEqual([400, []]);
  });

  it('are a second factor after the password, for their own account only', async () => {
    const [maya, other] = [await person(), await person()];
    const [device, stranger] = [makeAuthenticator(), makeAuthenticator()];
    await add(maya.as, device);
    await add(other.as, stranger);
    const challenge = await begin(maya);
    const start = async () =>
      (await test.call(contract.startFactorPasskey, undefined, { body: { challenge } })).body.options;
    const options = await start();
    expect(options.allowCredentials).toHaveLength(1);
    expect((await prove(challenge, { passkey: stranger.prove(options) })).body.code).toBe('auth.wrong_proof');
    expect((await prove(challenge, { passkey: device.prove(await start()) })).status).toBe(200);
  });

  it('cannot complete a sign-in for an account without passkeys, or one that was not started', async () => {
    const maya = await person();
    await giveApp(test, maya);
    const start = async (challenge: string) =>
      (await test.call(contract.startFactorPasskey, undefined, { body: { challenge } })).body.code;
    expect(await start(await begin(maya))).toBe('auth.no_such_proof');
    expect(await start('never begun')).toBe('auth.wrong_challenge');
  });

  it('belong to one account, which may have at most twenty', async () => {
    const [maya, other] = [await person(), await person()];
    const [device, last] = [makeAuthenticator(), makeAuthenticator()];
    expect((await add(maya.as, device)).status).toBe(201);
    expect((await add(other.as, device)).body.code).toBe('request.conflict');
    for (let nth = 1; nth < contract.MAX_PASSKEYS - 1; nth++) await givePasskey(test, maya);
    const { options } = (await test.call(contract.startPasskey, maya.as)).body;
    await givePasskey(test, maya);
    expect((await test.call(contract.startPasskey, maya.as)).body.code).toBe('request.conflict');
    const tooMany = await test.call(contract.addPasskey, maya.as, {
      body: { name: 'One more', passkey: last.make(options) },
    });
    expect([tooMany.status, tooMany.body.code]).toEqual([409, 'request.conflict']);
  });

  it('can be listed, renamed and removed only by their owner', async () => {
    const [maya, other] = [await person(), await person()];
    const { id } = (await add(maya.as, makeAuthenticator())).body;
    const rename = (as: As) => test.call(contract.renamePasskey, as, { params: { id }, body: { name: 'Old laptop' } });
    const remove = (as: As) => test.call(contract.removePasskey, as, { params: { id } });
    expect([(await rename(other.as)).status, (await remove(other.as)).status]).toEqual([404, 404]);
    expect((await rename(maya.as)).status).toBe(200);
    const { passkeys } = (await test.call(contract.readSecondFactor, maya.as)).body;
    expect(passkeys).toMatchObject([{ id, name: 'Old laptop', lastUsedAt: null }]);
    expect((await remove(maya.as)).status).toBe(200);
    expect((await test.call(signIn, undefined, { body: { email: maya.email, password: PASSWORD } })).status).toBe(200);
  });
});

describe('a sign-in that is not recent', () => {
  it('cannot change factors until the viewer confirms with the password', async () => {
    const maya = await person();
    await giveApp(test, maya);
    const { id } = await givePasskey(test, maya);
    const { options } = (await test.call(contract.startPasskey, maya.as)).body;
    await ageSignIn(test, maya);
    const attempts = [
      [contract.removeTotp, {}],
      [contract.renewRecoveryCodes, {}],
      [contract.startPasskey, {}],
      [contract.startTotp, {}],
      [contract.confirmTotp, { body: { code: '123456' } }],
      [contract.addPasskey, { body: { name: 'Laptop', passkey: makeAuthenticator().make(options) } }],
      [contract.removePasskey, { params: { id } }],
    ] as const;
    for (const [operation, given] of attempts) {
      const refused = await test.call(operation, maya.as, given);
      expect([operation.name, refused.status, refused.body.code]).toEqual([
        operation.name,
        403,
        'auth.recent_sign_in_required',
      ]);
    }
    const confirm = (body: object) => test.call(contract.confirmSession, maya.as, { body });
    expect((await test.call(contract.readConfirmation, maya.as)).body).toEqual({
      recent: false,
      methods: ['password', 'totp', 'passkey'],
    });
    expect((await confirm({ password: 'wrong' })).body.code).toBe('auth.wrong_password');
    expect((await confirm({})).status).toBe(400);
    expect((await confirm({ password: PASSWORD, code: '123456' })).status).toBe(400);
    expect((await confirm({ password: PASSWORD })).body).toEqual({ confirmed: true });
    expect((await test.call(contract.readConfirmation, maya.as)).body.recent).toBe(true);
    expect((await test.call(contract.renewRecoveryCodes, maya.as)).status).toBe(201);
  });

  it('can be renewed with the app or a passkey', async () => {
    const maya = await person();
    const device = makeAuthenticator();
    const { options } = (await test.call(contract.startPasskey, maya.as)).body;
    await test.call(contract.addPasskey, maya.as, { body: { name: 'Key', passkey: device.make(options) } });
    const { code } = await giveApp(test, maya);
    await ageSignIn(test, maya);
    expect((await test.call(contract.confirmSession, maya.as, { body: { code: code() } })).status).toBe(200);
    await ageSignIn(test, maya);
    expect((await test.call(contract.confirmSession, maya.as, { body: { code: code() } })).status).toBe(400);
    const asked = (await test.call(contract.startConfirmationPasskey, maya.as)).body.options;
    const passkey = device.prove(asked);
    expect((await test.call(contract.confirmSession, maya.as, { body: { passkey } })).status).toBe(200);
  });

  it('can be renewed once with a mailed code if there is no password', async () => {
    const maya = await makePerson(test);
    const withPassword = await person();
    expect((await test.call(contract.mailConfirmationCode, withPassword.as)).body.code).toBe('auth.no_such_proof');
    expect((await test.call(contract.startConfirmationPasskey, maya.as)).body.code).toBe('auth.no_such_proof');
    await ageSignIn(test, maya);
    expect((await test.call(contract.mailConfirmationCode, maya.as)).body).toEqual({ mailed: true });
    const { code: mailCode } = await lastMail(test, maya.email, 'confirmation_code');
    const confirm = () => test.call(contract.confirmSession, maya.as, { body: { mailCode } });
    const done = await Promise.all([confirm(), confirm(), confirm()]);
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await test.call(contract.readConfirmation, maya.as)).body).toEqual({ recent: true, methods: ['mail'] });
  });
});
