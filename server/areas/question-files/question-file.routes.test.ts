import { readPiece, savePiece } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import {
  exportQuestions,
  importQuestions,
  MAX_QUESTION_FILE_BYTES,
  QuestionImport,
} from '@officium/contract/question-files';
import { beforeAll, describe, expect, it } from 'vitest';
import { takeLimit } from '#server/limits/limits.ts';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { fileForm } from '#server/test/factories/media.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';
import { assignRoles } from '#server/test/factories/roles.ts';
import { readQuestionFile } from './question-file.format.ts';

const test = await createTestApp();
let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

const GIFT = `::One::Which?{=this #Yes ~that}

::Text::Only a text.

::Two::So?{T}
`;

type Query = { dryRun?: 'true' | 'false'; locale?: string };
const newKey = async () => (await makeLessonPiece(test)).params.key;
const send = async (key: string, text: string | Buffer, query: Query = {}, as = admin.as) => {
  const { headers, payload } = fileForm('bank.txt', Buffer.from(text));
  const path = `${addressOf(importQuestions, { params: { kind: 'lesson', key } })}?${new URLSearchParams(query)}`;
  return await test.send('POST', path, { as, headers, body: payload });
};
const taken = async (...sent: Parameters<typeof send>) => {
  const { status, body } = await send(...sent);
  expect(status, JSON.stringify(body)).toBe(200);
  return QuestionImport.parse(body);
};
const read = async (key: string) => (await test.call(readPiece, admin.as, { params: { kind: 'lesson', key } })).body;
const textOf = async (key: string, locale = 'en') => ((await read(key)).doc.body[locale] ?? '') as string;
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const download = async (key: string, query: Record<string, string>, as = admin.as) =>
  await test.app.inject({
    url: `${addressOf(exportQuestions, { params: { kind: 'lesson', key } })}?${new URLSearchParams(query)}`,
    headers: { cookie: `session=${as.token}` },
  });

