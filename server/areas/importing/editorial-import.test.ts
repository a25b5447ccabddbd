import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { CONTENT_YAML, makeContentFolder, makeFolder, pixel } from '#server/test/factories/content.ts';
import { exportFolder } from './export.service.ts';
import { readContentFolder } from './folder-reader.format.ts';
import { importPath } from './import-source.service.ts';

const test = await createTestApp();
const { db } = test.ctx;

const EDITORIALS = `questions:
  - slug: who
    title: {en: Who is it for?, fr: Pour qui ?}
    answer: {en: "Everyone.\\n\\n![A map](images/map.png)", fr: Tout le monde.}
    scopes: {can_view: public, can_join: authenticated}
    items: [courses/letters, courses/letters/basics/first]
solutions:
  - slug: one-letter
    title: {en: One letter}
    summary: {en: It worked}
    problem: {en: Many calls.}
    result: {en: "- Fewer calls\\n- Less work"}
    cover: images/cover.png
    coverAlt: {en: A letter}
    scopes: {can_view: public, can_join: authenticated}
    items: [microcourses/en/letters]
hubs:
  - slug: start
    title: {en: Start here}
    scopes: {can_view: public, can_join: authenticated}
    items: [carousels/row, pictures/team, academies/digital, communities/writers, questions/who, solutions/one-letter]
carousels:
  - slug: row
    title: {en: A row}
    items: [courses/letters, microcourses/en/letters]
pictures:
  - slug: team
    title: {en: Team}
    summary: {en: At work}
    cover: images/map.png
    coverAlt: {en: A map}
`;

const folder = async (editorials = EDITORIALS, content = CONTENT_YAML) =>
  await makeContentFolder({ 'content.yaml': `${content}${editorials}`, 'images/map.png': pixel(7) });

const items = async (id: string) =>
  (await sql<{ paths: string[] }>`select editorial_paths(${id}) as paths`.execute(db)).rows[0]?.paths;

const snapshot = async () =>
  await Promise.all(
    ['editorials', 'editorial_items', 'bodies', 'entries', 'products', 'content_assets'].map(
      async (table) =>
        (await sql`select t.*, t.xmin::text from ${sql.table(table)} t order by t::text`.execute(db)).rows,
    ),
  );

beforeAll(async () => {
  const { summary, faults } = await importPath(test.ctx, await folder());
  expect(faults).toEqual([]);
  expect(summary).toMatchObject({ added: 16, changed: 0 }); // eleven and these five
});

