import * as learning from '@officium/contract/learner';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol } from '#server/test/factories/courses.ts';
import { makeFolder } from '#server/test/factories/content.ts';

const test = await createTestApp();
const { db } = test.ctx;

const SENTENCE = 'Every office keeps a list of what it knows and says who may read it.';
type Lesson = { slug: string; text?: string; fr?: string; optional?: boolean };

/** Imports a course with these lessons, as an author would. */
async function publish(course: string, lessons: readonly Lesson[]): Promise<void> {
  const files: Record<string, string> = {};
  const lines = lessons.map(({ slug, text, fr, optional }, nth) => {
    files[`${slug}.en.md`] = text ?? `${SENTENCE} This is ${slug}.`;
    if (fr !== undefined) files[`${slug}.fr.md`] = fr;
    const body = `{en: ${slug}.en.md${fr === undefined ? '' : `, fr: ${slug}.fr.md`}}`;
    const mandatory = optional ? ', mandatory: false' : '';
    return `              - {slug: ${slug}, title: {en: Lesson ${nth + 1}}, minutes: 10${mandatory}, body: ${body}}`;
  });
  files['content.yaml'] = `format: 1
courses:
  - slug: ${course}
    type: Public
    title: {en: A course}
    scopes: {can_view: public, can_join: authenticated}
    journeys:
      - slug: j
        title: {en: A journey}
        privacy: open-public
        sections:
          - heading: {en: All}
            lessons:
${lines.join('\n')}
`;
  const { faults } = await importPath(test.ctx, await makeFolder(files));
  expect(faults).toEqual([]);
}

const keyOf = async (course: string) =>
  (
    await sql<{ key: string }>`
      select j.key from journeys j join courses c on c.id = j.course_id where c.slug = ${course}`.execute(db)
  ).rows[0]!.key; // published above

/** A learner in a course of three lessons who has completed these. */
async function learner(done: readonly string[], lessons: readonly Lesson[] = THREE) {
  const course = `changing-${newId().slice(-12)}`;
  await publish(course, lessons);
  const person = await makePerson(test);
  await enrol(test, person, { key: await keyOf(course) });
  for (const slug of done) expect(await complete(person.as, course, slug)).toBe(204);
  return { person, course };
}

const THREE: readonly Lesson[] = [{ slug: 'one' }, { slug: 'two' }, { slug: 'three' }];
const ALL = THREE.map(({ slug }) => slug);

async function complete(as: As, courseSlug: string, lessonSlug: string): Promise<number> {
  const params = { courseSlug, journeySlug: 'j', lessonSlug };
  return (await test.call(learning.completeLesson, as, { params })).status;
}

const journeyOf = async ({ as }: TestPerson, courseSlug: string) =>
  (await test.call(learning.listMyJourneysOfCourse, as, { params: { courseSlug } })).body.journeys[0];

/** The changes on the course page, which must equal those of My learning. */
async function changesOf({ as }: TestPerson, courseSlug: string) {
  const page = await test.call(learning.readCourse, as, { params: { courseSlug } });
  const { course } = learning.readCourse.replies[200].parse(page.body);
  const mine = learning.readMyLearning.replies[200].parse((await test.call(learning.readMyLearning, as)).body);
  const { changes } = mine.journeys.find((journey) => journey.course.slug === courseSlug)!; // the person is enrolled
  expect(course.journeys[0]?.changes).toEqual(changes);
  return changes;
}
const changedSlugs = async (person: TestPerson, course: string) => {
  const changes = await changesOf(person, course);
  const slugs = (links: { slug: string }[]) => links.map(({ slug }) => slug);
  return changes && [slugs(changes.added), slugs(changes.changed), changes.removed];
};
const markSeen = async ({ as }: TestPerson, courseSlug: string, revision: number) =>
  (await test.call(learning.seeMyChanges, as, { params: { courseSlug, journeySlug: 'j' }, body: { revision } })).status;

const OTHER = 'What is written below was not there before: ask two colleagues first, and note what each of them said.';

