import { createMyCertificate } from '@officium/contract/assets';
import { joinAcademy } from '@officium/contract/content';
import { completeLesson, enrolMyself, issueMyCertificate, recordMyLesson } from '@officium/contract/learner';
import { giveUserProduct, recordLessonCompletion } from '@officium/contract/people-records';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { newId } from '../../db/client.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { completeLessons, enrol, makeCourse, type TestCourse } from '../factories/courses.ts';
import { type Nodes, type Request, tally, times } from './nodes.ts';

export function learningRaces({ test, storm }: Nodes): void {
  const { db } = test.ctx;
  const slugsOf = (course: TestCourse) => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
  const graduate = async (): Promise<{ person: TestPerson; course: TestCourse }> => {
    const [person, course] = [await makePerson(test), await makeCourse(test)];
    await enrol(test, person, course.journey);
    await completeLessons(test, person, course.journey.lessons.slice(0, 3));
    return { person, course };
  };
  const certificatesOf = async ({ id }: { id: string }) => {
    const { rows } = await sql<{ public_id: string }>`
      select public_id from certificates where user_id = ${id}`.execute(db);
    return rows.map((row) => row.public_id);
  };

  it('many requests issue one certificate', async () => {
    const { person, course } = await graduate();
    const answers = await storm(times(50, issueMyCertificate, person.as, { params: slugsOf(course), body: {} }));
    expect(tally(answers)).toEqual({ 200: 49, 201: 1 });
    const [publicId, ...others] = await certificatesOf(person);
    expect(others).toEqual([]);
    const urls = answers.map(({ body }) => body.certificate.certificateUrl);
    expect(new Set(urls)).toEqual(new Set([`http://localhost:3000/certificates/${publicId}.pdf`]));
  });

  it('both operations issue one certificate', async () => {
    const { person, course } = await graduate();
    const named = { ...slugsOf(course), journeyTitle: 'Another', nameOnCertificate: 'Maya Lund', locale: 'en' };
    const answers = await storm(
      Array.from({ length: 40 }, (_, nth): Request =>
        nth % 4 < 2
          ? [issueMyCertificate, person.as, { params: slugsOf(course), body: {} }]
          : [createMyCertificate, person.as, { body: named }],
      ),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const [publicId, ...others] = await certificatesOf(person);
    expect(others).toEqual([]);
    const urls = answers.map(({ body }) => body.certificateUrl ?? body.certificate.certificateUrl);
    expect(new Set(urls)).toEqual(new Set([`http://localhost:3000/certificates/${publicId}.pdf`]));
  });

  it('many requests of one person, by either operation, make one enrolment', async () => {
    const [person, course] = [await makePerson(test), await makeCourse(test)];
    const answers = await storm([
      ...times(30, enrolMyself, person.as, { body: slugsOf(course) }),
      ...times(20, giveUserProduct, person.as, { params: { id: 'me' }, body: slugsOf(course) }),
    ]);
    expect(tally(answers)).toEqual({ 201: 50 });
    const { rows } = await sql<{ id: string }>`
      select id from journey_enrolments where user_id = ${person.id}`.execute(db);
    expect(rows).toHaveLength(1);
    expect(new Set(answers.slice(0, 30).map(({ body }) => body.id))).toEqual(new Set([rows[0]?.id]));
  });

  it('lessons completed at once each count once and complete their journey', async () => {
    const [person, course] = [await makePerson(test), await makeCourse(test)];
    await enrol(test, person, course.journey);
    const requests = course.journey.lessons.slice(0, 3).flatMap(({ slug: lessonSlug }): Request[] => {
      const body = { ...slugsOf(course), lessonSlug, eventType: 'completed' };
      return [
        ...times(8, completeLesson, person.as, { params: { ...slugsOf(course), lessonSlug } }),
        ...times(4, recordMyLesson, person.as, { body }),
        ...times(4, recordLessonCompletion, person.as, { body }),
      ];
    });
    expect(tally(await storm(requests))).toEqual({ 201: 24, 204: 24 });
    const { rows } = await sql`
      select e.completed_at is not null as is_completed,
        (select count(*) from lesson_completions where user_id = e.user_id) as lessons,
        (select max(progress->>'completedLessons') from lesson_completions where user_id = e.user_id) as most
      from journey_enrolments e where e.user_id = ${person.id}`.execute(db);
    expect(rows).toEqual([{ is_completed: true, lessons: 3, most: '3' }]);
  });

  it('many requests join an academy once', async () => {
    const person = await makePerson(test);
    const id = `academy-${newId()}`;
    await sql`insert into entries (id, content_type, source) values (${id}, 'academy', 'folder')`.execute(db);
    await sql`
      insert into products (entry_id, content_type, can_view, can_join)
      values (${id}, 'academy', 'public', 'authenticated')`.execute(db);
    await sql`insert into academies (id, slug, title) values (${id}, ${id}, '{"en": "An academy"}')`.execute(db);
    expect(tally(await storm(times(30, joinAcademy, person.as, { params: { slug: id } })))).toEqual({ 204: 30 });
    const { rows } = await sql`select 1 from academy_members where user_id = ${person.id}`.execute(db);
    expect(rows).toHaveLength(1);
  });
}
