import { AssessmentAttempt, readAttempt, startAttempt, submitAttempt } from '@officium/contract/assessments';
import { createPiece, publishPiece, readPiece, savePiece } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { readCourse, readLesson } from '@officium/contract/learner';
import { exportQuestions, importQuestions } from '@officium/contract/question-files';
import { beforeAll, describe, expect, it } from 'vitest';
import { readForExport } from '#server/areas/importing/export.service.ts';
import { layOutFolder } from '#server/areas/importing/folder-writer.format.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol } from '#server/test/factories/courses.ts';
import { fileForm } from '#server/test/factories/media.ts';
import { assignRoles } from '#server/test/factories/roles.ts';

const test = await createTestApp();

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

const quiz = (text: string, tags: string) =>
  `:::quiz{type=text answer="key of ${text}" tags="${tags}"}\n${text}?\n:::\n`;
const BANK = [quiz('One', 'law'), quiz('Two', 'law'), quiz('Three', 'style')].join('\n');
const SETTINGS = { passMark: 80, attempts: null, minutes: null, draw: null, shuffle: false, review: 'answers' };
const DRAWN = { ...SETTINGS, bank: true, drawTags: [{ tag: 'law', count: 2 }] };

type Params = { kind: 'course' | 'journey' | 'lesson'; key: string };
const create = async (body: object): Promise<Params> => {
  const { kind, key } = (await test.call(createPiece, admin.as, { body })).body as Params;
  return { kind, key };
};
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
async function save(params: Params, changes: object, as: As = admin.as) {
  const { doc, version } = await read(params);
  return await test.call(savePiece, as, { params, body: { version, doc: { ...doc, ...changes } } });
}
async function publish(params: Params, body: object = {}, as: As = admin.as) {
  const { version } = await read(params);
  return await test.call(publishPiece, as, { params, body: { version, ...body } });
}
const findingsOf = async (params: Params) =>
  (await read(params)).findings.map(({ rule, text }: Record<string, string>) => [rule, text]);

/** A public course with a bank and a lesson that draws from it, all published. */
async function begin(slug: string) {
  const course = await create({ kind: 'course', slug, title: 'A course' });
  await save(course, { type: 'Public', body: { en: BANK } });
  await publish(course);
  const journey = await create({ kind: 'journey', slug: 'way', title: 'A way', parent: course.key });
  await save(journey, { privacy: 'open-public' });
  const lesson = await create({ kind: 'lesson', slug: 'one', title: 'One', parent: journey.key });
  await save(lesson, { assessment: DRAWN, body: { en: 'Read this.' } });
  expect((await publish(journey)).status).toBe(200);
  return { course, lesson };
}

const lessonAt = (courseSlug: string) => ({ courseSlug, journeySlug: 'way', lessonSlug: 'one' });

async function learn(slug: string) {
  const learner = await makePerson(test);
  const { key } = await test.ctx.db
    .selectFrom('journeys as j')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select('j.key')
    .where('c.slug', '=', slug)
    .executeTakeFirstOrThrow();
  await enrol(test, learner, { key });
  const params = lessonAt(slug);
  const start = async () =>
    AssessmentAttempt.parse((await test.call(startAttempt, learner.as, { params, body: {} })).body);
  const at = (attemptId: string) => ({ params: { ...params, attemptId } });
  return {
    learner,
    start,
    read: async (id: string) => AssessmentAttempt.parse((await test.call(readAttempt, learner.as, at(id))).body),
    submit: async (id: string) => AssessmentAttempt.parse((await test.call(submitAttempt, learner.as, at(id))).body),
  };
}
const textsOf = ({ questions }: { questions: { questionHtml: string }[] }) =>
  questions.map(({ questionHtml }) => questionHtml);

