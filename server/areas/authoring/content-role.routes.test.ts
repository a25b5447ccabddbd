import {
  comparePiece,
  createPiece,
  deletePiece,
  discardDraft,
  listPieces,
  listPieceVersions,
  orderJourneys,
  previewPiece,
  publishPiece,
  readPiece,
  restorePieceVersion,
  savePiece,
  uploadPiecePicture,
  withdrawPiece,
} from '@officium/contract/authoring';
import { listAuditLog } from '@officium/contract/audit';
import { addressOf } from '@officium/contract/client';
import { checkContent, listContentFindings } from '@officium/contract/content-checks';
import { exportContent } from '@officium/contract/content-folder';
import { readCourseCompletion } from '@officium/contract/course-reports';
import { readFigures } from '@officium/contract/figures';
import { deleteLessonActivity } from '@officium/contract/lesson-discussions';
import { decideReports, reportContent } from '@officium/contract/moderation';
import { listCases } from '@officium/contract/moderation-office';
import { setProductAccess } from '@officium/contract/product-access';
import { type AssignedRole, listReportPlaces, takeRole } from '@officium/contract/roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makeAcademy, makePost } from '#server/test/authority/things.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';
import { assignRoles } from '#server/test/factories/roles.ts';

const test = await createTestApp();
const { db } = test.ctx;

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

type Params = { kind: string; key: string };
const read = async (params: Params, as = admin.as) => await test.call(readPiece, as, { params });
const create = async (body: object, as = admin.as) => await test.call(createPiece, as, { body });
const save = async (params: Params, changes: object, as = admin.as, more: object = {}) => {
  const { doc, version } = (await read(params)).body;
  return await test.call(savePiece, as, { params, body: { version, doc: { ...doc, ...changes }, ...more } });
};
const publish = async (params: Params, as = admin.as, options: object = {}) => {
  const { version } = (await read(params)).body;
  return await test.call(publishPiece, as, { params, body: { version, ...options } });
};
const versionOf = async (params: Params) => ({ version: (await read(params)).body.version as number });

async function upload(params: Params, { as }: TestPerson) {
  const { headers, payload } = await pictureForm();
  return await test.send('POST', addressOf(uploadPiecePicture, { params }), { as, headers, body: payload });
}

let counter = 0;
async function begin(body: { kind: string; parent?: string }, as = admin.as): Promise<Params> {
  const made = await create({ title: 'A title', slug: `role-${(counter += 1)}`, ...body }, as);
  expect([made.status, made.body]).toMatchObject([201, { kind: body.kind }]);
  return { kind: body.kind, key: made.body.key };
}

/** A live course with a journey of two lessons. */
async function live() {
  const course = await begin({ kind: 'course' });
  const journey = await begin({ kind: 'journey', parent: course.key });
  const lesson = await begin({ kind: 'lesson', parent: journey.key });
  const other = await begin({ kind: 'lesson', parent: journey.key });
  for (const each of [lesson, other]) await save(each, { body: { en: 'Text.', de: 'Worte.' } });
  expect((await publish(course, admin.as, { withParts: true })).status).toBe(200);
  return { course, journey, lesson, other };
}

async function holder(role: AssignedRole, kind: 'academy' | 'course', id: string): Promise<TestPerson> {
  const person = await makePerson(test);
  await assignRoles(test, person, [{ role, kind, id }]);
  return person;
}
async function academyWith(...courses: Params[]): Promise<Params> {
  const key = `academy-${await makeAcademy(test)}`;
  const rows = courses.map((course, position) => ({ academy_id: key, course_id: course.key, position }));
  if (rows.length > 0) await db.insertInto('academy_courses').values(rows).execute();
  return { kind: 'academy', key };
}
const listed = async (person: TestPerson, query: Record<string, string> = {}) =>
  (await test.call(listPieces, person.as, { query })).body.pieces
    .map(({ kind, key }: Params) => `${kind} ${key}`)
    .toSorted();
const names = (...pieces: Params[]) => pieces.map(({ kind, key }) => `${kind} ${key}`).toSorted();

