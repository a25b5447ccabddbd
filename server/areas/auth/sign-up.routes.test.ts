import {
  checkEmail,
  confirmSignUp,
  createAccount,
  deleteAccount,
  readSession,
  resendSignUpCode,
  signOut,
} from '@officium/contract/auth';
import { confirmMySignUp } from '@officium/contract/account';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { lastMail, makePerson, sessionIn } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const service: As = { serviceKey: SERVICE_KEY };

let counter = 0;
const newEmail = (domain = 'city.example') => `new-${(counter += 1)}@${domain}`;
const userOf = (email: string) =>
  test.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
const ask = (body: Record<string, unknown>, as?: As, query?: Record<string, unknown>) =>
  test.call(createAccount, as, { body: { name: 'Ana Lima', ...body }, query });

async function signUp(email = newEmail(), more: Record<string, unknown> = {}) {
  const answer = await ask({ email, ...more });
  expect(answer.status).toBe(200);
  return { email, as: sessionIn(answer), code: (await lastMail(test, email, 'sign_up_code')).code };
}

async function addRule(type: string, value: string): Promise<string> {
  const id = newId();
  await sql`insert into auto_approvals (id, type, value) values (${id}, ${type}, ${value})`.execute(test.ctx.db);
  return id;
}

describe('createAccount', () => {
  it('creates an unproven account, mails a code and opens a limited session', async () => {
    const email = newEmail();
    const answer = await ask({
      email: email.toUpperCase(),
      name: '  Ana <b>Lima</b> ',
      jobTitle: 'Planner',
      organization: 'City of Example',
      bioLink: 'https://city.example/ana',
      optIn: true,
      freeCourse: 'yes',
      courseInterest: ['plain language'],
      signupRedirectUrl: '/courses/plain-language',
      clientId: 'web',
      page: '/front',
      ref: 'friend',
      memberType: 'planner',
      locale: 'fr',
      courseSlug: 'plain-language',
      journeySlug: 'basics',
    });
    expect(createAccount.replies[200].parse(answer.body)).toEqual({ created: true });
    expect(answer.status).toBe(200);
    const user = await userOf(email);
    expect(user).toMatchObject({
      name: 'Ana Lima',
      role: 'non-public-servant',
      email_proven_at: null,
      job_title: 'Planner',
      locale: 'fr',
      locale_chosen: true,
      registration_status: 'pending',
    });
    expect(user?.sign_up).toMatchObject({ optIn: true, courseSlug: 'plain-language', ref: 'friend' });

    const mail = await lastMail(test, email, 'sign_up_code');
    expect(mail.locale).toBe('fr');
    expect(mail.link.pathname).toBe('/signup/confirm');
    expect(Object.fromEntries(mail.link.searchParams)).toEqual({ email, code: expect.stringMatching(/^[\w-]{43}$/) });
    expect(mail.text).not.toContain('Ana');

    const { body } = await test.call(readSession, sessionIn(answer));
    expect(body.viewer).toMatchObject({ id: user?.id, limited: true });
  });

  it('replies the same for an address that has an account, and mails its owner', async () => {
    const maya = await makePerson(test);
    const answer = await ask({ email: maya.email, name: 'Mallory' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ created: true });
    expect(sessionIn(answer).token).toHaveLength(43);
    expect((await test.call(readSession, sessionIn(answer))).body).toEqual({ viewer: null });
    expect((await userOf(maya.email))?.name).toBe(maya.name);
    expect((await lastMail(test, maya.email, 'account_exists')).link.pathname).toBe('/login');
  });

  it('keeps the newest details until the address is proven', async () => {
    const { email } = await signUp();
    await ask({ email, name: 'Ana Corrected' });
    expect((await userOf(email))?.name).toBe('Ana Corrected');
    expect((await test.mails(email)).filter((mail) => mail.kind === 'sign_up_code')).toHaveLength(2);
  });

  it('creates one account from many parallel requests', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask({ email })));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const rows = await test.ctx.db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(rows).toHaveLength(1);
  });

  it('accepts `approved` only from a service key or an administrator', async () => {
    const maya = await makePerson(test);
    for (const as of [undefined, maya.as]) {
      const email = newEmail();
      expect((await ask({ email }, as, { approved: 'true' })).status).toBe(200);
      expect(await userOf(email)).toMatchObject({ role: 'non-public-servant', email_proven_at: null });
    }
    const admin = await makePerson(test, { role: 'administrator' });
    for (const as of [service, admin.as]) {
      const email = newEmail();
      const answer = await ask({ email }, as, { approved: 'true' });
      expect(answer.cookies).toEqual([]);
      const user = await userOf(email);
      expect(user).toMatchObject({ role: 'public-servant', registration_status: 'approved' });
      expect(user?.email_proven_at).not.toBeNull();
      const { link } = await lastMail(test, email, 'invitation');
      expect(link.pathname).toBe('/welcome');
      expect(link.searchParams.get('onboardingState')).toBeTruthy();
    }
  });

  it.each([
    ['an unknown field', { role: 'administrator' }],
    ['badges', { badges: {} }],
    ['a list of addresses', { email: ['a@city.example', 'b@city.example'] }],
    ['no address', { email: 'nobody' }],
    ['a quoted local part', { email: '"a b"@city.example' }],
    ['a name of markup', { email: 'ok@city.example', name: '<b></b>' }],
    ['an empty name', { email: 'ok@city.example', name: '  ' }],
    ['a long name', { email: 'ok@city.example', name: 'x'.repeat(101) }],
    ['a null character', { email: 'ok@city.example', name: 'A\0' }],
    ['a script for a link', { email: 'ok@city.example', bioLink: 'javascript:alert(1)' }],
    ['an unknown language', { email: 'ok@city.example', locale: 'xx' }],
    ['text for optIn', { email: 'ok@city.example', optIn: 'yes' }],
  ])('refuses %s', async (_, body) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe(answer.body.issues[0].message);
  });

  it('refuses a body that is not an object', async () => {
    for (const body of ['[]', '"x"', 'null', '{'])
      expect(
        (await test.send('POST', '/api/auth/users', { body, headers: { 'content-type': 'application/json' } })).status,
      ).toBe(400);
  });
});