describe('the question bank of a course', () => {
  it('gives its questions to the assessments that draw from it, by tag', async () => {
    await begin('bank-drawn');
    const { learner, start } = await learn('bank-drawn');
    expect(textsOf(await start())).toEqual(['One?', 'Two?']);
    const params = lessonAt('bank-drawn');
    const { lesson } = readLesson.replies[200].parse((await test.call(readLesson, learner.as, { params })).body);
    expect(lesson.assessment).toMatchObject({ questions: 2 });
    const course = await test.call(readCourse, learner.as, { params: { courseSlug: 'bank-drawn' } });
    expect(course.status).toBe(200);
    expect(JSON.stringify([lesson, course.body])).not.toMatch(/Three|One\?|key of/);
  });

  it('counts from the next attempt on, and leaves those under way as they are', async () => {
    const { course } = await begin('bank-changed');
    const { start, read: readIt, submit } = await learn('bank-changed');
    const attempt = await start();
    await save(course, { body: { en: BANK.replace('One?', 'New?').replace('key of Two', 'other key') } });
    expect(textsOf(await start())).toEqual(['One?', 'Two?']);
    expect((await publish(course)).status).toBe(200);
    expect(await readIt(attempt.id)).toEqual(attempt);
    const ended = await submit(attempt.id);
    expect(ended.questions.map(({ rightAnswer }) => rightAnswer)).toEqual(['key of One', 'key of Two']);
    expect(textsOf(await start())).toEqual(['New?', 'Two?']);
  });

  it('must have enough questions for each lesson that draws from it', async () => {
    const { course, lesson } = await begin('bank-short');
    await save(lesson, { assessment: { ...DRAWN, drawTags: [{ tag: 'law', count: 3 }] } });
    expect(await findingsOf(lesson)).toEqual([['assessment-draw', 'law: 3 > 2']]);
    await save(lesson, { assessment: { ...DRAWN, bank: false } });
    expect(await findingsOf(lesson)).toEqual([['assessment-questions', '']]);
    await save(course, { body: { en: quiz('One', 'law') } });
    expect(await findingsOf(course)).toEqual([['assessment-draw', 'one · law: 2 > 1']]);
    const refused = await publish(course);
    expect([refused.status, refused.body.code]).toEqual([409, 'content.not_accessible']);
    await save(course, { body: { en: ':::quiz\nWhich?\n:::' } });
    expect((await findingsOf(course)).map(([rule]: string[]) => rule)).toEqual([
      'quiz-options',
      'quiz-answer',
      'assessment-draw',
    ]);
  });

  it('is edited and filled from files by authors of the course only', async () => {
    const { course } = await begin('bank-roles');
    const other = await begin('bank-others');
    const person = async (role: 'author' | 'translator', { key }: Params) => {
      const made = await makePerson(test);
      await assignRoles(test, made, [{ role, kind: 'course', id: key }]);
      return made.as;
    };
    const [author, translator, stranger] = [
      await person('author', course),
      await person('translator', course),
      await person('author', other.course),
    ];
    const send = async (as: As) => {
      const { headers, payload } = fileForm('bank.txt', Buffer.from('// [tag:law]\nIs it so?{T}\n'));
      const url = addressOf(importQuestions, { params: course });
      return (await test.send('POST', url, { as, headers, body: payload })).status;
    };
    const fetch = async (as: As) =>
      (await test.send('GET', `${addressOf(exportQuestions, { params: course })}?format=csv`, { as })).status;
    expect([await fetch(author), await fetch(translator), await fetch(stranger)]).toEqual([200, 403, 404]);
    expect([await send(translator), await send(stranger), await send(author)]).toEqual([403, 404, 200]);
    expect((await read(course)).doc.body.en).toContain(':::quiz{type=true-false answer=true tags=law}\nIs it so?');
  });

  it('is a text in the content folder', async () => {
    const { course } = await begin('bank-folder');
    await save(course, { body: { en: BANK, fr: BANK.replaceAll('?', ' ?') } });
    await publish(course);
    const { folder, pictures } = await readForExport(test.ctx);
    const files = layOutFolder(folder, pictures.keys());
    expect(files.get('questions/bank-folder.fr.md')).toBe(BANK.replaceAll('?', ' ?'));
    expect(files.get('content.yaml')).toContain(
      'questions:\n      en: questions/bank-folder.en.md\n      fr: questions/bank-folder.fr.md',
    );
  });
});
