import {
  checkPassword,
  confirmSignUp,
  createAccount,
  PASSWORD_PROOF_MESSAGE,
  readSession,
  requestLoginLink,
  confirmLoginLink,
  requestPasswordReset,
  setPassword,
  signIn,
} from '@officium/contract/auth';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const PASSWORD = 'correct horse';

const set = (body: Record<string, unknown>, as?: As) => test.call(setPassword, as, { body });
const canSignIn = async (email: string, password: string) =>
  (await test.call(signIn, undefined, { body: { email, password } })).status === 200;
const userState = async (email: string) =>
  (await test.call(requestPasswordReset, undefined, { params: { email }, body: {} })).body;

async function resetSecret(email: string): Promise<string> {
  await userState(email);
  return (await lastMail(test, email, 'password_reset')).link.searchParams.get('forgotPassword') ?? '';
}

describe('requestPasswordReset', () => {
  it('mails a link to a proven address and replies the same for an unknown one', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const answer = await test.call(requestPasswordReset, undefined, { params: { email: maya.email.toUpperCase() } });
    expect(answer.status).toBe(200);
    expect(requestPasswordReset.replies[200].parse(answer.body)).toEqual({ userState: 'OK' });
    expect((await lastMail(test, maya.email, 'password_reset')).link.pathname).toBe('/reset');
    expect(await userState('unknown@example.gov')).toEqual({ userState: 'OK' });
    expect(await test.mails('unknown@example.gov')).toEqual([]);
  });

  it('sends another code to an unproven address', async () => {
    const email = 'unproven@example.gov';
    await test.call(createAccount, undefined, { body: { email, name: 'U' } });
    expect(await userState(email)).toEqual({ userState: 'verify' });
    const { code } = await lastMail(test, email, 'sign_up_code');
    expect(await test.mails(email)).toHaveLength(2);
    expect((await test.call(confirmSignUp, undefined, { body: { email, code } })).status).toBe(200);
    // Proven, but the sign-up is not approved yet.
    expect(await userState(email)).toEqual({ userState: 'pending' });
    expect((await lastMail(test, email, 'password_reset')).link.pathname).toBe('/reset');
  });

  it('refuses any body', async () => {
    const answer = await test.call(requestPasswordReset, undefined, {
      params: { email: 'a@example.gov' },
      body: { email: ['b@example.gov'] },
    });
    expect(answer.status).toBe(400);
  });
});

