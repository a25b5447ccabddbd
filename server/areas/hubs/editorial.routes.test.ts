import { readEntrySlug } from '@officium/contract/content';
import { listEditorials, readEditorial } from '@officium/contract/editorials';
import { findMovedPage, search } from '@officium/contract/search';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type As, createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { CONTENT_YAML, makeContentFolder } from '#server/test/factories/content.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';

const test = await createTestApp();
const { db } = test.ctx;

const EDITORIALS = `questions:
  - slug: who
    title: {en: Who is it for?, fr: Pour qui ?}
    answer: {en: "Everyone, *zebras* too.", fr: Tout le monde.}
    scopes: {can_view: public, can_join: authenticated}
    items: [courses/letters/basics/first]
  - slug: secret
    title: {en: A secret?}
    answer: {en: "Okapi."}
    items: [courses/letters]
solutions:
  - slug: one-letter
    title: {en: One letter}
    summary: {en: It worked}
    problem: {en: Many calls.}
    evidence: {en: We counted.}
    scopes: {can_view: authenticated, can_join: authenticated}
    items: [microcourses/en/letters]
hubs:
  - slug: start
    title: {en: Start here}
    summary: {en: For newcomers}
    scopes: {can_view: public, can_join: authenticated}
    items:
      [carousels/row, courses/letters, courses/hidden, academies/digital, communities/writers, communities/quiet,
       questions/who, questions/secret, solutions/one-letter, courses/letters/basics/first]
carousels:
  - slug: row
    title: {en: A row, fr: Une rangée}
    items: [courses/hidden, microcourses/en/letters]
`;

let admin: TestPerson;
let person: TestPerson;
beforeAll(async () => {
  const folder = await makeContentFolder({ 'content.yaml': `${CONTENT_YAML}${EDITORIALS}` });
  expect((await importPath(test.ctx, folder)).faults).toEqual([]);
  admin = await makePerson(test, { role: 'administrator' });
  person = await makePerson(test);
});

const visible = async (id: string, status = 'published') =>
  await sql`update entries set status = ${status} where id = ${id}`.execute(db);
beforeEach(async () => {
  await sql`update entries set status = 'published'`.execute(db);
});

const read = async (page: string, slug: string, as: As = {}, query = {}) =>
  await test.call(readEditorial, as, { params: { kind: page, slug }, query });
const list = async (page: string, as: As = {}, query = {}) => {
  const { body } = await test.call(listEditorials, as, { params: { kind: page }, query });
  return (body.editorials as { slug: string }[]).map(({ slug }) => slug);
};
const pathsOf = async (as: As = {}) => {
  const { body } = await read('hubs', 'start', as);
  return (body.items as { path: string | null; title: string }[]).map(({ path, title }) => path ?? title);
};

describe('readEditorial', () => {
  it('answers a question in the language asked for, with what it is about', async () => {
    const { body } = await read('questions', 'who', {}, { locale: 'fr-CA' });
    expect(readEditorial.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      kind: 'question',
      title: 'Pour qui ?',
      shownLocale: 'fr',
      locales: ['en', 'fr'],
      html: expect.stringContaining('Tout le monde.'),
      bodyLocale: 'fr',
      items: [{ kind: 'lesson', path: '/courses/letters/basics/first', title: 'Le premier' }],
    });
  });

  it('shows the parts of a solution article under their headings', async () => {
    const { body } = await read('solutions', 'one-letter', person.as, { locale: 'de' });
    expect(body).toMatchObject({ title: 'One letter', bodyLocale: 'en', summary: 'It worked' });
    expect((body.headings as { text: string }[]).map(({ text }) => text)).toEqual(['The problem', 'The evidence']);
  });

  it('shows in a hub what each reader may see, in order', async () => {
    expect(await pathsOf()).toEqual([
      'A row',
      '/courses/letters',
      '/academies/digital',
      '/communities/writers',
      '/questions/who',
      '/courses/letters/basics/first',
    ]);
    expect(await pathsOf(person.as)).toContain('/solutions/one-letter');
    expect(await pathsOf(admin.as)).toEqual([
      'A row',
      '/courses/letters',
      '/courses/hidden',
      '/academies/digital',
      '/communities/writers',
      '/communities/quiet',
      '/questions/who',
      '/questions/secret',
      '/solutions/one-letter',
      '/courses/letters/basics/first',
    ]);
  });

  it('shows a carousel with what the reader may see of it, and questions with their answers', async () => {
    const { items } = (await read('hubs', 'start', {}, { locale: 'fr' })).body;
    const inRow = (row: { items: { path: string }[] }) => row.items.map(({ path }) => path);
    expect(items[0]).toMatchObject({ kind: 'carousel', title: 'Une rangée', path: null });
    expect(inRow(items[0])).toEqual(['/microcourses/en/letters']);
    expect(inRow((await read('hubs', 'start', admin.as)).body.items[0])).toEqual([
      '/courses/hidden',
      '/microcourses/en/letters',
    ]);
    const question = (items as { kind: string; html: string }[]).find(({ kind }) => kind === 'question');
    expect(question?.html).toContain('Tout le monde.');
  });

  it('is 404 for what is hidden, alike for what is not there or has another kind', async () => {
    const answers = [
      ['questions', 'secret'],
      ['questions', 'nothing'],
      ['solutions', 'one-letter'],
      ['hubs', 'who'],
      ['hubs', 'row'],
    ].map(async ([page = '', slug = '']) => {
      const { status, body } = await read(page, slug);
      return [status, { ...body, requestId: '' }];
    });
    const [first, ...others] = await Promise.all(answers);
    expect(first?.[0]).toBe(404);
    for (const other of others) expect(other).toEqual(first);
    expect((await read('questions', 'secret', admin.as)).status).toBe(200);
  });

  it('is seen by the members of a cohort whose product it is', async () => {
    const member = await makePerson(test);
    await putInCohort(test, await makeCohort(test, { products: ['secret'] }), member);
    expect((await read('questions', 'secret', member.as)).status).toBe(200);
    expect((await read('questions', 'secret', person.as)).status).toBe(404);
  });

  it('refuses another kind of page', async () => {
    expect((await read('carousels', 'row')).status).toBe(400);
    expect((await read('questions', 'x'.repeat(257))).status).toBe(400);
  });
});

