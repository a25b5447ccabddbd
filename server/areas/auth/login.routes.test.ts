import {
  confirmLoginLink,
  readSession,
  requestLoginLink,
  requestPasswordReset,
  resendSignUpCode,
  signIn,
} from '@officium/contract/auth';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn } from '#server/test/factories/accounts.ts';
import { EVEN_PACE_MS } from './pace.service.ts';

const test = await createTestApp();
const PASSWORD = 'correct horse';

describe('signIn', () => {
  it('opens a session and ignores the case of the address', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const answer = await test.call(signIn, undefined, {
      body: { email: maya.email.toUpperCase(), password: PASSWORD },
    });
    expect(answer.status).toBe(200);
    expect(signIn.replies[200].parse(answer.body)).toEqual({ created: true });
    expect(answer.cookies).toMatchObject([
      { name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' },
      { name: 'device', httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.id).toBe(maya.id);
  });

  it('gives the same error for a wrong password, an unknown address and an account without a password', async () => {
    const maya = await makePerson(test, { password: PASSWORD });
    const noor = await makePerson(test);
    for (const [email, password] of [
      [maya.email, 'wrong horse'],
      [maya.email, PASSWORD.toUpperCase()],
      [maya.email, ` ${PASSWORD}`],
      ['unknown@example.gov', PASSWORD],
      [noor.email, 'nobody has this password'],
    ]) {
      const answer = await test.call(signIn, undefined, { body: { email, password } });
      expect([answer.status, answer.body.message, answer.cookies]).toEqual([
        401,
        'The e-mail address or the password is not correct.',
        [],
      ]);
    }
  });

  it('signs in an inactive account', async () => {
    const maya = await makePerson(test, { role: 'inactive', password: PASSWORD });
    const answer = await test.call(signIn, undefined, { body: { email: maya.email, password: PASSWORD } });
    expect(answer.status).toBe(200);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.role).toBe('inactive');
  });

  it.each([
    { email: ['a@example.gov'], password: PASSWORD },
    { email: 'a@example.gov', password: [PASSWORD] },
    { email: 'a@example.gov', password: { $ne: '' } },
    { email: 'a@example.gov', password: '' },
    { email: 'a@example.gov' },
    { email: 'a@example.gov', password: 'x'.repeat(2000) },
    { email: 'a@example.gov', password: 'a\0b' },
    { email: 'a@example.gov', password: PASSWORD, remember: true },
  ])('refuses %j', async (body) => {
    expect((await test.call(signIn, undefined, { body })).status).toBe(400);
  });
});

describe('a sign-in link', () => {
  it('signs in when it is confirmed, not when it is opened', async () => {
    const maya = await makePerson(test);
    const asked = await test.call(requestLoginLink, undefined, { body: { email: maya.email, locale: 'de' } });
    expect(requestLoginLink.replies[200].parse(asked.body)).toEqual({ created: true });
    const { link, locale } = await lastMail(test, maya.email, 'login_link');
    expect([link.pathname, locale]).toEqual(['/login/confirm', 'de']);
    const token = link.searchParams.get('token') ?? '';
    expect((await test.send('GET', `/api/auth/logins/passwordless/confirm?token=${token}`)).status).toBe(404);
    expect((await test.send('GET', `/api/auth/cookies/token?token=${token}`)).status).toBe(400);

    const answer = await test.call(confirmLoginLink, undefined, { body: { token } });
    expect(answer.status).toBe(200);
    expect(confirmLoginLink.replies[200].parse(answer.body)).toEqual({ redirectPath: '/' });
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.id).toBe(maya.id);
  });

  it('works for one of fifty parallel requests', async () => {
    const maya = await makePerson(test);
    await test.call(requestLoginLink, undefined, { body: { email: maya.email } });
    const token = (await lastMail(test, maya.email, 'login_link')).link.searchParams.get('token');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => test.call(confirmLoginLink, undefined, { body: { token } })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
  });

  it('proves the address', async () => {
    const maya = await makePerson(test, { isProven: false, role: 'non-public-servant' });
    await test.call(requestLoginLink, undefined, { body: { email: maya.email } });
    const token = (await lastMail(test, maya.email, 'login_link')).link.searchParams.get('token');
    const answer = await test.call(confirmLoginLink, undefined, { body: { token } });
    expect(answer.body.redirectPath).toMatch(/^\/welcome\?onboardingState=/);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.limited).toBe(false);
    // The session opened before the proof has ended.
    expect((await test.call(readSession, maya.as)).body.viewer).toBeNull();
  });

  it('is not sent to an unknown address, but the reply is the same', async () => {
    const answer = await test.call(requestLoginLink, undefined, { body: { email: 'unknown@example.gov' } });
    expect([answer.status, answer.body]).toEqual([200, { created: true }]);
    expect(await test.mails('unknown@example.gov')).toEqual([]);
  });

  it('takes no less time for an unknown address', async () => {
    const email = 'nobody@city.example';
    for (const ask of [
      () => test.call(requestLoginLink, undefined, { body: { email } }),
      () => test.call(requestPasswordReset, undefined, { params: { email }, body: {} }),
      () => test.call(resendSignUpCode, undefined, { body: { email } }),
    ]) {
      const began = performance.now();
      expect((await ask()).status).toBe(200);
      expect(performance.now() - began).toBeGreaterThan(EVEN_PACE_MS - 2);
    }
  });

  it('refuses an unknown token', async () => {
    for (const token of ['x', 'A'.repeat(43)]) {
      const answer = await test.call(confirmLoginLink, undefined, { body: { token } });
      expect([answer.status, answer.body.code]).toEqual([400, 'auth.wrong_link']);
    }
    expect((await test.call(confirmLoginLink, undefined, { body: { token: ['x'] } })).status).toBe(400);
    expect((await test.call(confirmLoginLink, undefined, { body: { token: 'x'.repeat(300) } })).status).toBe(400);
  });
});