describe('an author of a course', () => {
  it('finds and reads the course with its parts, and nothing else', async () => {
    const [own, foreign] = [await live(), await live()];
    const draft = await begin({ kind: 'lesson', parent: own.journey.key });
    const author = await holder('author', 'course', own.course.key);
    expect(await listed(author)).toEqual(names(own.course, own.journey, own.lesson, own.other, draft));
    expect((await test.call(listPieces, author.as, { query: { kind: 'lesson' } })).body.total).toBe(3);
    const { status, body } = await read(own.lesson, author.as);
    expect([status, body.capabilities]).toEqual([200, ['edit-content', 'read-content', 'translate-content']]);
    expect((await read(own.lesson)).body).not.toHaveProperty('capabilities');
    const nowhere = await read({ kind: 'course', key: 'nowhere' }, author.as);
    expect(nowhere.status).toBe(404);
    const community = await makeCommunity(db);
    const academy = await academyWith(own.course);
    for (const each of [foreign.course, foreign.lesson, academy, { kind: 'community', key: community.entryId }])
      expect((await read(each, author.as)).body).toMatchObject({ statusCode: 404, code: nowhere.body.code });
  });

  it('edits drafts, begins and deletes parts, uploads pictures, previews and compares', async () => {
    const { course, journey, lesson } = await live();
    const author = await holder('author', 'course', course.key);
    expect((await save(lesson, { body: { en: 'New text.', de: 'Worte.' } }, author.as)).status).toBe(200);
    expect((await test.call(previewPiece, author.as, { params: lesson })).body.html).toContain('New text.');
    const compared = await test.call(comparePiece, author.as, { params: lesson, query: { from: 'live' } });
    expect(compared.body.changes).toMatchObject([{ field: 'body', locale: 'en' }]);
    expect((await test.call(listPieceVersions, author.as, { params: lesson })).body.total).toBe(1);
    const discarded = await test.call(discardDraft, author.as, { params: lesson, body: await versionOf(lesson) });
    expect(discarded.status).toBe(200);

    const begun = await begin({ kind: 'lesson', parent: journey.key }, author.as);
    await begin({ kind: 'journey', parent: course.key }, author.as);
    const foreign = await live();
    expect((await upload(begun, author)).status).toBe(201);
    expect((await upload(foreign.lesson, author)).status).toBe(404);
    const deleted = await test.call(deletePiece, author.as, { params: begun, body: await versionOf(begun) });
    expect(deleted.status).toBe(204);
    expect((await test.call(checkContent, author.as, { body: { text: '#', locale: 'en' } })).status).toBe(200);
  });

  it('finds what the checks say of the course', async () => {
    const [own, foreign] = [await live(), await live()];
    for (const { lesson } of [own, foreign]) {
      await save(lesson, { body: { en: 'PLEASE READ ALL THESE WORDS NOW.' } });
      expect((await publish(lesson)).status).toBe(200);
    }
    const author = await holder('author', 'course', own.course.key);
    const { body } = await test.call(listContentFindings, author.as);
    expect(body).toMatchObject({ total: 1, texts: 3, findings: [{ rule: 'all-caps', key: own.lesson.key }] });
    expect((await test.call(listContentFindings, admin.as)).body.total).toBeGreaterThan(1);
  });

  it('may neither publish, withdraw, order nor restore, nor reach the tools for all content', async () => {
    const { course, journey, lesson } = await live();
    const author = await holder('author', 'course', course.key);
    await save(lesson, { minutes: 7 }, author.as);
    const body = await versionOf(lesson);
    const answers = [
      await test.call(publishPiece, author.as, { params: lesson, body }),
      await test.call(withdrawPiece, author.as, { params: lesson, body }),
      await test.call(restorePieceVersion, author.as, { params: { ...lesson, number: '1' }, body }),
      await test.call(orderJourneys, author.as, { params: { key: course.key }, body: { journeys: [journey.key] } }),
      await create({ kind: 'course', title: 'Another' }, author.as),
      await create({ kind: 'microcourse', title: 'Another' }, author.as),
      await test.call(exportContent, author.as),
      await test.call(setProductAccess, author.as, {
        params: { id: course.key },
        body: { can_view: 'public', can_join: 'public' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    const foreign = await live();
    expect((await create({ kind: 'journey', title: 'Mine', parent: foreign.course.key }, author.as)).status).toBe(404);
    const taken = { params: foreign.lesson, body: { ...body, doc: (await read(foreign.lesson)).body.doc } };
    expect((await test.call(savePiece, author.as, taken)).status).toBe(404);
  });

  it('changes neither who sees or buys something, nor whose profile moderates', async () => {
    const { course, journey } = await live();
    const author = await holder('author', 'course', course.key);
    const contact = { name: 'Me', role: {}, email: null };
    const refusals = [
      await save(course, { type: 'Public' }, author.as),
      await save(journey, { privacy: 'open-public' }, author.as),
      await save(journey, { price: '49.00 EUR' }, author.as),
      await save(course, { contacts: [{ ...contact, profile: author.id }] }, author.as),
    ];
    for (const { status, body } of refusals) expect([status, body.code]).toEqual([403, 'content.access_fields']);
    await save(course, { contacts: [{ ...contact, profile: author.id }] });
    const renamed = [{ ...contact, name: 'You', profile: author.id }];
    expect((await save(course, { contacts: renamed }, author.as)).status).toBe(200);
  });

  it('loses the right at once, also in a session that is still cached', async () => {
    const { course, lesson } = await live();
    const author = await holder('author', 'course', course.key);
    expect((await read(lesson, author.as)).status).toBe(200);
    const { id } = await db
      .selectFrom('role_assignments')
      .select('id')
      .where('user_id', '=', author.id)
      .executeTakeFirstOrThrow();
    const params = { id: author.id, assignmentId: id };
    const [saved, taken] = await Promise.all([
      save(lesson, { minutes: 8 }, author.as),
      test.call(takeRole, admin.as, { params }),
    ]);
    expect(taken.status).toBe(204);
    expect([200, 403, 404]).toContain(saved.status);
    // Another author, whose session no announcement of the role taken above can refresh.
    const unaware = await holder('author', 'course', course.key);
    expect((await read(lesson, unaware.as)).status).toBe(200);
    // Another process took the role away; this one has not heard of it.
    await db.deleteFrom('role_assignments').where('user_id', '=', unaware.id).execute();
    expect((await save(lesson, { minutes: 9 }, unaware.as)).status).toBe(404);
    expect((await create({ kind: 'lesson', title: 'Late', parent: lesson.key }, unaware.as)).status).toBe(404);
  });
});

describe('a role in an academy', () => {
  it('holds for its courses and for those begun in it, but not for the list of courses', async () => {
    const [own, foreign] = [await live(), await live()];
    const academy = await academyWith(own.course);
    const author = await holder('author', 'academy', academy.key);
    const begun = await begin({ kind: 'course', parent: academy.key }, author.as);
    const journey = await begin({ kind: 'journey', parent: begun.key }, author.as);
    const inside = [academy, own.course, own.journey, own.lesson, own.other, begun, journey];
    expect(await listed(author)).toEqual(names(...inside));
    for (const each of inside) expect((await read(each, author.as)).status).toBe(200);
    expect((await read(foreign.course, author.as)).status).toBe(404);
    const shown = (await read(academy, author.as)).body.courses.map(({ key }: Params) => key);
    expect(shown).toEqual([own.course.key, begun.key]);
    expect((await save(academy, { description: { en: 'New' } }, author.as)).status).toBe(200);
    const widened = await save(academy, { courses: [own.course.key, foreign.course.key] }, author.as);
    expect([widened.status, widened.body.code]).toEqual([403, 'content.access_fields']);
    const ofCourse = await holder('author', 'course', own.course.key);
    expect((await create({ kind: 'course', title: 'New', parent: academy.key }, ofCourse.as)).status).toBe(404);
    expect((await read(begun, ofCourse.as)).status).toBe(404);
  });

  it('needs a published academy to begin a course', async () => {
    const draft = await begin({ kind: 'academy' });
    const made = await create({ kind: 'course', title: 'Early', parent: draft.key });
    expect([made.status, made.body.code]).toEqual([409, 'content.parent_not_live']);
  });

  it('publishes a course that was begun in it into the academy', async () => {
    const own = await live();
    const academy = await academyWith(own.course);
    const owner = await holder('course-owner', 'academy', academy.key);
    await save(academy, { description: { en: 'A draft' } }, owner.as);
    const begun = await begin({ kind: 'course', parent: academy.key }, owner.as);
    expect((await publish(begun, owner.as)).status).toBe(200);
    expect((await read(begun, owner.as)).body).toMatchObject({ state: 'published' });
    expect((await read(academy)).body).toMatchObject({ hasDraft: true, doc: { courses: [own.course.key, begun.key] } });
    expect((await publish(academy, owner.as)).status).toBe(200);
    expect((await read(academy)).body.doc.courses).toEqual([own.course.key, begun.key]);
  });

  it('ends for a course that leaves the academy', async () => {
    const own = await live();
    const academy = await academyWith(own.course);
    const author = await holder('author', 'academy', academy.key);
    expect((await read(own.lesson, author.as)).status).toBe(200);
    await save(academy, { courses: [] });
    await publish(academy);
    expect((await save(own.lesson, { minutes: 5 }, author.as)).status).toBe(404);
  });
});

describe('a course owner', () => {
  it('does not publish what only administrators decide: courses of an academy, type, privacy, price, contacts', async () => {
    const [own, foreign] = [await live(), await live()];
    const academy = await academyWith(own.course);
    const owner = await holder('course-owner', 'academy', academy.key);
    const profile = (await makePerson(test)).id;
    const drafts: [Params, object][] = [
      [academy, { courses: [own.course.key, foreign.course.key] }],
      [own.course, { type: 'Public' }],
      [own.course, { contacts: [{ name: 'Ana', profile }] }],
      [own.journey, { privacy: 'open-public' }],
      [own.journey, { privacy: 'stripe-private', price: '20.00 EUR' }],
    ];
    for (const [piece, change] of drafts) {
      expect((await save(piece, change)).status).toBe(200);
      const refused = await publish(piece, owner.as, { withParts: true });
      expect([refused.status, refused.body.code]).toEqual([403, 'content.access_fields']);
      expect((await test.call(discardDraft, admin.as, { params: piece, body: await versionOf(piece) })).status).toBe(
        200,
      );
    }
    expect((await read(foreign.course, owner.as)).status).toBe(404);
    await save(own.course, { summary: { en: 'New' } });
    expect((await publish(own.course, owner.as)).status).toBe(200);
  });

  it('publishes what was withdrawn in the course again, but not what an administrator withdrew', async () => {
    const { course, lesson, other } = await live();
    const owner = await holder('course-owner', 'course', course.key);
    const withdraw = async (piece: Params, { as }: TestPerson) => {
      const { status } = await test.call(withdrawPiece, as, { params: piece, body: await versionOf(piece) });
      expect(status).toBe(200);
    };
    await withdraw(lesson, owner);
    expect((await publish(lesson, owner.as)).status).toBe(200);
    for (const piece of [other, course]) {
      await withdraw(piece, admin);
      const refused = await publish(piece, owner.as);
      expect([refused.status, refused.body.code]).toEqual([403, 'content.barred']);
      expect((await read(piece)).body.state).toBe('withdrawn');
      expect((await publish(piece)).status).toBe(200);
      await withdraw(piece, owner);
      expect((await publish(piece, owner.as)).status).toBe(200);
    }
  });

  it('does not bring a lesson back that an administrator withdrew, by the outline or by withdrawing it first', async () => {
    const { course, journey, lesson, other } = await live();
    const owner = await holder('course-owner', 'course', course.key);
    const withdraw = async (piece: Params, { as }: TestPerson) =>
      (await test.call(withdrawPiece, as, { params: piece, body: await versionOf(piece) })).status;
    expect(await withdraw(lesson, admin)).toBe(200);
    for (const lessons of [[other.key], [other.key, lesson.key]]) {
      expect((await save(journey, { sections: [{ heading: {}, lessons }] }, owner.as)).status).toBe(200);
      expect((await publish(journey, owner.as)).status).toBe(200);
      expect((await read(lesson)).body.state).toBe('withdrawn');
    }
    expect(await withdraw(other, owner)).toBe(200);
    expect(await withdraw(other, owner)).toBe(409);
    expect((await read(other)).body).toMatchObject({ state: 'withdrawn', isBarred: false });
    expect(await withdraw(other, admin)).toBe(200);
    expect((await read(other, owner.as)).body).toMatchObject({ state: 'withdrawn', isBarred: true });
    const { body: log } = await test.call(listAuditLog, admin.as, { query: { object: other.key } });
    expect(log.entries[0]).toMatchObject({
      action: 'content.withdraw-piece',
      detail: { kind: 'lesson', isBarred: true },
    });
    expect((await publish(other, owner.as)).body.code).toBe('content.barred');
  });

  it('does not publish a new part that an administrator opened', async () => {
    const { course } = await live();
    const owner = await holder('course-owner', 'course', course.key);
    const journey = await begin({ kind: 'journey', parent: course.key }, owner.as);
    await save(course, { summary: { en: 'New' } });
    await save(journey, { privacy: 'open-public' });
    const refused = await publish(course, owner.as, { withParts: true });
    expect([refused.status, refused.body.code]).toEqual([403, 'content.access_fields']);
    expect((await publish(course, admin.as, { withParts: true })).body).toMatchObject({ published: 2 });
  });

  it('publishes, orders and withdraws what belongs to the course', async () => {
    const { course, journey, lesson } = await live();
    const owner = await holder('course-owner', 'course', course.key);
    await save(lesson, { minutes: 12 }, owner.as);
    expect((await publish(lesson, owner.as)).status).toBe(200);
    expect((await read(lesson)).body).toMatchObject({ state: 'published', doc: { minutes: 12 } });
    const order = { params: { key: course.key }, body: { journeys: [journey.key] } };
    expect((await test.call(orderJourneys, owner.as, order)).status).toBe(204);
    const withdrawn = await test.call(withdrawPiece, owner.as, { params: lesson, body: await versionOf(lesson) });
    expect(withdrawn.status).toBe(200);
    const foreign = await live();
    await save(foreign.lesson, { minutes: 3 });
    expect((await publish(foreign.lesson, owner.as)).status).toBe(404);
    const own = { params: { id: course.key }, body: { can_view: 'public', can_join: 'public' } };
    expect((await test.call(setProductAccess, owner.as, own)).status).toBe(403);
  });

  it('reads the reports of the course, and finds the cases under its lessons', async () => {
    const [own, foreign] = [await makeCourse(test), await makeCourse(test)];
    const owner = await holder('course-owner', 'course', own.id);
    const report = async (course: typeof own) =>
      (await test.call(readCourseCompletion, owner.as, { params: { courseSlug: course.slug } })).status;
    expect([await report(own), await report(foreign)]).toEqual([200, 404]);
    const figures = async (query: Record<string, string>) => (await test.call(readFigures, owner.as, { query })).status;
    expect([await figures({ course: own.slug }), await figures({})]).toEqual([200, 404]);
    expect((await test.call(listReportPlaces, owner.as)).body).toMatchObject({ courses: [{ slug: own.slug }] });

    const ids = [];
    for (const { journey } of [own, foreign]) {
      const learner = await makePerson(test);
      await enrol(test, learner, journey);
      const id = await makePost(test, { lessonKey: journey.lessons[0]!.key }, await makePerson(test)); // it has lessons
      const body = { kind: 'activity', id, reason: 'spam' };
      expect((await test.call(reportContent, learner.as, { body })).status).toBe(201);
      ids.push(id);
    }
    const { body } = await test.call(listCases, owner.as);
    expect([body.total, body.cases.map(({ id }: { id: string }) => id)]).toEqual([1, [ids[0]]]);
    const decide = async (id: string | undefined) =>
      (await test.call(decideReports, owner.as, { body: { kind: 'activity', id, decision: 'remove', reason: 'hate' } }))
        .status;
    expect([await decide(ids[0]), await decide(ids[1])]).toEqual([200, 404]);
  });

  it('moderates the discussions under the lessons once enrolled', async () => {
    const course = await makeCourse(test);
    const { journey } = course;
    const [learner, owner] = [await makePerson(test), await holder('course-owner', 'course', course.id)];
    const lesson = journey.lessons[0]!; // it has lessons
    const discussion = { courseId: course.id, journeyId: journey.id, lessonId: lesson.id };
    const remove = async (as: TestPerson) => {
      const activityId = await makePost(test, { lessonKey: lesson.key }, await makePerson(test));
      return (await test.call(deleteLessonActivity, as.as, { params: { ...discussion, activityId } })).status;
    };
    expect(await remove(owner)).toBe(403);
    for (const person of [learner, owner]) await enrol(test, person, journey);
    expect([await remove(learner), await remove(owner)]).toEqual([403, 200]);
  });

  it('restores an old version without its permissions and contacts', async () => {
    const { course } = await live();
    const profile = (await makePerson(test)).id;
    const contacts = [{ name: 'Former', role: {}, email: null, profile }];
    await save(course, { type: 'Public', contacts, title: { en: 'Before' } });
    await publish(course);
    await save(course, { type: 'Private', contacts: [], title: { en: 'After' } });
    await publish(course);
    const owner = await holder('course-owner', 'course', course.key);
    const restored = await test.call(restorePieceVersion, owner.as, {
      params: { ...course, number: '2' },
      body: await versionOf(course),
    });
    expect(restored.status).toBe(200);
    expect((await read(course)).body.doc).toMatchObject({ title: { en: 'Before' }, type: 'Private', contacts: [] });
  });
});

describe('a translator', () => {
  it('changes the texts of other languages, also in headings and contacts', async () => {
    const { course, journey, lesson } = await live();
    await save(course, { contacts: [{ name: 'Team', role: { en: 'Lead' }, email: null, profile: null }] });
    const translator = await holder('translator', 'course', course.key);
    const { capabilities } = (await read(lesson, translator.as)).body;
    expect(capabilities).toEqual(['read-content', 'translate-content']);
    const answers = [
      await save(
        lesson,
        { title: { en: 'A title', de: 'Ein Titel' }, body: { en: 'Text.', fr: 'Texte.' } },
        translator.as,
      ),
      await save(
        course,
        { contacts: [{ name: 'Team', role: { en: 'Lead', de: 'Leitung' }, email: null, profile: null }] },
        translator.as,
      ),
    ];
    const { sections } = (await read(journey)).body.doc;
    const headings = sections.map((section: { heading: object }) => ({
      ...section,
      heading: { ...section.heading, de: 'Teil' },
    }));
    answers.push(await save(journey, { sections: headings }, translator.as));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read(lesson)).body.doc.body).toEqual({ en: 'Text.', fr: 'Texte.' });
  });

  it('changes nothing else', async () => {
    const { course, journey, lesson, other } = await live();
    const translator = await holder('translator', 'course', course.key);
    const refusals = [
      await save(lesson, { title: { en: 'Another' } }, translator.as),
      await save(lesson, { title: { de: 'Nur deutsch' } }, translator.as),
      await save(lesson, { body: { en: 'Other text.', de: 'Worte.' } }, translator.as),
      await save(lesson, { minutes: 3 }, translator.as),
      await save(lesson, { slug: 'elsewhere' }, translator.as),
      await save(lesson, { mandatory: false }, translator.as),
      await save(lesson, {}, translator.as, { sourceLocale: 'de' }),
      await save(course, { type: 'Public' }, translator.as),
      await save(course, { topics: ['topic_Climate'] }, translator.as),
      await save(course, { contacts: [{ name: 'Me', role: {}, email: null, profile: null }] }, translator.as),
      await save(journey, { sections: [{ heading: {}, lessons: [other.key, lesson.key] }] }, translator.as),
      await save(journey, { sections: [] }, translator.as),
    ];
    for (const { status, body } of refusals) expect([status, body.code]).toEqual([403, 'content.translations_only']);
    await save(lesson, { minutes: 4 });
    const body = await versionOf(lesson);
    const answers = [
      await test.call(publishPiece, translator.as, { params: lesson, body }),
      await test.call(discardDraft, translator.as, { params: lesson, body }),
      await test.call(deletePiece, translator.as, { params: lesson, body }),
      await create({ kind: 'lesson', title: 'New', parent: journey.key }, translator.as),
      await upload(lesson, translator),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  });

  it('is still only a translator here when they are an author elsewhere', async () => {
    const [here, elsewhere] = [await live(), await live()];
    const person = await holder('translator', 'course', here.course.key);
    await assignRoles(test, person, [{ role: 'author', kind: 'course', id: elsewhere.course.key }]);
    const body = await versionOf(here.lesson);
    expect((await save(here.lesson, { minutes: 2 }, person.as)).body.code).toBe('content.translations_only');
    expect((await test.call(discardDraft, person.as, { params: here.lesson, body: { version: 1 } })).status).toBe(403);
    expect((await save(elsewhere.lesson, { minutes: 2 }, person.as)).status).toBe(200);
    expect(await versionOf(here.lesson)).toEqual(body);
    const foreign = { params: { key: here.course.key }, body: { journeys: [] } };
    expect((await test.call(orderJourneys, person.as, foreign)).status).toBe(403);
  });
});
