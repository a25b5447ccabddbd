import { createUpload, setProductPermission } from '@officium/contract/admin';
import { deleteAccount } from '@officium/contract/auth';
import { beginContentImport } from '@officium/contract/content-folder';
import type { Endpoint } from '@officium/contract/endpoint';
import { setProductAccess } from '@officium/contract/product-access';
import { createUserRecord, eraseUser, updateUserRecord, writeRegistration } from '@officium/contract/people';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY, type Sent } from '#server/test/app.ts';
import { makeContentImport } from '#server/test/authority/things.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { ageSignIn } from '#server/test/factories/factors.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });
const course = await makeCourse(test);
const cohort = await makeCohort(test);
const addresses = (count: number) => Array.from({ length: count }, (_, nth) => `upload-${count}-${nth}@example.org`);
const another = async () => await makePerson(test, { role: 'non-public-servant' });

const ASKED: [string, Endpoint, () => Promise<Sent> | Sent][] = [
  [
    'a role',
    updateUserRecord,
    async () => ({ params: { id: (await another()).id }, body: { name: 'Noor', role: 'public-servant' } }),
  ],
  ['an approval', writeRegistration, async () => ({ body: { email: (await another()).email, status: 'approved' } })],
  [
    'a new administrator',
    createUserRecord,
    () => ({ body: { name: 'Noor', email: `noor-${Math.random()}@example.org`, role: 'administrator' } }),
  ],
  ['erasing somebody', eraseUser, async () => ({ params: { id: (await another()).id } })],
  ['erasing an address', deleteAccount, async () => ({ params: { email: (await another()).email } })],
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
  ['an import of content', beginContentImport, async () => ({ params: { importId: await makeContentImport(test) } })],
];

describe('what needs a recent sign-in', () => {
  it.each(ASKED)('%s: 403 later, done when fresh', async (_, operation, prepare) => {
    const fresh = { ...admin, as: await test.signIn(admin.id) };
    await ageSignIn(test, admin);
    const late = await test.call(operation, fresh.as, await prepare());
    expect([late.status, late.body.code]).toEqual([403, 'auth.recent_sign_in_required']);
    const done = await test.call(operation, await test.signIn(admin.id), await prepare());
    expect([done.status < 300, done.body]).toEqual([true, done.body]);
  });

  it('is nothing else: a small upload, a closed product, the same role, erasing oneself', async () => {
    const old = await makePerson(test, { role: 'administrator' });
    const noor = await another();
    await ageSignIn(test, old);
    const calls: [Endpoint, Sent][] = [
      [createUpload, { params: { id: cohort }, body: { slug: 'few', emails: addresses(1000) } }],
      [setProductPermission, { params: { id: course.id }, body: { permission: 'can_join', scope: 'verified' } }],
      [updateUserRecord, { params: { id: noor.id }, body: { name: 'Noor', role: 'non-public-servant' } }],
      [eraseUser, { params: { id: old.id } }],
    ];
    for (const [operation, sent] of calls) {
      const done = await test.call(operation, old.as, sent);
      expect([operation.name, done.status < 300, done.body]).toEqual([operation.name, true, done.body]);
    }
  });
});

describe('updateUserRecord by a service key', () => {
  const service = { serviceKey: SERVICE_KEY };
  it('replaces a record and gives roles, but makes nobody an administrator and changes none', async () => {
    const noor = await another();
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
  it('keeps administrators without a second factor from administering', async () => {
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
});
