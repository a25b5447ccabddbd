import {
  createPiece,
  deletePiece,
  listPieces,
  orderJourneys,
  publishPiece,
  readPiece,
  savePiece,
  withdrawPiece,
} from '@officium/contract/authoring';
import { readCourse } from '@officium/contract/learner';
import { newId } from '#server/db/client.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

type Params = { kind: string; key: string };
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
const remove = async (params: Params, version?: number) =>
  await test.call(deletePiece, admin.as, {
    params,
    body: { version: version ?? (await read(params)).version },
  });
const create = async (body: object): Promise<Params> => {
  const made = await test.call(createPiece, admin.as, { body });
  expect(made.status).toBe(201);
  return { kind: made.body.kind, key: made.body.key };
};
const publish = async (params: Params, body: object = {}) =>
  await test.call(publishPiece, admin.as, { params, body: { version: (await read(params)).version, ...body } });
const slug = () => `draft-${newId().slice(-12)}`;

/** Creates a draft course with a journey of two lessons. */
async function begin() {
  const named = slug();
  const course = await create({ kind: 'course', slug: named, title: 'A course' });
  const journey = await create({ kind: 'journey', slug: 'way', title: 'A way', parent: course.key });
  const lessons: Params[] = [];
  for (const each of ['one', 'two']) {
    const lesson = await create({ kind: 'lesson', slug: each, title: each, parent: journey.key });
    const { doc, version } = await read(lesson);
    await test.call(savePiece, admin.as, {
      params: lesson,
      body: { version, doc: { ...doc, body: { en: 'A text.' } } },
    });
    lessons.push(lesson);
  }
  return { slug: named, course, journey, one: lessons[0]!, two: lessons[1]! }; // two were created
}

const left = async ({ key }: Params) =>
  (
    await sql`
      select 1 from content_pieces where key = ${key} or parent = ${key}
      union all select 1 from entries where id = ${key} union all select 1 from products where entry_id = ${key}`.execute(
      db,
    )
  ).rows.length;

describe('deletePiece', () => {
  it('deletes a draft with its parts, entries and products', async () => {
    const { course, journey, one, slug: named } = await begin();
    const entries = await sql<{
      id: string;
    }>`select entry_id as id from content_pieces where key = ${journey.key}`.execute(db);
    expect((await remove(course)).status).toBe(204);
    for (const gone of [course, journey, one, { kind: 'journey', key: entries.rows[0]!.id }])
      // created above
      expect(await left(gone)).toBe(0);
    expect((await read(course)).code).toBe('request.not_found');
    expect((await test.call(listPieces, admin.as, { query: { q: named } })).body.total).toBe(0);
    expect(await create({ kind: 'course', slug: named, title: 'Again' })).toEqual(course);
  });

  it('removes a lesson from its outline', async () => {
    const { course, journey, one, two } = await begin();
    expect((await remove(one)).status).toBe(204);
    expect((await read(journey)).doc.sections).toMatchObject([{ lessons: [two.key] }]);
    expect((await publish(course, { withParts: true })).body).toMatchObject({ published: 3 });
  });

  it('refuses published and withdrawn pieces', async () => {
    const { course, one } = await begin();
    await publish(course, { withParts: true });
    for (const piece of [course, one]) {
      const refused = await remove(piece);
      expect([refused.status, refused.body.code]).toEqual([409, 'content.was_live']);
    }
    const { version } = await read(course);
    await test.call(withdrawPiece, admin.as, { params: course, body: { version } });
    expect((await remove(course)).body.code).toBe('content.was_live');
    const imported = { kind: 'course', key: (await makeCourse(test)).id };
    expect((await remove(imported, 1)).body.code).toBe('content.changed_meanwhile');
  });

  it('refuses another version, and the second of two concurrent requests', async () => {
    const { course } = await begin();
    expect((await remove(course, 7)).body.code).toBe('content.changed_meanwhile');
    const { version } = await read(course);
    const answers = await Promise.all([remove(course, version), remove(course, version)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });
});

describe('orderJourneys', () => {
  it('changes the order for learners immediately', async () => {
    const { course, slug: named } = await begin();
    const second = await create({ kind: 'journey', slug: 'second', title: 'Second', parent: course.key });
    await publish(course, { withParts: true });
    const draft = await create({ kind: 'journey', slug: 'draft', title: 'Draft', parent: course.key });
    await sql`update products set can_view = 'public', can_join = 'public' where content_type in ('course', 'courseJourney')`.execute(
      db,
    );
    const keys = (await read(course)).parts.map((part: { key: string }) => part.key);
    expect(keys.slice(1)).toEqual([second.key, draft.key]);
    const order = async (journeys: string[]) =>
      await test.call(orderJourneys, admin.as, { params: { key: course.key }, body: { journeys } });
    expect((await order([second.key, keys[0]])).status).toBe(204);
    expect((await read(course)).parts.map((part: { slug: string }) => part.slug)).toEqual(['second', 'way', 'draft']);
    const { body } = await test.call(readCourse, admin.as, { params: { courseSlug: named } });
    expect(JSON.stringify(body)).toMatch(/"second".*"way"/);
    for (const wrong of [[second.key], [second.key, second.key], [second.key, draft.key], [...keys]]) {
      const refused = await order(wrong);
      expect([refused.status, refused.body.code]).toEqual([409, 'content.changed_meanwhile']);
    }
    const nowhere = await test.call(orderJourneys, admin.as, { params: { key: 'nowhere' }, body: { journeys: [] } });
    expect(nowhere.status).toBe(404);
  });
});
