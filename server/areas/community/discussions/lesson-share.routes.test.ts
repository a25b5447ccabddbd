import { createActivity, deleteActivity, listActivities } from '@officium/contract/community';
import * as contract from '@officium/contract/lesson-shares';
import {
  createLessonActivity,
  createLessonReaction,
  deleteLessonActivity,
} from '@officium/contract/lesson-discussions';
import { updateCommunitySettings } from '@officium/contract/community-settings';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';
import { countQueries } from '#server/test/queries.ts';

const test = await createTestApp();
const { db } = test.ctx;
const countWhile = countQueries(test);

let author: TestPerson;
let peer: TestPerson;
let neighbour: TestPerson;
let administrator: TestPerson;
let course: TestCourse;
let lesson: { courseId: string; journeyId: string; lessonId: string };
let community: TestCommunity;
let closed: TestCommunity;

beforeAll(async () => {
  author = await makePerson(test, { name: 'Ada' });
  peer = await makePerson(test, { name: 'Bo' });
  neighbour = await makePerson(test, { name: 'Cy' }); // a member of the community without the course
  administrator = await makePerson(test, { role: 'administrator' });
  course = await makeCourse(test, { journeys: [{ privacy: 'closed-private' }] });
  const { journey } = course;
  lesson = { courseId: course.id, journeyId: journey.id, lessonId: journey.lessons[1]!.id }; // a journey of four lessons
  await enrol(test, author, journey);
  await enrol(test, peer, journey);
  community = await makeCommunity(db, { title: { en: 'City makers', fr: 'Faiseurs de ville' } });
  closed = await makeCommunity(db, { privacy: 'closed-visible' });
  for (const person of [author, peer, neighbour]) await makeMember(db, community, person);
  await makeMember(db, closed, author);
});

const start = async (text = 'What did you make of it?', as: As = author.as) =>
  (await test.call(createLessonActivity, as, { params: lesson, body: { body: { en: text, fr: `Fr. ${text}` } } })).body
    .activityId as string; // an untyped reply
const share = (activityId: string, as: As = author.as, body: object = {}, params: object = lesson) =>
  test.call(contract.shareLessonActivity, as, {
    params: { ...params, activityId },
    body: { title: 'Come and talk', communities: [community.slug], ...body },
  });
const feed = async (place: TestCommunity, as: As = author.as) =>
  (await test.call(listActivities, as, { params: { slug: place.slug } })).body.results;
const postOf = async (title: string, place = community) =>
  (await feed(place)).find((one: { title: string }) => one.title === title);
const shared = (activities: string[], as: As = author.as, query: object = {}, slug = community.slug) =>
  test.call(contract.listSharedDiscussions, as, {
    params: { slug },
    query: { activities: activities.join(','), ...query },
  });
const shares = (activities: string[], as: As = author.as, query: object = {}) =>
  test.call(contract.listLessonShares, as, { params: lesson, query: { activities: activities.join(','), ...query } });

