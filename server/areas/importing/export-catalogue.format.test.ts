import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { readContentfulExport } from './contentful-export.format.ts';
import { toCatalogue } from './export-catalogue.format.ts';
import { importExport } from './export-import.service.ts';

const link = (id: string) => ({ sys: { type: 'Link', linkType: 'Entry', id } });
const links = (...ids: string[]) => ({ 'en-US': ids.map(link) });
const en = (value: unknown) => ({ 'en-US': value });

function entry(id: string, type: string, fields: object, sys: object = { publishedVersion: 2 }) {
  return { sys: { id, version: 3, contentType: { sys: { id: type } }, ...sys }, fields };
}

const text = (value: string, ...marks: string[]) => ({
  nodeType: 'text',
  value,
  marks: marks.map((type) => ({ type })),
  data: {},
});
const node = (nodeType: string, content: unknown[], data = {}) => ({ nodeType, data, content });

/** Has the shape of the platform's example course. */
const SOURCE = {
  locales: [
    { code: 'en-US', default: true },
    { code: 'de-DE', fallbackCode: 'en-US' },
  ],
  entries: [
    entry('course1', 'course', {
      title: { 'en-US': 'Hello world', 'de-DE': 'Hallo Welt' },
      slug: en('hello-world'),
      shortDescription: en('An introduction'),
      lessons: links('lesson1', 'lesson2', 'lesson3'),
    }),
    entry('lesson1', 'lesson', { title: en('First'), slug: en('first'), modules: links('copy1', 'code1', 'image1') }),
    entry('lesson2', 'lesson', {
      title: en('Second'),
      slug: en('second'),
      body: en(
        node('document', [
          node('heading-2', [text('Begin')]),
          node('paragraph', [
            text('A '),
            text('bold ', 'bold'),
            node('hyperlink', [text('link')], { uri: 'https://example.org/a b' }),
            text(' *not* marked'),
          ]),
          node('unordered-list', [
            node('list-item', [node('paragraph', [text('one')])]),
            node('list-item', [node('paragraph', [text('two')])]),
          ]),
          node('embedded-entry-block', [], { target: link('copy1') }),
        ]),
      ),
    }),
    entry('lesson3', 'lesson', { title: en('No text'), slug: en('no-text') }),
    entry('copy1', 'lessonCopy', {
      title: en('Words'),
      copy: { 'en-US': 'Some *Markdown*.', 'de-DE': 'Etwas *Markdown*.' },
    }),
    entry('code1', 'lessonCodeSnippets', { title: en('Code'), javascript: en('let a = 1;') }),
    entry('image1', 'lessonImage', { title: en('Picture') }),
    entry(
      'draft1',
      'course',
      { title: en('Draft'), slug: en('draft'), lessons: links('lesson2') },
      { publishedVersion: null },
    ),
    entry('course2', 'course', { title: en('Bad slug'), slug: en('Bad Slug!') }),
    entry('academy1', 'academy', { title: en('Academy'), slug: en('academy'), courses: links('course1', 'draft1') }),
    entry('plain1', 'somethingElse', { title: en('Plain'), slug: en('plain') }),
  ],
};

