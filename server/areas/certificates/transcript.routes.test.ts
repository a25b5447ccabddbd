import {
  downloadMyTranscript,
  downloadTranscript,
  readMyTranscript,
  readTranscript,
  type Transcript,
} from '@officium/contract/transcripts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makeCertificate } from '#server/test/authority/things.ts';
import { narrow } from '#server/test/authority/subjects.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeContentFolder } from '#server/test/factories/content.ts';
import { completeLessons, enrol, makeCourse, setEntryStatus, type TestCourse } from '#server/test/factories/courses.ts';
import { countQueries } from '#server/test/queries.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const mine = async (as: TestPerson['as'], locale?: string): Promise<Transcript> =>
  readMyTranscript.replies[200].parse((await test.call(readMyTranscript, as, { query: { locale } })).body);

async function finish(person: TestPerson, course: TestCourse, at = '2025-03-01T12:00:00Z') {
  await enrol(test, person, course.journey);
  await completeLessons(test, person, course.journey.lessons.slice(0, 3));
  await sql`update journey_enrolments set completed_at = ${at} where user_id = ${person.id}
    and journey_key = ${course.journey.key}`.execute(db);
}

describe('a transcript', () => {
  beforeAll(async () => {
    expect((await importPath(test.ctx, await makeContentFolder())).faults).toEqual([]);
  });

  it('is empty for a new account', async () => {
    const person = await makePerson(test);
    const { completed, current, years, sums } = await mine(person.as);
    expect({ completed, current, years, sums }).toEqual({
      completed: [],
      current: [],
      years: [],
      sums: { courses: 0, microcourses: 0, minutes: 0 },
    });
  });

  it('lists what was completed, last first, with minutes, certificates and sums by year', async () => {
    const person = await makePerson(test, { name: 'Łucja 田中' });
    const [early, late] = [await makeCourse(test), await makeCourse(test)];
    await finish(person, early, '2024-12-31T23:59:59Z');
    await finish(person, late, '2025-06-01T00:00:00Z');
    const number = await makeCertificate(test, person, early.journey);
    await sql`insert into microcourse_completions (user_id, microcourse_id, completed_at)
      values (${person.id}, 'microcourse.letters', '2025-01-01T00:00:00Z')`.execute(db);
    const { minutes: read } = await db
      .selectFrom('microcourses')
      .select('minutes')
      .where('id', '=', 'microcourse.letters')
      .executeTakeFirstOrThrow();
    const transcript = await mine(person.as);
    expect(transcript.person).toEqual({ id: person.id, name: 'Łucja 田中' });
    expect(transcript.completed).toMatchObject([
      {
        kind: 'journey',
        courseSlug: late.slug,
        completedAt: '2025-06-01T00:00:00.000Z',
        minutes: 30,
        certificate: null,
      },
      { kind: 'microcourse', courseSlug: null, microcourseSlug: 'letters', journeyTitle: null, minutes: read },
      {
        courseSlug: early.slug,
        minutes: 30,
        certificate: {
          number,
          status: 'valid',
          verificationUrl: `http://localhost:3000/certificates/${number}`,
        },
      },
    ]);
    expect(transcript.years).toEqual([
      { year: 2025, courses: 1, microcourses: 1, minutes: 30 + read },
      { year: 2024, courses: 1, microcourses: 0, minutes: 30 },
    ]);
    expect(transcript.sums).toEqual({ courses: 2, microcourses: 1, minutes: 60 + read });
  });

  it('counts two journeys of a course as one course', async () => {
    const person = await makePerson(test);
    const course = await makeCourse(test, { journeys: [{}, {}] });
    for (const journey of course.journeys) await finish(person, { ...course, journey });
    expect((await mine(person.as)).sums).toMatchObject({ courses: 1, minutes: 60 });
  });

  it('lists what is not completed, with progress, due day and state', async () => {
    const person = await makePerson(test);
    const [taking, over] = [await makeCourse(test), await makeCourse(test)];
    const cohort = await makeCohort(test, { products: [taking.id] });
    await sql`update cohort_products set due_on = '2030-06-30' where cohort_id = ${cohort}`.execute(db);
    await putInCohort(test, cohort, person);
    await enrol(test, person, over.journey, { expiresOn: new Date('2020-01-01T00:00:00Z') });
    await sql`update journey_enrolments set created_at = '2020-01-01' where user_id = ${person.id}`.execute(db);
    await enrol(test, person, taking.journey);
    await completeLessons(test, person, taking.journey.lessons.slice(0, 1));
    const { current, completed } = await mine(person.as);
    expect(completed).toEqual([]);
    expect(current).toMatchObject([
      { courseSlug: taking.slug, status: 'enrolled', dueOn: '2030-06-30', completedLessons: 1, mandatoryLessons: 3 },
      { courseSlug: over.slug, status: 'expired', expiresOn: '2020-01-01T00:00:00.000Z', dueOn: null },
    ]);
  });

  it('shows a revoked certificate, which the sums leave out', async () => {
    const person = await makePerson(test);
    const course = await makeCourse(test);
    await finish(person, course);
    const number = await makeCertificate(test, person, course.journey);
    await sql`update certificates set revoked_at = now(), revocation_reason = 'not_earned'
      where public_id = ${number}`.execute(db);
    const { completed, years, sums } = await mine(person.as);
    expect(completed).toMatchObject([{ certificate: { number, status: 'revoked' } }]);
    expect([years, sums.courses, sums.minutes]).toEqual([[], 0, 0]);
  });

  it('shows only the certificate that replaced another', async () => {
    const person = await makePerson(test);
    const course = await makeCourse(test);
    await finish(person, course);
    const old = await makeCertificate(test, person, course.journey);
    await db.transaction().execute(async (trx) => {
      const id = newId();
      await sql`update certificates set revoked_at = now(), revocation_reason = 'name_corrected', replaced_by = ${id}
        where public_id = ${old}`.execute(trx);
      await sql`insert into credential_statuses default values`.execute(trx);
      await sql`insert into certificates (id, user_id, journey_key, public_id, name_on_certificate, course_title,
          journey_title, lessons, minutes, status_position)
        select ${id}, user_id, journey_key, 'new-number', 'Another', course_title, journey_title, lessons, minutes,
          (select max(position) from credential_statuses) from certificates where public_id = ${old}`.execute(trx);
    });
    expect((await mine(person.as)).completed).toMatchObject([
      { certificate: { number: 'new-number', status: 'valid' } },
    ]);
  });

  it('keeps what was withdrawn, without a link', async () => {
    const person = await makePerson(test);
    const [gone, left] = [await makeCourse(test), await makeCourse(test)];
    for (const course of [gone, left]) await finish(person, course);
    await setEntryStatus(test, gone.id, 'withdrawn');
    await makeCertificate(test, person, left.journey);
    // Withdrawing a person from a course deletes the enrolment and keeps the certificate.
    await sql`delete from journey_enrolments where user_id = ${person.id} and journey_key = ${left.journey.key}`.execute(
      db,
    );
    await sql`insert into microcourse_completions (user_id, microcourse_id) values (${person.id}, 'microcourse.letters')`.execute(
      db,
    );
    await setEntryStatus(test, 'microcourse.letters', 'withdrawn');
    const { completed } = await mine(person.as);
    await setEntryStatus(test, 'microcourse.letters', 'published');
    expect(completed.map(({ courseSlug, microcourseSlug }) => courseSlug ?? microcourseSlug).sort()).toEqual(
      [left.slug, null, null].sort(),
    );
    expect(completed).toHaveLength(3);
  });

  it('has the texts of the language that is asked for', async () => {
    const person = await makePerson(test);
    const course = await makeCourse(test, { title: { en: 'Letters', de: 'Briefe' } });
    await finish(person, course);
    expect((await mine(person.as, 'de')).completed[0]?.title).toBe('Briefe');
  });

  it('of a narrowed session has the courses of its token only', async () => {
    const person = await makePerson(test);
    const [open, closed] = [await makeCourse(test), await makeCourse(test)];
    for (const course of [open, closed]) await finish(person, course);
    await enrol(test, person, (await makeCourse(test)).journey);
    const { completed, current, sums } = await mine(
      await narrow(test, person, { communities: {}, courses: { [open.slug]: [] } }),
    );
    expect(completed.map(({ courseSlug }) => courseSlug)).toEqual([open.slug]);
    expect([current, sums.courses]).toEqual([[], 1]);
  });

  it('takes two queries after the session', async () => {
    const person = await makePerson(test);
    await finish(person, await makeCourse(test));
    const queries = countQueries(test);
    await mine(person.as); // caches the session
    expect(await queries(() => mine(person.as))).toBe(2);
  });
});

