import * as contract from '@officium/contract/admin-people';
import { createAccount, readSession } from '@officium/contract/auth';
import { createAutoApproval } from '@officium/contract/people';
import { newId } from '#server/db/client.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { lastMail, makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';
import { ageSignIn, giveApp } from '#server/test/factories/factors.ts';

const test = await createTestApp();
let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator', name: 'Ada Admin' });
});

const find = async (query: Record<string, unknown>) => {
  const { status, body } = await test.call(contract.findPeople, admin.as, { query });
  expect([status, body]).toEqual([200, body]);
  return contract.findPeople.replies[200].strict().parse(body);
};
const names = async (query: Record<string, unknown>) => (await find(query)).people.map(({ name }) => name);

describe('findPeople', () => {
  it('filters by parts of name and address, role and state, sorted and paged', async () => {
    for (const name of ['Zoë Quist', 'Anna Quist', 'Mia Quist'])
      await makePerson(test, { name, email: `${name.slice(0, 3).toLowerCase().replace('ë', 'e')}@quist.example` });
    await makePerson(test, { name: 'Bo Quist', role: 'inactive' });
    await makePerson(test, { name: 'Cy Quist', isProven: false });
    const signedUp = `new-${newId()}@quist.example`;
    await test.call(createAccount, undefined, { body: { name: 'Dee Quist', email: signedUp } });
    await test.ctx.db.updateTable('users').set({ email_proven_at: new Date() }).where('email', '=', signedUp).execute();

    expect(await names({ match: 'quist' })).toEqual([
      'Anna Quist',
      'Bo Quist',
      'Cy Quist',
      'Dee Quist',
      'Mia Quist',
      'Zoë Quist',
    ]);
    expect(await names({ match: 'ZOE quist' })).toEqual(['Zoë Quist']);
    expect(await names({ match: 'mia@quist' })).toEqual(['Mia Quist']);
    expect(await names({ match: 'quist', state: 'waiting' })).toEqual(['Dee Quist']);
    expect(await names({ match: 'quist', state: 'unproven' })).toEqual(['Cy Quist']);
    expect(await names({ match: 'quist', state: 'inactive' })).toEqual(['Bo Quist']);
    expect(await names({ match: 'quist', role: 'public-servant', sort: '-name' })).toEqual([
      'Zoë Quist',
      'Mia Quist',
      'Cy Quist',
      'Anna Quist',
    ]);
    expect(await names({ match: 'quist', sort: '-createdAt', limit: '1' })).toEqual(['Dee Quist']);
    expect(await find({ match: 'quist', limit: '2', offset: '2' })).toMatchObject({
      total: 6,
      people: [{ name: 'Cy Quist' }, { name: 'Dee Quist' }],
    });
    expect(await names({ match: '%' })).toEqual([]);
    expect((await test.call(contract.findPeople, admin.as, { query: { sort: 'email' } })).status).toBe(400);
  });
});

describe('the filters of findPeople', () => {
  it('find the people of an organisation, of a cohort, and those who have not been seen for a time', async () => {
    const [ana, ben, cleo] = [
      await makePerson(test, { name: 'Ana Wick' }),
      await makePerson(test, { name: 'Ben Wick' }),
      await makePerson(test, { name: 'Cleo Wick' }),
    ];
    const { db } = test.ctx;
    await db.updateTable('users').set({ organization: 'Treasury' }).where('id', 'in', [ana.id, ben.id]).execute();
    const cohort = await makeCohort(test, { name: 'Autumn' });
    await putInCohort(test, cohort, ben);
    await putInCohort(test, cohort, cleo);
    await db
      .updateTable('sessions')
      .set({ last_seen_at: new Date('2020-03-01T00:00:00Z') })
      .where('user_id', '=', ana.id)
      .execute();
    await db.deleteFrom('sessions').where('user_id', '=', cleo.id).execute();

    expect(await find({ organization: 'treasury' })).toMatchObject({
      total: 2,
      people: [{ name: 'Ana Wick', lastSeenAt: '2020-03-01T00:00:00.000Z', rule: null }, { name: 'Ben Wick' }],
    });
    expect(await names({ match: 'wick', cohort })).toEqual(['Ben Wick', 'Cleo Wick']);
    expect(await names({ organization: 'Treasury', cohort })).toEqual(['Ben Wick']);
    expect(await names({ match: 'wick', notSeenSince: '2020-03-02' })).toEqual(['Ana Wick', 'Cleo Wick']);
    expect(await names({ match: 'wick', notSeenSince: '2020-03-01' })).toEqual(['Cleo Wick']);
    expect((await find({ cohort, limit: '1' })).total).toBe(2);
    await db.updateTable('cohorts').set({ deleted_at: new Date() }).where('id', '=', cohort).execute();
    expect(await names({ cohort })).toEqual([]);
    for (const query of [{ cohort: 'x' }, { notSeenSince: '2020-02-30' }, { organization: ' ' }])
      expect((await test.call(contract.findPeople, admin.as, { query })).status).toBe(400);
  });

  it('show for waiting people the rule that matches their address now', async () => {
    const domain = `r-${newId()}.example`;
    for (const name of ['eve', 'fay']) {
      const email = `${name}@${name === 'eve' ? `office.${domain}` : 'elsewhere.example'}`;
      const person = await makePerson(test, { name: `${name} Rule`, email, role: 'non-public-servant' });
      await test.ctx.db
        .updateTable('users')
        .set({ registration_status: 'pending' })
        .where('id', '=', person.id)
        .execute();
    }
    const rules = async () =>
      (await find({ match: 'rule', state: 'waiting' })).people.map(({ name, rule }) => [name, rule]);
    expect(await rules()).toEqual([
      ['eve Rule', null],
      ['fay Rule', null],
    ]);
    const body = { type: 'partialDomain', value: domain };
    expect((await test.call(createAutoApproval, admin.as, { body })).status).toBe(201);
    expect(await rules()).toEqual([
      ['eve Rule', domain],
      ['fay Rule', null],
    ]);
  });
});