describe('a course that changes after it was finished', () => {
  it('stays finished, keeps its certificate and lists the changes', async () => {
    const { person, course } = await learner(ALL);
    const params = { courseSlug: course, journeySlug: 'j' };
    const issued = await test.call(learning.issueMyCertificate, person.as, { params, body: {} });
    const { completedAt } = await journeyOf(person, course);
    expect(await changedSlugs(person, course)).toBeNull();

    const changed = [
      { slug: 'one', text: `${SENTENCE} ${OTHER}` },
      { slug: 'three' },
      { slug: 'four' },
      { slug: 'five', optional: true },
    ];
    await publish(course, changed);
    expect(await changedSlugs(person, course)).toEqual([['four', 'five'], ['one'], 1]);
    expect(await journeyOf(person, course)).toMatchObject({
      completedAt,
      certificate: issued.body.certificate,
      progress: { completedLessons: 2, mandatoryLessons: 3 },
    });
    const records = (await test.call(learning.listMyLessons, person.as)).body.lessons;
    expect(records).toHaveLength(3);
    expect(records[0].progressSnapshot).toMatchObject({ completedLessons: 3, mandatoryLessons: 3 });

    expect(await complete(person.as, course, 'four')).toBe(204);
    expect(await changedSlugs(person, course)).toEqual([['five'], ['one'], 1]);
    expect((await journeyOf(person, course)).completedAt).toBe(completedAt);
    expect((await test.call(learning.issueMyCertificate, person.as, { params, body: {} })).body).toEqual(issued.body);
  });

  it('lists changes until they are marked as seen, and later ones again', async () => {
    const { person, course } = await learner(ALL);
    await publish(course, [...THREE, { slug: 'four' }]);
    const first = await changesOf(person, course);
    await publish(course, [...THREE, { slug: 'four' }, { slug: 'five' }]);
    expect(await markSeen(person, course, first!.revision)).toBe(204); // changes after that revision stay unseen
    expect(await changedSlugs(person, course)).toEqual([['five'], [], 0]);
    expect(await markSeen(person, course, 2_000_000)).toBe(204); // capped at the current revision
    expect(await changedSlugs(person, course)).toBeNull();
    expect(await markSeen(person, course, 0)).toBe(204);
    expect(await changedSlugs(person, course)).toBeNull();
    await publish(course, [...THREE, { slug: 'four' }, { slug: 'six' }]);
    expect(await changedSlugs(person, course)).toEqual([['six'], [], 0]);
  });

  it('counts a changed sentence, but no typo, markup or other language, as a change', async () => {
    const text = `${SENTENCE} ${OTHER}`;
    const { person, course } = await learner(ALL, [{ slug: 'one', text }, ...THREE.slice(1)]);
    const withFirst = async (lesson: Omit<Lesson, 'slug'>) => {
      await publish(course, [{ slug: 'one', ...lesson }, ...THREE.slice(1)]);
      return await changedSlugs(person, course);
    };
    expect(await withFirst({ text: text.replace('list', 'register') })).toBeNull();
    expect(await withFirst({ text: `## ${SENTENCE}\n\n**${OTHER}**` })).toBeNull();
    expect(await withFirst({ text, fr: 'Une autre langue' })).toBeNull();
    expect(await withFirst({ text, fr: `Une autre langue, et tout autrement : ${OTHER}` })).toBeNull();
    expect(await withFirst({ text: `${text} Nobody signs what nobody has read; ask again in a year.` })).toEqual([
      [],
      ['one'],
      0,
    ]);
    const { revision } = (await changesOf(person, course))!; // listed above
    await markSeen(person, course, revision);
    expect(await withFirst({ text: 'すべて新しい文章です。' })).toEqual([[], ['one'], 0]);
  });

  it('does not list a lesson that changed before the journey, or the lesson itself, was completed', async () => {
    const { person, course } = await learner(['one', 'two']);
    await publish(course, [{ slug: 'one', text: OTHER }, ...THREE.slice(1)]);
    expect(await complete(person.as, course, 'three')).toBe(204);
    expect(await changedSlugs(person, course)).toBeNull();
    await publish(course, [{ slug: 'one', text: OTHER }, ...THREE.slice(1), { slug: 'four' }]);
    await publish(course, [{ slug: 'one', text: OTHER }, ...THREE.slice(1), { slug: 'four', text: OTHER }]);
    expect(await complete(person.as, course, 'four')).toBe(204);
    expect(await changedSlugs(person, course)).toBeNull();
  });

  it('counts a restored lesson as completed, not as added', async () => {
    const { person, course } = await learner(ALL);
    await publish(course, THREE.slice(1));
    expect(await changedSlugs(person, course)).toEqual([[], [], 1]);
    await publish(course, THREE);
    expect(await changedSlugs(person, course)).toBeNull();
    expect((await journeyOf(person, course)).progress).toMatchObject({ completedLessons: 3, mandatoryLessons: 3 });
  });

  it('issues a certificate for the completed lessons after some were withdrawn', async () => {
    const { person, course } = await learner(ALL);
    await publish(course, [{ slug: 'three' }, { slug: 'four' }]);
    const params = { courseSlug: course, journeySlug: 'j' };
    const { status, body } = await test.call(learning.issueMyCertificate, person.as, { params, body: {} });
    expect(status).toBe(201);
    const { rows } = await sql`select lessons, minutes from certificates where id = ${body.certificate.id}`.execute(db);
    expect(rows).toEqual([{ lessons: 3, minutes: 30 }]);
  });
});