describe('a transcript of somebody else', () => {
  it('is for administrators, whose view is audited once an hour', async () => {
    const [person, other] = [await makePerson(test), await makePerson(test)];
    const course = await makeCourse(test);
    await finish(person, course);
    const params = { id: person.id };
    const statuses = async (as: TestPerson['as'] | undefined, given = params) => [
      (await test.call(readTranscript, as, { params: given })).status,
      (await test.call(downloadTranscript, as, { params: given })).status,
    ];
    expect(await statuses(undefined)).toEqual([401, 401]);
    expect(await statuses(other.as)).toEqual([403, 403]);
    expect(await statuses(person.as)).toEqual([403, 403]);
    expect(await statuses(admin.as, { id: newId() })).toEqual([404, 404]);
    expect(await statuses(admin.as)).toEqual([200, 200]);
    expect((await test.call(readTranscript, admin.as, { params })).body.completed).toMatchObject([
      { courseSlug: course.slug },
    ]);
    const { rows } =
      await sql`select from audit_log where action = 'admin.read-person' and object = ${person.id}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it('is missing once the account is erased', async () => {
    const person = await makePerson(test);
    await sql`update users set erased_at = now(), email = null where id = ${person.id}`.execute(db);
    expect((await test.call(readTranscript, admin.as, { params: { id: person.id } })).status).toBe(404);
  });
});

describe('a transcript as a PDF', () => {
  it('is a file of the person alone', async () => {
    const person = await makePerson(test);
    await finish(person, await makeCourse(test));
    expect((await test.call(downloadMyTranscript, undefined)).status).toBe(401);
    const { status, headers, body } = await test.call(downloadMyTranscript, person.as);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="transcript.pdf"',
    ]);
    expect(String(body).startsWith('%PDF-1.7')).toBe(true);
  });
});
