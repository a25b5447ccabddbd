import { createUpload, setProductPermission } from '@officium/contract/admin';
import * as auth from '@officium/contract/auth';
import { beginContentImport } from '@officium/contract/content-folder';
import type { Endpoint } from '@officium/contract/endpoint';
import { removeDemoContent } from '@officium/contract/demo-content';
import { setProductAccess } from '@officium/contract/product-access';
import * as exports from '@officium/contract/personal-data';
import { createUserRecord, eraseUser, updateUserRecord, writeRegistration } from '@officium/contract/people';
import * as factor from '@officium/contract/second-factor';
import { requestWholeExport } from '@officium/contract/whole-exports';
import { describe, expect, it } from 'vitest';
import { markLoaded } from '#server/areas/site/demo-content.repository.ts';
import { createTestApp, SERVICE_KEY, type As, type Sent } from '#server/test/app.ts';
import { makeContentImport } from '#server/test/authority/things.ts';
import { makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { ageSignIn, giveApp, givePasskey, unconfirmedCode } from '#server/test/factories/factors.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });
const course = await makeCourse(test);
const cohort = await makeCohort(test);
const addresses = (count: number) => Array.from({ length: count }, (_, nth) => `upload-${count}-${nth}@example.org`);
const otherUser = async () => await makePerson(test, { role: 'non-public-servant' });

const SENSITIVE: [string, Endpoint, () => Promise<Sent> | Sent][] = [
  [
    'a role',
    updateUserRecord,
    async () => ({ params: { id: (await otherUser()).id }, body: { name: 'Noor', role: 'public-servant' } }),
  ],
  ['an approval', writeRegistration, async () => ({ body: { email: (await otherUser()).email, status: 'approved' } })],
  [
    'an account approved at once',
    auth.createAccount,
    () => ({ query: { approved: true }, body: { name: 'Noor', email: `noor-${Math.random()}@example.org` } }),
  ],
  [
    'a new administrator',
    createUserRecord,
    () => ({ body: { name: 'Noor', email: `noor-${Math.random()}@example.org`, role: 'administrator' } }),
  ],
  ['erasing another user', eraseUser, async () => ({ params: { id: (await otherUser()).id } })],
  ['erasing an address', auth.deleteAccount, async () => ({ params: { email: (await otherUser()).email } })],
  [
    'a public product',
    setProductPermission,
    () => ({ params: { id: course.id }, body: { permission: 'can_view', scope: 'public' } }),
  ],
  [
    'a public product in the matrix',
    setProductAccess,
    async () => ({
      params: { id: (await makeCourse(test, { scopes: { canView: 'private', canJoin: 'private' } })).id },
      body: { can_view: 'public', can_join: 'private' },
    }),
  ],
  ['a large upload', createUpload, () => ({ params: { id: cohort }, body: { slug: 'many', emails: addresses(1001) } })],
  ['an export of everything', requestWholeExport, () => ({})],
  [
    'removing the demo',
    removeDemoContent,
    async () => {
      await markLoaded(test.ctx.db);
      return { body: { name: test.ctx.site.current().name } };
    },
  ],
  ['an import of content', beginContentImport, async () => ({ params: { importId: await makeContentImport(test) } })],
];

describe('sensitive operations', () => {
  it.each(SENSITIVE)(
    '%s is refused after an old sign-in and allowed after a recent one',
    async (_, operation, prepare) => {
      const fresh = { ...admin, as: await test.signIn(admin.id) };
      await ageSignIn(test, admin);
      const late = await test.call(operation, fresh.as, await prepare());
      expect([late.status, late.body.code]).toEqual([403, 'auth.recent_sign_in_required']);
      const done = await test.call(operation, await test.signIn(admin.id), await prepare());
      expect([done.status < 300, done.body]).toEqual([true, done.body]);
    },
  );

  it('do not include a small upload, a private product or an unchanged role', async () => {
    const old = await makePerson(test, { role: 'administrator' });
    const noor = await otherUser();
    await ageSignIn(test, old);
    const calls: [Endpoint, Sent][] = [
      [createUpload, { params: { id: cohort }, body: { slug: 'few', emails: addresses(1000) } }],
      [setProductPermission, { params: { id: course.id }, body: { permission: 'can_join', scope: 'verified' } }],
      [updateUserRecord, { params: { id: noor.id }, body: { name: 'Noor', role: 'non-public-servant' } }],
    ];
    for (const [operation, sent] of calls) {
      const done = await test.call(operation, old.as, sent);
      expect([operation.name, done.status < 300, done.body]).toEqual([operation.name, true, done.body]);
    }
  });
});

const PASSWORD = 'correct horse';
const NEXT_PASSWORD = 'another quiet horse';

/** A finished export of the user. */
async function exportOf(person: TestPerson): Promise<Sent> {
  const { body } = await test.call(exports.requestDataExport, await test.signIn(person.id));
  await test.drain();
  return { params: { id: body.id } };
}

type OwnAccountCase = [string, Endpoint, (person: TestPerson) => Promise<Sent> | Sent];
/** Irreversible or whole-account operations, which require a recent sign-in from every role. */
const FINAL: OwnAccountCase[] = [
  ['erasing the own account by address', auth.deleteAccount, ({ email }) => ({ params: { email } })],
  ['erasing the own account', eraseUser, ({ id }) => ({ params: { id } })],
  ['requesting an export', exports.requestDataExport, () => ({})],
  ['downloading an export', exports.downloadDataExport, exportOf],
];
/** Account operations that ask for a password, or whose recent sign-in is tested elsewhere. */
const OWN_ACCOUNT: OwnAccountCase[] = [
  ...FINAL,
  ['changing the address', auth.changeEmail, () => ({ body: { newEmail: 'new@example.org', password: PASSWORD } })],
  ['changing the password', auth.setPassword, () => ({ body: { password: NEXT_PASSWORD, oldPassword: PASSWORD } })],
  ['checking the password', auth.checkPassword, () => ({ body: { password: PASSWORD } })],
  ['ending another session', auth.deleteSession, async ({ id }) => ({ params: { id: await newestSession(id) } })],
  ['starting an app', factor.startTotp, () => ({})],
  [
    'confirming an app',
    factor.confirmTotp,
    async (person) => ({ body: { code: await unconfirmedCode(test, person) } }),
  ],
  [
    'removing an app',
    factor.removeTotp,
    async (person) => {
      await giveApp(test, person);
      return {};
    },
  ],
  [
    'renewing recovery codes',
    factor.renewRecoveryCodes,
    async (person) => {
      await giveApp(test, person);
      return {};
    },
  ],
  ['starting a passkey', factor.startPasskey, () => ({})],
  [
    'removing a passkey',
    factor.removePasskey,
    async (person) => ({ params: { id: (await givePasskey(test, person)).id } }),
  ],
  [
    'renaming a passkey',
    factor.renamePasskey,
    async (person) => ({ params: { id: (await givePasskey(test, person)).id }, body: { name: 'Mine' } }),
  ],
  ['confirming with the password', factor.confirmSession, () => ({ body: { password: PASSWORD } })],
  [
    'confirming with a passkey',
    factor.startConfirmationPasskey,
    async (person) => {
      await givePasskey(test, person);
      return {};
    },
  ],
];

async function newestSession(userId: string): Promise<string> {
  await test.signIn(userId);
  const { id } = await test.ctx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

describe('irreversible and whole-account operations', () => {
  it.each(FINAL)('%s needs a recent sign-in, for inactive accounts too', async (_, operation, prepare) => {
    for (const role of ['public-servant', 'inactive', 'administrator'] as const) {
      const maya = await makePerson(test, { role });
      const sent = await prepare(maya);
      await ageSignIn(test, maya);
      const late = await test.call(operation, maya.as, sent);
      expect([late.status, late.body.code]).toEqual([403, 'auth.recent_sign_in_required']);
      const done = await test.call(operation, await test.signIn(maya.id), sent);
      expect([role, done.status < 300]).toEqual([role, true]);
    }
  });

  it.each(OWN_ACCOUNT)('%s is refused in a narrowed session', async (_, operation, prepare) => {
    const maya = await makePerson(test, { password: PASSWORD });
    const sent = await prepare(maya);
    const body = { id: maya.id, email: maya.email, name: maya.name, permissions: { communities: {}, courses: {} } };
    const minted = sessionIn(await test.call(auth.mintToken, { serviceKey: SERVICE_KEY }, { body }));
    const tried = async (as: As) => {
      const { status, body: answer } = await test.call(operation, as, sent);
      return [status, answer.code];
    };
    expect(await tried(minted)).toEqual([403, 'auth.forbidden']);
    // A recent sign-in in the narrowed session does not help.
    await test.ctx.db.updateTable('sessions').set({ authenticated_at: new Date() }).execute();
    await test.forgetSessions(maya.id);
    expect(await tried(minted)).toEqual([403, 'auth.forbidden']);
    const [done] = await tried(await test.signIn(maya.id));
    expect(done).toBeLessThan(300);
  });

  it('are allowed to an inactive account after it confirms', async () => {
    const maya = await makePerson(test, { role: 'inactive', password: PASSWORD });
    await ageSignIn(test, maya);
    expect((await test.call(factor.readConfirmation, maya.as)).body).toEqual({ recent: false, methods: ['password'] });
    const confirmed = await test.call(factor.confirmSession, maya.as, { body: { password: PASSWORD } });
    expect(confirmed.body).toEqual({ confirmed: true });
    expect((await test.call(exports.requestDataExport, maya.as)).status).toBe(202);
    const unproven = await makePerson(test, { isProven: false });
    const refused = await test.call(factor.readConfirmation, unproven.as);
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.not_proven']);
  });

  it('include ending a session, but a narrowed session may end itself', async () => {
    const maya = await makePerson(test);
    const body = { id: maya.id, email: maya.email, name: maya.name, permissions: { courses: {} } };
    const minted = sessionIn(await test.call(auth.mintToken, { serviceKey: SERVICE_KEY }, { body }));
    const { sessions } = (await test.call(auth.listSessions, minted)).body;
    const { id } = sessions.find(({ current }: { current: boolean }) => current);
    expect((await test.call(auth.deleteSession, minted, { params: { id } })).body).toEqual({ deleted: true });
  });
});

describe('updateUserRecord by a service key', () => {
  const service = { serviceKey: SERVICE_KEY };
  it('replaces a record and its role, but neither appoints nor changes administrators', async () => {
    const noor = await otherUser();
    const update = (id: string, body: object) => test.call(updateUserRecord, service, { params: { id }, body });
    const done = await update(noor.id, { name: 'Noor', role: 'public-servant' });
    expect([done.status, done.body.role, done.body.email]).toEqual([200, 'public-servant', noor.email]);
    expect((await update(noor.id, { name: 'Noor' })).body.role).toBe('public-servant');
    expect((await update(noor.id, { name: 'Noor', role: 'administrator' })).status).toBe(403);
    expect((await update(noor.id, { name: 'Noor', email: 'else@example.org' })).status).toBe(403);
    expect((await update(admin.id, { name: 'Ada' })).status).toBe(403);
    expect((await update('me', { name: 'Ada' })).status).toBe(400);
    const logged = await test.ctx.db.selectFrom('audit_log').selectAll().where('object', '=', noor.id).execute();
    expect(logged[0]).toMatchObject({
      actor: 'service:tests',
      detail: { from: 'non-public-servant', to: 'public-servant' },
    });
  });
});

describe('ADMIN_SECOND_FACTOR=required', async () => {
  const strict = await createTestApp({ ADMIN_SECOND_FACTOR: 'required' });
  it('refuses administration without a second factor', async () => {
    const { listCohorts } = await import('@officium/contract/admin');
    const { giveApp } = await import('#server/test/factories/factors.ts');
    const { readSession } = await import('@officium/contract/auth');
    const boss = await makePerson(strict, { role: 'administrator' });
    const refused = await strict.call(listCohorts, boss.as);
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.second_factor_missing']);
    expect((await strict.call(readSession, boss.as)).body.viewer.secondFactorDue).toBe('required');
    await giveApp(strict, boss);
    expect((await strict.call(listCohorts, boss.as)).status).toBe(200);
    expect((await strict.call(readSession, boss.as)).body.viewer.secondFactorDue).toBe(null);
  });

  it('gives no power of administrators in operations for everybody', async () => {
    const people = await import('@officium/contract/people');
    const { deleteAccount } = await import('@officium/contract/auth');
    const { giveApp } = await import('#server/test/factories/factors.ts');
    const boss = await makePerson(strict, { role: 'administrator' });
    const noor = await makePerson(strict);
    const body = { name: 'Owned', role: 'administrator' };
    const attempt = async () =>
      (await strict.call(people.updateUserRecord, boss.as, { params: { id: noor.id }, body })).status;
    expect(await attempt()).toBe(403);
    expect((await strict.call(deleteAccount, boss.as, { params: { email: noor.email } })).status).toBe(403);
    expect((await strict.call(people.eraseUser, boss.as, { params: { id: noor.id } })).status).toBe(403);
    await giveApp(strict, boss);
    expect(await attempt()).toBe(200);
  });
});