describe('toCatalogue', () => {
  it('creates courses from entries with the required fields', () => {
    const { folder, entryIds, warnings } = toCatalogue(readContentfulExport(SOURCE));
    expect(folder.courses).toMatchObject([
      {
        id: 'course1',
        slug: 'hello-world',
        title: {
          en: 'Hello world',
          de: 'Hallo Welt',
        },
        summary: { en: 'An introduction' },
        scopes: {
          can_view: 'private',
          can_join: 'private',
        },
        journeys: [
          {
            slug: 'lessons',
            sections: [
              {
                heading: { en: 'Hello world' },
                lessons: [{ id: 'lesson1' }, { id: 'lesson2' }],
              },
            ],
          },
        ],
      },
    ]);
    const [first, second] = folder.courses[0]!.journeys[0]!.sections[0]!.lessons; // matched above
    expect(first?.body).toEqual({
      en: '## Words\n\nSome *Markdown*.\n\n## Code\n\n````javascript\nlet a = 1;\n````',
      de: 'Etwas *Markdown*.\n\n## Code\n\n````javascript\nlet a = 1;\n````',
    });
    expect(second?.body.en).toBe(
      '## Begin\n\nA <strong>bold</strong> [link](<https://example.org/a%20b>) \\*not\\* marked\n\n- one\n- two\n\n## Words\n\nSome *Markdown*.',
    );
    expect(folder.academies).toMatchObject([{ slug: 'academy', courses: ['hello-world'] }]);
    expect([...entryIds].sort()).toEqual(['academy1', 'course1']);
    expect(warnings.map((warning) => warning.id).sort()).toEqual(['course2', 'lesson1', 'lesson3']);
    expect(warnings.find(({ id }) => id === 'lesson1')).toEqual({
      id: 'lesson1',
      field: 'fields.body.de',
      message: 'Line 3: Headings differ from the source language: 2 → 1',
    });
  });

  it('reads code whose language is a field of its own', () => {
    const { folder } = toCatalogue(
      readContentfulExport({
        ...SOURCE,
        entries: [
          entry('course4', 'course', { title: en('A'), slug: en('a'), lessons: links('lesson10') }),
          entry('lesson10', 'lesson', { title: en('B'), slug: en('b'), modules: links('snippet') }),
          entry('snippet', 'codeBlock', { language: en('TypeScript'), code: en('let a: number;') }),
        ],
      }),
    );
    const [lesson] = folder.courses[0]!.journeys[0]!.sections[0]!.lessons; // both entries are complete
    expect(lesson?.body).toEqual({ en: '````typescript\nlet a: number;\n````' });
    expect(lesson?.minutes).toBe(1);
  });

  it('transliterates slugs of other scripts and completes picture addresses without a protocol', () => {
    const { folder, warnings } = toCatalogue(
      readContentfulExport({
        ...SOURCE,
        entries: [
          entry('course3', 'course', { title: en('A'), slug: en('정보-보안'), lessons: links('lesson9') }),
          entry('lesson9', 'lesson', {
            title: en('B'),
            slug: en('łódź'),
            body: en('![A map](//cdn.example/map.png)\n\n<iframe src="https://a.example/e"></iframe>'),
          }),
        ],
      }),
    );
    const [lesson] = folder.courses[0]!.journeys[0]!.sections[0]!.lessons; // both entries are complete
    expect([folder.courses[0]?.slug, lesson?.slug]).toEqual(['jeongbo-boan', 'lodz']);
    expect(lesson?.body.en).toContain('![A map](https://cdn.example/map.png)');
    expect(warnings).toEqual([
      { id: 'lesson9', field: 'fields.body.en', message: 'Line 3: Shown as a link: iframe: https://a.example/e' },
    ]);
  });

  it('keeps courses and journeys private that are private in the export', () => {
    const made = (course: object, journey?: object) => {
      const own = journey ? { journeys: links('own') } : { lessons: links('lesson2') };
      const { folder } = toCatalogue(
        readContentfulExport({
          ...SOURCE,
          entries: [
            SOURCE.entries[2],
            entry('closed', 'course', { title: en('Closed'), slug: en('closed'), ...own, ...course }),
            entry('own', 'courseJourney', { title: en('Own'), slug: en('own'), lessons: links('lesson2'), ...journey }),
          ],
        }),
      );
      return folder.courses.map(({ type, journeys }) => [type, ...journeys.map(({ privacy }) => privacy)]);
    };
    expect(made({})).toEqual([['Public', 'open-public']]);
    expect(made({}, {})).toEqual([['Public', 'open-public']]);
    expect(made({ type: en('Private') }, {})).toEqual([['Private', 'open-public']]);
    expect(made({ type: en('Public'), privacy: en('closed-private') })).toEqual([['Public', 'closed-private']]);
    expect(made({}, { privacy: en('stripe-public') })).toEqual([['Public', 'stripe-public']]);
    expect(made({ privacy: en('open-private') }, {})).toEqual([['Public', 'open-private']]);
    expect(made({ privacy: en('open-private') }, { privacy: en('no such') })).toEqual([['Public', 'closed-private']]);
  });

  it('accepts journeys with sections, but no ninth section', () => {
    const sections = Array.from({ length: 9 }, (_, index) =>
      entry(`section${index}`, 'section', { heading: en(`Section ${index}`), lessons: links('lesson2') }),
    );
    const make = (count: number) =>
      toCatalogue(
        readContentfulExport({
          ...SOURCE,
          entries: [
            SOURCE.entries[2],
            ...sections,
            entry('course9', 'course', { title: en('Nine'), slug: en('nine'), journeys: links('journey9') }),
            entry('journey9', 'courseJourney', {
              title: en('Journey'),
              slug: en('journey'),
              sections: links(...sections.slice(0, count).map((section) => section.sys.id)),
            }),
          ],
        }),
      );
    expect(make(8).folder.courses[0]?.journeys[0]?.sections).toHaveLength(8);
    expect(make(9).folder.courses[0]?.journeys).toEqual([]);
    expect(make(9).warnings).toContainEqual({
      id: 'journey9',
      field: 'sections',
      message: 'At most 8 sections: stays a plain entry',
    });
  });
});

