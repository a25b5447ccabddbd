import { createMyCertificate } from '@officium/contract/assets';
import { deleteAccount } from '@officium/contract/auth';
import {
  issueMyCertificate,
  listMyCourses,
  listMyJourneysOfCourse,
  verifyCertificate,
} from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { completeLessons, enrol, makeCourse, makeLesson, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();

const put = (person: { as: As }, course: TestCourse, body?: object) =>
  test.call(issueMyCertificate, person.as, {
    params: { courseSlug: course.slug, journeySlug: course.journey.slug },
    body,
  });
const post = (person: { as: As }, course: TestCourse, body: object = {}) =>
  test.call(createMyCertificate, person.as, {
    body: {
      courseSlug: course.slug,
      journeySlug: course.journey.slug,
      journeyTitle: 'Forged title',
      nameOnCertificate: 'Maya Lund',
      locale: 'en',
      ...body,
    },
  });

async function graduate(given: { name?: string; course?: Parameters<typeof makeCourse>[1] } = {}) {
  const [person, course] = [await makePerson(test, { name: given.name }), await makeCourse(test, given.course)];
  await enrol(test, person, course.journey);
  await completeLessons(test, person, course.journey.lessons.slice(0, 3));
  return { person, course };
}

const pathOf = (url: string) => url.replace('http://localhost:3000', '');
const publicIdOf = (url: string) => /\/certificates\/([0-9a-f]{32})\.pdf$/.exec(url)![1]!;

describe('issueMyCertificate', () => {
  it('issues a certificate once and then returns it unchanged', async () => {
    const { person, course } = await graduate({ name: '  Zoë \u202e Brandt ' });
    const first = await put(person, course);
    expect(first.status).toBe(201);
    const { certificate } = issueMyCertificate.replies[201].parse(first.body);
    expect(certificate.nameOnCertificate).toBe('Zoë Brandt');
    expect(certificate.certificateUrl).toMatch(/^http:\/\/localhost:3000\/certificates\/[0-9a-f]{32}\.pdf$/);
    expect(certificate.verificationUrl).toBe(certificate.certificateUrl.replace('.pdf', ''));
    const second = await put(person, course, { nameOnCertificate: 'Somebody Else' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await post(person, course, { nameOnCertificate: 'Somebody Else' })).body).toEqual({
      certificateUrl: certificate.certificateUrl,
    });
    const { body } = await test.call(listMyJourneysOfCourse, person.as, { params: { courseSlug: course.slug } });
    expect(body.journeys[0]).toMatchObject({ certificate, completedAt: expect.any(String) });
    const { body: mine } = await test.call(listMyCourses, person.as);
    expect(mine.courses[0].certificate).toEqual(certificate);
  });

  it('issues one certificate for parallel requests through both operations', async () => {
    const { person, course } = await graduate();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? put(person, course) : post(person, course))),
    );
    const urls = answers.map(({ body }) => body.certificateUrl ?? body.certificate.certificateUrl);
    expect(new Set(urls).size).toBe(1);
    expect(answers.filter(({ status, body }) => status === 201 && body.certificate).length).toBeLessThanOrEqual(1);
    const { rows } = await sql`select id from certificates where user_id = ${person.id}`.execute(test.ctx.db);
    expect(rows).toHaveLength(1);
  });

  it('requires every mandatory lesson', async () => {
    const [maya, course] = [await makePerson(test), await makeCourse(test)];
    for (const prepare of [
      async () => {},
      async () => void (await enrol(test, maya, course.journey)),
      async () => await completeLessons(test, maya, course.journey.lessons.slice(1)),
    ]) {
      await prepare();
      for (const { status, body } of [await put(maya, course), await post(maya, course)])
        expect([status, body.code]).toEqual([409, 'learner.not_completed']);
    }
    const easy = await makeCourse(test, { journeys: [{ sections: [{ lessons: [{ mandatory: false }] }] }] });
    await enrol(test, maya, easy.journey);
    await completeLessons(test, maya, easy.journey.lessons);
    expect((await put(maya, easy)).status).toBe(409);
  });

  it('is issued for a completed journey even if the course or enrolment has changed since', async () => {
    const { person, course } = await graduate();
    await sql`update journey_enrolments set completed_at = now() - interval '1 day', expires_on = now() - interval '1 hour'
              where user_id = ${person.id}`.execute(test.ctx.db);
    await makeLesson(test, { journeyKey: course.journey.key, position: 9 });
    await sql`update courses set type = 'Private' where id = ${course.id}`.execute(test.ctx.db);
    expect((await put(person, course)).status).toBe(201);

    const withdrawn = await graduate();
    await sql`delete from lesson_completions where lesson_key = ${withdrawn.course.journey.lessons[2]!.key}`.execute(
      test.ctx.db,
    );
    expect((await put(withdrawn.person, withdrawn.course)).status).toBe(409);
    await sql`update lessons set withdrawn_at = now() where key = ${withdrawn.course.journey.lessons[2]!.key}`.execute(
      test.ctx.db,
    );
    expect((await put(withdrawn.person, withdrawn.course)).status).toBe(201);
  });

  it('is refused to other users and without a session', async () => {
    const { course } = await graduate();
    const hidden = await graduate({ course: { type: 'Private' } });
    const other = await makePerson(test);
    expect((await put(other, course)).status).toBe(409);
    expect((await put(other, hidden.course)).status).toBe(404);
    expect((await post(other, hidden.course)).status).toBe(404);
    const params = { courseSlug: course.slug, journeySlug: 'foundations' };
    expect((await test.call(issueMyCertificate, {}, { params })).status).toBe(401);
    expect((await test.call(createMyCertificate, {}, { body: {} })).status).toBe(401);
  });
});

