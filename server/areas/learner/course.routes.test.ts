import { listMyJourneysOfCourse, readCourse, readLesson } from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { completeLessons, enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const PAST = new Date(Date.now() - 60_000);

const course = (as: As, slug: string, locale?: string) =>
  test.call(readCourse, as, { params: { courseSlug: slug }, query: { locale } });
const lesson = (as: As, { slug, journey }: TestCourse, lessonSlug: string, locale?: string) =>
  test.call(readLesson, as, {
    params: { courseSlug: slug, journeySlug: journey.slug, lessonSlug },
    query: { locale },
  });

describe('readCourse', () => {
  it('shows an anonymous viewer the summary, the outline and the way in', async () => {
    const fixture = await makeCourse(test, {
      title: { en: 'Security', fr: 'Sécurité' },
      summary: { en: 'Why it matters.' },
      journeys: [
        { title: { en: 'Basics', fr: 'Les bases' } },
        { privacy: 'closed-public' },
        { privacy: 'open-private' },
      ],
    });
    const answer = await course({}, fixture.slug, 'fr-CA');
    const { course: shown } = readCourse.replies[200].parse(answer.body);
    expect(shown).toMatchObject({
      id: fixture.id,
      title: 'Sécurité',
      summary: 'Why it matters.',
      shownLocale: 'fr',
      locales: ['en'],
      cover: null,
      academies: [],
    });
    expect(shown.journeys.map(({ slug, wayIn, canEnrol }) => [slug, wayIn, canEnrol])).toEqual([
      ['foundations', 'sign-in', false],
      ['journey-2', 'invitation', false],
    ]);
    expect(shown.journeys[0]).toMatchObject({
      title: 'Les bases',
      minutes: 33,
      lessons: 4,
      enrolment: null,
      progress: null,
      certificate: null,
      sections: [
        {
          heading: 'Section 1',
          lessons: [
            { slug: 'lesson-1', title: 'Lesson 1', minutes: 5, mandatory: true, completed: false, readable: true },
            { slug: 'lesson-2', readable: false },
          ],
        },
        { heading: 'Section 2', lessons: [{ slug: 'lesson-3' }, { slug: 'lesson-4', mandatory: false }] },
      ],
    });
  });

  it('counts progress as the other operations do', async () => {
    const fixture = await makeCourse(test);
    const { lessons } = fixture.journey;
    const maya = await makePerson(test);
    await enrol(test, maya, fixture.journey);
    await completeLessons(test, maya, [lessons[1]!, lessons[3]!]); // one of them is optional
    const mine = await test.call(listMyJourneysOfCourse, maya.as, { params: { courseSlug: fixture.slug } });
    const { progress } = listMyJourneysOfCourse.replies[200].parse(mine.body).journeys[0]!;
    const { journeys } = readCourse.replies[200].parse((await course(maya.as, fixture.slug)).body).course;
    const { journey } = readLesson.replies[200].parse((await lesson(maya.as, fixture, 'lesson-1')).body);
    expect([journeys[0]!.progress, journey.progress]).toEqual([progress, progress]);
    expect(journey.progress).toMatchObject({ completedLessons: 1, optional: { completedLessons: 1 } });
  });

  it('shows a learner their progress and the lessons they may read', async () => {
    const fixture = await makeCourse(test, {
      journeys: [{}, {}, { privacy: 'stripe-public' }, { privacy: 'closed-private' }],
    });
    const maya = await makePerson(test);
    await enrol(test, maya, fixture.journeys[0]!);
    await enrol(test, maya, fixture.journeys[3]!, { expiresOn: PAST });
    await completeLessons(test, maya, fixture.journey.lessons.slice(0, 1));
    const { journeys } = readCourse.replies[200].parse((await course(maya.as, fixture.slug)).body).course;
    expect(journeys.map(({ enrolment, canEnrol, wayIn }) => [enrolment?.status, canEnrol, wayIn])).toEqual([
      ['enrolled', false, 'open'],
      [undefined, true, 'open'],
      [undefined, false, 'payment'],
      ['expired', false, 'invitation'],
    ]);
    expect(journeys[0]!.progress).toMatchObject({ completedLessons: 1, mandatoryLessons: 3 });
    expect(journeys[0]!.sections[0]!.lessons[0]).toMatchObject({ completed: true, readable: true });
    expect(journeys[0]!.sections[1]!.lessons[1]).toMatchObject({ completed: false, readable: true });
    expect(journeys[3]!.sections[0]!.lessons[0]!.readable).toBe(false);
    const verified = await makeCourse(test, { scopes: { canView: 'public', canJoin: 'verified' } });
    const visitor = await makePerson(test, { role: 'non-public-servant' });
    expect((await course(visitor.as, verified.slug)).body.course.journeys[0].wayIn).toBe('verification');
  });

  it('lists the languages that all its texts have, its academies and its cover', async () => {
    const fixture = await makeCourse(test, {
      journeys: [
        {
          sections: [
            { lessons: [{ body: { en: 'a', fr: 'b', ar: 'c' } }, { body: { en: 'a', fr: 'b' } }, { body: {} }] },
          ],
        },
      ],
    });
    const { db } = test.ctx;
    await sql`insert into entries (id, content_type, source) values ('academy', 'academy', 'folder')`.execute(db);
    await sql`insert into academies (id, slug, title) values ('academy', 'digital', '{"en": "Digital"}')`.execute(db);
    await sql`insert into academy_courses values ('academy', ${fixture.id}, 0)`.execute(db);
    await sql`insert into content_assets (path, entry_id, key, mime, bytes, hash) values ('images/a.png', ${fixture.id}, 'abc.png', 'image/png', 1, 'x')`.execute(
      db,
    );
    await sql`update courses set cover = 'images/a.png', cover_alt = '{"en": "A lock"}' where id = ${fixture.id}`.execute(
      db,
    );
    const academiesFor = async (as: As) => (await course(as, fixture.slug)).body.course.academies;
    const administrator = await makePerson(test, { role: 'administrator' });
    expect([await academiesFor({}), await academiesFor(administrator.as)]).toEqual([
      [], // a link to an academy that the viewer may not see would lead nowhere
      [{ slug: 'digital', title: 'Digital' }],
    ]);
    await sql`insert into products (entry_id, content_type, can_view, can_join) values ('academy', 'academy', 'public', 'public')`.execute(
      db,
    );
    expect((await course({}, fixture.slug)).body.course).toMatchObject({
      locales: ['en', 'fr'],
      academies: [{ slug: 'digital', title: 'Digital' }],
      cover: { url: '/content-assets/abc.png', alt: 'A lock' },
    });
  });

  it('is hidden from viewers outside its scope', async () => {
    const [maya, administrator] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    const inactive = await makePerson(test, { role: 'inactive' });
    const secret = await makeCourse(test, { type: 'Private' });
    const members = await makeCourse(test, { scopes: { canView: 'authenticated', canJoin: 'authenticated' } });
    const unlisted = await makeCourse(test, { scopes: null });
    const withdrawn = await makeCourse(test);
    await sql`update entries set status = 'withdrawn' where id = ${withdrawn.id}`.execute(test.ctx.db);
    await enrol(test, maya, withdrawn.journey);
    await enrol(test, inactive, secret.journey);
    const statuses = async (as: As) =>
      await Promise.all(
        [secret, members, unlisted, withdrawn, { slug: 'no-such-course' }].map(
          async ({ slug }) => (await course(as, slug)).status,
        ),
      );
    expect(await statuses({})).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(inactive.as)).toEqual([404, 404, 404, 404, 404]);
    expect(await statuses(maya.as)).toEqual([404, 200, 404, 404, 404]);
    expect(await statuses(administrator.as)).toEqual([200, 200, 200, 404, 404]);
    await enrol(test, maya, secret.journey);
    expect(await statuses(maya.as)).toEqual([200, 200, 404, 404, 404]);
    expect((await course(maya.as, secret.slug, 'xx')).status).toBe(400);
  });
});

