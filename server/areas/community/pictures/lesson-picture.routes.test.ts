import { addressOf } from '@officium/contract/client';
import * as lessons from '@officium/contract/lesson-discussions';
import { uploadLessonPicture, uploadPostPicture } from '@officium/contract/post-pictures';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type As, createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const { db } = test.ctx;
let author: TestPerson;
let peer: TestPerson;
let stranger: TestPerson;
let lesson: { courseId: string; journeyId: string; lessonId: string };
let elsewhere: typeof lesson;

beforeAll(async () => {
  [author, peer, stranger] = [await makePerson(test), await makePerson(test), await makePerson(test)];
  const course = await makeCourse(test, { journeys: [{}] });
  const { journey } = course;
  const [first, second] = journey.lessons;
  lesson = { courseId: course.id, journeyId: journey.id, lessonId: first!.id };
  elsewhere = { ...lesson, lessonId: second!.id };
  for (const person of [author, peer]) await enrol(test, person, journey);
});

const upload = async (as: As, params = lesson) => {
  const { headers, payload } = await pictureForm();
  return await test.send('POST', addressOf(uploadLessonPicture, { params }), { as, headers, body: payload });
};
const uploaded = async (person = author) => {
  const { status, body } = await upload(person.as);
  expect(status).toBe(201);
  return uploadLessonPicture.replies[201].parse(body).url;
};
const seenBy = async (url: string, ...people: (TestPerson | undefined)[]) =>
  await Promise.all(
    people.map(async (person) => {
      const headers = person ? { cookie: `session=${person.as.token}` } : {};
      return (await test.app.inject({ url, headers })).statusCode;
    }),
  );
const start = async (text: string, params = lesson) =>
  (await test.call(lessons.createLessonActivity, author.as, { params, body: { body: { en: text, fr: text } } })).body
    .activityId as string;

describe('uploadLessonPicture', () => {
  it('is for learners of the lesson', async () => {
    expect((await upload({})).status).toBe(401);
    expect((await upload(stranger.as)).status).toBe(403);
    expect((await upload(author.as, { ...lesson, lessonId: 'nowhere' })).status).toBe(404);
    const bare = await test.send('POST', addressOf(uploadLessonPicture, { params: lesson }), {
      as: author.as,
      body: {},
    });
    expect([bare.status, bare.body.code]).toEqual([400, 'assets.bad_image']);
  });
});

it('uploadLessonPicture checks rights before the content is read', async () => {
  const { headers, payload } = await pictureForm();
  const cutOff = { headers, body: payload.subarray(0, -30) };
  const url = addressOf(uploadLessonPicture, { params: lesson });
  expect((await test.send('POST', url, { as: stranger.as, ...cutOff })).status).toBe(403);
  const broken = await test.send('POST', url, { as: author.as, ...cutOff });
  expect([broken.status, broken.body.code]).toEqual([400, 'assets.bad_image']);
});

itInProcess.each([
  ['MEDIA_MB_A_PERSON', 'content.quota_reached'],
  ['MEDIA_MB_TOTAL', 'content.storage_full'],
])('uploadLessonPicture counts in the space that %s limits', async (setting, code) => {
  const small = await createTestApp({ [setting]: '1' });
  const [person, course] = [await makePerson(small), await makeCourse(small, { journeys: [{}] })];
  const { journey } = course;
  await enrol(small, person, journey);
  await sql`insert into stored_files (key, bytes, user_id) values ('a', 1048576, ${person.id})`.execute(small.ctx.db);
  const params = { courseId: course.id, journeyId: journey.id, lessonId: journey.lessons[0]!.id }; // three by default
  const { headers, payload } = await pictureForm();
  const url = addressOf(uploadLessonPicture, { params });
  const refused = await small.send('POST', url, { as: person.as, headers, body: payload });
  expect([refused.status, refused.body.code]).toEqual([413, code]);
});

describe('a picture in a lesson discussion', () => {
  it('is seen by those who may read the lesson, and goes with its text', async () => {
    const url = await uploaded();
    expect(await seenBy(url, author, peer, undefined)).toEqual([200, 404, 404]);
    const id = await start(`See ![a plan](${url})`);
    const params = { ...lesson, activityId: id };
    const { body } = await test.call(lessons.readLessonActivity, peer.as, { params });
    expect(body.bodyHtml).toContain(`<img src="${url}" alt="a plan" width="60" height="40" loading="lazy">`);
    expect(await seenBy(url, author, peer, stranger, undefined)).toEqual([200, 200, 404, 404]);
    await sql`update journey_enrolments set expires_on = now() - interval '1 day' where user_id = ${peer.id}`.execute(
      db,
    );
    expect(await seenBy(url, peer)).toEqual([404]);
    await sql`update journey_enrolments set expires_on = null where user_id = ${peer.id}`.execute(db);
    const next = await uploaded();
    await test.call(lessons.updateLessonActivity, author.as, { params, body: { body: { en: `![b](${next})` } } });
    expect([...(await seenBy(url, peer)), ...(await seenBy(next, peer))]).toEqual([404, 200]);
    await test.call(lessons.deleteLessonActivity, author.as, { params });
    expect(await seenBy(next, author, peer)).toEqual([404, 404]);
  });

  it('stands in replies', async () => {
    const activityId = await start('Any plans?');
    const url = await uploaded(peer);
    const reply = await test.call(lessons.createLessonReaction, peer.as, {
      params: { ...lesson, activityId },
      body: { kind: 'reply', body: `This: ![one](${url})` },
    });
    expect(reply.body.bodyHtml).toContain(`<img src="${url}"`);
    expect(await seenBy(url, author, stranger)).toEqual([200, 404]);
  });

  it('stays out of other lessons and of communities', async () => {
    const url = await uploaded();
    const activityId = await start(`![elsewhere](${url})`, elsewhere);
    const read = await test.call(lessons.readLessonActivity, author.as, { params: { ...elsewhere, activityId } });
    expect(read.body.bodyHtml).toBe('<p>elsewhere</p>\n');
    const community = await makeCommunity(db, {});
    await makeMember(db, community, author);
    const { headers, payload } = await pictureForm();
    const address = addressOf(uploadPostPicture, { params: { slug: community.slug } });
    const posted = await test.send('POST', address, { as: author.as, headers, body: payload });
    const other = await start(`![of a community](${posted.body.url})`);
    const shown = await test.call(lessons.readLessonActivity, author.as, { params: { ...lesson, activityId: other } });
    expect(shown.body.bodyHtml).toBe('<p>of a community</p>\n');
  });
});
