import { addCohortUser, listCohorts } from '@officium/contract/admin';
import { listAuditLog } from '@officium/contract/audit';
import { mintToken, readSession } from '@officium/contract/auth';
import { attachCohortProduct } from '@officium/contract/cohorts';
import { listActivities, readCommunity, removeMember } from '@officium/contract/community';
import { readCourseCompletion } from '@officium/contract/course-reports';
import { readFigures } from '@officium/contract/figures';
import { decideReports, listReports, reportContent } from '@officium/contract/moderation';
import { listNotifications } from '@officium/contract/notifications';
import { listCases } from '@officium/contract/moderation-office';
import {
  findRolePlaces,
  giveRole,
  listPersonRoles,
  listReportPlaces,
  listRoleAssignments,
  takeRole,
} from '@officium/contract/roles';
import { confirmSession } from '@officium/contract/second-factor';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makeAcademy } from '#server/test/authority/things.ts';
import { makePerson, sessionIn, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { assignRoles } from '#server/test/factories/roles.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const give = async (person: { id: string }, body: object, by: TestPerson = admin) =>
  await test.call(giveRole, by.as, { params: { id: person.id }, body });
const mayReadLog = async (person: Pick<TestPerson, 'as'>) => (await test.call(listAuditLog, person.as)).status;

describe('giveRole', () => {
  it('opens its operations at once and shows the assignment', async () => {
    const person = await makePerson(test);
    expect(await mayReadLog(person)).toBe(403);
    const { status, body } = await give(person, { role: 'auditor', kind: 'installation' });
    expect(status).toBe(201);
    expect(giveRole.replies[201].parse(body)).toMatchObject({
      person: { id: person.id, name: person.name },
      role: 'auditor',
      place: { kind: 'installation', id: null, title: null },
      givenBy: admin.name,
    });
    expect(await mayReadLog(person)).toBe(200);
    const { body: session } = await test.call(readSession, person.as);
    expect(session.viewer).toMatchObject({ capabilities: ['read-audit', 'read-cases'], secondFactorDue: 'optional' });
  });

  it('gives a role once, also when two administrators assign it together', async () => {
    const [person, cohort] = [await makePerson(test), await makeCohort(test)];
    const body = { role: 'report-reader', kind: 'cohort', placeId: cohort };
    const [one, two] = await Promise.all([give(person, body), give(person, body)]);
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.id).toBe(two.body.id);
    const { rows } =
      await sql`select 1 from audit_log where action = 'admin.give-role' and object = ${person.id}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it('refuses wrong places, unknown people and places, and own roles', async () => {
    const person = await makePerson(test);
    const cohort = await makeCohort(test);
    expect((await give(person, { role: 'auditor', kind: 'cohort', placeId: cohort })).body).toMatchObject({
      statusCode: 400,
      code: 'admin.role_not_in_place',
    });
    expect((await give(person, { role: 'owner', kind: 'installation' })).status).toBe(400);
    const reader = { role: 'report-reader' };
    expect((await give(person, { ...reader, kind: 'cohort', placeId: newId() })).status).toBe(404);
    expect((await give(person, { ...reader, kind: 'cohort', placeId: 'x' })).status).toBe(404);
    expect((await give(person, { ...reader, kind: 'course' })).status).toBe(404);
    expect((await give(person, { ...reader, kind: 'installation', placeId: 'x' })).status).toBe(404);
    expect((await give({ id: newId() }, { role: 'auditor', kind: 'installation' })).status).toBe(404);
    expect((await give(admin, { role: 'auditor', kind: 'installation' })).body.code).toBe('people.own_rights');
  });

  it('needs a recent sign-in', async () => {
    const person = await makePerson(test);
    const token = await openSession(db, { userId: admin.id, authenticatedAt: new Date(0) });
    const stale = { ...admin, as: { token } };
    const refused = await give(person, { role: 'auditor', kind: 'installation' }, stale);
    expect(refused.body.code).toBe('auth.recent_sign_in_required');
    const { id } = (await give(person, { role: 'auditor', kind: 'installation' })).body;
    const taken = await test.call(takeRole, stale.as, { params: { id: person.id, assignmentId: id } });
    expect(taken.body.code).toBe('auth.recent_sign_in_required');
  });
});

describe('takeRole', () => {
  it('closes the operations at once', async () => {
    const person = await makePerson(test);
    const { id } = (await give(person, { role: 'auditor', kind: 'installation' })).body;
    expect(await mayReadLog(person)).toBe(200);
    const params = { id: person.id, assignmentId: id };
    expect((await test.call(takeRole, admin.as, { params: { ...params, id: newId() } })).status).toBe(404);
    expect((await test.call(takeRole, admin.as, { params })).status).toBe(204);
    expect(await mayReadLog(person)).toBe(403);
    expect((await test.call(takeRole, admin.as, { params })).status).toBe(404);
    expect((await test.call(takeRole, admin.as, { params: { ...params, id: admin.id } })).body.code).toBe(
      'people.own_rights',
    );
  });
});

describe('the person is notified', () => {
  const inbox = async ({ as }: Pick<TestPerson, 'as'>) => (await test.call(listNotifications, as)).body.notifications;

  it('of a role, titled by its place while they have it', async () => {
    const [person, course] = [await makePerson(test), await makeCourse(test, { title: { en: 'A shared course' } })];
    const body = { role: 'author', kind: 'course', placeId: course.id };
    const { id } = (await give(person, body)).body;
    await give(person, body);
    expect(await inbox(person)).toMatchObject([
      { event: 'role_change', title: 'A shared course', path: '/admin', actor: null },
    ]);
    const token = await openSession(db, { userId: person.id, permissions: { courses: { [course.slug]: [] } } });
    expect(await inbox({ as: { token } })).toEqual([]);
    await test.call(takeRole, admin.as, { params: { id: person.id, assignmentId: id } });
    expect(await inbox(person)).toMatchObject([{ event: 'role_change', title: null, path: '/me/learning' }]);
  });
});

describe('roles do not count', () => {
  it('in a session narrowed by a token', async () => {
    const person = await makePerson(test);
    await assignRoles(test, person, [{ role: 'auditor', kind: 'installation' }]);
    const token = await openSession(db, { userId: person.id, permissions: {} });
    expect(await mayReadLog(person)).toBe(200);
    expect(await mayReadLog({ as: { token } })).toBe(403);
  });

  it('in a session that a service opened, until its holder confirms', async () => {
    const password = 'quiet-harbour-31';
    const person = await makePerson(test, { password });
    await assignRoles(test, person, [{ role: 'auditor', kind: 'installation' }]);
    const { id, email, name } = person;
    const as = sessionIn(await test.call(mintToken, { serviceKey: SERVICE_KEY }, { body: { id, email, name } }));
    expect(await mayReadLog({ as })).toBe(403);
    expect((await test.call(readSession, as)).body.viewer.capabilities).toEqual([]);
    expect((await test.call(confirmSession, as, { body: { password } })).status).toBe(200);
    expect(await mayReadLog({ as })).toBe(200);
  });

  it.each(['inactive', 'unproven'])('for an account that is %s', async (state) => {
    const person = await makePerson(test);
    await assignRoles(test, person, [{ role: 'auditor', kind: 'installation' }]);
    await db
      .updateTable('users')
      .set(state === 'inactive' ? { role: 'inactive' } : { email_proven_at: null })
      .where('id', '=', person.id)
      .execute();
    test.ctx.sessions.forget(person.id);
    expect(await mayReadLog(person)).toBe(403);
  });

  it('while a required second factor is missing', async () => {
    const strict = await createTestApp({ ADMIN_SECOND_FACTOR: 'required' });
    const person = await makePerson(strict);
    await assignRoles(strict, person, [{ role: 'auditor', kind: 'installation' }]);
    const refused = await strict.call(listAuditLog, person.as);
    expect(refused.body.code).toBe('auth.second_factor_missing');
    expect((await strict.call(readSession, person.as)).body.viewer).toMatchObject({
      capabilities: [],
      secondFactorDue: 'required',
    });
    await strict.ctx.db.updateTable('users').set({ second_factor: true }).where('id', '=', person.id).execute();
    strict.ctx.sessions.forget(person.id);
    expect((await strict.call(listAuditLog, person.as)).status).toBe(200);
  });
});

describe('a report reader', () => {
  it('of an academy reads the reports of its courses and of no others', async () => {
    const [reader, own, other] = [await makePerson(test), await makeCourse(test), await makeCourse(test)];
    const academy = `academy-${await makeAcademy(test)}`;
    await db.insertInto('academy_courses').values({ academy_id: academy, course_id: own.id, position: 0 }).execute();
    await assignRoles(test, reader, [{ role: 'report-reader', kind: 'academy', id: academy }]);
    const report = async (slug: string) =>
      (await test.call(readCourseCompletion, reader.as, { params: { courseSlug: slug } })).status;
    expect([await report(own.slug), await report(other.slug)]).toEqual([200, 404]);
    const figures = async (query: Record<string, string>) =>
      (await test.call(readFigures, reader.as, { query })).status;
    expect([await figures({ course: own.slug }), await figures({ course: other.slug }), await figures({})]).toEqual([
      200, 404, 404,
    ]);
    const { body } = await test.call(listReportPlaces, reader.as);
    expect(body).toMatchObject({ isEverywhere: false, courses: [{ slug: own.slug }], cohorts: [] });
  });

  it('of a cohort finds it alone in the list of cohorts', async () => {
    const [reader, own] = [await makePerson(test), await makeCohort(test)];
    await makeCohort(test);
    await assignRoles(test, reader, [{ role: 'report-reader', kind: 'cohort', id: own }]);
    const { body } = await test.call(listCohorts, reader.as);
    expect(body).toMatchObject({ total: 1, cohorts: [{ id: own, capabilities: ['read-cohort', 'read-reports'] }] });
    expect((await test.call(listCohorts, reader.as, { query: { match: 'no such cohort' } })).body.total).toBe(0);
  });
});

describe('a moderator by role', () => {
  it('decides about the content of the community, but manages neither members nor the page', async () => {
    const [holder, community, other] = [await makePerson(test), await makeCommunity(db), await makeCommunity(db)];
    const author = await makePerson(test);
    await makeMember(db, community, author);
    await assignRoles(test, holder, [{ role: 'moderator', kind: 'community', id: community.id }]);
    const [post, elsewhere] = [await makeActivity(db, community, author), await makeActivity(db, other, author)];
    for (const [place, id] of [
      [community, post],
      [other, elsewhere],
    ] as const) {
      const body = { community: place.slug, kind: 'activity', id, reason: 'spam' };
      expect((await test.call(reportContent, admin.as, { body })).status).toBe(201);
    }
    const cases = await test.call(listCases, holder.as);
    expect(cases.body).toMatchObject({ total: 1, cases: [{ community: { slug: community.slug } }] });
    const read = async (slug: string) => (await test.call(readCommunity, holder.as, { params: { slug } })).body;
    expect((await read(community.slug)).permissions).toMatchObject({ canModerate: true, canManage: false });
    expect((await read(other.slug)).permissions).toMatchObject({ canModerate: false });
    const member = { slug: community.slug, userId: author.id };
    expect((await test.call(removeMember, holder.as, { params: member })).status).toBe(403);
    const remove = { community: community.slug, kind: 'activity', id: post, decision: 'remove', reason: 'spam' };
    expect((await test.call(decideReports, holder.as, { body: remove })).status).toBe(200);
  });

  it.each(['closed-visible', 'closed-hidden'] as const)(
    'opens the cases of a %s community without a membership, but not its feed',
    async (privacy) => {
      const [holder, community] = [await makePerson(test), await makeCommunity(db, { privacy })];
      await assignRoles(test, holder, [{ role: 'moderator', kind: 'community', id: community.id }]);
      const { slug } = community;
      expect((await test.call(listReports, holder.as, { query: { community: slug } })).status).toBe(200);
      expect((await test.call(readCommunity, holder.as, { params: { slug } })).status).toBe(200);
      const feed = async () => (await test.call(listActivities, holder.as, { params: { slug } })).status;
      expect(await feed()).toBe(privacy === 'closed-visible' ? 403 : 404);
      await makeMember(db, community, holder);
      expect(await feed()).toBe(200);
      const { rows } = await sql`
        select 1 from audit_log where action = 'community.read-private' and object = ${community.id}`.execute(db);
      expect(rows).toHaveLength(1);
    },
  );
});

describe('a cohort manager', () => {
  it('runs their cohort and no other, and adds no products', async () => {
    const [manager, own, other] = [await makePerson(test), await makeCohort(test), await makeCohort(test)];
    await assignRoles(test, manager, [{ role: 'cohort-manager', kind: 'cohort', id: own }]);
    const add = async (id: string) =>
      (await test.call(addCohortUser, manager.as, { params: { id }, body: { email: `${newId()}@example.gov` } }))
        .status;
    expect([await add(own), await add(other)]).toEqual([204, 404]);
    const entryId = `academy-${await makeAcademy(test)}`;
    const attach = async () =>
      (await test.call(attachCohortProduct, manager.as, { params: { id: own, entryId }, body: { dueOn: null } }))
        .status;
    expect(await attach()).toBe(403);
    await db.insertInto('cohort_products').values({ cohort_id: own, entry_id: entryId, position: 0 }).execute();
    expect(await attach()).toBe(204);
  });
});

describe('lists', () => {
  it('show who has a role in a place, and the roles of a person', async () => {
    const [person, cohort] = [await makePerson(test), await makeCohort(test, { name: 'Spring' })];
    await give(person, { role: 'report-reader', kind: 'cohort', placeId: cohort });
    await give(person, { role: 'auditor', kind: 'installation' });
    const inCohort = await test.call(listRoleAssignments, admin.as, { query: { kind: 'cohort', placeId: cohort } });
    expect(inCohort.body).toMatchObject({ total: 1, assignments: [{ place: { id: cohort, title: 'Spring' } }] });
    const auditors = await test.call(listRoleAssignments, admin.as, { query: { role: 'auditor', limit: 1 } });
    expect(auditors.body.assignments).toMatchObject([{ person: { id: person.id }, role: 'auditor' }]);
    const roles = await test.call(listPersonRoles, admin.as, { params: { id: person.id } });
    expect(roles.body.assignments.map(({ role }: { role: string }) => role)).toEqual(['auditor', 'report-reader']);
    expect((await test.call(listPersonRoles, admin.as, { params: { id: newId() } })).status).toBe(404);
  });

  it('find places by their names', async () => {
    const cohort = await makeCohort(test, { name: 'Autumn 100%' });
    const find = async (query: Record<string, string>) =>
      (await test.call(findRolePlaces, admin.as, { query })).body.places;
    expect(await find({ role: 'auditor' })).toEqual([{ kind: 'installation', id: null, title: null }]);
    expect(await find({ role: 'report-reader', match: 'autumn 100%' })).toEqual([
      { kind: 'cohort', id: cohort, title: 'Autumn 100%' },
    ]);
    expect((await find({ role: 'report-reader' }))[0]).toMatchObject({ kind: 'installation' });
    expect((await test.call(findRolePlaces, admin.as, { query: { role: 'king' } })).status).toBe(400);
  });
});