describe('confirmSignUp', () => {
  it('proves the address, signs in and returns the secret for setting a password', async () => {
    const { email, code, as } = await signUp();
    const answer = await test.call(confirmSignUp, undefined, { body: { email: email.toUpperCase(), code } });
    expect(answer.status).toBe(200);
    expect(confirmSignUp.replies[200].parse(answer.body).redirectPath).toMatch(
      /^\/welcome\?onboardingState=[\w-]{43}$/,
    );
    const { body } = await test.call(readSession, sessionIn(answer));
    expect(body.viewer).toMatchObject({ email, role: 'non-public-servant', limited: false });
    // The session opened without proof has ended.
    expect((await test.call(readSession, as)).body.viewer).toBeNull();
  });

  it('redirects to the target of the sign-up only if it is on this site', async () => {
    const good = await signUp(newEmail(), { signupRedirectUrl: '/courses/plain-language?x=1' });
    const answer = await test.call(confirmSignUp, undefined, { body: { email: good.email, code: good.code } });
    const url = new URL(answer.body.redirectPath, 'http://x');
    expect(url.searchParams.get('returnTo')).toBe('/courses/plain-language?x=1');
    const bad = await signUp(newEmail(), { signupRedirectUrl: 'https://evil.example/' });
    const other = await test.call(confirmSignUp, undefined, { body: { email: bad.email, code: bad.code } });
    expect(other.body.redirectPath).not.toContain('returnTo');
  });

  it('accepts a code for one of fifty parallel requests', async () => {
    const { email, code } = await signUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => test.call(confirmSignUp, undefined, { body: { email, code } })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
    const again = await test.call(confirmSignUp, undefined, { body: { email, code } });
    expect(again.status).toBe(400);
  });

  it('voids a code after five wrong attempts, also parallel ones', async () => {
    const wrong = (code: string) => (code === '111111' ? '222222' : '111111');
    const one = await signUp();
    for (let n = 0; n < 4; n += 1)
      await test.call(confirmSignUp, undefined, { body: { email: one.email, code: wrong(one.code) } });
    expect((await test.call(confirmSignUp, undefined, { body: { email: one.email, code: one.code } })).status).toBe(
      200,
    );

    const two = await signUp();
    await Promise.all(
      Array.from({ length: 20 }, () =>
        test.call(confirmSignUp, undefined, { body: { email: two.email, code: wrong(two.code) } }),
      ),
    );
    const dead = await test.call(confirmSignUp, undefined, { body: { email: two.email, code: two.code } });
    expect(dead.status).toBe(400);
    expect(dead.body.message).toBe('The code is not correct or no longer works.');
    await test.call(resendSignUpCode, undefined, { body: { email: two.email } });
    const { code } = await lastMail(test, two.email, 'sign_up_code');
    expect((await test.call(confirmSignUp, undefined, { body: { email: two.email, code } })).status).toBe(200);
  });

  describe('with an Idempotency-Key', () => {
    const confirm = (body: unknown, as?: As, key = newId()) =>
      test.call(confirmSignUp, as, { body, headers: { 'idempotency-key': key } });

    it('replays the first result with its session, whichever session the viewer has by then', async () => {
      const { email, code, as } = await signUp();
      const key = newId();
      const first = await confirm({ email, code }, as, key);
      expect(first.status).toBe(200);
      for (const later of [undefined, as, sessionIn(first)]) {
        const again = await confirm({ email, code }, later, key);
        expect([again.status, again.body]).toEqual([200, first.body]);
        expect(sessionIn(again)).toEqual(sessionIn(first));
      }
      const other = await confirm({ email, code: code === '111111' ? '222222' : '111111' }, as, key);
      expect([other.status, other.body.code, other.cookies]).toEqual([409, 'idempotency.reused', []]);
    });

    it('does not replay a session that has ended', async () => {
      const { email, code } = await signUp();
      const key = newId();
      const first = await confirm({ email, code }, undefined, key);
      await test.call(signOut, sessionIn(first));
      const again = await confirm({ email, code }, undefined, key);
      expect([again.status, again.body, again.cookies]).toEqual([200, first.body, []]);
    });

    it('stores no readable secret', async () => {
      const { email, code, as } = await signUp();
      const first = await confirm({ email, code }, as);
      const secret = new URL(first.body.redirectPath, 'http://x').searchParams.get('onboardingState') ?? 'none';
      const { rows } = await sql<{ reply: string }>`select reply::text from idempotency_keys`.execute(test.ctx.db);
      expect(rows.length).toBeGreaterThan(0);
      for (const { reply } of rows) {
        expect(reply).not.toContain(secret);
        expect(reply).not.toContain(sessionIn(first).token);
      }
    });

    it('counts wrong codes', async () => {
      const { email, code } = await signUp();
      const wrong = code === '111111' ? '222222' : '111111';
      for (let n = 0; n < 5; n += 1) expect((await confirm({ email, code: wrong })).status).toBe(400);
      expect((await confirm({ email, code })).status).toBe(400);
    });

    it('also works for confirmMySignUp', async () => {
      const { email, code, as } = await signUp();
      const sent = { body: { email, code }, headers: { 'idempotency-key': newId() } };
      const first = await test.call(confirmMySignUp, as, sent);
      const again = await test.call(confirmMySignUp, sessionIn(first), sent);
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(sessionIn(again)).toEqual(sessionIn(first));
    });

    it('also works for createAccount', async () => {
      const email = newEmail();
      const sent = { body: { email, name: 'Ana' }, headers: { 'idempotency-key': newId() } };
      const first = await test.call(createAccount, undefined, sent);
      for (const later of [undefined, sessionIn(first)]) {
        const again = await test.call(createAccount, later, sent);
        expect([again.status, again.body, sessionIn(again)]).toEqual([200, first.body, sessionIn(first)]);
      }
      expect(await test.mails(email)).toHaveLength(1);
    });
  });

  it('refuses a code after ten minutes', async () => {
    const { email, code } = await signUp();
    await sql`update challenges set expires_at = now() - interval '1 second' where kind = 'sign-up'`.execute(
      test.ctx.db,
    );
    expect((await test.call(confirmSignUp, undefined, { body: { email, code } })).status).toBe(400);
  });

  it('gives the same message for a wrong, malformed, foreign or unknown code', async () => {
    const { email } = await signUp();
    const other = await signUp();
    for (const body of [
      { email, code: '12345' },
      { email, code: 'abcdef' },
      { email, code: other.code },
      { email: 'unknown@city.example', code: '123456' },
    ]) {
      const answer = await test.call(confirmSignUp, undefined, { body });
      expect([answer.status, answer.body.message]).toEqual([400, 'The code is not correct or no longer works.']);
    }
    expect((await test.call(confirmSignUp, undefined, { body: { email, code: '123456', x: 1 } })).status).toBe(400);
  });

  it('approves addresses that a rule matches, but no lookalikes', async () => {
    const rule = await addRule('partialDomain', 'Census.gov');
    const roleOf = async (email: string) => {
      const { code } = await signUp(email);
      await test.call(confirmSignUp, undefined, { body: { email, code } });
      return await userOf(email);
    };
    expect(await roleOf('a@census.gov')).toMatchObject({
      role: 'public-servant',
      approved_by_rule: rule,
      registration_status: 'approved',
    });
    expect(await roleOf('a@sub.census.gov')).toMatchObject({ role: 'public-servant' });
    expect(await roleOf('a@2020census.gov')).toMatchObject({
      role: 'non-public-servant',
      approved_by_rule: null,
      registration_status: 'pending',
    });
  });

  it('keeps a refused registration refused', async () => {
    await addRule('domain', 'refused.gov');
    const { email, code } = await signUp('a@refused.gov');
    await sql`update users set registration_status = 'refused' where email = ${email}`.execute(test.ctx.db);
    await test.call(confirmSignUp, undefined, { body: { email, code } });
    expect(await userOf(email)).toMatchObject({ role: 'non-public-servant', registration_status: 'refused' });
  });

  it('makes the user owner of a community for which a content folder names them', async () => {
    const email = newEmail();
    const id = newId();
    await sql`insert into entries (id, content_type, source) values (${`c-${id}`}, 'communityPage', 'folder')`.execute(
      test.ctx.db,
    );
    await sql`insert into communities (id, entry_id, slug, title) values (${id}, ${`c-${id}`}, ${`c-${id}`}, '{"en":"C"}')`.execute(
      test.ctx.db,
    );
    await sql`insert into community_owner_claims (community_id, email) values (${id}, ${email})`.execute(test.ctx.db);
    const { code } = await signUp(email);
    const owners = () =>
      sql<{
        user_id: string;
        role: string;
      }>`select user_id, role from community_members where community_id = ${id}`.execute(test.ctx.db);
    expect((await owners()).rows).toEqual([]);
    await test.call(confirmSignUp, undefined, { body: { email, code } });
    expect((await owners()).rows).toEqual([{ user_id: (await userOf(email))?.id, role: 'owner' }]);
    const { rows } = await sql<{ member_count: number }>`select member_count from communities where id = ${id}`.execute(
      test.ctx.db,
    );
    expect(rows[0]?.member_count).toBe(1);
  });
});

