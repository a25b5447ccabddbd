import { setProductPermission } from '@officium/contract/admin';
import { listCatalogue, readAcademy, readEntrySlug, reindexEntry } from '@officium/contract/content';
import { readCourse, readMyLearning } from '@officium/contract/learner';
import { search } from '@officium/contract/search';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type As, createTestApp, WEBHOOK_KEY } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { enrol, makeCourse, type TestCourse, type TestJourney } from '#server/test/factories/courses.ts';

const test = await createTestApp();
const { db } = test.ctx;

let administrator: TestPerson;
beforeAll(async () => {
  administrator = await makePerson(test, { role: 'administrator' });
});

async function permit(id: string, permission: 'can_view' | 'can_join', scope: string): Promise<void> {
  const body = { permission, scope };
  expect((await test.call(setProductPermission, administrator.as, { params: { id }, body })).status).toBe(204);
}

/** Returns the number of journeys and minutes of a course in the catalogue; undefined when it is hidden. */
async function counted(as: As, { id }: TestCourse): Promise<[number, number] | undefined> {
  const { body } = await test.call(listCatalogue, as);
  const card = listCatalogue.replies[200].parse(body).courses.find((course) => course.id === id);
  return card && [card.journeys, card.minutes];
}

const slugStatus = async (as: As, id: string) =>
  (await test.call(readEntrySlug, as, { params: { id }, query: { locale: '*' } })).status;
const courseStatus = async (as: As, { slug }: TestCourse) =>
  (await test.call(readCourse, as, { params: { courseSlug: slug } })).status;

async function found(as: As, q: string): Promise<string[]> {
  const { body } = await test.call(search, as, { query: { q } });
  return search.replies[200].parse(body).groups.flatMap(({ results }) => results.map(({ id }) => id));
}

async function makeAcademy(slug: string, { id }: TestCourse): Promise<void> {
  await sql`insert into entries (id, content_type, source) values (${slug}, 'academy', 'folder')`.execute(db);
  await sql`insert into academies (id, slug, title) values (${slug}, ${slug}, '{"en": "Academy"}')`.execute(db);
  await sql`insert into academy_courses (academy_id, course_id, position) values (${slug}, ${id}, 0)`.execute(db);
  await sql`insert into products (entry_id, content_type, can_view, can_join)
    values (${slug}, 'academy', 'public', 'authenticated')`.execute(db);
}

async function unpublish({ entryId }: TestJourney): Promise<void> {
  const headers = { 'x-webhook-key': WEBHOOK_KEY, 'x-contentful-topic': 'ContentManagement.Entry.unpublish' };
  const body = { id: entryId, contentType: 'courseJourney' };
  expect((await test.call(reindexEntry, undefined, { body, headers })).body).toEqual({ indexed: false });
}

describe('journey permissions', () => {
  it('hide a journey everywhere while its course stays visible', async () => {
    const course = await makeCourse(test, { journeys: [{}, {}] });
    const [kept, closed] = course.journeys as [TestJourney, TestJourney]; // two were asked for
    await sql`update entries set slug = '{"en": "some"}' where id = any(${[kept.entryId, closed.entryId]})`.execute(db);
    await makeAcademy('closing', course);
    const minutes = async () => (await test.call(readAcademy, {}, { params: { slug: 'closing' } })).body.minutes;
    expect([await counted({}, course), await minutes()]).toEqual([[2, 66], 66]);
    await permit(closed.entryId, 'can_join', 'private');
    await permit(closed.entryId, 'can_view', 'private');
    expect([await counted({}, course), await minutes()]).toEqual([[1, 33], 33]);
    expect([await slugStatus({}, kept.entryId), await slugStatus({}, closed.entryId)]).toEqual([200, 404]);
    const learner = await makePerson(test);
    expect([await counted(learner.as, course), await slugStatus(learner.as, closed.entryId)]).toEqual([[1, 33], 404]);
    await enrol(test, learner, closed);
    expect([await counted(learner.as, course), await slugStatus(learner.as, closed.entryId)]).toEqual([[2, 66], 200]);
  });

  it('show the course, if its own permissions are unset, to viewers of the journey', async () => {
    const scopes = { canView: 'private', canJoin: 'private' } as const;
    const course = await makeCourse(test, { title: { en: 'Quokkas' }, scopes, journeys: [{}, {}] });
    const opened = course.journeys[1]!;
    await sql`update entries set slug = '{"en": "some"}' where id = ${opened.entryId}`.execute(db);
    const shown = async (as: As) => [
      await courseStatus(as, course),
      await slugStatus(as, opened.entryId),
      await counted(as, course),
      await found(as, 'quokka'),
    ];
    const person = await makePerson(test, { role: 'non-public-servant' });
    expect(await shown(person.as)).toEqual([404, 404, undefined, []]);
    await permit(opened.entryId, 'can_view', 'authenticated');
    expect(await shown(person.as)).toEqual([200, 200, [1, 33], [course.id]]);
    expect(await shown({})).toEqual([404, 404, undefined, []]);
    await permit(course.id, 'can_view', 'verified');
    expect(await shown(person.as)).toEqual([404, 404, undefined, []]);
  });
});

describe('a journey with an unpublished entry', () => {
  it('is not counted, and its lessons are neither found nor next', async () => {
    const lessons = [{ title: { en: 'Digging' }, body: { en: '<p>The numbat digs.</p>' } }];
    const course = await makeCourse(test, { journeys: [{}, { sections: [{ lessons }] }] });
    const withdrawn = course.journeys[1]!;
    const learner = await makePerson(test);
    await enrol(test, learner, withdrawn);
    expect(await counted(learner.as, course)).toEqual([2, 38]);
    expect(await found(learner.as, 'numbat')).toEqual([withdrawn.lessons[0]!.key]);
    const next = async () => (await test.call(readMyLearning, learner.as)).body.journeys[0].nextLesson;
    expect(await next()).toMatchObject({ title: 'Digging' });
    await unpublish(withdrawn);
    for (const as of [{}, learner.as, administrator.as]) expect(await counted(as, course)).toEqual([1, 33]);
    expect([await found(learner.as, 'numbat'), await next()]).toEqual([[], null]);
    const { body } = await test.call(readCourse, learner.as, { params: { courseSlug: course.slug } });
    expect(readCourse.replies[200].parse(body).course.journeys).toHaveLength(2);
  });
});
