import {
  giveUserProduct,
  listLessonCompletions,
  listUserProducts,
  recordLessonCompletion,
  updateUserProduct,
} from '@officium/contract/people-records';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { enrol, makeCourse, setEntryStatus } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const FUTURE = new Date(Date.now() + 3_600_000).toISOString();
const PAST = new Date(Date.now() - 60_000).toISOString();
const admin = await makePerson(test, { role: 'administrator' });

const slugsOf = (course: { slug: string; journey: { slug: string } }) => ({
  courseSlug: course.slug,
  journeySlug: course.journey.slug,
});

describe('giveUserProduct', () => {
  it('lets an administrator enrol anyone anywhere, once for many concurrent requests', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test, { type: 'Private' })];
    const stripeMetadata = { bulkEnrolment: true, cohortIds: [await makeCohort(test)] };
    const body = { ...slugsOf(course), locale: 'fr', isEnrolled: true, expiresOn: FUTURE, stripeMetadata };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.call(giveUserProduct, admin.as, { params: { id: maya.id }, body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(giveUserProduct.replies[201].parse(answers[0]?.body)).toMatchObject({
      ...slugsOf(course),
      locale: 'fr',
      isEnrolled: true,
      expiresOn: FUTURE,
      stripeMetadata,
      certificate: null,
      completedAt: null,
    });
    const unknown = { ...body, stripeMetadata: { bulkEnrolment: false, cohortIds: [newId()] } };
    const refused = await test.call(giveUserProduct, admin.as, { params: { id: maya.id }, body: unknown });
    expect([refused.status, refused.body.message]).toEqual([400, 'Unknown cohort']);
  });

  it('lets users enrol in what is open to them and set nothing else', async () => {
    const [maya, other, course] = [await makePerson(test), await makePerson(test), await makeCourse(test)];
    const closed = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
    const paid = await makeCourse(test, { journeys: [{ privacy: 'stripe-public' }] });
    const give = (id: string, body: object) => test.call(giveUserProduct, maya.as, { params: { id }, body });
    const forged = { ...slugsOf(course), completedAt: PAST, certificate: 'https://example.gov/forged.pdf' };
    const own = await give('me', forged);
    expect([own.status, own.body.completedAt, own.body.certificate]).toEqual([201, null, null]);
    for (const { slug, journey } of [closed, paid])
      expect((await give('me', slugsOf({ slug, journey }))).status).toBe(403);
    for (const change of [{ isEnrolled: false }, { expiresOn: FUTURE }, { stripeMetadata: { bulkEnrolment: true } }])
      expect((await give('me', { ...slugsOf(paid), ...change })).status).toBe(403);
    expect((await give(other.id, slugsOf(course))).status).toBe(403);
    expect((await give('me', { courseSlug: 'none', journeySlug: 'none' })).status).toBe(404);
  });

  it('refuses malformed bodies', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    for (const body of [
      { ...slugsOf(course), extra: 1 },
      { courseSlug: course.slug },
      { ...slugsOf(course), expiresOn: 'soon' },
      { ...slugsOf(course), courseSlug: 'a\0b' },
      { ...slugsOf(course), isEnrolled: 'yes' },
      { ...slugsOf(course), stripeMetadata: { cohortIds: ['x'] } },
    ])
      expect((await test.call(giveUserProduct, admin.as, { params: { id: maya.id }, body })).status).toBe(400);
    const body = slugsOf(course);
    expect((await test.call(giveUserProduct, admin.as, { params: { id: newId() }, body })).status).toBe(404);
    expect((await test.call(giveUserProduct, admin.as, { params: { id: 'x' }, body })).status).toBe(400);
    await setEntryStatus(test, course.journey.entryId, 'withdrawn');
    expect((await test.call(giveUserProduct, admin.as, { params: { id: maya.id }, body })).status).toBe(404);
  });
});

