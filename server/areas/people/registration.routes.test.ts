import { createAccount } from '@officium/contract/auth';
import * as contract from '@officium/contract/people';
import { describe, expect, it } from 'vitest';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const service = { serviceKey: SERVICE_KEY };

const read = (email: string) => test.call(contract.readRegistration, service, { query: { email } });
const write = (body: unknown, as: { token?: string; serviceKey?: string } = service) =>
  test.call(contract.writeRegistration, as, { body });

let count = 0;
async function signUp(): Promise<string> {
  const email = `new-${++count}@elsewhere.org`;
  await test.call(createAccount, undefined, {
    body: { email, name: 'Noor', organization: 'City', jobTitle: 'Planner' },
  });
  return email;
}

describe('readRegistration', () => {
  it('returns the sign-up of an address', async () => {
    const email = await signUp();
    const { status, body } = await read(email.toUpperCase());
    expect(status).toBe(200);
    expect(contract.Registration.strict().parse(body)).toMatchObject({
      email,
      status: 'pending',
      role: 'non-public-servant',
      organization: 'City',
      jobTitle: 'Planner',
      reason: null,
    });
  });

  it('derives the status from the role for accounts that never signed up', async () => {
    const servant = await makePerson(test);
    const other = await makePerson(test, { role: 'non-public-servant' });
    expect((await read(servant.email)).body.status).toBe('approved');
    expect((await read(other.email)).body.status).toBe('pending');
  });

  it('returns 404 for an address without an account and 400 without an address', async () => {
    expect((await read('nobody@elsewhere.org')).status).toBe(404);
    expect((await test.call(contract.readRegistration, service)).status).toBe(400);
    expect((await read('no address')).status).toBe(400);
  });
});

describe('writeRegistration', () => {
  it('makes an approved user a public servant and ends their sessions', async () => {
    const noor = await makePerson(test, { role: 'non-public-servant' });
    const { status, body } = await write({ email: noor.email, status: 'approved', reason: 'Checked <b>by</b> phone' });
    expect(status).toBe(200);
    expect(contract.writeRegistration.replies[200].parse(body)).toMatchObject({
      status: 'approved',
      role: 'public-servant',
      reason: 'Checked by phone',
    });
    expect((await read(noor.email)).body).toEqual(body);
    expect((await test.call(contract.readUserRecord, noor.as, { params: { id: 'me' } })).status).toBe(401);
    const logged = await test.ctx.db.selectFrom('audit_log').selectAll().where('object', '=', noor.id).execute();
    expect(logged).toMatchObject([
      { actor: 'service:tests', detail: { status: 'approved', from: 'non-public-servant', to: 'public-servant' } },
    ]);
  });

  it('revokes the role with the approval and clears the reason', async () => {
    const email = await signUp();
    await write({ email, status: 'approved', reason: 'So it seemed' });
    const refused = await write({ email, status: 'refused', organization: 'None', jobTitle: null });
    expect(refused.body).toMatchObject({
      status: 'refused',
      role: 'non-public-servant',
      reason: null,
      organization: 'None',
      jobTitle: null,
    });
    expect((await write({ email, status: 'pending' })).body).toMatchObject({ status: 'pending', organization: 'None' });
  });

  const STATUSES = ['pending', 'approved', 'refused'] as const;
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('moves %s to %s', async (from, to) => {
    const email = await signUp();
    expect((await write({ email, status: from })).status).toBe(200);
    const role = to === 'approved' ? 'public-servant' : 'non-public-servant';
    expect((await write({ email, status: to })).body).toMatchObject({ status: to, role });
    expect((await read(email)).body).toMatchObject({ status: to, role });
  });

  it('stays consistent with a role set elsewhere', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const email = await signUp();
    const { id } = await test.ctx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const give = (role: string) =>
      test.call(contract.updateUserRecord, admin.as, { params: { id }, body: { name: 'Noor', role } });
    for (const [role, status] of [
      ['public-servant', 'approved'],
      ['non-public-servant', 'pending'],
      ['administrator', 'approved'],
      ['inactive', 'approved'],
    ]) {
      expect((await give(role!)).status).toBe(200);
      expect([role, (await read(email)).body.status]).toEqual([role, status]);
    }
    await write({ email, status: 'refused' });
    await give('public-servant');
    expect((await read(email)).body).toMatchObject({ status: 'approved', role: 'public-servant' });
  });

  it('keeps administrators, unless another role is given', async () => {
    const [admin, other] = [
      await makePerson(test, { role: 'administrator' }),
      await makePerson(test, { role: 'administrator' }),
    ];
    expect((await write({ email: other.email, status: 'refused' }, admin.as)).body.role).toBe('administrator');
    const noor = await makePerson(test);
    expect((await write({ email: noor.email, status: 'refused', role: 'inactive' })).body.role).toBe('inactive');
  });

  it('refuses a service that changes an administrator', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const before = (await read(admin.email)).body;
    for (const change of [{}, { role: 'administrator' }, { organization: 'Elsewhere', jobTitle: 'Nobody' }])
      for (const status of STATUSES) {
        const refused = await write({ email: admin.email, status, ...change });
        expect([refused.status, refused.body.code]).toEqual([403, 'auth.forbidden']);
      }
    expect((await read(admin.email)).body).toEqual(before);
  });

  it('lets only administrators appoint and demote administrators', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const other = await makePerson(test, { role: 'administrator' });
    const noor = await makePerson(test);
    const raise = { email: noor.email, status: 'approved', role: 'administrator' };
    const lower = { email: other.email, status: 'refused', role: 'inactive' };
    for (const body of [raise, lower]) {
      const refused = await write(body);
      expect([refused.status, refused.body.code]).toEqual([403, 'auth.forbidden']);
    }
    expect((await read(noor.email)).body).toMatchObject({ role: 'public-servant' });
    expect((await read(other.email)).body).toMatchObject({ status: 'approved', role: 'administrator' });
    expect((await write({ ...lower, role: 'administrator' }, admin.as)).body).toMatchObject({ status: 'refused' });
    expect((await write(raise, admin.as)).body.role).toBe('administrator');
    expect((await write(lower, admin.as)).body.role).toBe('inactive');
  });

  it('is allowed only to services and administrators, and not for the viewer’s own account', async () => {
    const admin = await makePerson(test, { role: 'administrator' });
    const noor = await makePerson(test, { role: 'non-public-servant' });
    const approve = { email: noor.email, status: 'approved' };
    expect((await test.call(contract.writeRegistration, undefined, { body: approve })).status).toBe(401);
    expect((await write(approve, noor.as)).status).toBe(403);
    expect((await write(approve, admin.as)).status).toBe(200);
    const own = await write({ email: admin.email, status: 'approved' }, admin.as);
    expect([own.status, own.body.code]).toEqual([403, 'people.own_rights']);
  });

  it.each([
    [{ status: 'approved' }],
    [{ email: 'nobody@elsewhere.org' }],
    [{ email: 'nobody@elsewhere.org', status: 'maybe' }],
    [{ email: 'nobody@elsewhere.org', status: 'approved', role: 'owner' }],
    [{ email: 'nobody@elsewhere.org', status: 'approved', x: 1 }],
    [{ email: 'nobody@elsewhere.org', status: 'approved', reason: 'x'.repeat(1001) }],
    [{ email: 'nobody@elsewhere.org', status: 'approved', reason: 'a\0' }],
  ])('refuses %j', async (body) => {
    expect((await write(body)).status).toBe(400);
  });

  it('returns 404 for an address without an account', async () => {
    expect((await write({ email: 'nobody@elsewhere.org', status: 'approved' })).status).toBe(404);
  });
});
