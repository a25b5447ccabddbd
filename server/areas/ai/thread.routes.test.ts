import { askLesson, deleteThread, listThreads } from '@officium/contract/ai';
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { erasePerson } from '#server/personal-data/erase.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

const ENGLISH =
  '<p id="p-1">A letter begins with what the reader must do.</p>' +
  '<h2 id="s-dates">Dates and deadlines</h2>' +
  '<p id="p-2">Write a deadline as a full date &amp; say what happens after it.</p>' +
  '<p id="p-3">Nobody counts working days in their head.</p>';
const BODIES: Partial<Record<Locale, string>> = {
  en: ENGLISH,
  de: '<p id="p-1">Eine Frist steht als volles Datum im Brief.</p>',
  ja: '<p id="p-1">手紙は読み手がすることから始めます。</p><p id="p-2">期限は日付で書きます。</p>',
};

const course = await makeCourse(test, {
  journeys: [
    {
      privacy: 'open-public',
      sections: [{ lessons: [{ title: { en: 'Preview' } }, { title: { en: 'Clear letters' }, body: BODIES }] }],
    },
  ],
});
const hidden = await makeCourse(test, { scopes: { canView: 'private', canJoin: 'private' } });

async function learner(): Promise<TestPerson> {
  const person = await makePerson(test);
  await enrol(test, person, course.journey);
  return person;
}
const place = (of: TestCourse = course, lesson = 1) => ({
  courseSlug: of.slug,
  journeySlug: of.journey.slug,
  lessonSlug: of.journey.lessons[lesson]!.slug,
});
const ask = (person: TestPerson | undefined, query: unknown, more: object = {}) =>
  test.call(askLesson, person?.as, { body: { query, ...place(), ...more } });
const threads = async (person: TestPerson, query = {}) => (await test.call(listThreads, person.as, { query })).body;
const remove = (person: TestPerson | undefined, threadId: string) =>
  test.call(deleteThread, person?.as, { params: { threadId } });

const maya = await learner();

describe('askLesson', () => {
  it('answers with passages of the lesson and links to them', async () => {
    const reply = await ask(maya, 'How should I write deadlines?');
    expect(reply.status).toBe(200);
    const { answer, references, threadId } = askLesson.replies[200].strict().parse(reply.body);
    const quote = 'Write a deadline as a full date & say what happens after it.';
    expect(answer).toBe(quote);
    const { courseSlug, journeySlug, lessonSlug } = place();
    expect(references).toEqual([
      {
        title: 'Clear letters – Dates and deadlines',
        url: `http://localhost:3000/courses/${courseSlug}/${journeySlug}/${lessonSlug}#p-2`,
        quote,
      },
    ]);
    expect((await threads(maya)).threads[0].id).toBe(threadId);
  });

  it('answers a question about the lesson’s subject with its opening', async () => {
    for (const query of ['What is this lesson about?', 'What are clear letters?'])
      expect((await ask(maya, query)).body.references[0]).toMatchObject({
        title: 'Clear letters',
        quote: 'A letter begins with what the reader must do.',
      });
  });

  it('says so when nothing in the lesson answers', async () => {
    for (const query of ['What is the airspeed of a swallow?', 'What is the?', '???', "'; drop table users; --"]) {
      const { status, body } = await ask(maya, query);
      expect([status, body.answer, body.references]).toEqual([
        200,
        'Nothing in this lesson answers that question.',
        [],
      ]);
    }
    expect((await ask(maya, 'Was sagt der Papst?', { locale: 'de' })).body.answer).toBe(
      'Nichts in dieser Lektion beantwortet diese Frage.',
    );
  });

  it('reads the lesson in the language of the question', async () => {
    const german = await ask(maya, 'Wie schreibe ich Fristen und Datum?', { locale: 'de' });
    expect(german.body.references[0].quote).toBe('Eine Frist steht als volles Datum im Brief.');
    const japanese = await ask(maya, '期限の日付は?', { locale: 'ja' });
    expect(japanese.body.references[0].quote).toBe('期限は日付で書きます。');
  });

  it('requires the same access as the lesson', async () => {
    const stranger = await makePerson(test);
    expect((await ask(stranger, 'Deadlines?')).body.code).toBe('learner.not_enrolled');
    expect((await ask(stranger, 'Deadlines?', place(course, 0))).status).toBe(200); // the preview lesson
    expect((await ask(maya, 'Deadlines?', place(hidden))).status).toBe(404);
    expect((await ask(maya, 'Deadlines?', { lessonSlug: 'none' })).status).toBe(404);
    const late = await makePerson(test);
    await enrol(test, late, course.journey, { expiresOn: new Date(Date.now() - 1000) });
    expect((await ask(late, 'Deadlines?')).body.code).toBe('learner.enrolment_expired');
    expect((await ask(undefined, 'Deadlines?')).status).toBe(401);
  });

  it('accepts 1 to 2 000 characters', async () => {
    for (const query of [undefined, '', '  ', 7, {}, 'a\0b', 'x'.repeat(2_001)])
      expect([query, (await ask(maya, query)).status]).toEqual([query, 400]);
    expect((await ask(maya, '😀'.repeat(2_000))).status).toBe(200);
    expect((await ask(maya, 'Deadline?', { locale: 'xx' })).status).toBe(400);
    expect((await ask(maya, 'Deadline?', { courseSlug: undefined })).status).toBe(400);
  });

  it('stores one conversation per lesson, also for parallel questions', async () => {
    const person = await learner();
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(person, `Deadline ${index}?`)));
    expect(new Set(replies.map(({ body }) => body.threadId)).size).toBe(1);
    const { threads: found, total } = await threads(person);
    expect([total, found[0].messages.length]).toEqual([1, 16]);
  });
});

