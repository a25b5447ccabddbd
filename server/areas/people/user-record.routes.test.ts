import { checkEmail, readSession, requestPasswordReset } from '@officium/contract/auth';
import { listNotifications } from '@officium/contract/notifications';
import * as contract from '@officium/contract/people';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();
const service = { serviceKey: SERVICE_KEY };

const create = (body: unknown, as: As = service) => test.call(contract.createUserRecord, as, { body });
const read = (as: As | undefined, id: string) => test.call(contract.readUserRecord, as, { params: { id } });
const update = (as: As | undefined, id: string, body: unknown) =>
  test.call(contract.updateUserRecord, as, { params: { id }, body });

let count = 0;
const address = () => `record-${++count}@elsewhere.org`;

describe('createUserRecord', () => {
  const details = {
    jobTitle: 'Planner',
    organization: 'City',
    bioLink: 'https://example.org/ana',
    optIn: true,
    freeCourse: 'letters',
    courseInterest: ['letters', 'data'],
    signupRedirectUrl: '/courses/letters',
    clientId: 'web',
    page: '/start',
    ref: 'newsletter',
    memberType: 'learner',
    locale: 'fr',
    courseSlug: 'letters',
    journeySlug: 'basics',
  };

  it('creates a proven account with all given details', async () => {
    const email = address();
    const { status, body } = await create({ email: email.toUpperCase(), name: ' Ana <b>Lima</b> ', ...details });
    expect(status).toBe(201);
    expect(contract.UserRecord.strict().parse(body)).toMatchObject({
      ...details,
      email,
      name: 'Ana Lima',
      role: 'non-public-servant',
      isProven: true,
    });
    expect(await test.mails(email)).toEqual([]);
    const reset = await test.call(requestPasswordReset, undefined, { params: { email }, body: {} });
    expect(reset.body).toEqual({ userState: 'OK' });
  });

  it('applies the approval rules unless a role is given, and notifies administrators of a new one', async () => {
    await test.call(contract.createAutoApproval, service, { body: { type: 'domain', value: 'ruled.gov' } });
    expect((await create({ email: 'a@ruled.gov', name: 'A' })).body.role).toBe('public-servant');
    expect((await create({ email: 'b@ruled.gov', name: 'B', role: 'inactive' })).body.role).toBe('inactive');
    const admin = await makePerson(test, { role: 'administrator' });
    const other = await makePerson(test, { role: 'administrator' });
    const made = await create({ email: address(), name: 'C', role: 'administrator' }, admin.as);
    expect(made.body.role).toBe('administrator');
    const told = async ({ as }: { as: As }) =>
      (await test.call(listNotifications, as)).body.notifications.filter(
        ({ event }: { event: string }) => event === 'administrator',
      ).length;
    expect([await told(other), await told(admin)]).toEqual([1, 0]);
    const logged = await test.ctx.db.selectFrom('audit_log').selectAll().where('object', '=', made.body.id).execute();
    expect(logged).toMatchObject([{ action: 'people.create-user', detail: { role: 'administrator' } }]);
  });

  it('refuses a service that creates an administrator, and creates no account', async () => {
    const email = address();
    const refused = await create({ email, name: 'C', role: 'administrator' });
    expect([refused.status, refused.body.code]).toEqual([403, 'auth.forbidden']);
    expect((await test.call(checkEmail, undefined, { params: { email } })).body).toEqual({ emailExists: false });
    expect((await create({ email, name: 'C', role: 'public-servant' })).status).toBe(201);
  });

  it('creates one account from parallel requests for one address', async () => {
    const email = address();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ email, name: 'Ana' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('auth.email_taken');
  });

  it('returns the first account for a repeated key', async () => {
    const sent = { body: { email: address(), name: 'Ana' }, headers: { 'idempotency-key': 'one' } };
    const first = await test.call(contract.createUserRecord, service, sent);
    const again = await test.call(contract.createUserRecord, service, sent);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it.each([
    [{ name: 'Ana' }],
    [{ email: 'ana', name: 'Ana' }],
    [{ email: 'ana@elsewhere.org' }],
    [{ email: 'ana@elsewhere.org', name: '' }],
    [{ email: 'ana@elsewhere.org', name: 'a\0b' }],
    [{ email: 'ana@elsewhere.org', name: '<i></i>' }],
    [{ email: 'ana@elsewhere.org', name: 'Ana', role: 'owner' }],
    [{ email: 'ana@elsewhere.org', name: 'Ana', password: 'secret-secret' }],
    [{ email: 'ana@elsewhere.org', name: 'Ana', optIn: 'yes' }],
    ['text'],
  ])('refuses %j', async (body) => {
    expect((await create(body)).status).toBeOneOf([400, 415]);
  });

  it('is allowed only to services and administrators', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await create({}, {})).status).toBe(401);
    expect((await create({ email: address(), name: 'Ana' }, maya.as)).status).toBe(403);
    expect((await create({ email: address(), name: 'Ana' }, admin.as)).status).toBe(201);
  });
});