describe('shareLessonActivity', () => {
  it('posts the message in each community, with nothing of the lesson', async () => {
    const id = await start();
    const reply = await share(id, author.as, { title: ' To <b>both</b> ', communities: [community.slug, closed.slug] });
    expect(reply.status).toBe(201);
    expect(contract.shareLessonActivity.replies[201].strict().parse(reply.body)).toEqual({
      successful: [community.slug, closed.slug],
    });
    for (const place of [community, closed]) {
      const post = await postOf('To both', place);
      expect(post).toMatchObject({ verb: 'post', body: null, additional_data: {}, actor: { id: author.id } });
      expect(JSON.stringify(post)).not.toContain(course.slug);
      expect(JSON.stringify(post)).not.toContain(id);
    }
  });

  it('answers 207 for communities where the author may not post, hidden ones as unknown ones', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const id = await start();
    const reply = await share(id, author.as, {
      title: 'Partly',
      communities: [hidden.slug, 'No such!', community.slug],
    });
    expect(reply.status).toBe(207);
    expect(contract.shareLessonActivity.replies[207].strict().parse(reply.body)).toEqual({
      successful: [community.slug],
      failed: [
        { slug: hidden.slug, error: 'Not found.' },
        { slug: 'No such!', error: 'Not found.' },
      ],
    });
    const stranger = await makePerson(test);
    await enrol(test, stranger, course.journey);
    const own = await start('Mine', stranger.as);
    expect((await share(own, stranger.as)).body).toMatchObject({ successful: [], failed: [{ slug: community.slug }] });
  });

  it('is for the author of the discussion, in its lesson', async () => {
    const id = await start();
    expect((await share(id, peer.as)).status).toBe(403);
    expect((await share(id, administrator.as)).status).toBe(403);
    expect((await share(id, neighbour.as)).status).toBe(404); // a hidden journey
    expect(
      (await test.call(contract.shareLessonActivity, undefined, { params: { ...lesson, activityId: id } })).status,
    ).toBe(401);
    expect((await share(newId())).status).toBe(404);
    const elsewhere = { ...lesson, lessonId: course.journey.lessons[2]!.id };
    expect((await share(id, author.as, {}, elsewhere)).status).toBe(404);
    await test.call(deleteLessonActivity, author.as, { params: { ...lesson, activityId: id } });
    expect((await share(id)).status).toBe(404);
  });

  it('accepts one to three communities and a message', async () => {
    const id = await start();
    for (const body of [
      { title: '' },
      { title: '<b></b>' },
      { communities: [] },
      { communities: ['a', 'b', 'c', 'd'] },
      { locale: 'xx' },
    ])
      expect([body, (await share(id, author.as, body)).status]).toEqual([body, 400]);
  });

  it('posts the same share once, also of concurrent requests', async () => {
    const id = await start();
    const replies = await Promise.all([1, 2, 3].map(() => share(id, author.as, { title: 'Only once' })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await feed(community)).filter((one: { title: string }) => one.title === 'Only once')).toHaveLength(1);
  });

  it('waits in a community in slow mode', async () => {
    const slow = await makeCommunity(db);
    const owner = await makePerson(test);
    await makeMember(db, slow, owner, { role: 'owner' });
    await makeMember(db, slow, author);
    const settings = { locale: 'en', rules: [], slowModeSeconds: 600, postsPerDay: null };
    await test.call(updateCommunitySettings, owner.as, { params: { slug: slow.slug }, body: settings });
    await test.call(createActivity, author.as, { params: { slug: slow.slug }, body: { title: 'First', body: 'x' } });
    const refused = await share(await start(), author.as, { communities: [slow.slug] });
    expect([refused.status, refused.body.code]).toEqual([429, 'community.too_early']);
  });
});

