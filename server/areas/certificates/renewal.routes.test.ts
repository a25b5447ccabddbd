import { decodeJwt } from 'jose';
import {
  completeLesson,
  correctMyCertificate,
  issueMyCertificate,
  readMyLearning,
  revokeCertificate,
  verifyCertificate,
} from '@officium/contract/learner';
import { renewMyCertificate } from '@officium/contract/renewals';
import { readMyTranscript } from '@officium/contract/transcripts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import {
  completeLessons,
  enrol,
  makeAssessment,
  makeAttempt,
  makeCourse,
  setEntryStatus,
  type TestCourse,
} from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db, config } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

type Holder = { person: TestPerson; course: TestCourse; number: string };

const slugsOf = ({ course }: Pick<Holder, 'course'>) => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
const numberOf = (body: { certificate: { verificationUrl: string } }) =>
  body.certificate.verificationUrl.split('/').at(-1)!; // split always returns one element
const verify = async (publicId: string) =>
  (await test.call(verifyCertificate, undefined, { params: { publicId } })).body.certificate;
const renew = (holder: Holder) => test.call(renewMyCertificate, holder.person.as, { params: slugsOf(holder) });
const issue = (holder: Holder, body: object = {}) =>
  test.call(issueMyCertificate, holder.person.as, { params: slugsOf(holder), body });
const complete = (holder: Holder, at: number) =>
  test.call(completeLesson, holder.person.as, {
    params: { ...slugsOf(holder), lessonSlug: holder.course.journey.lessons[at]!.slug }, // courses have four lessons
  });
const mine = async ({ person }: Holder) => (await test.call(readMyLearning, person.as)).body.journeys[0];

/** Sets the days until the certificate ends. */
const endIn = (number: string, days: number) =>
  sql`update certificates set expires_at = now() + make_interval(days => ${days}), issued_at = now() - interval '1 year'
    where public_id = ${number}`.execute(db);

/** A holder of a certificate that is valid for a year. */
async function graduate(months: number | null = 12): Promise<Holder> {
  const [person, course] = [await makePerson(test, { name: 'Maya Lund' }), await makeCourse(test)];
  await db.updateTable('journeys').set({ certificate_months: months }).where('key', '=', course.journey.key).execute();
  await enrol(test, person, course.journey);
  await completeLessons(test, person, course.journey.lessons.slice(0, 3));
  const { body } = await test.call(issueMyCertificate, person.as, { params: slugsOf({ course }), body: {} });
  return { person, course, number: numberOf(body) };
}

/** Renews and completes all mandatory lessons again. */
async function completeAgain(holder: Holder): Promise<void> {
  expect((await renew(holder)).status).toBe(204);
  for (const at of [0, 1, 2]) expect((await complete(holder, at)).status).toBe(204);
}

describe('the end of a certificate', () => {
  it('is the end of a day, fixed when it is issued, and stated everywhere', async () => {
    const holder = await graduate();
    const { expiresAt, status } = await verify(holder.number);
    const due = new Date();
    due.setUTCMonth(due.getUTCMonth() + 12);
    expect([expiresAt, status]).toEqual([`${due.toISOString().slice(0, 10)}T23:59:59.000Z`, 'valid']);
    await db
      .updateTable('journeys')
      .set({ certificate_months: 1 })
      .where('key', '=', holder.course.journey.key)
      .execute();
    expect((await verify(holder.number)).expiresAt).toBe(expiresAt);

    const { body: jwt } = await test.send('GET', `/certificates/${holder.number}.jwt`);
    expect(decodeJwt(String(jwt))).toMatchObject({ validUntil: expiresAt, exp: Date.parse(expiresAt) / 1000 });
    const { body: svg } = await test.send('GET', `/certificates/${holder.number}.svg`);
    expect(String(svg)).toContain('Valid until');
    const { body } = await test.call(readMyTranscript, holder.person.as);
    expect(body.completed[0].certificate).toMatchObject({ status: 'valid', expiresAt });
  });

  it('does not make it revoked: it is said to have expired, and its files stay', async () => {
    const holder = await graduate();
    await endIn(holder.number, -1);
    expect(await verify(holder.number)).toMatchObject({ status: 'expired', revokedAt: null });
    for (const file of ['pdf', 'jwt', 'svg'])
      expect((await test.send('GET', `/certificates/${holder.number}.${file}`)).status).toBe(200);
    const { body } = await test.call(readMyTranscript, holder.person.as);
    expect(body.completed[0].certificate).toMatchObject({ status: 'expired' });
    await test.call(revokeCertificate, admin.as, { params: { publicId: holder.number }, body: { reason: 'other' } });
    expect(await verify(holder.number)).toMatchObject({ status: 'revoked' });
  });

  it('is absent where the journey sets none', async () => {
    const holder = await graduate(null);
    expect(await verify(holder.number)).toMatchObject({ expiresAt: null, status: 'valid', follows: null });
    expect(await mine(holder)).toMatchObject({ validity: null });
    expect((await renew(holder)).body).toMatchObject({ code: 'learner.cannot_renew' });
  });
});