describe('listUserRecords', () => {
  it('finds the account of an address, or lists all', async () => {
    const maya = await makePerson(test);
    const one = await test.call(contract.listUserRecords, service, { query: { email: maya.email.toUpperCase() } });
    expect(one.status).toBe(200);
    expect(contract.listUserRecords.replies[200].parse(one.body)).toMatchObject({
      total: 1,
      users: [{ id: maya.id, email: maya.email, role: 'public-servant' }],
    });
    const none = await test.call(contract.listUserRecords, service, { query: { email: 'nobody@elsewhere.org' } });
    expect(none.body).toEqual({ users: [], total: 0 });
    const all = await test.call(contract.listUserRecords, service, { query: { limit: 2, offset: 1 } });
    expect(all.body.users).toHaveLength(2);
    expect(all.body.total).toBeGreaterThan(2);
    expect((await test.call(contract.listUserRecords, service, { query: { email: 'x' } })).status).toBe(400);
    expect((await test.call(contract.listUserRecords, service, { query: { limit: 0 } })).status).toBe(400);
  });
});

describe('readUserRecord', () => {
  it('shows the full record to its owner and to administrators', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    const own = await read(maya.as, 'me');
    expect(own.status).toBe(200);
    expect(contract.UserRecord.strict().parse(own.body)).toMatchObject({ id: maya.id, email: maya.email });
    expect((await read(maya.as, maya.id)).body).toEqual(own.body);
    expect((await read(admin.as, maya.id)).body).toEqual(own.body);
  });

  it('shows others what the profile shows, and never the address', async () => {
    const maya = await makePerson(test);
    const hidden = await makePerson(test, { visibility: 'private' });
    await update(maya.as, 'me', { name: 'Maya', jobTitle: 'Planner', organization: 'City' });
    await update(hidden.as, 'me', { name: 'Hidden', jobTitle: 'Planner' });
    const viewer = await makePerson(test);
    const seen = await read(viewer.as, maya.id);
    expect(contract.UserRecord.strict().parse(seen.body)).toMatchObject({ name: 'Maya', jobTitle: 'Planner' });
    expect(Object.keys(seen.body)).not.toContain('email');
    expect(Object.keys(seen.body)).not.toContain('role');
    expect(JSON.stringify(seen.body)).not.toContain(maya.email);
    const nameOnly = await read(viewer.as, hidden.id);
    expect(nameOnly.body).toMatchObject({ name: 'Hidden', jobTitle: null, createdAt: null });
  });

  it('gives the same reply for unknown and unproven accounts', async () => {
    const viewer = await makePerson(test);
    const unproven = await makePerson(test, { isProven: false });
    expect((await read(viewer.as, newId())).status).toBe(404);
    expect((await read(viewer.as, unproven.id)).status).toBe(404);
    expect((await read(viewer.as, 'you')).status).toBe(400);
    expect((await read(undefined, unproven.id)).status).toBe(401);
  });
});

describe('updateUserRecord', () => {
  it('replaces the details and clears omitted ones', async () => {
    const maya = await makePerson(test);
    const full = { name: 'Maya', jobTitle: 'Planner', organization: 'City', optIn: true, locale: 'fr', ref: 'x' };
    const first = await update(maya.as, 'me', full);
    expect(first.status).toBe(200);
    expect(contract.updateUserRecord.replies[200].parse(first.body)).toMatchObject(full);
    const second = await update(maya.as, maya.id, { name: 'Maya', email: maya.email });
    expect(second.body).toMatchObject({ jobTitle: null, organization: null, role: 'public-servant' });
    expect(second.body.optIn).toBeUndefined();
    expect((await test.call(readSession, maya.as)).body.viewer.name).toBe('Maya');
  });

  it('lets administrators set the role of others and ends their sessions', async () => {
    const maya = await makePerson(test, { role: 'non-public-servant' });
    const admin = await makePerson(test, { role: 'administrator' });
    const raise = { name: 'Maya', role: 'administrator' };
    expect((await update(maya.as, 'me', raise)).status).toBe(403);
    const own = await update(admin.as, 'me', { name: 'Admin', role: 'administrator' });
    expect([own.status, own.body.code]).toEqual([403, 'people.own_rights']);
    const { status, body } = await update(admin.as, maya.id, { name: 'Maya', role: 'public-servant' });
    expect([status, body.role]).toEqual([200, 'public-servant']);
    expect((await read(maya.as, 'me')).status).toBe(401);
    const logged = await test.ctx.db.selectFrom('audit_log').selectAll().where('object', '=', maya.id).execute();
    expect(logged).toMatchObject([{ actor: admin.id, detail: { from: 'non-public-servant', to: 'public-servant' } }]);
  });

  it('refuses a new address and changes to other accounts', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    expect((await update(maya.as, 'me', { name: 'Maya', email: address() })).status).toBe(403);
    expect((await update(maya.as, noor.id, { name: 'Maya' })).status).toBe(403);
    expect((await update(maya.as, newId(), { name: 'Maya' })).status).toBe(404);
    expect((await update(undefined, maya.id, { name: 'Maya' })).status).toBe(401);
    for (const body of [{}, { name: '' }, { name: 'M', x: 1 }, { name: 'M', role: 7 }, { name: 'M', bioLink: 'x' }])
      expect((await update(maya.as, 'me', body)).status).toBe(400);
  });
});
