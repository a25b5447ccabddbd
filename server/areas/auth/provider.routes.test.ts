import { readSession } from '@officium/contract/auth';
import * as contract from '@officium/contract/provider-sign-in';
import { proveSecondFactor } from '@officium/contract/second-factor';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, sessionIn } from '#server/test/factories/accounts.ts';
import { assignRoles } from '#server/test/factories/roles.ts';
import { ageSignIn, giveApp } from '#server/test/factories/factors.ts';
import { startIdentityProvider, type Employee } from '#server/test/identity-provider.ts';

const provider = await startIdentityProvider();
afterAll(() => provider.stop());
const test = await createTestApp({
  ...provider.settings,
  OIDC_ADMINISTRATOR_GROUPS: 'learning-office',
  OIDC_PUBLIC_SERVANT_GROUPS: 'staff, council',
});

let made = 0;
function employee(given: Partial<Employee> = {}): Employee & { email: string } {
  made += 1;
  const email = `employee-${made}@city.example.org`;
  return {
    sub: `employee-${made}`,
    email_verified: true,
    name: `Employee ${made}`,
    ...given,
    email: given.email ?? email,
  };
}

const start = async (next?: string) => await test.call(contract.startProviderSignIn, undefined, { body: { next } });
const finish = async (attempt: string, answer: string) =>
  await test.call(contract.finishProviderSignIn, undefined, { body: { attempt, answer } });
/** Signs in through the provider from start to finish. */
async function signIn(someone: Employee, next?: string) {
  provider.employ(someone);
  const { body } = await start(next);
  return await finish(body.attempt, await provider.visit(body.url));
}
const viewerOf = async (as: As) => (await test.call(readSession, as)).body.viewer;
const signedInViewer = async (someone: Employee) => await viewerOf(sessionIn(await signIn(someone)));
const accountsOf = async (email: string) =>
  await test.ctx.db.selectFrom('users').selectAll().where('email', '=', email).execute();
const setRole = async ({ id }: { id: string }, role: string) => {
  await test.ctx.db.updateTable('users').set({ role }).where('id', '=', id).execute();
  await test.forgetSessions(id);
};