describe('listThreads', () => {
  it('finds the conversation about a lesson', async () => {
    const person = await learner();
    await ask(person, 'Which date?');
    const other = (await ask(person, 'What is it?', place(course, 0))).body.threadId;
    const at = (slugs: ReturnType<typeof place>) => Object.values(slugs).join('/');
    expect(await threads(person, { lesson: at(place(course, 0)) })).toMatchObject({
      threads: [{ id: other, lesson: place(course, 0) }],
      total: 1,
    });
    expect(await threads(person, { lesson: at(place(hidden, 0)) })).toEqual({ threads: [], total: 0, hasModel: false });
    expect((await threads(maya, { lesson: at(place()) })).threads[0].id).not.toBe(other);
    for (const lesson of ['', 'x', 'a/b', 'a/b/c/d', '//'])
      expect([lesson, (await test.call(listThreads, person.as, { query: { lesson } })).status]).toEqual([lesson, 400]);
  });

  it('lists the viewer’s own conversations, last used first', async () => {
    const person = await learner();
    const first = (await ask(person, '  Which\n date? ')).body.threadId;
    const second = (await ask(person, 'What is it?', place(course, 0))).body.threadId;
    await ask(person, 'Which deadline?');
    const reply = await test.call(listThreads, person.as);
    expect(reply.status).toBe(200);
    const { threads: found, total } = listThreads.replies[200].strict().parse(reply.body);
    expect([total, found.map(({ id }) => id)]).toEqual([2, [first, second]]);
    expect(found[0]).toMatchObject({
      title: 'Which date?',
      messages: [
        { role: 'user', content: 'Which\n date?' },
        { role: 'assistant' },
        { role: 'user', content: 'Which deadline?' },
        { role: 'assistant' },
      ],
    });
    expect(found[0]?.lesson).toEqual(place());
    expect((await threads(person, { limit: 1, offset: 1 })).threads[0].id).toBe(second);
    expect(await threads(await makePerson(test))).toEqual({ threads: [], total: 0, hasModel: false });
    expect((await test.call(listThreads, person.as, { query: { limit: 101 } })).status).toBe(400);
    expect((await test.call(listThreads)).status).toBe(401);
  });
});

describe('deleteThread', () => {
  it('deletes the viewer’s own conversation once', async () => {
    const person = await learner();
    const { threadId } = (await ask(person, 'Which deadline?')).body;
    expect((await remove(maya, threadId)).status).toBe(404);
    expect((await remove(undefined, threadId)).status).toBe(401);
    expect((await remove(person, threadId)).status).toBe(204);
    expect((await remove(person, threadId)).status).toBe(404);
    expect((await remove(person, newId())).status).toBe(404);
    expect((await remove(person, 'none')).status).toBe(400);
    expect((await threads(person)).total).toBe(0);
    expect((await ask(person, 'Which deadline?')).body.threadId).not.toBe(threadId);
  });

  it('also happens when the account is erased', async () => {
    const person = await learner();
    await ask(person, 'Which deadline?');
    await inTransaction(db, (trx) => erasePerson(trx, test.ctx.personalTables, person));
    const { rows } = await sql`select from ai_threads where user_id = ${person.id}`.execute(db);
    expect(rows).toEqual([]);
  });

  it('also happens to old conversations', async () => {
    const person = await learner();
    await ask(person, 'Which deadline?');
    await sql`update ai_threads set updated_at = now() - interval '91 days' where user_id = ${person.id}`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect((await threads(person)).total).toBe(0);
    expect((await threads(maya)).total).toBe(1);
  });
});
