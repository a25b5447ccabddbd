import { createPiece, publishPiece, readPiece, savePiece } from '@officium/contract/authoring';
import { readLesson } from '@officium/contract/learner';
import { beforeAll, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();

let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

const QUIZ = ':::quiz\nWhich?\n\n- [x] this\n- [ ] that\n:::';
const SETTINGS = { passMark: 80, attempts: 3, minutes: 20, draw: 1, shuffle: true, review: 'answers' };

type Params = { kind: string; key: string };
const create = async (body: object): Promise<Params> =>
  (await test.call(createPiece, admin.as, { body })).body as Params;
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
async function save(params: Params, changes: object) {
  const { doc, version } = await read(params);
  return await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, ...changes } } });
}
async function publish({ kind, key }: Params, body: object = {}) {
  const params = { kind, key };
  const { version } = await read(params);
  return await test.call(publishPiece, admin.as, { params, body: { version, ...body } });
}

async function begin(slug: string) {
  const course = await create({ kind: 'course', slug, title: 'A course' });
  const journey = await create({ kind: 'journey', slug: 'way', title: 'A way', parent: course.key });
  const { kind, key } = await create({ kind: 'lesson', slug: 'one', title: 'One', parent: journey.key });
  return { course, lesson: { kind, key } };
}
const lessonOf = async (courseSlug: string) =>
  readLesson.replies[200].parse(
    (
      await test.call(readLesson, admin.as, {
        params: { courseSlug, journeySlug: 'way', lessonSlug: 'one' },
      })
    ).body,
  ).lesson;

it('an assessment is written, published without its questions in the text, and taken away again', async () => {
  const { course, lesson } = await begin('assessed');
  expect((await save(lesson, { assessment: SETTINGS, body: { en: `Read this.\n\n${QUIZ}` } })).status).toBe(200);
  expect((await read(lesson)).doc.assessment).toEqual(SETTINGS);
  expect((await publish(course, { withParts: true })).status).toBe(200);
  const shown = await lessonOf('assessed');
  expect(shown.html).toContain('Read this.');
  expect(shown.html).not.toContain('Which?');
  expect(shown.assessment).toMatchObject({ questions: 1, passMark: 80, attempts: 3, minutes: 20, attemptsUsed: 0 });
  expect((await read(lesson)).doc.assessment).toEqual(SETTINGS);
  await save(lesson, { assessment: null });
  expect((await publish(lesson)).status).toBe(200);
  expect(await lessonOf('assessed')).toMatchObject({ assessment: null, html: expect.stringContaining('Which?') });
});

it('an assessment needs questions, and as many as it draws', async () => {
  const { course, lesson } = await begin('unasked');
  const rules = async () =>
    (await read(lesson)).findings.map(({ rule, locale }: Record<string, string>) => [rule, locale]);
  await save(lesson, { assessment: { ...SETTINGS, draw: 2 }, body: { en: QUIZ, de: 'Kein Quiz.' } });
  expect(await rules()).toEqual([
    ['assessment-questions', 'de'],
    ['assessment-draw', 'en'],
    ['translation-quiz', 'de'],
  ]);
  const refused = await publish(course, { withParts: true });
  expect([refused.status, refused.body.code]).toEqual([409, 'content.not_accessible']);
});

it('an assessment needs as many questions of each tag as it draws, whichever the others drew', async () => {
  const { course, lesson } = await begin('tagged');
  const quiz = (tags: string) => `:::quiz{type=true-false answer=true tags="${tags}"}\nSo?\n:::\n`;
  const body = { en: [quiz('a'), quiz('a, b'), quiz('b'), quiz('c')].join('\n') };
  const drawn = async (counts: Record<string, number>, draw: number | null = null) => {
    const drawTags = Object.entries(counts).map(([tag, count]) => ({ tag, count }));
    const { status } = await save(lesson, { assessment: { ...SETTINGS, draw, drawTags }, body });
    return status === 200 ? (await read(lesson)).findings.map(({ text }: { text: string }) => text) : status;
  };
  expect(await drawn({ a: 2, b: 1 })).toEqual([]);
  expect(await drawn({ a: 2, b: 2, d: 1 })).toEqual(['b: 2 > 1', 'd: 1 > 0']);
  expect([await drawn({ a: 2, c: 1 }, 2), await drawn({ '': 1 }), await drawn({ a: 0 })]).toEqual([400, 400, 400]);
  expect(await drawn({ a: 2, c: 1 }, 4)).toEqual([]);
  expect((await publish(course, { withParts: true })).status).toBe(200);
  expect(await lessonOf('tagged')).toMatchObject({ assessment: { questions: 4 } });
});

it('settings out of range are refused', async () => {
  const { lesson } = await begin('unranged');
  for (const wrong of [
    { passMark: 0 },
    { passMark: 101 },
    { passMark: 50.5 },
    { attempts: 0 },
    { attempts: 21 },
    { minutes: 601 },
    { draw: 0 },
    { review: 'all' },
    { other: 1 },
  ])
    expect([wrong, (await save(lesson, { assessment: { ...SETTINGS, ...wrong } })).status]).toEqual([wrong, 400]);
});