describe('confirmMySignUp', () => {
  it('confirms only the address of the session', async () => {
    const one = await signUp();
    const two = await signUp();
    const body = { email: one.email, code: one.code };
    expect((await test.call(confirmMySignUp, undefined, { body })).status).toBe(401);
    expect((await test.call(confirmMySignUp, two.as, { body })).status).toBe(400);
    const answer = await test.call(confirmMySignUp, one.as, { body });
    expect(answer.status).toBe(200);
    expect(confirmMySignUp.replies[200].parse(answer.body).redirectPath).toMatch(/^\/welcome\?onboardingState=/);
    expect((await test.call(readSession, sessionIn(answer))).body.viewer.limited).toBe(false);
  });
});

describe('a limited session', () => {
  it('may only sign out', async () => {
    const { as, email } = await signUp();
    expect((await test.call(deleteAccount, as, { params: { email } })).status).toBe(403);
    expect((await test.send('PUT', '/api/auth/users/me/identity', { as, body: {} })).body.code).toBe('auth.not_proven');
    expect((await test.call(signOut, as)).status).toBe(200);
    expect((await test.call(readSession, as)).body.viewer).toBeNull();
  });
});

describe('resendSignUpCode', () => {
  it('replies the same for every address and mails only unproven ones', async () => {
    const { email } = await signUp();
    const maya = await makePerson(test);
    for (const address of [email, maya.email, 'unknown@city.example']) {
      const answer = await test.call(resendSignUpCode, undefined, { body: { email: address } });
      expect(resendSignUpCode.replies[200].parse(answer.body)).toEqual({ created: true });
    }
    expect(await test.mails(email)).toHaveLength(2);
    expect(await test.mails(maya.email)).toHaveLength(0);
    expect(await test.mails('unknown@city.example')).toHaveLength(0);
  });
});