describe('listEditorials', () => {
  it('lists what the reader may see, questions with their answers', async () => {
    expect(await list('questions')).toEqual(['who']);
    expect(await list('questions', admin.as)).toEqual(['who', 'secret']);
    expect(await list('solutions')).toEqual([]);
    expect(await list('solutions', person.as)).toEqual(['one-letter']);
    const { body } = await test.call(listEditorials, {}, { params: { kind: 'questions' } });
    expect(listEditorials.replies[200].parse(body)).toEqual(body);
    expect(body.editorials[0].html).toContain('zebras');
    expect(body.total).toBe(1);
  });

  it('keeps those that lead to a course or one of its lessons', async () => {
    expect(await list('questions', {}, { course: 'letters' })).toEqual(['who']);
    expect(await list('questions', admin.as, { course: 'letters' })).toEqual(['who', 'secret']);
    expect(await list('hubs', {}, { course: 'letters' })).toEqual(['start']);
    expect(await list('hubs', {}, { course: 'hidden' })).toEqual([]); // the hub leads there, the course is hidden
    expect(await list('hubs', admin.as, { course: 'hidden' })).toEqual(['start']);
    expect(await list('questions', {}, { course: 'nothing' })).toEqual([]);
  });

  it('shows nothing to an inactive account', async () => {
    const inactive = await makePerson(test, { role: 'inactive' });
    expect(await list('questions', inactive.as)).toEqual([]);
    expect((await read('questions', 'who', inactive.as)).status).toBe(404);
  });
});

describe('a withdrawal', () => {
  const found = async (q: string, as: As = {}) => {
    const { body } = await test.call(search, as, { query: { q, group: 'learning' } });
    return body.groups[0].results.map(({ path }: { path: string }) => path);
  };

  it('reaches pages, lists, hubs, courses, search, the sitemap and slugs at once', async () => {
    const sitemap = async () => (await test.app.inject({ url: '/sitemaps/pages-1.xml' })).body;
    const slug = async () => (await test.call(readEntrySlug, {}, { params: { id: 'who' } })).status;
    expect(await found('zebras')).toEqual(['/questions/who']);
    expect(await sitemap()).toContain('/questions/who');
    expect(await slug()).toBe(200);
    await visible('who', 'withdrawn');
    expect((await read('questions', 'who')).status).toBe(404);
    expect(await list('questions')).toEqual([]);
    expect(await list('questions', {}, { course: 'letters' })).toEqual([]);
    expect(await pathsOf()).not.toContain('/questions/who');
    expect(await found('zebras')).toEqual([]);
    expect(await sitemap()).not.toContain('/questions/who');
    expect(await slug()).toBe(404);
  });

  it('of a course, a community or a carousel takes it out of hubs', async () => {
    await visible('row', 'withdrawn');
    const { rows } = await sql<{ id: string }>`
      select id from courses where slug = 'letters' union all select entry_id from communities where slug = 'writers'`.execute(
      db,
    );
    for (const { id } of rows) await visible(id, 'withdrawn');
    expect(await pathsOf()).toEqual(['/academies/digital', '/questions/who']);
  });

  it('finds only what the reader may see', async () => {
    expect(await found('okapi')).toEqual([]);
    expect(await found('okapi', admin.as)).toEqual(['/questions/secret']);
    expect(await found('newcomers')).toEqual(['/hubs/start']);
    expect(await found('counted', person.as)).toEqual(['/solutions/one-letter']);
    expect((await test.call(readEntrySlug, {}, { params: { id: 'secret' } })).status).toBe(404);
  });
});

it('former slugs lead to the page of now, of the same kind and for those who may see it', async () => {
  await sql`update editorials set slug = 'whom' where id = 'who'`.execute(db);
  await sql`update editorials set slug = 'hush' where id = 'secret'`.execute(db);
  const moved = async (path: string, as: As = {}) =>
    (await test.call(findMovedPage, as, { query: { path } })).body.path;
  expect(await moved('/questions/who')).toBe('/questions/whom');
  expect(await moved('/hubs/who')).toBeUndefined();
  expect(await moved('/questions/secret')).toBeUndefined();
  expect(await moved('/questions/secret', admin.as)).toBe('/questions/hush');
  await sql`update editorials set slug = id where id in ('who', 'secret')`.execute(db);
});
