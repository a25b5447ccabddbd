import { listActivities, readActivity } from '@officium/contract/community';
import { castVote, createCommunityPoll, readPoll } from '@officium/contract/polls';
import { putReport } from '#server/areas/moderation/report.repository.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeCohort, putInCohort } from '../factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction, type TestCommunity } from '../factories/communities.ts';
import { completeLessons, enrol, makeCourse, type TestCourse } from '../factories/courses.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { narrow } from './subjects.ts';
import * as things from './things.ts';
import { ask, operationOf, type Sent } from './fixture.ts';

// A narrowed session sees its person's own records only in places that its token includes. A place may be open to
// strangers, but they do not see this person's records either.

const test = await createTestApp();
const { db } = test.ctx;

type Places = { community: TestCommunity; unlisted: TestCommunity; course: TestCourse };

/** A person with one record of every kind in each place. */
async function makePersonWithRecords({ community, unlisted, course }: Places): Promise<TestPerson> {
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
  await things.makeThread(test, person, lesson!); // courses have lessons
  await things.makeDecision(test, inLesson, person);
  const activityId = await things.makePost(test, inLesson, person);
  await things.makeReaction(test, inLesson, activityId, other);
  await putInCohort(test, await makeCohort(test, { products: [course.journeys[1]!.entryId] }), person); // has two
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

/** Lists of own records, by operation, with the request. */
const LISTS: [string, Sent][] = [
  ['listMyCourses', {}],
  ['listMyJourneys', {}],
  ['listMyLessons', {}],
  ['listLessonCompletions', {}],
  ['readMyLearning', {}],
  ['listMyAssignments', {}],
  ['readMyTranscript', {}],
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

describe('own records', async () => {
  const here = { community: await makeCommunity(db), unlisted: await makeCommunity(db, { privacy: 'open-hidden' }) };
  const places: Places = { ...here, course: await makeCourse(test, { journeys: [{}, { slug: 'asked-for' }] }) };
  const person = await makePersonWithRecords(places);
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
    await test.drain(); // jobs that create notifications
  });

  it.each(LISTS)('%s is complete for a full session and for a token that includes the places', async (name, sent) => {
    const whole = await list(person.as, name, sent);
    expect(rowsOf(whole).length).toBeGreaterThan(0);
    expect(await list(names, name, sent)).toEqual(whole);
  });

  it.each(LISTS)('%s is empty for a token that omits the places', async (name, sent) => {
    const body = await list(leavesOut, name, sent);
    expect([rowsOf(body), body.total ?? 0, body.unread ?? 0]).toEqual([[], 0, 0]);
  });

  it('the profile omits communities that the token omits', async () => {
    const communities = async (as: TestPerson['as']) => (await list(as, 'readProfile own', ME)).communities.length;
    expect([await communities(person.as), await communities(names), await communities(leavesOut)]).toEqual([2, 2, 0]);
  });

  it('the own feed shows of omitted places only what strangers see', async () => {
    const total = async (as: TestPerson['as']) => (await list(as, 'listMyActivities', ME)).total;
    expect([await total(person.as), await total(names), await total(leavesOut)]).toEqual([2, 2, 1]);
  });

  it('likes and votes show only in communities that the token includes', async () => {
    const { community } = places;
    const { slug } = community;
    const post = await makeActivity(db, community, person);
    await makeReaction(db, community, { activityId: post }, person, { kind: 'like' });
    const poll = { title: 'Which?', options: [1, 2].map((position) => ({ position, body: `Option ${position}` })) };
    const made = await test.call(createCommunityPoll, person.as, {
      params: { slug },
      body: { ...poll, settings: { results_visibility: 'after-voting' } },
    });
    expect(made.status).toBe(201);
    expect((await test.call(castVote, person.as, { params: { id: made.body.optionIds[0] }, body: {} })).status).toBe(
      201,
    );
    const seen = async (as: TestPerson['as']) => {
      const at = (id: string) => ({ params: { slug, id } });
      const { body: one } = await test.call(readActivity, as, at(post));
      const { body: feed } = await test.call(listActivities, as, { params: { slug } });
      const inFeed = feed.results.find(({ id }: { id: string }) => id === post);
      const { body: voted } = await test.call(readPoll, as, { params: { id: made.body.id } });
      return [
        ...[one, inFeed].map((shown) => Object.keys(shown.own_reactions)),
        voted.poll.ownVotes.length,
        'totalVotes' in voted.poll,
      ];
    };
    const all = [['like'], ['like'], 1, true];
    expect(await seen(person.as)).toEqual(all);
    expect(await seen(names)).toEqual(all);
    expect(await seen(leavesOut)).toEqual([[], [], 0, false]);
  });

  it('marking all as read keeps hidden notifications unread', async () => {
    const unread = async () => (await list(person.as, 'countNotifications', {})).unread;
    const before = await unread();
    expect(before).toBeGreaterThan(0);
    expect(await list(leavesOut, 'readAllNotifications', {})).toEqual({ unread: 0 });
    expect(await unread()).toBe(before);
    expect(await list(names, 'readAllNotifications', {})).toEqual({ unread: 0 });
    expect(await unread()).toBe(0);
  });

  it('replacing the referrals keeps hidden ones out of the response', async () => {
    const mine = { params: { userId: 'me' } };
    const none = { ...mine, body: { referrals: [] } };
    expect(await list(leavesOut, 'updateUserReferrals own', none)).toEqual({ referrals: [], total: 0 });
    expect((await list(person.as, 'listUserReferrals', mine)).total).toBe(2);
    expect((await list(names, 'updateUserReferrals own', none)).total).toBe(0);
    expect((await list(person.as, 'listUserReferrals', mine)).total).toBe(0);
  });

  it('referring a colleague to an omitted place is refused even when it is open to strangers', async () => {
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