describe('importQuestions', () => {
  it('adds questions at the end of the draft and names the others', async () => {
    const key = await newKey();
    const before = await textOf(key);
    const report = await taken(key, GIFT);
    expect(report).toMatchObject({ format: 'gift', version: 1, added: 2, problemCount: 1 });
    expect(report.problems).toEqual([
      { file: 'bank.txt', line: 3, question: 'Text', effect: 'left-out', reason: 'type', detail: 'description' },
    ]);
    const after = await textOf(key);
    expect(after).toBe(`${before.trimEnd()}\n\n${report.text}`);
    expect(after).toContain(':::quiz[One]\nWhich?\n\n- [x] this\n  > Yes\n- [ ] that\n:::');
    expect(await read(key)).toMatchObject({ hasDraft: true, state: 'changed' });
  });

  it('tells in a dry run what it would do, and changes nothing', async () => {
    const key = await newKey();
    const before = await read(key);
    const dry = await taken(key, GIFT, { dryRun: 'true' });
    expect(await read(key)).toEqual(before);
    const { version: _version, ...report } = await taken(key, GIFT);
    expect(dry).toMatchObject(report);
  });

  itInProcess('is limited per person, before the file is parsed', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const person = await makePerson(limited, { role: 'administrator' });
    const { key } = (await makeLessonPiece(limited)).params;
    const { headers, payload } = fileForm('bank.txt', Buffer.from(GIFT));
    const path = `${addressOf(importQuestions, { params: { kind: 'lesson', key } })}?dryRun=true`;
    const sent = async () => (await limited.send('POST', path, { as: person.as, headers, body: payload })).status;
    expect(await sent()).toBe(200);
    await takeLimit(limited.ctx, `importQuestions:${person.id}`, { max: 1000, windowSeconds: 3600 }, 60);
    expect(await sent()).toBe(429);
  });

  it('adds to the text of the chosen language', async () => {
    const key = await newKey();
    const before = await textOf(key);
    await taken(key, GIFT, { locale: 'de' });
    expect([await textOf(key), await textOf(key, 'de')]).toEqual([before, expect.stringContaining(':::quiz[Two]')]);
    expect((await send(key, GIFT, { locale: 'xx' })).status).toBe(400);
  });

  it('leaves out questions that the text has, so that a corrected file can be sent again', async () => {
    const key = await newKey();
    await taken(key, GIFT);
    const { added, problems } = await taken(key, `${GIFT}\n::Three::Really?{T}\n\n::Three::Really?{T}\n`);
    expect([added, problems.map(({ question, reason }) => [question, reason])]).toEqual([
      1,
      [
        ['Text', 'type'],
        ['One', 'duplicate'],
        ['Two', 'duplicate'],
        ['Three', 'duplicate'],
      ],
    ]);
  });

  it('keeps the questions of two imports at the same time', async () => {
    const key = await newKey();
    await taken(key, '::Z::So?{T}');
    const sent = await Promise.all(['::A::So?{T}', '::B::So?{F}'].map((text) => taken(key, text)));
    expect(sent.map(({ version }) => version).toSorted()).toEqual([2, 3]);
    expect(await textOf(key)).toMatch(/quiz\[A\][^]*quiz\[B\]|quiz\[B\][^]*quiz\[A\]/);
  });

  it('refuses one of two imports that both create the draft', async () => {
    const key = await newKey();
    const sent = await Promise.all(['A', 'B', 'C', 'D'].map((name) => send(key, `::${name}::So?{T}`)));
    const text = await textOf(key);
    for (const [at, answer] of sent.entries()) {
      const isIn = text.includes(`quiz[${'ABCD'[at]}]`);
      expect(isIn ? [answer.status] : codeOf(answer)).toEqual(isIn ? [200] : [409, 'content.changed_meanwhile']);
    }
  });

  it('takes as many questions as the text has room for', async () => {
    const key = await newKey();
    const many = Array.from({ length: 20 }, (_, at) => `::${at}::${'word '.repeat(1000)}{T}`).join('\n\n');
    const { added, problems } = await taken(key, many);
    expect([added, problems.length]).toEqual([12, 8]);
    expect(problems.every(({ reason }) => reason === 'room')).toBe(true);
    const { doc, version } = await read(key);
    const params = { kind: 'lesson', key };
    expect((await test.call(savePiece, admin.as, { params, body: { version, doc } })).status).toBe(200);
  });

  it('lists the first 500 problems and counts the others', async () => {
    const text = Array.from({ length: 600 }, (_, at) => `::${at}::Text.`).join('\n\n');
    const { problems, problemCount, added, version } = await taken(await newKey(), text);
    expect([problems.length, problemCount, added, version]).toEqual([500, 600, 0, 0]);
  });

  it('refuses files that are unreadable or too large, and forms without one', async () => {
    const key = await newKey();
    expect(codeOf(await send(key, '<!DOCTYPE quiz><quiz/>'))).toEqual([400, 'content.questions_unreadable']);
    expect(codeOf(await send(key, ' '))).toEqual([400, 'content.questions_unreadable']);
    const large = Buffer.alloc(MAX_QUESTION_FILE_BYTES + 1, 'a');
    expect(codeOf(await send(key, large))).toEqual([400, 'content.questions_too_large']);
    const url = addressOf(importQuestions, { params: { kind: 'lesson', key } });
    const other = await test.send('POST', url, { as: admin.as, body: { file: GIFT } });
    expect(codeOf(other)).toEqual([400, 'content.questions_unreadable']);
    expect(await read(key)).toMatchObject({ hasDraft: false });
  });

  it('serves authors of the course, and neither translators, other authors nor learners', async () => {
    const course = await makeCourse(test);
    const key = course.journey.lessons[0]!.key; // made with the course
    const holder = async (role: 'author' | 'translator', id: string) => {
      const person = await makePerson(test);
      await assignRoles(test, person, [{ role, kind: 'course', id }]);
      return person;
    };
    const other = await makeCourse(test);
    const asks = async ({ as }: TestPerson) => [
      (await send(key, GIFT, {}, as)).status,
      (await send(key, GIFT, { dryRun: 'true' }, as)).status,
      (await download(key, { format: 'csv' }, as)).statusCode,
    ];
    expect(await asks(await holder('author', course.id))).toEqual([200, 200, 200]);
    expect(await asks(await holder('translator', course.id))).toEqual([403, 403, 403]);
    expect(await asks(await holder('author', other.id))).toEqual([404, 404, 404]);
    expect(await asks(await makePerson(test))).toEqual([403, 403, 403]);
    expect(codeOf(await send('nothing', GIFT))).toEqual([404, 'request.not_found']);
    expect(codeOf(await send(course.id, GIFT))).toEqual([404, 'request.not_found']);
  });
});

describe('exportQuestions', () => {
  it.each(['gift', 'moodle', 'qti', 'csv'])('writes %s that an import reads', async (format) => {
    const key = await newKey();
    await taken(key, GIFT, { locale: 'de' });
    const sent = await download(key, { format, locale: 'de' });
    expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(sent.headers['content-disposition']).toMatch(/^attachment; filename="[a-z0-9-]+-de\.[a-z.]+"$/);
    const { questions, problems } = await readQuestionFile('file', sent.rawPayload);
    expect([questions.map(({ question }) => question.name), problems]).toEqual([['One', 'Two'], []]);
  });

  it('leaves out pictures and unfinished questions, and may be empty', async () => {
    const key = await newKey();
    expect((await download(key, { format: 'gift' })).body).toBe('');
    const { doc, version } = await read(key);
    const body = {
      en: ':::quiz\n![A map](/map.png) Where?\n\n- [x] here\n- [ ] there\n:::\n\n:::quiz\nUnfinished\n:::\n',
    };
    await test.call(savePiece, admin.as, { params: { kind: 'lesson', key }, body: { version, doc: { ...doc, body } } });
    expect((await download(key, { format: 'gift' })).body).toBe('[markdown]A map Where?{=here\n~there}\n');
    expect((await download(key, { format: 'pdf' })).statusCode).toBe(400);
  });
});
