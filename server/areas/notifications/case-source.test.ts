import { createArticle, readArticle } from '@officium/contract/content';
import { deleteActivity, updateMember } from '@officium/contract/community';
import { appealDecision, decideAppeal, listMyDecisions } from '@officium/contract/decisions';
import { createLessonActivity } from '@officium/contract/lesson-discussions';
import { decideReports, reportContent } from '@officium/contract/moderation';
import { listNotifications } from '@officium/contract/notifications';
import { describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;
const memberOf = membersIn(test);

/** The events of a person's notifications. */
const inbox = async (as: As) =>
  listNotifications.replies[200]
    .parse((await test.call(listNotifications, as)).body)
    .notifications.filter(({ event }) => event.endsWith('_waiting'));
const told = async (...people: TestPerson[]) =>
  await Promise.all(people.map(async ({ as }) => (await inbox(as)).map(({ event }) => event)));
const REPORT = ['report_waiting'];
const APPEAL = ['appeal_waiting'];

async function setUp() {
  const community = await makeCommunity(db, { title: { en: 'Forms' } });
  const [owner, other] = [await memberOf(community, { role: 'owner' }), await memberOf(community, { role: 'owner' })];
  const moderator = await memberOf(community, { level: 3 });
  const byRole = await makePerson(test);
  const role = { user_id: byRole.id, role: 'moderator', kind: 'community', community_id: community.id };
  await db.insertInto('role_assignments').values(role).execute();
  const [author, one, two] = [await memberOf(community), await memberOf(community), await memberOf(community)];
  const admin = await makePerson(test, { role: 'administrator' });
  const post = await makeActivity(db, community, author);
  const thing = { community: community.slug, kind: 'activity', id: post };
  return { community, owner, other, moderator, byRole, author, one, two, admin, post, thing };
}
const report = (person: TestPerson, thing: object) =>
  test.call(reportContent, person.as, { body: { ...thing, reason: 'spam' } });
const decide = (person: TestPerson, thing: object, decision: object = { decision: 'dismiss' }) =>
  test.call(decideReports, person.as, { body: { ...thing, ...decision } });
const REMOVE = { decision: 'remove', reason: 'spam' };

describe('a report', () => {
  it('is told to those who can decide it, at the first one on a text, until it is decided', async () => {
    const { community, owner, moderator, byRole, author, one, two, admin, thing } = await setUp();
    await report(one, thing);
    const path = `/communities/${community.slug}/reports`;
    expect(await inbox(owner.as)).toMatchObject([
      { event: 'report_waiting', title: 'Forms', path, actor: null, count: 1 },
    ]);
    expect(await told(moderator, byRole, author, one, two, admin)).toEqual([REPORT, REPORT, [], [], [], []]);
    await db.updateTable('notifications').set({ read_at: new Date() }).execute();
    await report(two, thing);
    await report(one, thing);
    expect((await inbox(owner.as)).map(({ isRead }) => isRead)).toEqual([true]);
    await decide(moderator, thing);
    expect(await told(owner, moderator, byRole)).toEqual([[], [], []]);
    await report(two, thing);
    expect((await inbox(owner.as)).map(({ isRead }) => isRead)).toEqual([false, true]);
  });

  it('of an owner is told to another owner, and to administrators where nobody else can decide', async () => {
    const { community, owner, other, moderator, byRole, admin, one } = await setUp();
    const thing = { community: community.slug, kind: 'activity', id: await makeActivity(db, community, owner) };
    await report(one, thing);
    expect(await told(owner, other, moderator, byRole, admin)).toEqual([[], REPORT, [], [], []]);
    const alone = await makeCommunity(db);
    const [only, member] = [await memberOf(alone, { role: 'owner' }), await memberOf(alone)];
    await report(member, { community: alone.slug, kind: 'activity', id: await makeActivity(db, alone, only) });
    expect(await told(only, member, admin)).toEqual([[], [], REPORT]);
  });

  it('is not shown to a narrowed session, to who lost the right, nor when the text is gone', async () => {
    const { community, owner, moderator, byRole, author, one, post, thing } = await setUp();
    await report(one, thing);
    const token = await openSession(db, { userId: owner.id, permissions: { communities: { [community.slug]: 3 } } });
    expect(await inbox({ token })).toEqual([]);
    const params = { slug: community.slug, userId: moderator.id };
    await test.call(updateMember, owner.as, { params, body: { level: 'basic' } });
    await db.deleteFrom('role_assignments').where('user_id', '=', byRole.id).execute();
    await test.forgetSessions(byRole.id);
    expect(await told(owner, moderator, byRole)).toEqual([REPORT, [], []]);
    await test.call(deleteActivity, author.as, { params: { slug: community.slug, id: post } });
    expect(await told(owner)).toEqual([[]]);
  });

  it('at the same time as another is told once', async () => {
    const { owner, moderator, one, two, thing, post } = await setUp();
    const answers = await Promise.all([report(one, thing), report(two, thing), report(one, thing)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await told(owner, moderator)).toEqual([REPORT, REPORT]);
    const stored = db.selectFrom('notifications').select('id').where('object_id', '=', post);
    expect(await stored.where('user_id', '=', owner.id).execute()).toHaveLength(1);
  });

  it('under a lesson is told to owners and contacts of the course, and of an article to administrators', async () => {
    const course = await makeCourse(test);
    const { journey } = course;
    const [author, learner, contact] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    const [courseOwner, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    for (const person of [author, learner]) await enrol(test, person, journey);
    const named = { course_id: course.id, position: 0, name: 'Contact', profile_id: contact.id };
    await db.insertInto('course_contacts').values(named).execute();
    const role = { user_id: courseOwner.id, role: 'course-owner', kind: 'course', course_id: course.id };
    await db.insertInto('role_assignments').values(role).execute();
    const params = { courseId: course.id, journeyId: journey.id, lessonId: journey.lessons[0]!.id }; // has lessons
    const body = { body: { en: 'Words' } };
    const { activityId } = (await test.call(createLessonActivity, author.as, { params, body })).body;
    await report(learner, { kind: 'activity', id: activityId });
    const path = `/moderation/courses/${course.slug}`;
    for (const { as } of [contact, courseOwner]) expect(await inbox(as)).toMatchObject([{ path }]);
    expect(await told(author, learner, admin)).toEqual([[], [], []]);

    const text = { title: 'About an article', subtitle: 'What it is', body: 'With words' };
    const { slug } = (await test.call(createArticle, author.as, { body: text })).body;
    const { id } = (await test.call(readArticle, author.as, { params: { slug } })).body;
    expect((await report(learner, { kind: 'article', id })).status).toBe(201);
    expect(await inbox(admin.as)).toMatchObject([{ title: 'About an article', path: '/moderation/articles' }]);
    expect(await told(author, learner)).toEqual([[], []]);
  });
});

describe('an appeal', () => {
  const appeal = async ({ as }: TestPerson) => {
    const { body } = await test.call(listMyDecisions, as);
    const id = body.decisions[0].id as string;
    const answers = await Promise.all(
      [1, 2].map(async () => await test.call(appealDecision, as, { params: { id }, body: { text: 'It was fair' } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    return id;
  };

  it('is told to those who may review it, never to whoever decided, until it is decided', async () => {
    const { community, owner, other, moderator, byRole, author, one, admin, thing } = await setUp();
    await decide(owner, thing, REMOVE);
    const id = await appeal(author);
    expect(await inbox(other.as)).toMatchObject([
      { event: 'appeal_waiting', title: 'Forms', path: `/moderation/${id}` },
    ]);
    expect(await told(moderator, byRole, owner, author, one, admin)).toEqual([APPEAL, APPEAL, [], [], [], []]);
    const token = await openSession(db, { userId: other.id, permissions: { communities: { [community.slug]: 3 } } });
    expect(await inbox({ token })).toEqual([]);
    await test.call(decideAppeal, moderator.as, { params: { id }, body: { outcome: 'upheld' } });
    expect(await told(other, moderator, byRole)).toEqual([[], [], []]);
  });

  it('is told to administrators when only the moderator who decided could', async () => {
    const community = await makeCommunity(db);
    const [owner, author] = [await memberOf(community, { role: 'owner' }), await memberOf(community)];
    const admin = await makePerson(test, { role: 'administrator' });
    const id = await makeActivity(db, community, author);
    await decide(owner, { community: community.slug, kind: 'activity', id }, REMOVE);
    await appeal(author);
    expect(await told(owner, author, admin)).toEqual([[], [], APPEAL]);
  });
});