describe('a certificate', () => {
  it('is not issued in a narrowed session without the course', async () => {
    const { person, course } = await graduate();
    await sql`update sessions set permissions = ${JSON.stringify({ courses: { other: [] } })}
              where user_id = ${person.id}`.execute(test.ctx.db);
    for (const { status, body } of [await put(person, course), await post(person, course)])
      expect([status, body.code]).toEqual([403, 'auth.forbidden']);
  });

  it('is deleted with the account of its holder', async () => {
    const { person, course } = await graduate();
    const { certificate } = (await put(person, course)).body;
    await test.call(deleteAccount, person.as, { params: { email: person.email } });
    expect((await test.send('GET', pathOf(certificate.certificateUrl))).status).toBe(404);
    const publicId = publicIdOf(certificate.certificateUrl);
    expect((await test.call(verifyCertificate, undefined, { params: { publicId } })).status).toBe(404);
    const { rows } = await sql`select id from journey_enrolments where user_id = ${person.id}
      union all select id from lesson_completions where user_id = ${person.id}`.execute(test.ctx.db);
    expect(rows).toEqual([]);
  });
});

describe('createMyCertificate', () => {
  it('prints the given name and the titles of the catalogue', async () => {
    const { person, course } = await graduate({
      course: { title: { en: 'Security', fr: 'Sécurité' }, journeys: [{ title: { en: 'Basics', fr: 'Les bases' } }] },
    });
    const { status, body } = await post(person, course, {
      nameOnCertificate: ' Jose\u0301\u2066\tPena\u202e',
      locale: 'fr-CA',
    });
    expect(status).toBe(201);
    createMyCertificate.replies[201].parse(body);
    const answer = await test.call(verifyCertificate, {}, { params: { publicId: publicIdOf(body.certificateUrl) } });
    expect(answer.body.certificate).toMatchObject({
      nameOnCertificate: 'José Pena',
      courseTitle: 'Sécurité',
      journeyTitle: 'Les bases',
      locale: 'fr-CA',
    });
  });

  it('refuses invalid names and malformed bodies', async () => {
    const { person, course } = await graduate();
    for (const body of [
      { nameOnCertificate: '' },
      { nameOnCertificate: ' \u202e\u200b ' },
      { nameOnCertificate: '\u200d' },
      { nameOnCertificate: 'x'.repeat(101) },
      { nameOnCertificate: ['Maya'] },
      { nameOnCertificate: 'a\0b' },
      { nameOnCertificate: undefined },
      { courseSlug: undefined },
      { journeySlug: 7 },
      { locale: 'xx' },
    ])
      expect((await post(person, course, body)).status).toBe(400);
    expect((await post(person, course, { nameOnCertificate: '😀'.repeat(99) + 'x' })).status).toBe(201);
  });
});