describe('listUserProducts', () => {
  it('filters by course, journey and expiry', async () => {
    const [maya, course, ended] = [await makePerson(test), await makeCourse(test), await makeCourse(test)];
    await enrol(test, maya, course.journey);
    await enrol(test, maya, ended.journey, { expiresOn: new Date(PAST) });
    const slugs = async (query: Record<string, string>) => {
      const answer = await test.call(listUserProducts, maya.as, { params: { id: 'me' }, query });
      const { products, total } = listUserProducts.replies[200].parse(answer.body);
      expect(total).toBe(products.length);
      return products.map(({ courseSlug }) => courseSlug);
    };
    expect(await slugs({})).toEqual([ended.slug, course.slug]);
    expect(await slugs({ expired: 'true' })).toEqual([ended.slug]);
    expect(await slugs({ expired: 'false' })).toEqual([course.slug]);
    expect(await slugs({ courseSlug: course.slug, journeySlug: course.journey.slug })).toEqual([course.slug]);
    expect(await slugs({ courseId: ended.id, journeyId: ended.journey.id })).toEqual([ended.slug]);
    expect(await slugs({ courseId: 'none' })).toEqual([]);
    const wrong = await test.call(listUserProducts, maya.as, { params: { id: 'me' }, query: { expired: 'maybe' } });
    expect(wrong.status).toBe(400);
  });

  it('shows another user’s products to administrators only', async () => {
    const [maya, other] = [await makePerson(test), await makePerson(test)];
    const list = (as: typeof maya.as, id: string) => test.call(listUserProducts, as, { params: { id } });
    expect((await list(maya.as, maya.id)).status).toBe(200);
    expect((await list(admin.as, maya.id)).status).toBe(200);
    expect((await list(other.as, maya.id)).status).toBe(403);
    expect((await list(other.as, newId())).status).toBe(403);
    expect((await list(admin.as, newId())).status).toBe(404);
  });
});

describe('updateUserProduct', () => {
  it('ends an enrolment, and revives it only with a new end date', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    await enrol(test, maya, course.journey);
    const update = (change: object) =>
      test.call(updateUserProduct, admin.as, { params: { id: maya.id }, body: { ...slugsOf(course), ...change } });
    const ended = await update({ isEnrolled: false });
    expect([ended.status, updateUserProduct.replies[200].parse(ended.body).isEnrolled]).toEqual([200, false]);
    expect((await update({ isEnrolled: true })).status).toBe(409);
    expect((await update({ isEnrolled: true, expiresOn: PAST })).status).toBe(409);
    expect((await update({ expiresOn: FUTURE })).body).toMatchObject({ isEnrolled: true, expiresOn: FUTURE });
    expect((await update({ expiresOn: PAST })).body.isEnrolled).toBe(false);
    expect((await update({ expiresOn: null })).body).toMatchObject({ isEnrolled: true, expiresOn: null });
  });

  it('confirms a pending enrolment', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    await enrol(test, maya, course.journey, { status: 'pending' });
    const body = { ...slugsOf(course), isEnrolled: true };
    const answer = await test.call(updateUserProduct, admin.as, { params: { id: maya.id }, body });
    expect(answer.body.isEnrolled).toBe(true);
  });

  it('lets users change the language of their enrolment and nothing else', async () => {
    const [maya, other, course] = [await makePerson(test), await makePerson(test), await makeCourse(test)];
    await enrol(test, maya, course.journey, { expiresOn: new Date(FUTURE) });
    const update = (id: string, change: object, as = maya.as) =>
      test.call(updateUserProduct, as, { params: { id }, body: { ...slugsOf(course), ...change } });
    const answer = await update('me', { locale: 'ja', completedAt: PAST });
    expect(answer.body).toMatchObject({ locale: 'ja', expiresOn: FUTURE, completedAt: null });
    for (const change of [{ expiresOn: FUTURE }, { isEnrolled: false }, { stripeMetadata: {} }])
      expect((await update('me', change)).status).toBe(403);
    const forever = await update('me', { expiresOn: null });
    expect((forever.body.expiresOn ?? FUTURE) === FUTURE).toBe(true);
    expect((await update(maya.id, {}, other.as)).status).toBe(403);
    expect((await update('me', {}, other.as)).status).toBe(404);
    expect((await update('me', { extra: 1 })).status).toBe(400);
  });
});

describe('lesson records of people', () => {
  it('return the learner’s completions', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    const body = { ...slugsOf(course), lessonSlug: course.journey.lessons[0]?.slug, eventType: 'completed' };
    expect((await test.call(recordLessonCompletion, maya.as, { body })).status).toBe(403);
    await enrol(test, maya, course.journey);
    const forged = { ...body, progressSnapshot: { completedLessons: 99 } };
    const answer = await test.call(recordLessonCompletion, maya.as, { body: forged });
    expect(answer.status).toBe(201);
    const record = recordLessonCompletion.replies[201].parse(answer.body);
    expect(record.progressSnapshot.completedLessons).toBe(1);
    const listed = await test.call(listLessonCompletions, maya.as);
    expect(listLessonCompletions.replies[200].parse(listed.body)).toEqual({ lessons: [record], total: 1 });
    for (const wrong of [
      { ...body, extra: 1 },
      { ...body, eventType: 'begun' },
      { ...body, eventType: undefined },
      { ...body, lessonSlug: 5 },
    ])
      expect((await test.call(recordLessonCompletion, maya.as, { body: wrong })).status).toBe(400);
  });
});
