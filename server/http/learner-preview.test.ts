import { listCohorts } from '@officium/contract/admin';
import { readSession, signOut } from '@officium/contract/auth';
import { enrolMyself, listMyAssignments, readCourse } from '@officium/contract/learner';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Endpoint } from '@officium/contract/endpoint';
import { createTestApp, type Sent } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort } from '#server/test/factories/cohorts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const admin = await makePerson(test, { role: 'administrator' });

/** Sends a request with the cookie of a preview, beside that of the session. */
const as = async (person: TestPerson, wanted: string, endpoint: Endpoint, sent: Sent = {}) =>
  await test.call(
    endpoint,
    {},
    { ...sent, headers: { cookie: `session=${person.as.token}; preview=${wanted}`, 'sec-fetch-site': 'same-origin' } },
  );

it('answers an administrator as a learner in no cohort or in one, and records nothing', async () => {
  const { db } = test.ctx;
  const course = await makeCourse(test, { type: 'Private' });
  const cohort = await makeCohort(test, { name: 'Élèves', products: [course.journey.entryId] });
  const open = { params: { courseSlug: course.slug } };
  const countAll = async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from users) + (select count(*) from cohort_members)
        + (select count(*) from tally_changes) + (select count(*) from figure_changes) as count`.execute(db);
    return rows[0]?.count;
  };
  const before = await countAll();
  expect((await test.call(readCourse, admin.as, open)).status).toBe(200);
  expect((await as(admin, 'none', readCourse, open)).status).toBe(404);
  const placed = await as(admin, cohort, readCourse, open);
  expect([placed.status, placed.headers['x-preview']]).toEqual([200, encodeURIComponent('Élèves')]);
  expect((await as(admin, cohort, listMyAssignments)).body.assignments).toMatchObject([
    { course: { slug: course.slug } },
  ]);
  const { viewer } = (await as(admin, 'none', readSession)).body;
  expect(viewer).toMatchObject({ name: admin.name, role: 'public-servant', capabilities: [] });
  expect(await countAll()).toBe(before);
});

it('refuses to write, and is no administrator, but ends the session', async () => {
  const course = await makeCourse(test);
  const body = { courseSlug: course.slug, journeySlug: course.journey.slug, locale: 'en' };
  const refused = await as(admin, 'none', enrolMyself, { body });
  expect([refused.status, refused.body.code]).toEqual([409, 'preview.read_only']);
  expect((await as(admin, 'none', listCohorts)).status).toBe(403);
  const leaving = await makePerson(test, { role: 'administrator' });
  expect((await as(leaving, 'none', signOut)).status).toBe(200);
});

it('previews nothing for others and for wrong values', async () => {
  const maya = await makePerson(test);
  const { viewer } = (await as(maya, 'none', readSession)).body;
  expect(viewer.id).toBe(maya.id);
  expect((await as(admin, 'anything', listCohorts)).status).toBe(200);
  const unknown = await as(admin, '0193a7c2-5b1e-7d30-9f4a-2c6d8e0b1a57', readSession);
  expect([unknown.headers['x-preview'], unknown.body.viewer.role]).toEqual(['', 'public-servant']);
});

it('answers many previews at once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => as(admin, 'none', readSession)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

it('is begun over https by this host only, because a sibling domain could otherwise close the administration', async () => {
  const secure = await createTestApp({ PUBLIC_URL: 'https://learn.example.gov' });
  const { as } = await makePerson(secure, { role: 'administrator' });
  const previewBy = async (cookie: string) => {
    const headers = { cookie: `__Host-session=${as.token}; ${cookie}=none`, 'sec-fetch-site': 'same-origin' };
    return (await secure.call(readSession, {}, { headers })).headers['x-preview'];
  };
  expect([await previewBy('preview'), await previewBy('__Host-preview')]).toEqual([undefined, '']);
});
