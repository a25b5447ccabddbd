import { putReport } from '#server/areas/moderation/report.repository.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '../factories/communities.ts';
import { completeLessons, enrol, makeCourse, type TestCourse } from '../factories/courses.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { narrow } from './subjects.ts';
import * as things from './things.ts';
import { ask, operationOf, type Sent } from './world.ts';

// A narrowed session sees its person's own records only in the places that its token names, even when a place is open to
// strangers: they see the place, but not this person's records.

const test = await createTestApp();
const { db } = test.ctx;

type Places = { community: TestCommunity; unlisted: TestCommunity; course: TestCourse };

/** Somebody with one of everything in each of the places. */
async function makeVeteran({ community, unlisted, course }: Places): Promise<TestPerson> {
  const person = await makePerson(test);
  const other = await makePerson(test);
  for (const place of [community, unlisted]) {
    await makeMember(db, place, person);
    await things.makePost(test, { communityId: place.id }, person);
  }
  const reported = await things.makePost(test, { communityId: community.id }, other);
  const thing = { communityId: community.id, activityId: reported, id: reported, kind: 'activity' } as const;
  await putReport(db, { ...thing, userId: person.id, reason: 'spam', note: null });
  await things.makeDecision(test, { communityId: community.id }, person);

  const { journey } = course;
  const [lesson] = journey.lessons;
  const inLesson = { lessonKey: lesson!.key }; // courses have lessons
  await enrol(test, person, journey);
  await completeLessons(test, person, journey.lessons);
  await things.makeCertificate(test, person, journey);
  await things.makeThread(test, person, lesson!); // the same
  await things.makeDecision(test, inLesson, person);
  const activityId = await things.makePost(test, inLesson, person);
  await things.makeReaction(test, inLesson, activityId, other);
  for (const [type, slug] of [
    ['communities', community.slug],
    ['courses', course.slug],
  ] as const)
    await db
      .insertInto('referrals')
      .values({ id: newId(), referrer_id: person.id, email: things.freshEmail(), type, slug })
      .execute();
  return person;
}

const ME = { params: { id: 'me' } };
const WHOLE: Sent = { query: { limit: 100 } };

/** Lists of one's own, by operation, with what each of their rows says of where it is. */
const LISTS: [string, Sent][] = [
  ['listMyCourses', {}],
  ['listMyJourneys', {}],
  ['listMyLessons', {}],
  ['listLessonCompletions', {}],
  ['readMyLearning', {}],
  ['listUserProducts', ME],
  ['listThreads', {}],
  ['listUserReferrals', { params: { userId: 'me' } }],
  ['listMembershipsOfUser', { params: { userId: 'me' } }],
  ['listCommunitiesOfUser', ME],
  ['listCommunities', { query: { show: 'mine' } }],
  ['listMyDecisions', WHOLE],
  ['listMyReports', WHOLE],
  ['listNotifications', WHOLE],
];

describe('one’s own records', async () => {
  const here = { community: await makeCommunity(db), unlisted: await makeCommunity(db, { privacy: 'open-hidden' }) };
  const places: Places = { ...here, course: await makeCourse(test) };
  const person = await makeVeteran(places);
  const elsewhere = { community: await makeCommunity(db), course: await makeCourse(test) };
  const leavesOut = await narrow(test, person, {
    communities: { [elsewhere.community.slug]: 3 },
    courses: { [elsewhere.course.slug]: [] },
  });
  const names = await narrow(test, person, {
    communities: { [places.community.slug]: 3, [places.unlisted.slug]: 'basic' },
    courses: { [places.course.slug]: [] },
  });
  const list = async (as: TestPerson['as'], name: string, sent: Sent) => {
    const { status, text } = await ask(test, { as, headers: {} }, operationOf(name), sent);
    expect([name, status]).toEqual([name, 200]);
    return JSON.parse(text);
  };
  const rowsOf = (body: object) => Object.values(body).find(Array.isArray) as unknown[]; // lists have one

  beforeAll(async () => {
    await test.drain(); // what jobs tell of
  });

  it.each(LISTS)('%s is whole to whom nothing narrows, and to whose token names the places', async (name, sent) => {
    const whole = await list(person.as, name, sent);
    expect(rowsOf(whole).length).toBeGreaterThan(0);
    expect(await list(names, name, sent)).toEqual(whole);
  });

  it.each(LISTS)('%s is empty to a session whose token leaves the places out', async (name, sent) => {
    const body = await list(leavesOut, name, sent);
    expect([rowsOf(body), body.total ?? 0, body.unread ?? 0]).toEqual([[], 0, 0]);
  });

  it('the profile names no community that is left out', async () => {
    const communities = async (as: TestPerson['as']) => (await list(as, 'readProfile own', ME)).communities.length;
    expect([await communities(person.as), await communities(names), await communities(leavesOut)]).toEqual([2, 2, 0]);
  });

  it('the feed of one’s own has of what is left out only what strangers find there', async () => {
    const total = async (as: TestPerson['as']) => (await list(as, 'listMyActivities', ME)).total;
    expect([await total(person.as), await total(names), await total(leavesOut)]).toEqual([2, 2, 1]);
  });

  it('reading everything leaves what is not shown unread', async () => {
    const unread = async () => (await list(person.as, 'countNotifications', {})).unread;
    const before = await unread();
    expect(before).toBeGreaterThan(0);
    expect(await list(leavesOut, 'readAllNotifications', {})).toEqual({ unread: 0 });
    expect(await unread()).toBe(before);
    expect(await list(names, 'readAllNotifications', {})).toEqual({ unread: 0 });
    expect(await unread()).toBe(0);
  });

  it('the list of referrals is replaced without those that are left out', async () => {
    const mine = { params: { userId: 'me' } };
    const none = { ...mine, body: { referrals: [] } };
    expect(await list(leavesOut, 'updateUserReferrals own', none)).toEqual({ referrals: [], total: 0 });
    expect((await list(person.as, 'listUserReferrals', mine)).total).toBe(2);
    expect((await list(names, 'updateUserReferrals own', none)).total).toBe(0);
    expect((await list(person.as, 'listUserReferrals', mine)).total).toBe(0);
  });

  it('what is left out and open to strangers is referred nobody to', async () => {
    const { community, course } = places;
    const refer = async (as: TestPerson['as'], type: string, { slug }: { slug: string }) => {
      const body = { email: things.freshEmail(), type, slug };
      return (await ask(test, { as, headers: {} }, operationOf('referColleague'), { body })).status;
    };
    expect([await refer(leavesOut, 'communities', community), await refer(leavesOut, 'courses', course)]).toEqual([
      403, 403,
    ]);
    expect([await refer(names, 'communities', community), await refer(names, 'courses', course)]).toEqual([201, 201]);
  });
});