describe('listSharedDiscussions', () => {
  it('gives a card to those who may read the lesson, in their language', async () => {
    const id = await start(`Hello **all** {{${peer.id}}} ${'word '.repeat(40)}`);
    await test.call(createLessonReaction, peer.as, {
      params: { ...lesson, activityId: id },
      body: { kind: 'reply', body: 'Yes' },
    });
    await share(id, author.as, { title: 'A card' });
    const post = await postOf('A card');
    const { status, body } = await shared([post.id], peer.as);
    expect(status).toBe(200);
    const [card] = contract.listSharedDiscussions.replies[200].strict().parse(body).discussions;
    expect(card).toMatchObject({
      activityId: post.id,
      id,
      course: { slug: course.slug },
      journeySlug: course.journey.slug,
      lesson: { slug: course.journey.lessons[1]!.slug },
      reaction_counts: { like: 0, reply: 1 },
    });
    expect(card?.text).toMatch(/^Hello all word word .+…$/);
    expect([...(card?.text ?? '')].length).toBeLessThanOrEqual(contract.SHARED_TEXT_LENGTH);
    expect((await shared([post.id], peer.as, { locale: 'fr' })).body.discussions[0].text).toMatch(/^Fr\. Hello/);
    expect((await shared([post.id], administrator.as)).body.discussions).toHaveLength(1);
  });

  it('gives nothing to others, as for a post that shares nothing', async () => {
    const id = await start();
    await share(id, author.as, { title: 'Not for all' });
    const post = await postOf('Not for all');
    expect((await shared([post.id], neighbour.as)).body).toEqual({ discussions: [] });
    const plain = await test.call(createActivity, author.as, {
      params: { slug: community.slug },
      body: { title: 'Plain', body: 'x' },
    });
    expect((await shared([plain.body.id])).body).toEqual({ discussions: [] });
    const former = await makePerson(test);
    await makeMember(db, community, former);
    await enrol(test, former, course.journey, { expiresOn: new Date(Date.now() - 1000) });
    expect((await shared([post.id], former.as)).body).toEqual({ discussions: [] });
    const token = await openSession(db, {
      userId: peer.id,
      permissions: { courses: { [course.slug]: ['none'] } },
    });
    expect((await shared([post.id], { token })).body).toEqual({ discussions: [] });
  });

  it('gives nothing in another community, after a removal, and for a withdrawn lesson', async () => {
    const id = await start();
    await share(id, author.as, { title: 'In one place' });
    const post = await postOf('In one place');
    expect((await shared([post.id], author.as, {}, closed.slug)).body).toEqual({ discussions: [] });
    const { key } = course.journey.lessons[1]!;
    const withdraw = (at: Date | null) =>
      db.updateTable('lessons').set({ withdrawn_at: at }).where('key', '=', key).execute();
    await withdraw(new Date());
    expect((await shared([post.id])).body).toEqual({ discussions: [] });
    await withdraw(null);
    expect((await shared([post.id])).body.discussions).toHaveLength(1);
    await test.call(deleteLessonActivity, author.as, { params: { ...lesson, activityId: id } });
    expect((await shared([post.id])).body).toEqual({ discussions: [] });
    expect(await postOf('In one place')).toBeTruthy();
  });

  it('needs access to the posts of the community', async () => {
    expect((await shared([], neighbour.as, {}, closed.slug)).status).toBe(403);
    expect((await shared([], neighbour.as, {}, 'nowhere')).status).toBe(404);
    expect(
      (await test.call(contract.listSharedDiscussions, undefined, { params: { slug: community.slug } })).status,
    ).toBe(401);
    expect((await shared(['x'])).status).toBe(400);
    expect((await shared(Array.from({ length: 31 }, () => newId()))).status).toBe(400);
  });

  it('takes two queries for posts that share nothing', async () => {
    await shared([newId()], peer.as);
    expect(await countWhile(() => shared([newId()], peer.as))).toBe(2);
  });
});

describe('listLessonShares', () => {
  it('names the communities where a discussion was shared, newest first', async () => {
    const id = await start();
    await share(id, author.as, { title: 'Here too', communities: [community.slug] });
    await share(id, author.as, { title: 'Here too', communities: [closed.slug] });
    const [open, inClosed] = [await postOf('Here too'), await postOf('Here too', closed)];
    const { body } = await shares([id], author.as, { locale: 'fr' });
    expect(contract.listLessonShares.replies[200].strict().parse(body).shares).toMatchObject([
      { discussionId: id, activityId: inClosed.id, community: { slug: closed.slug } },
      { discussionId: id, activityId: open.id, community: { slug: community.slug, title: 'Faiseurs de ville' } },
    ]);
    expect((await shares([await start()])).body).toEqual({ shares: [] });
    await test.call(deleteActivity, author.as, { params: { slug: community.slug, id: open.id } });
    expect((await shares([id])).body.shares).toHaveLength(1);
  });

  it('leaves out communities whose posts the viewer may not read, and unlisted ones of others', async () => {
    const unlisted = await makeCommunity(db, { privacy: 'open-hidden' });
    await makeMember(db, unlisted, author);
    const id = await start();
    await share(id, author.as, { title: 'Quietly', communities: [closed.slug, unlisted.slug, community.slug] });
    const seenBy = async (as: As) =>
      (await shares([id], as)).body.shares.map((one: { community: { slug: string } }) => one.community.slug);
    expect((await seenBy(author.as)).toSorted()).toEqual([closed.slug, community.slug, unlisted.slug].toSorted());
    expect(await seenBy(peer.as)).toEqual([community.slug]);
    await makeMember(db, unlisted, peer);
    expect((await seenBy(peer.as)).toSorted()).toEqual([community.slug, unlisted.slug].toSorted());
  });

  it('gives nothing of another lesson', async () => {
    const id = await start();
    await share(id, author.as, { title: 'From here' });
    const params = { ...lesson, lessonId: course.journey.lessons[2]!.id };
    expect((await test.call(contract.listLessonShares, author.as, { params, query: { activities: id } })).body).toEqual(
      {
        shares: [],
      },
    );
    expect((await shares([id], neighbour.as)).status).toBe(404);
  });
});
