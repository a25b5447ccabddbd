import { askToConnect, moveConnection } from '@officium/contract/account';
import { addCohortUser } from '@officium/contract/admin';
import { deleteAccount } from '@officium/contract/auth';
import {
  createActivity,
  createActivityReaction,
  createChildReaction,
  deleteReaction,
  joinCommunity,
  removeMember,
  updateActivity,
  updateMember,
  updateReaction,
} from '@officium/contract/community';
import { issueMyCertificate } from '@officium/contract/learner';
import { createLessonActivity, createLessonReaction } from '@officium/contract/lesson-discussions';
import * as contract from '@officium/contract/notifications';
import { createUserCommunity } from '@officium/contract/people-records';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import {
  makeActivity,
  makeCommunity,
  makeMember,
  makeReaction,
  type TestCommunity,
} from '#server/test/factories/communities.ts';
import { completeLessons, enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

let ada: TestPerson;
let bo: TestPerson;
let cy: TestPerson;
let community: TestCommunity;

/** Lists a person's notifications and checks that the unread count agrees. */
async function inbox(person: TestPerson, query: Record<string, unknown> = {}) {
  const { status, body } = await test.call(contract.listNotifications, person.as, { query });
  expect(status).toBe(200);
  const answer = contract.listNotifications.replies[200].parse(body);
  const counted = await test.call(contract.countNotifications, person.as);
  expect(counted.body).toEqual({ unread: answer.unread });
  return answer;
}
const events = async (person: TestPerson) => (await inbox(person)).notifications.map(({ event }) => event);
const readAll = (person: TestPerson) => test.call(contract.readAllNotifications, person.as);
const post = async (person: TestPerson, body = 'What do you think?', title?: string) =>
  (
    await test.call(createActivity, person.as, {
      params: { slug: community.slug },
      body: { verb: 'post', body, title },
    })
  ).body.id as string;
const reply = async (person: TestPerson, id: string, body = 'I agree') =>
  (
    await test.call(createActivityReaction, person.as, {
      params: { slug: community.slug, id },
      body: { kind: 'reply', body },
    })
  ).body.id as string;

beforeEach(async () => {
  ada = await makePerson(test, { name: 'Ada' });
  bo = await makePerson(test, { name: 'Bo' });
  cy = await makePerson(test, { name: 'Cy' });
  community = await makeCommunity(db, { privacy: 'closed-visible', title: { en: 'Forms', fr: 'Formulaires' } });
  for (const person of [ada, bo, cy]) await makeMember(db, community, person, { joinedAt: new Date(0) });
});

describe('replies', () => {
  it('notify the author of the post, once for all unread replies, and never their own author', async () => {
    const activity = await post(ada, 'What do you think?', 'A question');
    const first = await reply(bo, activity);
    const [told] = (await inbox(ada)).notifications;
    expect(told).toMatchObject({
      event: 'reply',
      actor: { id: bo.id, name: 'Bo' },
      count: 1,
      title: 'A question',
      place: 'Forms',
      path: `/communities/${community.slug}/activities/${activity}#${first}`,
      isRead: false,
    });
    await reply(bo, activity);
    const last = await reply(cy, activity);
    await reply(ada, activity);
    const { notifications, unread } = await inbox(ada, { locale: 'fr' });
    expect([notifications.length, unread]).toEqual([1, 1]);
    expect(notifications[0]).toMatchObject({ actor: { name: 'Cy' }, count: 2, place: 'Formulaires' });
    expect(notifications[0]?.path.endsWith(`#${last}`)).toBe(true);
    expect([await events(bo), await events(cy)]).toEqual([[], []]);
  });

  it('to a reply notify its author', async () => {
    const activity = await post(ada);
    const first = await reply(bo, activity);
    await test.call(createChildReaction, cy.as, {
      params: { slug: community.slug, id: first },
      body: { kind: 'reply', body: 'And why?' },
    });
    expect(await events(bo)).toEqual(['reply']);
    expect((await inbox(ada)).notifications[0]?.count).toBe(1);
  });

  it('start a new notification after the last one was read', async () => {
    const activity = await post(ada);
    await reply(bo, activity);
    const [first] = (await inbox(ada)).notifications;
    const answer = await test.call(contract.readNotification, ada.as, { params: { id: first!.id } });
    expect(contract.readNotification.replies[200].parse(answer.body)).toEqual({ unread: 0 });
    await test.call(contract.readNotification, ada.as, { params: { id: first!.id } });
    await reply(cy, activity);
    const { notifications, unread } = await inbox(ada);
    expect(notifications.map(({ isRead, actor }) => [isRead, actor?.name])).toEqual([
      [false, 'Cy'],
      [true, 'Cy'],
    ]);
    expect([unread, notifications[0]?.count]).toEqual([1, 1]);
    expect((await readAll(ada)).body).toEqual({ unread: 0 });
    const others = await test.call(contract.readNotification, bo.as, { params: { id: first!.id } });
    expect(others.status).toBe(404);
  });

  it('notify nobody who may not read them', async () => {
    const open = await makeCommunity(db);
    await makeMember(db, open, bo);
    const activity = await makeActivity(db, open, ada);
    await makeReaction(db, open, { activityId: activity }, bo);
    await makeReaction(db, open, { activityId: activity }, bo, { body: `Ask {{${cy.id}}}` });
    expect([await events(ada), await events(cy)]).toEqual([[], []]);
    await makeMember(db, open, ada);
    expect(await events(ada)).toContain('reply');
  });

  it('disappear when deleted, and lose the name of an erased author', async () => {
    const activity = await post(ada);
    await reply(bo, activity);
    const last = await reply(cy, activity);
    await test.call(deleteReaction, cy.as, { params: { slug: community.slug, id: last } });
    expect((await inbox(ada)).notifications[0]).toMatchObject({ actor: { name: 'Bo' }, count: 1 });
    await test.call(deleteAccount, bo.as, { params: { email: bo.email } });
    expect((await inbox(ada)).notifications[0]).toMatchObject({ actor: null, count: 1 });
  });

  it('written concurrently by one person make one notification', async () => {
    const activity = await post(ada);
    await Promise.all(Array.from({ length: 20 }, () => reply(bo, activity)));
    expect((await inbox(ada)).notifications.map(({ count }) => count)).toEqual([1]);
  });

  it('imported with an old date notify nobody', async () => {
    const activity = await makeActivity(db, community, ada, { createdAt: new Date(Date.now() - 86_400_000) });
    const createdAt = new Date(Date.now() - 7_200_000);
    await makeReaction(db, community, { activityId: activity }, bo, { body: `Hello {{${ada.id}}}`, createdAt });
    expect(await events(ada)).toEqual([]);
  });

  it('under a lesson notify learners', async () => {
    const course = await makeCourse(test, { title: { en: 'Course of forms' } });
    await enrol(test, ada, course.journey);
    await enrol(test, bo, course.journey);
    const params = { courseId: course.id, journeyId: course.journey.id, lessonId: course.journey.lessons[0]!.id };
    const { body } = await test.call(createLessonActivity, ada.as, { params, body: { body: { en: 'Why?' } } });
    const { activityId } = body as { activityId: string };
    await test.call(createLessonReaction, bo.as, {
      params: { ...params, activityId },
      body: { kind: 'reply', body: 'Because' },
    });
    expect((await inbox(ada)).notifications).toMatchObject([
      { event: 'reply', title: 'Lesson 1', place: 'Course of forms', actor: { name: 'Bo' } },
    ]);
    await db
      .updateTable('journey_enrolments')
      .set({ expires_on: new Date(0) })
      .where('user_id', '=', ada.id)
      .execute();
    expect(await events(ada)).toEqual([]);
  });
});

describe('mentions', () => {
  it('notify once per text, instead of the notification about the reply', async () => {
    const activity = await post(ada, `Ask {{${bo.id}}} and {{${ada.id}}}`);
    expect((await inbox(bo)).notifications).toMatchObject([
      { event: 'mention', actor: { name: 'Ada' }, path: `/communities/${community.slug}/activities/${activity}` },
    ]);
    await reply(bo, activity, `Yes, {{${ada.id}}} and {{${cy.id}}}`);
    expect([await events(ada), await events(cy)]).toEqual([['mention'], ['mention']]);
  });

  it('in an edit notify only the people it adds', async () => {
    const activity = await post(ada, `Ask {{${bo.id}}}`);
    await readAll(bo);
    const at = { slug: community.slug, id: activity };
    const edit = (body: string) => test.call(updateActivity, ada.as, { params: at, body: { verb: 'post', body } });
    await edit(`Ask {{${bo.id}}} or {{${cy.id}}}`);
    expect([(await inbox(bo)).unread, await events(cy)]).toEqual([0, ['mention']]);
    await edit('Ask nobody');
    expect([await events(bo), await events(cy)]).toEqual([[], []]);
    await edit(`Ask {{${bo.id}}}`);
    expect((await inbox(bo)).notifications.map(({ isRead }) => isRead)).toEqual([true]);
    const answer = await reply(bo, activity, 'No');
    await test.call(updateReaction, bo.as, {
      params: { slug: community.slug, id: answer },
      body: { kind: 'reply', body: `No, {{${cy.id}}}` },
    });
    expect((await inbox(cy)).notifications[0]?.actor?.name).toBe('Bo');
  });
});

describe('a notification the viewer may no longer see', () => {
  it('is neither listed nor counted', async () => {
    const owner = await makePerson(test);
    await makeMember(db, community, owner, { role: 'owner', joinedAt: new Date(0) });
    const activity = await post(ada, `Ask {{${bo.id}}}`);
    await reply(cy, activity);
    expect([(await inbox(ada)).unread, (await inbox(bo)).unread]).toEqual([1, 1]);
    for (const { id } of [ada, bo])
      await test.call(removeMember, owner.as, { params: { slug: community.slug, userId: id } });
    expect([(await inbox(ada)).unread, (await inbox(bo)).unread]).toEqual([0, 0]);
    expect([await events(ada), await events(bo)]).toEqual([[], []]);
  });
});

describe('connections', () => {
  it('notify of the request and of its acceptance; a withdrawn request disappears', async () => {
    await test.call(askToConnect, ada.as, { body: { peerId: bo.id } });
    expect((await inbox(bo)).notifications).toMatchObject([
      { event: 'connection_request', actor: { id: ada.id, name: 'Ada' }, path: `/people/${ada.id}` },
    ]);
    expect(await events(ada)).toEqual([]);
    await test.call(moveConnection, bo.as, { params: { peerId: ada.id }, body: { status: 'accepted' } });
    expect([await events(bo), await events(ada)]).toEqual([[], ['connection_accepted']]);
    await test.call(askToConnect, cy.as, { body: { peerId: ada.id } });
    await test.call(moveConnection, cy.as, { params: { peerId: ada.id }, body: { status: 'cancelled' } });
    expect(await events(ada)).toEqual(['connection_accepted']);
    await test.call(askToConnect, cy.as, { body: { peerId: bo.id } });
    await test.call(moveConnection, bo.as, { params: { peerId: cy.id }, body: { status: 'declined' } });
    expect(await events(cy)).toEqual([]);
  });
});

describe('memberships', () => {
  it('notify a member whom an owner admits, and nobody who joins', async () => {
    const owner = await makePerson(test);
    const person = await makePerson(test);
    await makeMember(db, community, owner, { role: 'owner', joinedAt: new Date(0) });
    const params = { slug: community.slug, userId: person.id };
    expect((await test.call(joinCommunity, person.as, { params: { slug: community.slug } })).body.status).toBe(
      'pending',
    );
    expect(await events(person)).toEqual([]);
    await test.call(updateMember, owner.as, { params, body: { status: 'active' } });
    expect((await inbox(person)).notifications).toMatchObject([
      { event: 'community_membership', title: 'Forms', path: `/communities/${community.slug}` },
    ]);
    const open = await makeCommunity(db);
    await test.call(joinCommunity, cy.as, { params: { slug: open.slug } });
    expect(await events(cy)).toEqual([]);
  });

  it('notify of an admission by a service and of an invitation, until it is accepted', async () => {
    const person = await makePerson(test);
    const other = await makeCommunity(db, { privacy: 'closed-hidden' });
    const body = { userId: person.id, communitySlug: other.slug };
    expect((await test.call(createUserCommunity, { serviceKey: SERVICE_KEY }, { body })).status).toBe(201);
    expect(await events(person)).toEqual(['community_membership']);
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    await makeMember(db, hidden, person, { status: 'invited' });
    expect(await events(person)).toEqual(['community_invitation', 'community_membership']);
    await test.call(joinCommunity, person.as, { params: { slug: hidden.slug } });
    expect(await events(person)).toEqual(['community_membership']);
  });

  it('in cohorts are shown while they last', async () => {
    const administrator = await makePerson(test, { role: 'administrator' });
    const cohortId = await makeCohort(test);
    const answer = await test.call(addCohortUser, administrator.as, {
      params: { id: cohortId },
      body: { email: ada.email },
    });
    expect(answer.status).toBeLessThan(300);
    expect((await inbox(ada)).notifications).toMatchObject([
      { event: 'cohort_membership', title: 'City of Example', path: '/me/learning' },
    ]);
    await db.deleteFrom('cohort_members').where('cohort_id', '=', cohortId).execute();
    expect(await events(ada)).toEqual([]);
  });
});

describe('certificates', () => {
  it('notify their holder with a link', async () => {
    const course = await makeCourse(test, { title: { en: 'Course of forms' } });
    await enrol(test, ada, course.journey);
    await completeLessons(test, ada, course.journey.lessons);
    const params = { courseSlug: course.slug, journeySlug: course.journey.slug };
    expect((await test.call(issueMyCertificate, ada.as, { params, body: {} })).status).toBe(201);
    const [told] = (await inbox(ada)).notifications;
    expect(told).toMatchObject({ event: 'certificate', title: 'Course of forms', actor: null });
    expect(told?.path).toMatch(/^\/certificates\/[0-9a-f]{32}$/);
  });
});

describe('the list', () => {
  it('is paged', async () => {
    for (let n = 0; n < 5; n += 1) await reply(bo, await post(ada, `Post ${n}`, `Post ${n}`));
    const page = async (offset: number) => await inbox(ada, { limit: 2, offset });
    const pages = [await page(0), await page(2), await page(4)];
    expect(pages.map(({ more }) => more)).toEqual([true, true, false]);
    expect(pages.flatMap(({ notifications }) => notifications.map(({ title }) => title))).toEqual(
      [4, 3, 2, 1, 0].map((n) => `Post ${n}`),
    );
    expect(pages[0]?.unread).toBe(5);
  });

  it('finds a visible notification behind many hidden ones', async () => {
    const seen = await post(ada, 'Still here', 'Still here');
    await reply(bo, seen);
    for (let n = 0; n < 6; n += 1) {
      const gone = await reply(bo, await post(ada));
      await test.call(deleteReaction, bo.as, { params: { slug: community.slug, id: gone } });
    }
    const { notifications, more, unread } = await inbox(ada, { limit: 1 });
    expect([notifications.map(({ title }) => title), more, unread]).toEqual([['Still here'], false, 1]);
  });

  it('answers 404 for another person’s and for unknown notifications', async () => {
    await reply(bo, await post(ada));
    const [told] = (await inbox(ada)).notifications;
    for (const [person, id] of [
      [bo, told!.id],
      [ada, newId()],
    ] as const)
      expect((await test.call(contract.readNotification, person.as, { params: { id } })).status).toBe(404);
    expect((await inbox(ada)).unread).toBe(1);
  });

  it('is deleted with its user', async () => {
    await reply(bo, await post(ada));
    await test.call(contract.updateNotificationPreferences, ada.as, {
      body: { digestHour: 5, events: [{ event: 'reply', mail: 'never' }] },
    });
    await test.call(deleteAccount, ada.as, { params: { email: ada.email } });
    for (const table of ['notifications', 'notification_preferences', 'notification_settings'] as const)
      expect(await db.selectFrom(table).selectAll().where('user_id', '=', ada.id).execute()).toEqual([]);
  });
});
