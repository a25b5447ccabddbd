import {
  appealDecision,
  decideAppeal,
  listAppeals,
  listMyDecisions,
  listMyReports,
  readDecision,
} from '@officium/contract/decisions';
import * as discussions from '@officium/contract/lesson-discussions';
import { decideReports, listReports, reportContent } from '@officium/contract/moderation';
import { claimCase, listCases, listModerationFigures } from '@officium/contract/moderation-office';
import { listNotifications } from '@officium/contract/notifications';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** A lesson discussion with a reply to it, their author, two learners, a contact of the course and two administrators. */
async function setUp() {
  const course = await makeCourse(test);
  const { journey } = course;
  const learner = async () => {
    const person = await makePerson(test);
    await enrol(test, person, journey);
    return person;
  };
  const people = {
    author: await learner(),
    one: await learner(),
    two: await learner(),
    contact: await makePerson(test),
    admin: await makePerson(test, { role: 'administrator' }),
    second: await makePerson(test, { role: 'administrator' }),
    stranger: await makePerson(test),
  };
  await makeContact(course.id, people.contact, 0);
  const path = { courseId: course.id, journeyId: journey.id, lessonId: journey.lessons[0]!.id };
  const { author } = people;
  const body = { body: { en: 'With *words*', fr: 'Des mots' } };
  const { activityId } = (await test.call(discussions.createLessonActivity, author.as, { params: path, body })).body;
  const answer = { kind: 'reply', body: 'A reply' };
  const params = { ...path, activityId };
  const replyId = (await test.call(discussions.createLessonReaction, author.as, { params, body: answer })).body.id;
  return {
    ...people,
    course,
    path,
    text: { kind: 'activity', id: activityId as string },
    reply: { kind: 'reaction', id: replyId as string },
    at: { course: course.slug },
  };
}
type Fixture = Awaited<ReturnType<typeof setUp>>;

async function makeContact(courseId: string, person: TestPerson, position: number) {
  await db
    .insertInto('course_contacts')
    .values({ course_id: courseId, position, name: person.name, profile_id: person.id })
    .execute();
}

const report = (person: TestPerson | undefined, body: object) => test.call(reportContent, person?.as, { body });
const list = (person: TestPerson | undefined, query: Record<string, unknown>) =>
  test.call(listReports, person?.as, { query });
const decide = (person: TestPerson | undefined, body: object) => test.call(decideReports, person?.as, { body });
const dismiss = { decision: 'dismiss' };
const remove = { decision: 'remove', reason: 'hate', note: 'Not like this' };
const isRead = async ({ path, text }: Fixture, person: TestPerson) =>
  (await test.call(discussions.readLessonActivity, person.as, { params: { ...path, activityId: text.id } })).status;
const notificationsOf = async (person: TestPerson) =>
  (await test.call(listNotifications, person.as, { query: {} })).body.notifications as {
    event: string;
    path: string;
    title: string | null;
  }[];
const decisionsOf = async (person: TestPerson) =>
  (await test.call(listMyDecisions, person.as, { query: {} })).body.decisions as { id: string; lesson: object }[];