describe('the permissions of a journey', () => {
  it('come from its course until set, then are the stricter of the two', async () => {
    const set = (entryId: string, canView: string, canJoin: string) =>
      sql`update products set can_view = ${canView}, can_join = ${canJoin}, is_set = true
          where entry_id = ${entryId}`.execute(test.ctx.db);
    const maya = await makePerson(test, { role: 'non-public-servant' });
    const fixture = await makeCourse(test, { scopes: { canView: 'private', canJoin: 'private' }, journeys: [{}, {}] });
    const seen = async (as: As) => {
      const { status, body } = await course(as, fixture.slug);
      return status === 200 ? body.course.journeys.map((journey: { canEnrol: boolean }) => journey.canEnrol) : status;
    };
    expect(await seen(maya.as)).toBe(404);
    await set(fixture.journeys[1]!.entryId, 'public', 'authenticated');
    expect([await seen({}), await seen(maya.as)]).toEqual([[false], [true]]);
    await set(fixture.id, 'public', 'verified');
    expect(await seen(maya.as)).toEqual([false, false]);
    await set(fixture.id, 'verified', 'verified');
    expect(await seen(maya.as)).toBe(404);
  });
});

describe('readLesson', () => {
  it('shows an enrolled learner the text, its neighbours and their progress', async () => {
    const fixture = await makeCourse(test, {
      journeys: [
        {
          sections: [
            {
              lessons: [
                {},
                { body: { en: '<p>Text</p>', ar: '<p>نص</p>' }, discussion: { en: 'What would you do?' }, minutes: 8 },
                {},
              ],
            },
          ],
        },
      ],
    });
    const maya = await makePerson(test);
    await enrol(test, maya, fixture.journey);
    await completeLessons(test, maya, fixture.journey.lessons.slice(1, 2));
    const { lessonKey, activityId } = { lessonKey: fixture.journey.lessons[1]!.key, activityId: newId() };
    await sql`update bodies set headings = '[{"level": 2, "id": "why", "text": "Why"}]' where lesson_key = ${lessonKey}`.execute(
      test.ctx.db,
    );
    await test.ctx.db
      .insertInto('activities')
      .values({ id: activityId, lesson_key: lessonKey, author_id: maya.id, verb: 'lesson', hot: 0 })
      .execute();
    const answer = readLesson.replies[200].parse((await lesson(maya.as, fixture, 'lesson-2', 'ar')).body);
    expect(answer.course).toMatchObject({ slug: fixture.slug, humanTranslation: true });
    expect(answer.journey).toMatchObject({
      slug: 'foundations',
      enrolment: { status: 'enrolled', expiresOn: null, completedAt: null },
      progress: { completedLessons: 1, completedTime: 8 },
    });
    expect(answer.lesson).toMatchObject({
      id: fixture.journey.lessons[1]!.id,
      html: '<p>نص</p>',
      titleLocale: 'en',
      shownLocale: 'ar',
      locales: ['ar', 'en'],
      headings: [{ level: 2, id: 'why', text: 'Why' }],
      completed: true,
      completedAt: expect.any(String),
      preview: false,
      previous: { slug: 'lesson-1', title: 'Lesson 1' },
      next: { slug: 'lesson-3' },
      discussion: { question: 'What would you do?', activityId, canOpen: true },
    });
    expect((await lesson(maya.as, fixture, 'lesson-1')).body.lesson.previous).toBeNull();
    expect((await lesson(maya.as, fixture, 'lesson-3')).body.lesson).toMatchObject({
      next: null,
      discussion: { question: null, activityId: null },
    });
  });

  it('shows each of many concurrent viewers their own page, or refuses them', async () => {
    const fixture = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
    const [maya, omar, stranger] = [await makePerson(test), await makePerson(test), await makePerson(test)];
    for (const learner of [maya, omar]) await enrol(test, learner, fixture.journey);
    await completeLessons(test, maya, [fixture.journey.lessons[1]!]);
    const read = ({ as }: { as: As }) => lesson(as, fixture, 'lesson-2');
    const answers = await Promise.all([maya, omar, stranger, omar, maya, stranger, maya].map(read));
    expect(answers.map(({ status, body }) => (status === 200 ? body.lesson.completed : status))).toEqual([
      true,
      false,
      403,
      false,
      true,
      403,
      true,
    ]);
  });

  it('falls back along the language chain, then to any available language', async () => {
    const fixture = await makeCourse(test, {
      journeys: [
        { sections: [{ lessons: [{ body: { en: 'E', fr: 'F', ja: 'J' } }, { body: { ja: 'J' } }, { body: {} }] }] },
      ],
    });
    const maya = await makePerson(test);
    await enrol(test, maya, fixture.journey);
    const shown = async (slug: string, locale: string) => {
      const { body } = await lesson(maya.as, fixture, slug, locale);
      return [body.lesson.html, body.lesson.shownLocale];
    };
    expect(await shown('lesson-1', 'fr-CA')).toEqual(['F', 'fr']);
    expect(await shown('lesson-1', 'de')).toEqual(['E', 'en']);
    expect(await shown('lesson-2', 'de')).toEqual(['J', 'ja']);
    expect(await shown('lesson-3', 'de')).toEqual(['', null]);
  });

  it('previews the first lesson of an open journey; the others need a session and an enrolment', async () => {
    const fixture = await makeCourse(test, {
      journeys: [{ sections: [{ lessons: [{ discussion: { en: 'Q' } }, {}] }] }],
    });
    const maya = await makePerson(test);
    for (const as of [{}, maya.as]) {
      const preview = await lesson(as, fixture, 'lesson-1');
      expect([preview.status, preview.body.lesson.preview, preview.body.lesson.discussion]).toEqual([200, true, null]);
    }
    expect((await lesson({}, fixture, 'lesson-2')).status).toBe(401);
    const refused = await lesson(maya.as, fixture, 'lesson-2');
    expect([refused.status, refused.body.code]).toEqual([403, 'learner.not_enrolled']);
    await enrol(test, maya, fixture.journey, { expiresOn: PAST });
    expect((await lesson(maya.as, fixture, 'lesson-2')).body.code).toBe('learner.enrolment_expired');
    const closed = await makeCourse(test, { journeys: [{ privacy: 'closed-public' }] });
    expect((await lesson({}, closed, 'lesson-1')).status).toBe(401);
    expect((await lesson(maya.as, closed, 'lesson-1')).status).toBe(403);
    const administrator = await makePerson(test, { role: 'administrator' });
    expect((await lesson(administrator.as, closed, 'lesson-2')).body.lesson).toMatchObject({ preview: false });
  });

  it('answers 404 when a part of its path is hidden, withdrawn or of another course', async () => {
    const fixture = await makeCourse(test, { journeys: [{}, { privacy: 'closed-private' }] });
    const secret = await makeCourse(test, { type: 'Private' });
    const maya = await makePerson(test);
    await enrol(test, maya, fixture.journey);
    const inSecretJourney = { ...fixture, journey: fixture.journeys[1]! };
    expect((await lesson(maya.as, fixture, 'no-such-lesson')).status).toBe(404);
    expect((await lesson(maya.as, inSecretJourney, 'lesson-1')).status).toBe(404);
    expect((await lesson(maya.as, secret, 'lesson-1')).status).toBe(404);
    expect((await lesson({}, secret, 'lesson-1')).status).toBe(404);
    await sql`update lessons set withdrawn_at = now() where key = ${fixture.journey.lessons[0]!.key}`.execute(
      test.ctx.db,
    );
    expect((await lesson(maya.as, fixture, 'lesson-1')).status).toBe(404);
    expect((await lesson({}, fixture, 'lesson-2')).body.lesson).toMatchObject({ preview: true, previous: null });
    await sql`update journeys set withdrawn_at = now() where key = ${fixture.journey.key}`.execute(test.ctx.db);
    expect((await lesson(maya.as, fixture, 'lesson-2')).status).toBe(404);
  });
});