describe('a user who signs in through their organisation', () => {
  it('gets an account with a proven address and continues to the requested page', async () => {
    const someone = employee({ email: 'Noor.Visser@City.example.org', name: 'Noor <b>Visser</b>' });
    const done = await signIn(someone, '/communities/plain-words?sort=new');
    expect([done.status, done.body]).toEqual([200, { redirectPath: '/communities/plain-words?sort=new' }]);
    expect(await viewerOf(sessionIn(done))).toMatchObject({
      email: 'noor.visser@city.example.org',
      name: 'Noor Visser',
      role: 'non-public-servant',
      limited: false,
    });
    const [row] = await accountsOf('noor.visser@city.example.org');
    expect(row).toMatchObject({ registration_status: 'pending', password_hash: null });
    expect(row?.email_proven_at).toBeInstanceOf(Date);
  });

  it('is recognised by their identity, even with a new address', async () => {
    const someone = employee();
    const first = await signedInViewer(someone);
    const second = await signedInViewer({ ...someone, email: 'married@city.example.org' });
    expect([second.id, second.email]).toEqual([first.id, someone.email]);
    expect(await accountsOf('married@city.example.org')).toEqual([]);
  });

  it('gets the existing account with their proven address', async () => {
    const maya = await makePerson(test);
    expect((await signedInViewer(employee({ email: maya.email }))).id).toBe(maya.id);
    // A second identity with the same address reaches the same account, because the organisation vouches for both.
    const refused = await signIn(employee({ email: maya.email, email_verified: false }));
    expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'auth.provider_unproven', []]);
  });

  it('takes over an unproven account with their address', async () => {
    const opened = await makePerson(test, { isProven: false });
    expect((await signedInViewer(employee({ email: opened.email }))).id).toBe(opened.id);
    expect(await viewerOf(opened.as)).toBeNull();
  });

  it.each([
    ['an address it does not vouch for', { email_verified: false }],
    ['no word about the address', { email_verified: undefined }],
    ['what is no address', { email: 'nobody' }],
  ])('gets no account with %s', async (_, given) => {
    const someone = employee(given);
    const refused = await signIn(someone);
    expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'auth.provider_unproven', []]);
    expect(await accountsOf(someone.email)).toEqual([]);
  });

  it.each([
    ['looks like ASCII once it is lowered', 'root@ex\u212Aample.gov'],
    ['is ASCII in another form', 'ro\uFF4Ft@example.gov'],
    ['turns the line', 'a\u202E@example.gov'],
    ['has quotes', 'a<b>"x@example.gov'],
    ['is two', 'a@example.gov,b@example.gov'],
    ['has no domain to mail to', 'root@example'],
  ])('gets no account if the address %s', async (_, email) => {
    const refused = await signIn(employee({ email }));
    expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'auth.provider_unproven', []]);
    expect(await accountsOf(email.toLowerCase())).toEqual([]);
  });

  it.each(['TRUE', 'false', '1', 1, [true], { verified: true }, null])(
    'gets no account with an address whose verification is %j',
    async (verified) => {
      const someone = employee({ email_verified: verified as unknown as boolean }); // what providers have sent
      const refused = await signIn(someone);
      expect([refused.status, refused.body.code]).toEqual([403, 'auth.provider_unproven']);
      expect(await accountsOf(someone.email)).toEqual([]);
    },
  );

  it.each([{ name: 'A\0b' }, { name: 'A\uD800b' }, { sub: 'a\0b' }, { groups: ['staff', '\0'] }])(
    'is refused with a claim that no database stores: %j',
    async (claims) => {
      const someone = employee(claims);
      const refused = await signIn(someone);
      expect([refused.status, refused.body.code]).toEqual([403, 'auth.provider_refused']);
      expect(await accountsOf(someone.email)).toEqual([]);
    },
  );

  it('gets no role from groups that are not words', async () => {
    const groups = [['learning-office'], { name: 'learning-office' }, 7, null] as unknown as string[]; // not what is declared
    expect(await signedInViewer(employee({ groups }))).toMatchObject({ role: 'non-public-servant' });
  });

  it('must have the address and its verification from the same source', async () => {
    const [victim, mallory] = [await makePerson(test), employee()];
    const mixed = { ...mallory, token: { email: victim.email } };
    expect((await signedInViewer(mixed)).email).toBe(mallory.email);
    const other = { ...employee({ email_verified: undefined, email: victim.email }), token: { email_verified: true } };
    const refused = await signIn(other);
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.provider_unproven']);
    const denied = { ...employee({ email: victim.email }), token: { email: victim.email, email_verified: false } };
    expect((await signIn(denied)).body.code).toBe('auth.provider_unproven');
  });

  it('can have a verified address from the ID token or from userinfo', async () => {
    const [first, second] = [employee({ email_verified: undefined }), employee()];
    const token = { email: first.email, email_verified: true };
    expect((await signedInViewer({ sub: first.sub, token })).email).toBe(first.email);
    expect((await signedInViewer({ ...second, token: { email: second.email } })).email).toBe(second.email);
  });

  it.each([
    ['an administrator’s account', { role: 'administrator' }, []],
    ['an account that holds a role', {}, [{ role: 'auditor', kind: 'installation' }]],
  ] as const)('cannot enter %s through its address alone', async (_account, given, roles) => {
    const admin = await makePerson(test, given);
    await assignRoles(test, admin, roles);
    const someone = employee({ email: admin.email });
    const attempt = async (as?: As) => {
      provider.employ(someone);
      const { body } = await start();
      const answer = await provider.visit(body.url);
      return await test.call(contract.finishProviderSignIn, as, { body: { attempt: body.attempt, answer } });
    };
    const refusal = [403, 'auth.provider_administrator', []];
    const of = ({ status, body, cookies }: Awaited<ReturnType<typeof attempt>>) => [status, body.code, cookies];
    expect(of(await attempt())).toEqual(refusal);
    const stranger = await makePerson(test, { role: 'administrator' });
    expect(of(await attempt(stranger.as))).toEqual(refusal);
    await ageSignIn(test, admin);
    expect(of(await attempt(admin.as))).toEqual(refusal);

    // A signed-in user has proven more than an address, so the identity is linked from here on.
    expect((await viewerOf(sessionIn(await attempt(await test.signIn(admin.id))))).id).toBe(admin.id);
    expect((await viewerOf(sessionIn(await attempt()))).id).toBe(admin.id);
  });

  it('must pass the second factor of their account', async () => {
    const maya = await makePerson(test);
    const { code } = await giveApp(test, maya);
    const owed = await signIn(employee({ email: maya.email }), '/me/learning');
    expect([owed.status, owed.body.code, owed.cookies]).toEqual([403, 'auth.second_factor_required', []]);
    const proof = { challenge: owed.body.challenge, code: code() };
    const done = await test.call(proveSecondFactor, undefined, { body: proof });
    expect(done.body).toEqual({ redirectPath: '/me/learning' });
    expect((await viewerOf(sessionIn(done))).id).toBe(maya.id);
  });

  it('gets one account from ten parallel sign-ins', async () => {
    const someone = employee();
    provider.employ(someone);
    const begun = await Promise.all(Array.from({ length: 10 }, async () => (await start()).body));
    const answers = await Promise.all(
      begun.map(async ({ attempt, url }) => await finish(attempt, await provider.visit(url))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    expect(await accountsOf(someone.email)).toHaveLength(1);
  });
});

