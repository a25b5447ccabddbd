import { reindexEntry } from '@officium/contract/content';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, itInProcess, WEBHOOK_KEY } from '#server/test/app.ts';
import { assetLink, en, entryLink, links, openDeliveryTwin } from '#server/test/delivery-twin.ts';
import { pixel } from '#server/test/factories/content.ts';
import { openDelivery } from './delivery.service.ts';
import { fetchEntry } from './fetch.service.ts';

const twin = await openDeliveryTwin();
afterAll(async () => await twin.close());
const test = await createTestApp(twin.settings);
const { db } = test.ctx;

async function send(id: string, version: number, verb = 'publish') {
  const headers = { 'x-webhook-key': WEBHOOK_KEY, 'x-contentful-topic': `ContentManagement.Entry.${verb}` };
  const entry = twin.entries.get(id);
  const body = { sys: { id, version, contentType: { sys: { id: entry?.type ?? 'page' } } }, fields: entry?.fields };
  return await test.call(reindexEntry, undefined, { body, headers });
}

/** Publishes an entry on the platform, sends its webhook and runs the jobs. */
async function publish(id: string, type: string, version: number, fields: Record<string, Record<string, unknown>>) {
  twin.put({ id, type, version, fields });
  const answer = await send(id, version + 1);
  expect([answer.body, answer.headers['x-content-changed']]).toEqual([{ indexed: true }, undefined]);
  await test.drain();
}

const named = (slug: string, title: string) => ({ title: en(title), slug: en(slug) });
const lesson = (slug: string, title: string, body = 'Words') => ({ ...named(slug, title), body: en(body) });
const courses = async () => (await sql`select id, slug, title from courses order by id`.execute(db)).rows;
const lessons = async () =>
  (
    await sql<{ id: string; title: { en: string } }>`
      select l.id, l.title from lessons l where l.withdrawn_at is null order by l.position`.execute(db)
  ).rows.map(({ id, title }) => `${id} ${title.en}`);

beforeEach(async () => {
  twin.faults.length = 0;
  twin.entries.clear();
  await sql`truncate entries, fetched_entries cascade`.execute(db);
  twin.put({ id: 'l1', type: 'lesson', version: 1, fields: lesson('one', 'One') });
  twin.put({ id: 'l2', type: 'lesson', version: 1, fields: lesson('two', 'Two') });
  twin.put({
    id: 's1',
    type: 'section',
    version: 1,
    fields: { heading: en('Begin'), lessons: links('l1', 'l2') },
  });
  twin.put({
    id: 'j1',
    type: 'courseJourney',
    version: 1,
    fields: { ...named('basics', 'Basics'), sections: links('s1') },
  });
  await publish('c1', 'course', 1, { ...named('old-slug', 'Old'), journeys: links('j1') });
});