describe('reportContent under a lesson', () => {
  it('stores one report per person and text, whose reporter is never revealed', async () => {
    const fixture = await setUp();
    const { one, two, author, admin, contact, text, reply, at, course } = fixture;
    expect((await report(one, { ...text, reason: 'spam', note: 'Buy this' })).status).toBe(201);
    expect((await report(one, { ...text, reason: 'insult' })).body).toMatchObject({ reason: 'insult', note: null });
    expect((await report(two, { ...reply, reason: 'hate' })).status).toBe(201);
    for (const moderator of [admin, contact]) {
      const { status, body } = await list(moderator, at);
      expect(status).toBe(200);
      expect(listReports.replies[200].parse(body)).toEqual(body);
      const lesson = { course: course.slug, lesson: course.journey.lessons[0]!.slug };
      expect(body).toMatchObject({
        total: 2,
        things: [
          {
            ...text,
            actor: { id: author.id },
            bodyHtml: '<p>With <em>words</em></p>\n',
            lesson,
            reports: [{ reason: 'insult' }],
            canRemove: true,
          },
          { ...reply, activityId: text.id, lesson },
        ],
      });
      for (const person of [one, two])
        for (const secret of [person.id, person.name]) expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it('is 404 for everyone who may not read the lesson, and 403 for its author', async () => {
    const { author, stranger, one, text, reply, course } = await setUp();
    expect((await report(undefined, { ...text, reason: 'spam' })).status).toBe(401);
    for (const thing of [text, reply]) {
      expect((await report(author, { ...thing, reason: 'spam' })).status).toBe(403);
      expect((await report(stranger, { ...thing, reason: 'spam' })).status).toBe(404);
    }
    const token = await openSession(db, { userId: one.id, permissions: { courses: {} } });
    expect((await test.call(reportContent, { token }, { body: { ...text, reason: 'spam' } })).status).toBe(404);
    await sql`update journey_enrolments set expires_on = now() - interval '1 day' where user_id = ${one.id}`.execute(
      db,
    );
    expect((await report(one, { ...text, reason: 'spam' })).status).toBe(404);
    expect(course.slug).toBeTruthy();
  });

  it('rejects what does not exist there, the rule of a community, and content of communities', async () => {
    const { one, admin, text, reply } = await setUp();
    const community = await makeCommunity(db);
    const post = await makeActivity(db, community, one);
    for (const absent of [
      { ...text, id: newId() },
      { ...text, kind: 'reaction' },
      { ...reply, kind: 'activity' },
      { ...text, id: post },
      { ...text, community: community.slug },
    ])
      expect([absent, (await report(admin, { ...absent, reason: 'spam' })).status]).toEqual([absent, 404]);
    expect((await report(one, { ...text, reason: 'spam', rule: 1 })).status).toBe(400);
    expect((await report(one, { ...text, reason: 'other' })).status).toBe(400);
  });

  it('is offered to learners who did not write the text', async () => {
    const { author, one, path, text } = await setUp();
    const params = { ...path, activityId: text.id };
    const offered = async (person: TestPerson) => {
      const { body } = await test.call(discussions.readLessonActivity, person.as, { params });
      const replies = await test.call(discussions.listLessonReactions, person.as, { params, query: {} });
      return [body.can.report, replies.body.results[0].can.report];
    };
    expect(await offered(author)).toEqual([false, false]);
    expect(await offered(one)).toEqual([true, true]);
  });
});

describe('listReports of a course', () => {
  it('requires an administrator or a contact of the course', async () => {
    const { one, stranger, contact, admin, at, text } = await setUp();
    const other = await setUp();
    await report(one, { ...text, reason: 'spam' });
    expect((await list(undefined, at)).status).toBe(401);
    for (const person of [one, stranger, other.contact]) expect((await list(person, at)).status).toBe(403);
    for (const person of [admin, contact]) expect((await list(person, at)).body.total).toBe(1);
    expect((await list(admin, { course: 'no-such-course' })).status).toBe(404);
    expect((await list(contact, other.at)).status).toBe(403);
    expect((await list(admin, other.at)).body).toEqual({ things: [], total: 0 });
    const community = await makeCommunity(db);
    for (const query of [{}, { ...at, community: community.slug }]) expect((await list(admin, query)).status).toBe(400);
  });

  it('is 404 for those who may not see the course', async () => {
    const { one, stranger, course, at } = await setUp();
    await sql`update products set can_view = 'private', can_join = 'private' where entry_id = ${course.id}`.execute(db);
    await sql`update courses set type = 'Private' where id = ${course.id}`.execute(db);
    expect((await list(stranger, at)).status).toBe(404);
    expect((await list(one, at)).status).toBe(403);
  });

  it('leaves out the moderator’s own texts and those deleted meanwhile', async () => {
    const { one, author, course, contact, admin, text, reply, path, at } = await setUp();
    await enrol(test, contact, course.journey);
    const body = { body: { en: 'By the contact' } };
    const own = (await test.call(discussions.createLessonActivity, contact.as, { params: path, body })).body.activityId;
    for (const thing of [text, reply, { ...text, id: own }]) await report(one, { ...thing, reason: 'spam' });
    expect((await list(contact, at)).body.total).toBe(2);
    expect((await list(admin, at)).body.total).toBe(3);
    await test.call(discussions.deleteLessonActivity, author.as, { params: { ...path, activityId: text.id } });
    expect((await list(admin, at)).body).toMatchObject({ total: 1, things: [{ id: own }] });
    for (const decision of [dismiss, remove])
      expect((await decide(contact, { ...text, id: own, ...decision })).status).toBe(403);
  });
});

describe('decideReports under a lesson', () => {
  it('keeps the text and closes its reports', async () => {
    const fixture = await setUp();
    const { one, two, contact, text, at } = fixture;
    for (const person of [one, two]) await report(person, { ...text, reason: 'spam' });
    expect((await decide(contact, { ...text, ...dismiss })).body).toEqual({ decided: 2 });
    expect((await decide(contact, { ...text, ...dismiss })).status).toBe(404);
    expect((await list(contact, at)).body.total).toBe(0);
    expect(await isRead(fixture, one)).toBe(200);
    expect(await notificationsOf(one)).toContainEqual(
      expect.objectContaining({ event: 'report_outcome', path: '/me/moderation' }),
    );
    expect((await test.call(listMyReports, one.as, { query: {} })).body).toMatchObject({
      total: 1,
      reports: [{ status: 'dismissed', lesson: { course: fixture.course.slug } }],
    });
  });

  it('removes a text for a reason, which its author reads', async () => {
    const fixture = await setUp();
    const { one, author, contact, admin, text, course } = fixture;
    await report(one, { ...text, reason: 'insult' });
    expect((await decide(contact, { ...text, ...remove })).body).toEqual({ decided: 1 });
    expect(await isRead(fixture, one)).toBe(404);
    const [decision] = await decisionsOf(author);
    expect(decision).toMatchObject({ reason: 'hate', community: null, lesson: { course: course.slug } });
    const id = decision!.id;
    expect(await notificationsOf(author)).toContainEqual(
      expect.objectContaining({ event: 'moderation', path: `/moderation/${id}` }),
    );
    const read = async (person: TestPerson) => await test.call(readDecision, person.as, { params: { id } });
    const statement = (await read(author)).body;
    expect(readDecision.replies[200].parse(statement)).toEqual(statement);
    expect(statement).toMatchObject({ note: 'Not like this', byReport: true, decidedBy: null, can: { appeal: true } });
    for (const secret of [one.id, one.name, contact.id, contact.name])
      expect(JSON.stringify(statement)).not.toContain(secret);
    for (const person of [one, (await setUp()).contact]) expect((await read(person)).status).toBe(404);
    for (const person of [contact, admin])
      expect((await read(person)).body).toMatchObject({ author: { id: author.id } });
    const { rows } = await sql<{ detail: object }>`
      select detail from audit_log where object = ${text.id} order by id`.execute(db);
    expect(rows).toMatchObject([{ detail: { reason: 'hate' } }]);
  });

  it('requires a moderator, also after losing the right', async () => {
    const { one, author, contact, stranger, course, admin, text, reply } = await setUp();
    await report(one, { ...text, reason: 'spam' });
    expect((await decide(undefined, { ...text, ...dismiss })).status).toBe(401);
    expect((await decide(stranger, { ...text, ...dismiss })).status).toBe(404);
    for (const person of [one, author]) expect((await decide(person, { ...text, ...remove })).status).toBe(403);
    expect((await decide(admin, { ...text, id: newId(), ...remove })).status).toBe(404);
    expect((await decide(admin, { ...text, ...remove, rule: 1 })).status).toBe(400);
    await db.deleteFrom('course_contacts').where('course_id', '=', course.id).execute();
    expect((await decide(contact, { ...reply, ...remove })).status).toBe(404);
  });

  it('lets a contact remove nothing that an administrator wrote', async () => {
    const { one, contact, admin, path, at } = await setUp();
    const body = { body: { en: 'By the administration' } };
    const made = await test.call(discussions.createLessonActivity, admin.as, { params: path, body });
    const text = { kind: 'activity', id: made.body.activityId as string };
    await report(one, { ...text, reason: 'spam' });
    expect((await list(contact, at)).body.things).toMatchObject([{ canRemove: false }]);
    expect((await decide(contact, { ...text, ...remove })).status).toBe(403);
    expect((await decide(contact, { ...text, ...dismiss })).status).toBe(200);
  });

  it('takes effect once when two moderators decide concurrently', async () => {
    for (const which of ['text', 'reply'] as const) {
      const { one, contact, admin, author, ...things } = await setUp();
      await report(one, { ...things[which], reason: 'spam' });
      const both = await Promise.all([contact, admin].map((person) => decide(person, { ...things[which], ...remove })));
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
      expect(await decisionsOf(author)).toHaveLength(1);
    }
  });

  it('is refused while another moderator has taken the case', async () => {
    const { one, contact, admin, stranger, text } = await setUp();
    await report(one, { ...text, reason: 'spam' });
    const claim = async (person: TestPerson) =>
      (await test.call(claimCase, person.as, { body: { ...text, take: true } })).status;
    expect([await claim(one), await claim(stranger), await claim(contact), await claim(admin)]).toEqual([
      403, 404, 200, 409,
    ]);
    expect((await decide(admin, { ...text, ...remove })).body).toMatchObject({ code: 'moderation.taken' });
    expect((await decide(contact, { ...text, ...remove })).status).toBe(200);
  });
});

describe('the appeal against a removal under a lesson', () => {
  it('is decided by another moderator, and restores the text once', async () => {
    for (const which of ['text', 'reply'] as const) {
      const fixture = await setUp();
      const { author, one, contact, admin, at } = fixture;
      await decide(contact, { ...fixture[which], ...remove });
      const [{ id } = { id: '' }] = await decisionsOf(author);
      const params = { id };
      const appeal = async (person: TestPerson) =>
        (await test.call(appealDecision, person.as, { params, body: { text: 'It was meant kindly.' } })).status;
      expect([await appeal(one), await appeal(contact), await appeal(author), await appeal(author)]).toEqual([
        404, 403, 201, 409,
      ]);
      const waiting = async (person: TestPerson) => await test.call(listAppeals, person.as, { query: at });
      expect((await waiting(contact)).body).toMatchObject({ total: 1, appeals: [{ id, canDecide: false }] });
      expect((await waiting(admin)).body).toMatchObject({ total: 1, appeals: [{ id, canDecide: true }] });
      expect((await waiting(one)).status).toBe(403);
      const settle = async (person: TestPerson) =>
        await test.call(decideAppeal, person.as, { params, body: { outcome: 'reversed' } });
      expect((await settle(contact)).body).toMatchObject({ code: 'moderation.same_person' });
      expect((await settle(admin)).body).toMatchObject({ appeal: 'reversed', isRestored: true });
      expect((await settle(admin)).body).toMatchObject({ code: 'moderation.outcome_known' });
      expect(await isRead(fixture, one)).toBe(200);
      const replies = { params: { ...fixture.path, activityId: fixture.text.id }, query: {} };
      const { results } = (await test.call(discussions.listLessonReactions, one.as, replies)).body;
      expect(results.map((reply: { id: string }) => reply.id)).toEqual([fixture.reply.id]);
    }
  });
});

it('counts them among cases and figures', async () => {
  const { one, two, admin, second, text, reply, course } = await setUp();
  const cases = async (query: object) =>
    (await test.call(listCases, admin.as, { query: { course: course.slug, ...query } })).body;
  const figures = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from content_reports`.execute(db);
    return [rows[0]?.n, (await test.call(listModerationFigures, undefined, {})).status];
  };
  const [before] = await figures();
  await report(one, { ...text, reason: 'spam' });
  await report(two, { ...reply, reason: 'insult' });
  const lesson = { course: course.slug };
  expect(await cases({})).toMatchObject({
    total: 2,
    cases: [
      { ...text, lesson, community: null },
      { ...reply, lesson },
    ],
  });
  await decide(second, { ...text, ...dismiss });
  await decide(second, { ...reply, ...remove });
  expect(await cases({})).toEqual({ cases: [], total: 0 });
  expect(await cases({ state: 'decided' })).toMatchObject({ total: 2 });
  expect(await cases({ state: 'decided', course: 'no-such-course' })).toEqual({ cases: [], total: 0 });
  expect(await figures()).toEqual([Number(before) + 2, 200]);
});

it('lets an enrolled contact pin and delete in the lesson, and no other course’s', async () => {
  const [{ contact, course, path, text }, other] = [await setUp(), await setUp()];
  const can = async (person: TestPerson, at = { path, text }) =>
    (
      await test.call(discussions.readLessonActivity, person.as, {
        params: { ...at.path, activityId: at.text.id },
      })
    ).body.can;
  expect(await can(contact)).toBeUndefined();
  await enrol(test, contact, course.journey);
  expect(await can(contact)).toMatchObject({ edit: false, delete: true, pin: true });
  await enrol(test, contact, other.course.journey);
  expect(await can(contact, other)).toMatchObject({ delete: false, pin: false });
  const token = await openSession(db, { userId: contact.id, permissions: { courses: { [course.slug]: ['basic'] } } });
  const params = { ...path, activityId: text.id };
  expect((await test.call(discussions.readLessonActivity, { token }, { params })).body.can).toMatchObject({
    pin: false,
  });
});