describe('a sign-in', () => {
  it('works once, in the browser that started it', async () => {
    provider.employ(employee());
    const [mine, other] = [(await start()).body, (await start()).body];
    const answer = await provider.visit(mine.url);
    const stranger = await finish(other.attempt, answer);
    expect([stranger.status, stranger.body.code]).toEqual([403, 'auth.provider_refused']);
    const done = await Promise.all(Array.from({ length: 8 }, () => finish(mine.attempt, answer)));
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await finish(mine.attempt, answer);
    expect([again.status, again.body.code]).toEqual([400, 'auth.wrong_challenge']);
  });

  it('is refused with a wrong code, without a code, and when the organisation refuses', async () => {
    provider.employ(employee());
    for (const spoil of [
      (answer: string) => answer.replace(/code=[^&]+/, 'code=another'),
      (answer: string) => answer.replace(/code=[^&]+&?/, ''),
      (answer: string) => answer.replace(/code=[^&]+/, 'error=access_denied'),
      () => '',
      () => '%%%',
    ]) {
      const { attempt, url } = (await start()).body;
      const refused = await finish(attempt, spoil(await provider.visit(url)));
      expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'auth.provider_refused', []]);
    }
  });

  it('is refused when its ID token was issued in the future', async () => {
    const now = Math.floor(Date.now() / 1000);
    const refused = await signIn({ ...employee(), token: { iat: now + 3600 } });
    expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'auth.provider_refused', []]);
    expect((await signIn({ ...employee(), token: { iat: now + 20 } })).status).toBe(200);
  });

  it('cannot be completed after it expires', async () => {
    provider.employ(employee());
    const { attempt, url } = (await start()).body;
    const answer = await provider.visit(url);
    await test.ctx.pool.query(`update provider_attempts set expires_at = now() - interval '1 second'`);
    expect((await finish(attempt, answer)).body.code).toBe('auth.wrong_challenge');
  });

  it.each(['https://elsewhere.example.org/', '//elsewhere.example.org', 'javascript:alert(1)', '/\\elsewhere'])(
    'does not redirect to %s',
    async (next) => {
      expect((await signIn(employee(), next)).body).toEqual({ redirectPath: '/' });
    },
  );

  it('uses a new state, nonce and challenge each time', async () => {
    const [one, other] = [new URL((await start()).body.url), new URL((await start()).body.url)];
    expect(one.searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name));
  });
});

describe('groups of the organisation', () => {
  it('give a role and take back only a role they gave', async () => {
    await makePerson(test, { role: 'administrator' });
    const someone = employee();
    expect((await signedInViewer({ ...someone, groups: ['canteen', 'staff'] })).role).toBe('public-servant');
    expect((await signedInViewer({ ...someone, groups: ['staff', 'learning-office'] })).role).toBe('administrator');
    expect((await signedInViewer({ ...someone, groups: ['staff'] })).role).toBe('public-servant');
    expect((await signedInViewer({ ...someone, groups: [] })).role).toBe('non-public-servant');
    const { rows } = await test.ctx.pool.query(
      `select detail from audit_log where action = 'auth.change-role-by-provider' and object = $1 order by id`,
      [(await signedInViewer(someone)).id],
    );
    expect(rows.map(({ detail }) => detail.to)).toEqual([
      'public-servant',
      'administrator',
      'public-servant',
      'non-public-servant',
    ]);
  });

  it('keep a role given by an administrator and reactivate no account', async () => {
    const [kept, asleep] = [await makePerson(test), await makePerson(test)];
    const [someone, other] = [employee({ email: kept.email }), employee({ email: asleep.email })];
    await signedInViewer(someone);
    await setRole(kept, 'administrator');
    expect((await signedInViewer({ ...someone, groups: ['staff'] })).role).toBe('administrator');
    expect((await signedInViewer(someone)).role).toBe('administrator');
    await setRole(asleep, 'inactive');
    expect((await signedInViewer({ ...other, groups: ['learning-office'] })).role).toBe('inactive');
  });

  it('do not demote the last administrator until there is another', async () => {
    const someone = employee();
    await signedInViewer({ ...someone, groups: ['learning-office'] });
    await test.ctx.pool.query(`update users set role = 'public-servant' where role = 'administrator' and email <> $1`, [
      someone.email,
    ]);
    expect((await signedInViewer(someone)).role).toBe('administrator');
    await makePerson(test, { role: 'administrator' });
    expect((await signedInViewer(someone)).role).toBe('non-public-servant');
  });

  it('end the sessions of a user whose role changes', async () => {
    const maya = await makePerson(test);
    expect((await signedInViewer(employee({ email: maya.email, groups: ['learning-office'] }))).role).toBe(
      'administrator',
    );
    expect(await viewerOf(maya.as)).toBeNull();
  });
});

describe('an organisation', () => {
  it('is named on the sign-in page', async () => {
    expect((await test.call(contract.readSignInWays)).body).toEqual({ provider: { name: 'City of Example' } });
  });
});