describe('renewMyCertificate', () => {
  it('opens the journey again and ends with a certificate that names the one it follows', async () => {
    const holder = await graduate();
    expect((await renew(holder)).body).toMatchObject({ statusCode: 409, code: 'learner.cannot_renew' });
    expect(await mine(holder)).toMatchObject({ validity: { renewal: 'closed' } });
    await endIn(holder.number, 30);
    const { completedAt } = await mine(holder);
    expect(await mine(holder)).toMatchObject({ validity: { renewal: 'open', isExpired: false, isRequired: false } });

    expect([(await renew(holder)).status, (await renew(holder)).status]).toEqual([204, 204]);
    expect(await mine(holder)).toMatchObject({
      completedAt,
      progress: { completedLessons: 0 },
      changes: null,
      nextLesson: { slug: holder.course.journey.lessons[0]!.slug },
      certificate: { verificationUrl: `${config.publicUrl}/certificates/${holder.number}` },
      validity: { renewal: 'begun' },
    });
    expect([(await issue(holder)).status, numberOf((await issue(holder)).body)]).toEqual([200, holder.number]);
    await complete(holder, 0);
    expect((await renew(holder)).status).toBe(204); // changes nothing
    await complete(holder, 1);
    await complete(holder, 2);
    expect(await mine(holder)).toMatchObject({ completedAt, validity: { renewal: 'finished' } });

    const next = await issue(holder);
    expect(next.status).toBe(201);
    expect(await verify(numberOf(next.body))).toMatchObject({
      status: 'valid',
      lessons: 3,
      follows: { publicId: holder.number, verificationUrl: `${config.publicUrl}/certificates/${holder.number}` },
    });
    expect(await verify(holder.number)).toMatchObject({ status: 'valid' });
    expect(await mine(holder)).toMatchObject({ validity: { renewal: 'closed' } });
    expect([(await issue(holder)).status, (await renew(holder)).status]).toEqual([200, 409]);
    const corrected = await test.call(correctMyCertificate, holder.person.as, {
      params: { publicId: holder.number },
      body: { nameOnCertificate: 'Maya Holm' },
    });
    expect(corrected.body).toMatchObject({ statusCode: 409, code: 'learner.certificate_replaced' });
  });

  it('does not name a certificate in another name', async () => {
    const holder = await graduate();
    await endIn(holder.number, 10);
    await completeAgain(holder);
    const { body } = await issue(holder, { nameOnCertificate: 'Maya Holm' });
    expect(await verify(numberOf(body))).toMatchObject({ follows: null, nameOnCertificate: 'Maya Holm' });
    const corrected = await test.call(correctMyCertificate, holder.person.as, {
      params: { publicId: numberOf(body) },
      body: { nameOnCertificate: 'Maya Lund' },
    });
    expect(await verify(numberOf(corrected.body))).toMatchObject({ follows: { publicId: holder.number } });
    expect((await verify(numberOf(corrected.body))).expiresAt).not.toBeNull();
  });

  it('asks for its assessments again', async () => {
    const holder = await graduate();
    const lesson = holder.course.journey.lessons[1]!; // courses have four lessons
    await makeAssessment(test, lesson);
    const pass = async () => {
      const id = await makeAttempt(test, holder.person, lesson);
      await sql`update assessment_attempts set submitted_at = now(), score = 100, passed = true where id = ${id}`.execute(
        db,
      );
    };
    await pass();
    await endIn(holder.number, 5);
    expect((await renew(holder)).status).toBe(204);
    expect((await complete(holder, 1)).body).toMatchObject({ code: 'learner.not_passed' });
    await pass();
    for (const at of [1, 0, 2]) expect((await complete(holder, at)).status).toBe(204);
    const { body } = await issue(holder);
    expect((await verify(numberOf(body))).assessments).toHaveLength(1);
  });

  it('is completed when its last missing lesson is withdrawn', async () => {
    const holder = await graduate();
    await endIn(holder.number, 5);
    await renew(holder);
    for (const at of [0, 1]) await complete(holder, at);
    const { key } = holder.course.journey;
    await sql`update lessons set withdrawn_at = now() where key = ${holder.course.journey.lessons[2]!.key}`.execute(db);
    await sql`select complete_without(array[${key}::uuid])`.execute(db);
    expect((await issue(holder)).status).toBe(201);
  });

  it('needs an active enrolment in a published journey, and a certificate that was not revoked', async () => {
    const holder = await graduate();
    await endIn(holder.number, 5);
    const stranger = await makePerson(test);
    const at = { params: slugsOf(holder) };
    expect((await test.call(renewMyCertificate, undefined, at)).status).toBe(401);
    expect((await test.call(renewMyCertificate, stranger.as, at)).body.code).toBe('learner.not_enrolled');
    const set = (expiresOn: Date | null) =>
      sql`update journey_enrolments set expires_on = ${expiresOn} where user_id = ${holder.person.id}`.execute(db);
    await set(new Date(0));
    expect((await renew(holder)).body.code).toBe('learner.enrolment_expired');
    expect(await mine(holder)).toMatchObject({ validity: { renewal: 'closed' } });
    await set(null);
    await setEntryStatus(test, holder.course.journey.entryId, 'withdrawn');
    expect((await renew(holder)).status).toBe(404);
    await setEntryStatus(test, holder.course.journey.entryId, 'published');
    await test.call(revokeCertificate, admin.as, { params: { publicId: holder.number }, body: { reason: 'other' } });
    expect((await renew(holder)).body.code).toBe('learner.cannot_renew');
    expect(await mine(holder)).toMatchObject({ validity: null });
  });

  it('says which certificates a cohort asks for', async () => {
    const holder = await graduate();
    const cohort = await makeCohort(test, { products: [holder.course.id] });
    await putInCohort(test, cohort, holder.person);
    expect(await mine(holder)).toMatchObject({ validity: { isRequired: true } });
  });

  it('issues one certificate, however requests meet', async () => {
    const holder = await graduate();
    await endIn(holder.number, 5);
    const renewals = await Promise.all(Array.from({ length: 10 }, () => renew(holder)));
    expect(new Set(renewals.map(({ status }) => status))).toEqual(new Set([204]));
    const correct = () =>
      test.call(correctMyCertificate, holder.person.as, {
        params: { publicId: holder.number },
        body: { nameOnCertificate: 'Maya Holm' },
      });
    const answers = await Promise.all([
      ...[0, 1, 2].flatMap((at) => [complete(holder, at), complete(holder, at), renew(holder)]),
      correct(),
      ...Array.from({ length: 10 }, () => issue(holder)),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    await Promise.all(Array.from({ length: 10 }, () => issue(holder)));
    const { rows } = await sql`
      select count(*) filter (where replaced_by is null)::int as current,
        count(*) filter (where follows is not null)::int as following
      from certificates where user_id = ${holder.person.id}`.execute(db);
    expect(rows).toEqual([{ current: 1, following: 1 }]);
  });
});