describe('texts of an export', () => {
  const asset = (id: string, mime: string, title: string) => ({
    sys: { id, version: 3, publishedVersion: 2 },
    fields: { title: en(title), file: en({ url: `//images.ctfassets.net/s/${id}/t/${id}.png`, contentType: mime }) },
  });
  const micro = (body: unknown, more: object = {}) =>
    entry('m', 'microcourse', { title: en('M'), slug: en('m'), body: en(body), ...more });
  const read = (entries: object[], assets: object[] = []) => {
    const { folder, pictures, warnings } = toCatalogue(
      readContentfulExport({ locales: SOURCE.locales, entries, assets }),
    );
    return { body: folder.microcourses[0]?.body.en, pictures: [...pictures], warnings };
  };
  const embed = (id: string) => node('embedded-entry-block', [], { target: link(id) });

  it('replace picture URLs of any size with paths in the folder', () => {
    const source =
      'A ![desk](//images.ctfassets.net/s/p1/t/p1.png?w=300 "Ours") and ![x](https://elsewhere.example/x.png)';
    expect(read([micro(source)], [asset('p1', 'image/png', 'Desk')])).toMatchObject({
      body: 'A ![desk](assets/p1-3.png "Ours") and ![x](https://elsewhere.example/x.png)',
      pictures: [['assets/p1-3.png', 'https://images.ctfassets.net/s/p1/t/p1.png']],
    });
  });

  it('write mutually embedded modules once', () => {
    const module = (id: string, other: string) =>
      entry(id, 'module', { body: en(node('document', [node('paragraph', [text(id)]), embed(other), embed(other)])) });
    const { body, warnings } = read([
      micro(node('document', [embed('one')])),
      module('one', 'two'),
      module('two', 'one'),
    ]);
    expect(body).toBe('one\n\ntwo\n\ntwo');
    expect(warnings).toMatchObject([{ id: 'two', message: 'The entry one has no text: left out' }, { id: 'two' }]);
  });

  it('show the heading of a module but not an editor’s label', () => {
    const module = (id: string, title: string, body: string) =>
      entry(id, 'module', { title: en(title), body: en(body) });
    const { body } = read([
      micro(node('document', [embed('a'), embed('b'), embed('c')])),
      module('a', 'Begin here', 'One.'),
      module('b', 'Hello world > Copy', 'Two.'),
      module('c', 'Again', '# Own\n\nThree.'),
    ]);
    expect(body).toBe('## Begin here\n\nOne.\n\nTwo.\n\n# Own\n\nThree.');
  });

  it('take the given minutes or the reading time', () => {
    const minutesOf = (more: object) =>
      toCatalogue(readContentfulExport({ locales: SOURCE.locales, entries: [micro('word '.repeat(1000), more)] }))
        .folder.microcourses[0]?.minutes;
    expect([minutesOf({}), minutesOf({ minutes: en(12) }), minutesOf({ duration: en(0) })]).toEqual([5, 12, 0]);
  });

  it('link other files and report what is left out', () => {
    const at = (id: string) => node('embedded-asset-block', [], { target: { sys: { id } } });
    const { body, warnings } = read(
      [micro(node('document', [at('f'), at('none')]))],
      [asset('f', 'application/pdf', 'Form [A]')],
    );
    expect(body).toBe('[Form \\[A\\]](<https://images.ctfassets.net/s/f/t/f.png>)');
    expect(warnings).toEqual([
      { id: 'm', field: 'fields.body.en', message: 'The asset none is not published: left out' },
    ]);
  });
});

describe('importing an export', async () => {
  const test = await createTestApp();
  const { db } = test.ctx;

  it('stores entries unchanged with drafts hidden, creates courses, and is idempotent', async () => {
    const reading = readContentfulExport(SOURCE);
    expect((await importExport(test.ctx, reading)).summary).toEqual({
      added: 11,
      changed: 0,
      unchanged: 0,
      withdrawn: 0,
    });
    const all = async () => [
      (await sql`select *, xmin::text from entries order by id`.execute(db)).rows,
      (await sql`select *, xmin::text from lessons order by id`.execute(db)).rows,
    ];
    const before = await all();
    expect((await importExport(test.ctx, reading)).summary).toEqual({
      added: 0,
      changed: 0,
      unchanged: 11,
      withdrawn: 0,
    });
    expect(await all()).toEqual(before);
    const rows = await db
      .selectFrom('entries')
      .select(['id', 'content_type', 'status', 'version', 'source', 'fallbacks'])
      .execute();
    const byId = Object.fromEntries(rows.map((row) => [row.id, row]));
    expect(byId['course1']).toEqual({
      id: 'course1',
      content_type: 'course',
      status: 'published',
      version: 3,
      source: 'export',
      fallbacks: {
        en: null,
        de: 'en',
      },
    });
    expect(byId['draft1']?.status).toBe('draft');
    expect(byId['plain1']?.content_type).toBe('somethingElse');
    const courses = await db.selectFrom('courses').select(['id', 'slug']).execute();
    expect(courses).toEqual([{ id: 'course1', slug: 'hello-world' }]);
    expect((await sql`select 1 from products where can_view <> 'private'`.execute(db)).rows).toEqual([]);
  });

  it('does not overwrite an entry updated by a later event', async () => {
    await sql`update entries set version = 9, slug = '{"en": "later"}' where id = 'plain1'`.execute(db);
    await importExport(test.ctx, readContentfulExport(SOURCE));
    const { rows } = await sql`select slug from entries where id = 'plain1'`.execute(db);
    expect(rows).toEqual([{ slug: { en: 'later' } }]);
  });
});
