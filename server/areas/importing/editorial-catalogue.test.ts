import { reindexEntry } from '@officium/contract/content';
import { readEditorial } from '@officium/contract/editorials';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp, WEBHOOK_KEY } from '#server/test/app.ts';
import { assetLink, en, entryLink, links, openDeliveryTwin } from '#server/test/delivery-twin.ts';
import { pixel } from '#server/test/factories/content.ts';
import { readContentfulExport } from './contentful-export.format.ts';
import { toCatalogue } from './export-catalogue.format.ts';
import { importExport } from './export-import.service.ts';

const twin = await openDeliveryTwin();
afterAll(async () => await twin.close());
const test = await createTestApp(twin.settings);
const { db } = test.ctx;

const entry = (id: string, type: string, fields: object) => ({
  sys: { id, version: 3, publishedVersion: 2, contentType: { sys: { id: type } } },
  fields,
});
const paragraph = (value: string) => ({
  nodeType: 'document',
  data: {},
  content: [{ nodeType: 'paragraph', data: {}, content: [{ nodeType: 'text', value, marks: [], data: {} }] }],
});

/** Field names as an unknown space may have them. */
const ENTRIES = [
  entry('c1', 'course', { title: en('Course'), slug: en('course'), lessons: links('l1') }),
  entry('l1', 'lesson', { title: en('Lesson'), slug: en('lesson'), body: en('Words') }),
  entry('q1', 'QA Question', {
    question: { 'en-US': 'What is it?', 'de-DE': 'Was ist es?' },
    accepted_answer: { 'en-US': paragraph('A thing.'), 'de-DE': paragraph('Ein Ding.') },
    relatedLessons: links('l1', 'c1'),
  }),
  entry('s1', 'solutionArticle', {
    headline: en('How we did it'),
    slug: en('how-we-did-it'),
    teaser: en('In short'),
    challenge: en('It was slow.'),
    whatWasTried: en(paragraph('Two things.')),
    outcomes: en('It is quick.'),
    lessonsLearned: en('Start small.'),
    course: en(entryLink('c1')),
  }),
  entry('h1', 'learningHub', {
    name: en('For newcomers'),
    intro: en('Begin'),
    sections: links('k1', 'c1', 'q1', 's1', 'i1'),
  }),
  entry('k1', 'carousel', { internalName: en('A row'), items: links('c1') }),
  entry('i1', 'imageHolder', {
    title: en('A picture'),
    caption: en('Seen'),
    altText: en('A square'),
    image: en(assetLink('a1')),
  }),
  entry('q2', 'qaQuestion', { question: en('No answer?') }),
];
const SOURCE = {
  locales: [
    { code: 'en-US', default: true },
    { code: 'de-DE', fallbackCode: 'en-US' },
  ],
  entries: ENTRIES,
  assets: [
    {
      sys: { id: 'a1', version: 2, publishedVersion: 1 },
      fields: { file: en({ url: '//images.example.org/a.png', fileName: 'a.png', contentType: 'image/png' }) },
    },
  ],
};