describe('the public view of a certificate', () => {
  it('confirms every claim from the record', async () => {
    const { person, course } = await graduate({ name: 'Maya Lund' });
    const { certificate } = (await put(person, course)).body;
    const publicId = publicIdOf(certificate.certificateUrl);
    const answer = await test.call(verifyCertificate, {}, { params: { publicId: publicId.toUpperCase() } });
    expect(answer.headers['x-robots-tag']).toBe('noindex');
    expect(verifyCertificate.replies[200].parse(answer.body).certificate).toEqual({
      publicId,
      status: 'valid',
      expiresAt: null,
      follows: null,
      design: null,
      nameOnCertificate: 'Maya Lund',
      courseTitle: expect.any(String),
      journeyTitle: 'Journey 1',
      courseSlug: course.slug,
      lessons: 3,
      minutes: 30,
      locale: 'en',
      issuer: 'Officium',
      issuedAt: certificate.issuedAt,
      assessments: [],
      revokedAt: null,
      certificateUrl: certificate.certificateUrl,
      verificationUrl: certificate.verificationUrl,
      credentialUrl: `${certificate.verificationUrl}.jwt`,
      badgeUrl: `${certificate.verificationUrl}.svg`,
      revocationReason: null,
    });
    await sql`update courses set type = 'Private' where id = ${course.id}`.execute(test.ctx.db);
    expect((await test.call(verifyCertificate, {}, { params: { publicId } })).body.certificate.courseSlug).toBeNull();
  });

  it('returns 404 for any other number, including the row’s id', async () => {
    const { person, course } = await graduate();
    const { certificate } = (await put(person, course)).body;
    for (const publicId of [certificate.id, '0'.repeat(32), '../x', '%', 'x'.repeat(128)])
      expect((await test.call(verifyCertificate, {}, { params: { publicId } })).status).toBe(404);
  });

  it('offers a PDF that caches may keep for a minute', async () => {
    const { person, course } = await graduate({ name: 'مايا' });
    const { certificate } = (await put(person, course, { locale: 'ar' })).body;
    const path = pathOf(certificate.certificateUrl);
    const pdf = await test.send('GET', path);
    expect(pdf.status).toBe(200);
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'public, max-age=60',
      'x-robots-tag': 'noindex',
    });
    expect(pdf.body.startsWith('%PDF-1.7')).toBe(true);
    const again = await test.send('GET', path, { headers: { 'if-none-match': String(pdf.headers['etag']) } });
    expect([again.status, again.body]).toEqual([304, '']);
    for (const unknown of [
      `/certificates/${'0'.repeat(32)}.pdf`,
      '/certificates/x.pdf',
      `/certificates/${certificate.id}.pdf`,
    ])
      expect((await test.send('GET', unknown)).status).toBe(404);
  });

  it('shows a revocation, and the PDF redirects to it', async () => {
    const { person, course } = await graduate();
    const { certificate } = (await put(person, course)).body;
    await sql`update certificates set revoked_at = now() where id = ${certificate.id}`.execute(test.ctx.db);
    const pdf = await test.send('GET', pathOf(certificate.certificateUrl));
    expect([pdf.status, pdf.headers['location']]).toEqual([302, certificate.verificationUrl]);
    const { body } = await test.call(
      verifyCertificate,
      {},
      { params: { publicId: publicIdOf(certificate.certificateUrl) } },
    );
    expect(body.certificate).toMatchObject({ status: 'revoked', revokedAt: expect.any(String) });
  });
});