describe('setPassword', () => {
  it('sets the first password with the single-use secret of the sign-up', async () => {
    const email = 'first@example.gov';
    await test.call(createAccount, undefined, { body: { email, name: 'F' } });
    const { code } = await lastMail(test, email, 'sign_up_code');
    const confirmed = await test.call(confirmSignUp, undefined, { body: { email, code } });
    const onboardingState = new URL(confirmed.body.redirectPath, 'http://x').searchParams.get('onboardingState');
    const as = sessionIn(confirmed);
    const answer = await set({ password: PASSWORD, onboardingState }, as);
    expect(answer.status).toBe(200);
    expect(setPassword.replies[200].parse(answer.body)).toEqual({ updated: true });
    expect((await test.call(readSession, as)).body.viewer.email).toBe(email);
    expect(await canSignIn(email, PASSWORD)).toBe(true);
    const again = await set({ password: 'another horse', onboardingState }, as);
    expect([again.status, again.body.errorCode]).toEqual([400, 'PasswordNoUserInfoError']);
  });

  it('signs in an invited user who sets the first password', async () => {
    const email = 'invited@example.gov';
    const invited = { body: { email, name: 'I' }, query: { approved: true } };
    await test.call(createAccount, { serviceKey: SERVICE_KEY }, invited);
    const { link } = await lastMail(test, email, 'invitation');
    const answer = await set({ password: PASSWORD, onboardingState: link.searchParams.get('onboardingState') });
    expect(answer.status).toBe(200);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer).toMatchObject({ email, limited: false });
  });

  it('resets a forgotten password for one of many parallel requests and ends every session', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const forgotPassword = await resetSecret(maya.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => set({ password: `battery staple ${n}`, forgotPassword })),
    );
    const [winner] = answers.filter((answer) => answer.status === 200);
    expect(winner?.cookies).toEqual([]);
    const losers = answers.filter((answer) => answer !== winner);
    expect(losers.map((answer) => [answer.status, answer.body.errorCode])).toEqual(
      Array(19).fill([400, 'PasswordNoUserInfoError']),
    );
    expect((await test.call(readSession, maya.as)).body.viewer).toBeNull();
    expect(await canSignIn(maya.email, PASSWORD)).toBe(false);
    expect((await lastMail(test, maya.email, 'password_changed')).link.pathname).toBe('/reset');
  });

  it('changes a known password and ends all sessions but the current one', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const elsewhere = await test.signIn(maya.id);
    await test.call(requestLoginLink, undefined, { body: { email: maya.email } });
    const token = (await lastMail(test, maya.email, 'login_link')).link.searchParams.get('token');
    expect((await set({ password: 'battery staple', oldPassword: PASSWORD }, maya.as)).status).toBe(200);
    expect((await test.call(readSession, maya.as)).body.viewer.id).toBe(maya.id);
    expect((await test.call(readSession, elsewhere)).body.viewer).toBeNull();
    expect(await canSignIn(maya.email, 'battery staple')).toBe(true);
    expect((await test.call(confirmLoginLink, undefined, { body: { token } })).status).toBe(400);
  });

  it('accepts the old password for one of many parallel changes', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => set({ password: `battery staple ${n}`, oldPassword: PASSWORD }, maya.as)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('refuses a wrong old password without an errorCode', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const answer = await set({ password: 'battery staple', oldPassword: 'wrong horse' }, maya.as);
    expect(answer.status).toBe(400);
    expect(answer.body).not.toHaveProperty('errorCode');
    expect(answer.body.message).toBe('The password is not correct.');
  });

  it('requires a session with an old password', async () => {
    expect((await set({ password: PASSWORD, oldPassword: PASSWORD })).status).toBe(401);
    const unproven = await makePerson(test, { isProven: false });
    expect((await set({ password: PASSWORD, oldPassword: PASSWORD }, unproven.as)).status).toBe(403);
    const inactive = await makePerson(test, { role: 'inactive', password: PASSWORD });
    expect((await set({ password: 'battery staple', oldPassword: PASSWORD }, inactive.as)).status).toBe(403);
  });

  it('refuses an old password from a service', async () => {
    const reply = await set({ password: 'battery staple', oldPassword: PASSWORD }, { serviceKey: SERVICE_KEY });
    expect(reply.body).toMatchObject({ statusCode: 403, code: 'auth.forbidden' });
    expect(setPassword.errors).toContain(reply.body.code);
  });

  it('refuses the last five passwords and accepts the sixth', async () => {
    const maya = await makePerson(test, { password: 'password 0' });
    for (let n = 1; n <= 5; n += 1)
      expect((await set({ password: `password ${n}`, oldPassword: `password ${n - 1}` }, maya.as)).status).toBe(200);
    for (const n of [1, 3, 5]) {
      const answer = await set({ password: `password ${n}`, oldPassword: 'password 5' }, maya.as);
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'PasswordHistoryError']);
    }
    expect((await set({ password: 'password 0', oldPassword: 'password 5' }, maya.as)).status).toBe(200);
  });

  it('keeps the secret valid when the new password was used before', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const forgotPassword = await resetSecret(maya.email);
    const used = await set({ password: PASSWORD, forgotPassword });
    expect([used.status, used.body.errorCode]).toEqual([400, 'PasswordHistoryError']);
    expect((await set({ password: 'battery staple', forgotPassword })).status).toBe(200);
  });

  it.each([
    [{}],
    [{ oldPassword: 'a', onboardingState: 'b' }],
    [{ oldPassword: 'a', forgotPassword: 'b' }],
    [{ onboardingState: 'a', forgotPassword: 'b' }],
    [{ oldPassword: 'a', onboardingState: 'b', forgotPassword: 'c' }],
    [{ oldPassword: null }],
    [{ oldPassword: null, forgotPassword: 'a' }],
    [{ oldPassword: 'a', onboardingState: 7 }],
    [{ oldPassword: 'a', forgotPassword: null }],
  ])('gives the same message for the proofs %j', async (proofs) => {
    const maya = await makePerson(test);
    for (const as of [undefined, maya.as]) {
      const answer = await set({ password: PASSWORD, ...proofs }, as);
      expect([answer.status, answer.body.message]).toEqual([400, PASSWORD_PROOF_MESSAGE]);
    }
  });

  it('refuses a secret issued for another purpose', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const secret = await resetSecret(maya.email);
    for (const body of [{ onboardingState: secret }, { forgotPassword: 'nonsense' }, { forgotPassword: '' }]) {
      const answer = await set({ password: 'battery staple', ...body });
      expect([answer.status, answer.body.errorCode]).toEqual([400, 'PasswordNoUserInfoError']);
    }
    expect((await set({ password: 'battery staple', forgotPassword: true })).status).toBe(400);
  });

  it('refuses a guessable password and keeps the secret valid', async () => {
    const ines = await makePerson(test, { name: 'Ines Duarte', email: 'ines.duarte@agency.gov', password: PASSWORD });
    await test.call(requestPasswordReset, undefined, { params: { email: ines.email } });
    const forgotPassword = (await lastMail(test, ines.email, 'password_reset')).link.searchParams.get('forgotPassword');
    for (const password of ['Password123', 'InesDuarte1975', 'ines.duarte@agency.gov', 'Officium!'])
      expect((await set({ password, forgotPassword })).body).toMatchObject({
        statusCode: 400,
        code: 'auth.password_common',
      });
    expect((await set({ password: 'quiet lamps under water', forgotPassword })).status).toBe(200);
  });

  it('requires 8 to 100 code points and trims nothing', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const attempt = async (password: unknown) => (await set({ password, oldPassword: PASSWORD }, maya.as)).status;
    expect(await attempt('1234567')).toBe(400);
    expect(await attempt('x'.repeat(101))).toBe(400);
    expect(await attempt('😀'.repeat(7))).toBe(400);
    expect(await attempt(12345678)).toBe(400);
    expect(await attempt('        ')).toBe(200);
    expect(await canSignIn(maya.email, '        ')).toBe(true);
    const noor = await makePerson(test, { password: PASSWORD });
    expect((await set({ password: '😀'.repeat(100), oldPassword: PASSWORD }, noor.as)).status).toBe(200);
  });

  it('refuses unknown fields', async () => {
    expect((await set({ password: PASSWORD, forgotPassword: 'x', email: 'a@example.gov' })).status).toBe(400);
  });
});

describe('checkPassword', () => {
  it('tells whether the password is correct', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const ask = (password: string, as?: As) => test.call(checkPassword, as, { body: { password } });
    expect(checkPassword.replies[200].parse((await ask(PASSWORD, maya.as)).body)).toEqual({ valid: true });
    expect((await ask('wrong horse', maya.as)).body).toEqual({ valid: false });
    expect((await ask(PASSWORD)).status).toBe(401);
    const noor = await makePerson(test);
    expect((await ask('nobody has this password', noor.as)).body).toEqual({ valid: false });
  });
});