describe('questions, solution articles and hubs of an export', () => {
  it('are made of entries whose fields suffice, whatever these are called', () => {
    const { folder, entryIds, warnings } = toCatalogue(readContentfulExport(SOURCE));
    expect(folder.editorials).toMatchObject([
      {
        kind: 'question',
        id: 'q1',
        slug: 'what-is-it',
        title: { en: 'What is it?', de: 'Was ist es?' },
        parts: { answer: { en: 'A thing.', de: 'Ein Ding.' } },
        items: ['courses/course/lessons/lesson', 'courses/course'],
      },
      {
        kind: 'solution',
        id: 's1',
        slug: 'how-we-did-it',
        summary: { en: 'In short' },
        parts: {
          problem: { en: 'It was slow.' },
          tried: { en: 'Two things.' },
          result: { en: 'It is quick.' },
          transfer: { en: 'Start small.' },
        },
        items: ['courses/course'],
      },
      {
        kind: 'hub',
        id: 'h1',
        slug: 'for-newcomers',
        items: [
          'carousels/a-row',
          'courses/course',
          'questions/what-is-it',
          'solutions/how-we-did-it',
          'pictures/a-picture',
        ],
      },
      { kind: 'carousel', id: 'k1', items: ['courses/course'] },
      { kind: 'picture', id: 'i1', summary: { en: 'Seen' }, coverAlt: { en: 'A square' }, cover: 'assets/a1-2.png' },
    ]);
    expect([...entryIds]).toEqual(expect.arrayContaining(['q1', 's1', 'h1', 'k1', 'i1']));
    expect(entryIds.has('q2')).toBe(false);
    expect(warnings).toContainEqual({
      id: 'q2',
      field: 'fields.answer',
      message: 'Needs a field for its answer: stays a plain entry',
    });
  });

  it('are stored with their links, and the same export changes nothing', async () => {
    const app = await createTestApp();
    const reading = readContentfulExport(SOURCE);
    const pictures = new Map([['assets/a1-2.png', { bytes: Buffer.from(pixel(3)), mime: 'image/png' }]]);
    await importExport(app.ctx, reading, { pictures });
    const { rows } = await sql`
      select e.id, x.content_type, editorial_paths(e.id) as items from editorials e join entries x on x.id = e.id
      where e.kind = 'hub'`.execute(app.ctx.db);
    expect(rows).toMatchObject([{ id: 'h1', content_type: 'learningHub' }]);
    expect((rows[0] as { items: string[] }).items).toHaveLength(5); // the one row above
    expect((await importExport(app.ctx, reading, { pictures })).summary).toMatchObject({ added: 0, changed: 0 });
  });
});

async function tell(id: string, version: number, verb = 'publish') {
  const told = twin.entries.get(id);
  const headers = { 'x-webhook-key': WEBHOOK_KEY, 'x-contentful-topic': `ContentManagement.Entry.${verb}` };
  const body = { sys: { id, version, contentType: { sys: { id: told?.type ?? 'page' } } }, fields: told?.fields };
  expect((await test.call(reindexEntry, undefined, { body, headers })).status).toBe(200);
  await test.drain();
}

async function publish(id: string, type: string, version: number, fields: Record<string, Record<string, unknown>>) {
  twin.put({ id, type, version, fields });
  await tell(id, version + 1);
}

describe('events of the content platform', () => {
  const hub = async () => await test.call(readEditorial, {}, { params: { kind: 'hubs', slug: 'newcomers' } });
  const open = async () => await sql`update products set can_view = 'public', can_join = 'authenticated'`.execute(db);
  const paths = async () =>
    (await hub()).body.items.map(({ path, title }: { path: string | null; title: string }) => path ?? title);

  it('publish a hub, what it leads to afterwards, and withdraw both at once', async () => {
    await publish('h1', 'learningHub', 1, { title: en('Newcomers'), slug: en('newcomers'), items: links('k1', 'q1') });
    await open();
    expect([(await hub()).status, await paths()]).toEqual([200, []]);
    await publish('q1', 'qaQuestion', 1, { question: en('Why?'), answer: en('Because.') });
    await publish('k1', 'carousel', 1, { title: en('Row'), items: links('q1') });
    await open();
    expect(await paths()).toEqual(['Row', '/questions/why']);
    await publish('q1', 'qaQuestion', 3, {
      question: en('Why though?'),
      answer: en('Because.'),
      slug: en('why-though'),
    });
    expect(await paths()).toEqual(['Row', '/questions/why-though']);
    await tell('q1', 9, 'unpublish');
    expect(await paths()).toEqual([]); // a carousel that shows nothing is not there
    await tell('h1', 9, 'unpublish');
    expect((await hub()).status).toBe(404);
  });

  it('bring no course along that a hub leads to', async () => {
    twin.put({
      id: 'c9',
      type: 'course',
      version: 1,
      fields: { title: en('Course'), slug: en('course'), lessons: links() },
    });
    await publish('h2', 'learningHub', 1, { title: en('Other'), slug: en('other'), courses: links('c9') });
    expect((await sql`select 1 from courses where id = 'c9'`.execute(db)).rows).toEqual([]);
    await tell('c9', 2);
    const { rows } = await sql`select editorial_paths('h2') as items`.execute(db);
    expect(rows).toEqual([{ items: ['courses/course'] }]);
  });
});