describe('questions, solution articles and hubs of a content folder', () => {
  it('become pages of their parts, with their pictures and what they lead to', async () => {
    const { rows } = await sql<{ editorial_id: string; locale: string; html: string }>`
      select editorial_id, locale, html from bodies where editorial_id is not null order by editorial_id, locale`.execute(
      db,
    );
    expect(rows.map(({ editorial_id, locale }) => `${editorial_id} ${locale}`)).toEqual([
      'one-letter en',
      'who en',
      'who fr',
    ]);
    expect(rows[0]?.html).toMatch(
      /<h2 id="[^"]*">The problem<\/h2>[\s\S]*Many calls[\s\S]*<h2 id="[^"]*">The result<\/h2>/,
    );
    expect(rows[1]?.html).toMatch(/<img [^>]*alt="A map"/);
    expect(await items('who')).toEqual(['courses/letters', 'courses/letters/basics/first']);
    expect(await items('start')).toEqual([
      'carousels/row',
      'pictures/team',
      'academies/digital',
      'communities/writers',
      'questions/who',
      'solutions/one-letter',
    ]);
  });

  it('are products where they have a page, under the names of the content platform', async () => {
    const { rows } = await sql`
      select e.id, e.content_type, p.can_view from entries e left join products p on p.entry_id = e.id
      where e.id in (select id from editorials) order by e.id`.execute(db);
    expect(rows).toEqual([
      { id: 'one-letter', content_type: 'solutionArticle', can_view: 'public' },
      { id: 'row', content_type: 'carousel', can_view: null },
      { id: 'start', content_type: 'learningHub', can_view: 'public' },
      { id: 'team', content_type: 'imageHolder', can_view: null },
      { id: 'who', content_type: 'qaQuestion', can_view: 'public' },
    ]);
  });

  it('change nothing when the same folder comes again', async () => {
    const before = await snapshot();
    expect((await importPath(test.ctx, await folder())).summary).toEqual({
      added: 0,
      changed: 0,
      unchanged: 16,
      withdrawn: 0,
    });
    expect(await snapshot()).toEqual(before);
  });

  it('come out as they went in, and the same bytes again', async () => {
    const [out, again] = [await makeFolder({}), await makeFolder({})];
    const { folder: written } = await exportFolder(test.ctx, out);
    const read = (await readContentFolder(await folder())).folder;
    expect(written.editorials).toEqual(read?.editorials);
    const empty = await createTestApp();
    expect((await importPath(empty.ctx, out)).faults).toEqual([]);
    await exportFolder(empty.ctx, again);
    expect((await readContentFolder(again)).folder?.editorials).toEqual(read?.editorials);
  });

  it('count a changed answer or link as a change of theirs, and name places by their slugs of now', async () => {
    const changed = EDITORIALS.replace('Everyone.', 'Anyone.').replace(
      'items: [courses/letters, microcourses/en/letters]',
      'items: [microcourses/en/letters]',
    );
    expect((await importPath(test.ctx, await folder(changed))).summary).toMatchObject({ changed: 2, unchanged: 14 });
    expect(await items('row')).toEqual(['microcourses/en/letters']);
    await sql`update microcourses set slug = 'short-letters' where id in (select id from microcourses where slug = 'letters')`.execute(
      db,
    );
    expect(await items('row')).toEqual(['microcourses/en/short-letters']);
    await sql`update microcourses set slug = 'letters' where slug = 'short-letters'`.execute(db);
    await importPath(test.ctx, await folder());
  });

  it('refuse a link that leads nowhere, and changes nothing; an article that is not here is left out', async () => {
    const before = await snapshot();
    const dead = EDITORIALS.replace('questions/who', 'questions/nobody');
    const refused = await importPath(test.ctx, await folder(dead));
    expect(refused).toMatchObject({
      summary: undefined,
      faults: ['hubs: start names questions/nobody, which is not there'],
    });
    expect(await snapshot()).toEqual(before);
    const article = EDITORIALS.replace('academies/digital', 'articles/not-here');
    expect((await importPath(test.ctx, await folder(article))).faults).toEqual([]);
    expect(await items('start')).toHaveLength(5);
    await importPath(test.ctx, await folder());
  });

  it('name faults by their place', async () => {
    const faulty = EDITORIALS.replace('answer: {en: "Everyone.', 'answers: {en: "Everyone.')
      .replace('[microcourses/en/letters]', '["javascript:alert(1)"]')
      .replace('slug: team', 'slug: Team!');
    const { faults } = await importPath(test.ctx, await folder(faulty));
    const fields = faults.map((fault) => /^content\.yaml:\d+ (\S+)/.exec(fault)?.[1]);
    expect(fields.toSorted()).toEqual(
      ['pictures[0].slug', 'questions[0].answer', 'questions[0].answers', 'solutions[0].items[0]'].toSorted(),
    );
  });

  it('keep the scopes an administrator has set', async () => {
    await makePerson(test, { role: 'administrator' });
    await sql`update products set can_view = 'private', can_join = 'private', is_set = true where entry_id = 'who'`.execute(
      db,
    );
    await importPath(test.ctx, await folder(EDITORIALS.replace('Everyone.', 'All of us.')));
    const { rows } = await sql`select can_view from products where entry_id = 'who'`.execute(db);
    expect(rows).toEqual([{ can_view: 'private' }]);
  });
});