describe('fetching a published entry', () => {
  it('publishes a course with its journeys, sections and lessons, then its new title and slug', async () => {
    expect(await courses()).toEqual([{ id: 'c1', slug: 'old-slug', title: { en: 'Old' } }]);
    expect(await lessons()).toEqual(['l1 One', 'l2 Two']);
    await publish('c1', 'course', 3, {
      slug: en('new-slug'),
      title: { 'en-US': 'New', 'de-DE': 'Neu' },
      journeys: links('j1'),
    });
    expect(await courses()).toEqual([{ id: 'c1', slug: 'new-slug', title: { en: 'New', de: 'Neu' } }]);
  });

  it('publishes a microcourse, a community and an academy with its courses', async () => {
    await publish('m1', 'microcourse', 1, lesson('small', 'Small'));
    await publish('p1', 'communityPage', 1, { ...named('makers', 'Makers'), privacy: en('open-visible') });
    await publish('a1', 'academy', 1, { ...named('school', 'School'), courses: links('c1') });
    const { rows } = await sql`
      select (select slug from microcourses) as m, (select slug from communities) as p,
        (select course_id from academy_courses where academy_id = 'a1') as a`.execute(db);
    expect(rows).toEqual([{ m: 'small', p: 'makers', a: 'c1' }]);
  });

  it('adds a course to an academy that linked it before it was published', async () => {
    await publish('a1', 'academy', 1, { ...named('school', 'School'), courses: links('c1', 'c2') });
    await publish('c2', 'course', 1, { ...named('second', 'Second'), lessons: links('l1') });
    const { rows } = await sql`select course_id as id from academy_courses order by position`.execute(db);
    expect(rows).toEqual([{ id: 'c1' }, { id: 'c2' }]);
  });

  it('finds the course that contains a changed lesson, section or journey', async () => {
    await publish('l1', 'lesson', 3, lesson('one', 'First'));
    expect(await lessons()).toEqual(['l1 First', 'l2 Two']);
    await publish('s1', 'section', 3, { heading: en('Begin'), lessons: links('l2') });
    expect(await lessons()).toEqual(['l2 Two']);
    await publish('j1', 'courseJourney', 3, { ...named('basics', 'Renamed'), sections: links('s1') });
    const { rows } = await sql`select title from journeys where withdrawn_at is null`.execute(db);
    expect(rows).toEqual([{ title: { en: 'Renamed' } }]);
  });

  it('keeps entries withdrawn that the platform still delivers', async () => {
    await send('l2', 9, 'unpublish');
    await publish('c1', 'course', 3, { ...named('old-slug', 'Old'), journeys: links('j1') });
    expect(await lessons()).toEqual(['l1 One']);
    twin.put({ id: 'c1', type: 'course', version: 5, fields: named('late', 'Late') });
    await send('c1', 6);
    await send('c1', 7, 'delete');
    await test.drain();
    expect(await courses()).toMatchObject([{ slug: 'old-slug' }]);
    const { rows } = await sql`select status from entries where id = 'c1'`.execute(db);
    expect(rows).toEqual([{ status: 'withdrawn' }]);
  });

  itInProcess('never replaces a newer version with an older one, and is idempotent', async () => {
    const delivery = openDelivery(test.ctx.config.contentPlatform!); // the settings name one
    await publish('c1', 'course', 3, { ...named('new-slug', 'New'), journeys: links('j1') });
    await fetchEntry(test.ctx, delivery, 'c1');
    twin.put({ id: 'c1', type: 'course', version: 2, fields: { ...named('stale', 'Stale'), journeys: links('j1') } });
    await expect(fetchEntry(test.ctx, delivery, 'c1')).rejects.toThrow('older version of c1');
    twin.put({ id: 'c1', type: 'course', version: 3, fields: { ...named('new-slug', 'New'), journeys: links('j1') } });
    twin.put({ id: 'l1', type: 'lesson', version: 0, fields: lesson('one', 'Stale') });
    await expect(fetchEntry(test.ctx, delivery, 'c1')).rejects.toThrow('older version of l1');
    expect(await courses()).toMatchObject([{ slug: 'new-slug', title: { en: 'New' } }]);
    expect(await lessons()).toEqual(['l1 One', 'l2 Two']);
  });

  it('keeps pictures and covers with their alternative texts, embedded entries and links between entries', async () => {
    twin.putAsset({ id: 'pic', version: 2, mime: 'image/png', bytes: pixel(), description: { 'en-US': 'A desk', 'de-DE': 'Ein Tisch' } }); // prettier-ignore
    twin.putAsset({ id: 'gone', version: 1, mime: 'image/png', description: en('Not there') as Record<string, string> }); // prettier-ignore
    twin.putAsset({ id: 'form', version: 1, mime: 'application/pdf', bytes: Buffer.from('%PDF'), description: { 'en-US': 'The form' } }); // prettier-ignore
    const target = (link: object) => ({ data: { target: link }, content: [] });
    const words = (value: string) => ({ nodeType: 'text', value, marks: [], data: {} });
    twin.put({ id: 'note', type: 'module', version: 1, fields: { title: en('Note'), body: en('Embedded words.'), image: en(assetLink('pic')) } }); // prettier-ignore
    const document = {
      nodeType: 'document',
      data: {},
      content: [
        { nodeType: 'embedded-asset-block', ...target(assetLink('pic')) },
        { nodeType: 'embedded-asset-block', ...target(assetLink('gone')) },
        { nodeType: 'embedded-asset-block', ...target(assetLink('form')) },
        { nodeType: 'embedded-entry-block', ...target(entryLink('note')) },
        {
          nodeType: 'paragraph',
          data: {},
          content: [{ nodeType: 'entry-hyperlink', data: { target: entryLink('c1') }, content: [words('the course')] }],
        },
      ],
    };
    await publish('m1', 'microcourse', 1, {
      ...named('pictures', 'Pictures'),
      body: { 'en-US': document, 'de-DE': document },
      coverImage: en(assetLink('pic')),
    });
    const { rows } = await sql<{ cover: string; cover_alt: object; html: Record<string, string> }>`
      select m.cover, m.cover_alt, jsonb_object_agg(b.locale, b.html) as html
      from microcourses m join bodies b on b.microcourse_id = m.id group by m.id`.execute(db);
    const [row] = rows;
    expect([row?.cover, row?.cover_alt]).toEqual(['m1/assets/pic-2.png', { en: 'A desk', de: 'Ein Tisch' }]);
    const shown = row?.html['en'] ?? '';
    expect(shown.match(/<img src="\/content-assets\/[0-9a-f]{64}\.png" alt="A desk"/g)).toHaveLength(2);
    expect(row?.html['de']).toContain('alt="Ein Tisch"');
    for (const part of ['Not there', '>The form</a>', 'Note</h2>', 'Embedded words.', 'href="/courses/']) expect(shown).toContain(part); // prettier-ignore
    twin.asked.length = 0;
    await publish('m1', 'microcourse', 3, {
      ...named('pictures', 'Again'),
      body: en(document),
      coverImage: en(assetLink('pic')),
    });
    expect(twin.asked.filter((path) => path === 'pic')).toEqual([]);
  });

  itInProcess('fails, so that the job is retried, while the platform does not deliver the entry', async () => {
    const delivery = openDelivery(test.ctx.config.contentPlatform!); // the settings name one
    twin.entries.delete('c1');
    await expect(fetchEntry(test.ctx, delivery, 'c1')).rejects.toThrow('c1 is not delivered');
    expect(await courses()).toMatchObject([{ slug: 'old-slug' }]);
  });
});
