import { readMicrocourse } from '@officium/contract/content';
import { completeMicrocourse, listMyMicrocourses } from '@officium/contract/learner';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeContentFolder } from '#server/test/factories/content.ts';

const test = await createTestApp();
const { db } = test.ctx;
const slug = 'letters';

beforeAll(async () => {
  expect((await importPath(test.ctx, await makeContentFolder())).faults).toEqual([]);
});

const complete = async (as?: As, named = slug) =>
  (await test.call(completeMicrocourse, as, { params: { slug: named } })).status;
const mine = async (as: As) => (await test.call(listMyMicrocourses, as)).body;
const read = async (as?: As) => (await test.call(readMicrocourse, as, { params: { slug } })).body;
const setScope = async (scope: string) =>
  await sql`update products set can_view = ${scope} where entry_id = 'microcourse.letters'`.execute(db);

describe('completing a microcourse', () => {
  it('is recorded once for its reader alone, also by concurrent requests', async () => {
    const [person, other] = [await makePerson(test), await makePerson(test)];
    expect(await mine(person.as)).toEqual({ microcourses: [], total: 0 });
    expect((await read(person.as)).completedAt).toBeNull();
    expect(await Promise.all([1, 2, 3, 4].map(() => complete(person.as)))).toEqual([204, 204, 204, 204]);
    const { microcourses, total } = await mine(person.as);
    expect([total, microcourses[0]?.slug]).toEqual([1, slug]);
    const { completedAt } = await read(person.as);
    expect(completedAt).toBe(microcourses[0]?.completedAt);
    expect(await complete(person.as)).toBe(204);
    expect((await read(person.as)).completedAt).toBe(completedAt);
    expect(await mine(other.as)).toEqual({ microcourses: [], total: 0 });
    expect([(await read(other.as)).completedAt, (await read()).completedAt]).toEqual([null, null]);
  });

  it('needs an account and a microcourse that it may see', async () => {
    const [person, inactive] = [await makePerson(test), await makePerson(test, { role: 'inactive' })];
    expect([await complete(), await complete(inactive.as), await complete(person.as, 'unknown')]).toEqual([
      401, 403, 404,
    ]);
    await setScope('private');
    expect(await complete(person.as)).toBe(404);
    await setScope('public');
  });

  it('is not listed while the microcourse is hidden or withdrawn', async () => {
    const person = await makePerson(test);
    await complete(person.as);
    await setScope('private');
    expect((await mine(person.as)).total).toBe(0);
    await setScope('public');
    await sql`update entries set status = 'withdrawn' where id = 'microcourse.letters'`.execute(db);
    expect((await mine(person.as)).total).toBe(0);
    await sql`update entries set status = 'published' where id = 'microcourse.letters'`.execute(db);
    expect((await mine(person.as)).total).toBe(1);
  });
});
