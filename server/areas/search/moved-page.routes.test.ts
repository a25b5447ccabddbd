import { findMovedPage } from '@officium/contract/search';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { enrol, makeCourse } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** The current path, or the status of the refusal. */
async function moved(path: string, as?: As): Promise<unknown> {
  const answer = await test.call(findMovedPage, as, { query: { path } });
  return answer.status === 200 ? findMovedPage.replies[200].parse(answer.body).path : answer.status;
}

const rename = async (table: string, column: string, key: string, slug: string) =>
  await sql`update ${sql.table(table)} set slug = ${slug} where ${sql.ref(column)}::text = ${key}`.execute(db);

let learner: TestPerson;
beforeAll(async () => {
  learner = await makePerson(test);
});

describe('a page whose slug has changed', () => {
  it('is found by every former address of course, journey and lesson', async () => {
    const course = await makeCourse(test, { slug: 'first', journeys: [{ slug: 'way', sections: [{ lessons: [{ slug: 'one' }, { slug: 'two' }] }] }] }); // prettier-ignore
    await enrol(test, learner, course.journey);
    await rename('courses', 'id', course.id, 'second');
    await rename('courses', 'id', course.id, 'third');
    await rename('journeys', 'key', course.journey.key, 'path');
    await rename('lessons', 'key', course.journey.lessons[1]!.key, 'zwei'); // of two
    expect(await moved('/courses/first')).toBe('/courses/third');
    expect(await moved('/courses/second')).toBe('/courses/third');
    expect(await moved('/courses/third')).toBe(404);
    expect(await moved('/courses/first/way/two', learner.as)).toBe('/courses/third/path/zwei');
    expect(await moved('/courses/third/path/two', learner.as)).toBe('/courses/third/path/zwei');
    expect(await moved('/courses/first/way/one', learner.as)).toBe('/courses/third/path/one');
  });

  it('reveals no slug of a page the viewer may not read', async () => {
    const course = await makeCourse(test, { slug: 'known', journeys: [{ slug: 'j', sections: [{ lessons: [{ slug: 'a' }, { slug: 'b' }] }] }] }); // prettier-ignore
    await rename('lessons', 'key', course.journey.lessons[1]!.key, 'words-for-learners'); // of two
    expect(await moved('/courses/known/j/b')).toBe(404);
    await rename('courses', 'id', course.id, 'known-now');
    expect(await moved('/courses/known/j/b')).toBe('/courses/known-now/j/b');
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    await makeMember(db, hidden, learner);
    await rename('communities', 'id', hidden.id, 'within');
    expect(await moved(`/communities/${hidden.slug}/members`)).toBe(404);
    expect(await moved(`/communities/${hidden.slug}/members`, learner.as)).toBe('/communities/within/members');
  });

  it('does not redirect from a slug that another page, or the page itself, has now', async () => {
    const course = await makeCourse(test, { slug: 'wanted' });
    await rename('courses', 'id', course.id, 'left');
    const other = await makeCourse(test, { slug: 'other', scopes: { canView: 'private', canJoin: 'private' } });
    await rename('courses', 'id', other.id, 'wanted');
    expect(await moved('/courses/wanted')).toBe(404);
    await rename('courses', 'id', course.id, '~room');
    await rename('courses', 'id', course.id, 'left');
    expect(await moved('/courses/left')).toBe(404);
    const { rows } = await sql`select slug from former_slugs where key = ${course.id}`.execute(db);
    expect(rows).toEqual([]);
  });

  it.each(['/courses/%E0%A4', '/courses/', '/courses//x', '/people/x', 'courses/x', '/courses/a%00b'])(
    'refuses %s',
    async (path) => {
      expect(await moved(path)).toBe(404);
    },
  );
});