describe('a single account', () => {
  it('is shown with its memberships, cohorts and enrolments', async () => {
    const maya = await makePerson(test, { name: 'Maya Lund', password: 'four words and a river' });
    const course = await makeCourse(test);
    await enrol(test, maya, course.journey);
    await putInCohort(test, await makeCohort(test, { name: 'Spring' }), maya);
    await giveApp(test, maya);
    const { status, body } = await test.call(contract.readPerson, admin.as, { params: { id: maya.id } });
    expect([status, body]).toEqual([200, body]);
    expect(contract.readPerson.replies[200].parse(body)).toMatchObject({
      email: maya.email,
      state: 'active',
      hasPassword: true,
      secondFactor: true,
      factors: { totp: true, passkeys: 0, recoveryCodes: 10 },
      cohorts: { total: 1, first: [{ name: 'Spring' }] },
      enrolments: { total: 1, first: [{ status: 'enrolled' }] },
      communities: { total: 0, first: [] },
      registration: null,
    });
    await setEntryStatus(test, course.journey.entryId, 'withdrawn');
    const later = await test.call(contract.readPerson, admin.as, { params: { id: maya.id } });
    expect(later.body.enrolments.total).toBe(0);
    expect((await test.call(contract.readPerson, admin.as, { params: { id: newId() } })).status).toBe(404);
    expect((await test.call(contract.readPerson, maya.as, { params: { id: maya.id } })).status).toBe(403);
  });

  it('can be signed out of one session or all', async () => {
    const maya = await makePerson(test);
    const others = [await test.signIn(maya.id), await test.signIn(maya.id)];
    const list = async () =>
      (await test.call(contract.listPersonSessions, admin.as, { params: { id: maya.id } })).body.sessions;
    const [first, ...rest] = await list();
    expect(rest).toHaveLength(2);
    const end = (id: string, sessionId: string) =>
      test.call(contract.endPersonSession, admin.as, { params: { id, sessionId } });
    expect((await end(admin.id, first.id)).status).toBe(404);
    expect((await end(maya.id, first.id)).status).toBe(200);
    expect(await list()).toHaveLength(2);
    expect((await test.call(contract.endPersonSessions, admin.as, { params: { id: maya.id } })).status).toBe(200);
    for (const as of [maya.as, ...others]) expect((await test.call(readSession, as)).body.viewer).toBe(null);
    expect((await test.call(contract.endPersonSessions, admin.as, { params: { id: admin.id } })).status).toBe(200);
    expect((await test.call(readSession, admin.as)).body.viewer.id).toBe(admin.id);
  });

  it('can have lost second factors removed by an administrator, and is notified', async () => {
    const maya = await makePerson(test);
    await giveApp(test, maya);
    const reset = (id: string) => test.call(contract.resetSecondFactor, admin.as, { params: { id } });
    expect((await reset(admin.id)).body.code).toBe('people.own_rights');
    await ageSignIn(test, admin);
    expect((await reset(maya.id)).body.code).toBe('auth.recent_sign_in_required');
    admin = { ...admin, as: await test.signIn(admin.id) };
    expect((await reset(maya.id)).status).toBe(200);
    expect((await test.call(readSession, maya.as)).body.viewer).toBe(null);
    expect((await lastMail(test, maya.email, 'second_factor_changed')).text).toContain('An administrator removed');
    const { body } = await test.call(contract.readPerson, admin.as, { params: { id: maya.id } });
    expect(body).toMatchObject({ secondFactor: false, factors: { totp: false, recoveryCodes: 0 } });
    expect((await reset(newId())).status).toBe(404);
  });
});