describe('a course that changes before it is finished', () => {
  it('lists no changes and counts the current lessons', async () => {
    const { person, course } = await learner(['one']);
    await publish(course, [{ slug: 'one', text: OTHER }, { slug: 'three' }, { slug: 'four' }]);
    expect(await changedSlugs(person, course)).toBeNull();
    expect(await journeyOf(person, course)).toMatchObject({
      completedAt: null,
      progress: { completedLessons: 1, mandatoryLessons: 3 },
    });
  });

  it('never loses progress when lessons are withdrawn', async () => {
    const { person, course } = await learner(['one', 'two']);
    const left = async () => {
      const { progress } = await journeyOf(person, course);
      return progress.mandatoryLessons - progress.completedLessons;
    };
    await publish(course, THREE.slice(1));
    expect(await left()).toBe(1);
    await publish(course, THREE);
    expect(await left()).toBe(1);
  });

  it.each([
    ['is withdrawn', THREE.slice(0, 2)],
    ['becomes optional', [...THREE.slice(0, 2), { slug: 'three', optional: true }]],
  ])('is finished when the last missing lesson %s', async (_, lessons) => {
    const { person, course } = await learner(['one', 'two']);
    const waiting = await makePerson(test);
    await enrol(test, waiting, { key: await keyOf(course) }, { status: 'pending' });
    const beginner = await makePerson(test);
    await enrol(test, beginner, { key: await keyOf(course) });
    await publish(course, lessons);
    expect((await journeyOf(person, course)).completedAt).not.toBeNull();
    expect((await journeyOf(waiting, course)).completedAt).toBeNull();
    expect((await journeyOf(beginner, course)).completedAt).toBeNull();
    expect(await changedSlugs(person, course)).toBeNull();
  });

  it('is not finished by losing all its mandatory lessons', async () => {
    const { person, course } = await learner([]);
    await publish(course, [{ slug: 'one', optional: true }]);
    expect((await journeyOf(person, course)).completedAt).toBeNull();
  });

  it('is finished when the last lesson is completed while another is withdrawn', async () => {
    for (let round = 0; round < 6; round++) {
      const { person, course } = await learner(['one']);
      const [status] = await Promise.all([
        complete(person.as, course, 'three'),
        publish(course, [THREE[0]!, THREE[2]!]),
      ]);
      expect(status).toBe(204);
      expect((await journeyOf(person, course)).completedAt).not.toBeNull();
    }
  });

  it('lists the changes of an import that runs while it is finished', async () => {
    for (let round = 0; round < 6; round++) {
      const { person, course } = await learner(['one', 'two']);
      const [status] = await Promise.all([
        complete(person.as, course, 'three'),
        publish(course, [...THREE, { slug: 'four' }]),
      ]);
      expect(status).toBe(204);
      const { completedAt } = await journeyOf(person, course);
      // Either it was finished before and the lesson is listed as added, or the lesson is still to be completed.
      expect(await changedSlugs(person, course)).toEqual(completedAt === null ? null : [['four'], [], 0]);
    }
  });
});

describe('seeMyChanges', () => {
  it('requires an enrolment and a published journey', async () => {
    const { person, course } = await learner(['one']);
    const stranger = await makePerson(test);
    expect(await markSeen(person, course, 9)).toBe(204);
    expect(await markSeen(stranger, course, 9)).toBe(403);
    expect(await markSeen(person, 'no-such-course', 9)).toBe(404);
    expect(await markSeen(person, course, -1)).toBe(400);
    // The journey is not finished, so nothing is marked as seen.
    expect(await complete(person.as, course, 'two')).toBe(204);
    expect(await complete(person.as, course, 'three')).toBe(204);
    await publish(course, [...THREE, { slug: 'four' }]);
    expect(await changedSlugs(person, course)).toEqual([['four'], [], 0]);
  });
});