describe('checkEmail', () => {
  it('ignores the case of the address', async () => {
    const maya = await makePerson(test);
    const ask = (email: string) => test.call(checkEmail, undefined, { params: { email } });
    expect((await ask(maya.email.toUpperCase())).body).toEqual({ emailExists: true });
    expect((await ask('unknown@city.example')).body).toEqual({ emailExists: false });
    expect((await ask('nonsense')).status).toBe(400);
  });
});

describe('an address', () => {
  it.each(['\u212aim@example.gov', 'k\u0131m@example.gov', 'kim@example.g\uff4fv', 'kim@\u212aample.gov'])(
    'with lookalike characters is refused: %s',
    async (email) => {
      expect((await test.call(checkEmail, undefined, { params: { email } })).status).toBe(400);
      expect((await test.call(createAccount, undefined, { body: { name: 'Kim', email } })).status).toBe(400);
    },
  );
});

describe('deleteAccount', () => {
  it('erases the viewer’s own account at once', async () => {
    const maya = await makePerson(test, { name: 'Maya', password: 'correct horse' });
    const elsewhere = await test.signIn(maya.id);
    const answer = await test.call(deleteAccount, maya.as, { params: { email: maya.email.toUpperCase() } });
    expect(answer.status).toBe(200);
    expect(deleteAccount.replies[200].parse(answer.body)).toEqual({ deleted: true });
    for (const as of [maya.as, elsewhere]) expect((await test.call(readSession, as)).body.viewer).toBeNull();
    const row = await test.ctx.db.selectFrom('users').selectAll().where('id', '=', maya.id).executeTakeFirst();
    expect(row).toMatchObject({ name: 'Deleted user', email: null, password_hash: null });
    expect(row?.erased_at).not.toBeNull();
    expect((await test.call(checkEmail, undefined, { params: { email: maya.email } })).body.emailExists).toBe(false);
    const history = await test.ctx.db
      .selectFrom('password_history')
      .where('user_id', '=', maya.id)
      .select('id')
      .execute();
    expect(history).toEqual([]);
  });

  it('lets an inactive account erase itself', async () => {
    const maya = await makePerson(test, { role: 'inactive' });
    expect((await test.call(deleteAccount, maya.as, { params: { email: maya.email } })).status).toBe(200);
  });

  it('replies the same for other accounts and unknown ones', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    for (const email of [noor.email, 'unknown@city.example'])
      expect((await test.call(deleteAccount, maya.as, { params: { email } })).status).toBe(403);
    expect(await userOf(noor.email)).toBeDefined();
  });

  it('lets an administrator erase any account, updates counters and deletes queued mails', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const maya = await makePerson(test);
    const id = newId();
    await sql`insert into entries (id, content_type, source) values (${`c-${id}`}, 'communityPage', 'folder')`.execute(
      test.ctx.db,
    );
    await sql`insert into communities (id, entry_id, slug, title, member_count) values (${id}, ${`c-${id}`}, ${`c-${id}`}, '{"en":"C"}', 1)`.execute(
      test.ctx.db,
    );
    await sql`insert into community_members (community_id, user_id) values (${id}, ${maya.id})`.execute(test.ctx.db);
    await ask({ email: maya.email });
    expect(await test.mails(maya.email)).toHaveLength(1);
    expect((await test.call(deleteAccount, admin.as, { params: { email: maya.email } })).status).toBe(200);
    expect(await test.mails(maya.email)).toHaveLength(0);
    const { rows } = await sql`select member_count from communities where id = ${id}`.execute(test.ctx.db);
    expect(rows).toEqual([{ member_count: 0 }]);
    expect((await test.call(deleteAccount, admin.as, { params: { email: maya.email } })).status).toBe(404);
  });

  it('frees the address for a new account', async () => {
    const maya = await makePerson(test);
    await test.call(deleteAccount, maya.as, { params: { email: maya.email } });
    const { code } = await signUp(maya.email);
    expect((await test.call(confirmSignUp, undefined, { body: { email: maya.email, code } })).status).toBe(200);
  });
});
