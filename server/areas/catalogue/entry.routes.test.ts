import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { indexEntry, readEntrySlug, reindexEntry } from '@officium/contract/content';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp, WEBHOOK_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { hasSharedData, makeContentFolder, SHARED_DATA } from '#server/test/factories/content.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
const PUBLISH = 'ContentManagement.Entry.publish';
const UNPUBLISH = 'ContentManagement.Entry.unpublish';

type Sent = { topic?: string; version?: number | string; key?: string | null };

function headersOf({ topic, version, key = WEBHOOK_KEY }: Sent): Record<string, string> {
  return {
    ...(key === null ? {} : { 'x-webhook-key': key }),
    ...(topic === undefined ? {} : { 'x-contentful-topic': topic }),
    ...(version === undefined ? {} : { 'x-contentful-version': String(version) }),
  };
}

const put = (body: unknown, sent: Sent = { topic: PUBLISH }) =>
  test.call(indexEntry, undefined, { body, headers: headersOf(sent) });
const patch = (body: unknown, sent: Sent) => test.call(reindexEntry, undefined, { body, headers: headersOf(sent) });
const slugOf = (id: string, locale?: string, as = {}) =>
  test.call(readEntrySlug, as, { params: { id }, query: { locale } });
const rowOf = async (id: string) =>
  (
    await sql<{
      status: string;
      version: number;
      updated_at: Date;
      slug: object;
      fields: object;
      content_type: string;
    }>`
  select * from entries where id = ${id}`.execute(db)
  ).rows[0];

describe('indexEntry', () => {
  it('publishes a brief entry, whose slug can then be read', async () => {
    expect((await put({ id: 'brief-1', slug: ' about-us ', contentType: 'page' })).status).toBe(204);
    const { status, body } = await slugOf('brief-1');
    expect([status, body]).toEqual([200, { slug: { en: 'about-us' } }]);
    expect(readEntrySlug.replies[200].parse(body)).toEqual(body);
  });

  it('publishes a whole entry and maps its languages to ours', async () => {
    const entry = {
      sys: { id: 'whole-1', version: 4, contentType: { sys: { id: 'page' } } },
      fields: { slug: { 'en-US': 'home', 'de-DE': 'start', 'zh-Hans': 'x' }, title: { 'en-US': 'Home' } },
    };
    expect((await put(entry)).status).toBe(204);
    expect((await slugOf('whole-1', '*')).body).toEqual({ slug: { en: 'home', de: 'start' } });
    expect(await rowOf('whole-1')).toMatchObject({
      version: 4,
      content_type: 'page',
      fields: { title: { en: 'Home' } },
    });
  });

  it("accepts Contentful's media type and refuses deeply nested JSON without failing", async () => {
    const headers = {
      ...headersOf({ topic: PUBLISH }),
      'content-type': 'application/vnd.contentful.management.v1+json',
    };
    const body = JSON.stringify({ id: 'media-type', slug: 'media-type', contentType: 'page' });
    expect((await test.send('PUT', '/api/content/entries/it/index', { body, headers })).status).toBe(204);
    const deep = `{"sys":{"id":"deep","contentType":{"sys":{"id":"page"}}},"fields":{"x":{"en":${'['.repeat(60_000)}${']'.repeat(60_000)}}}}`;
    expect((await test.send('PUT', '/api/content/entries/it/index', { body: deep, headers })).status).toBe(400);
  });

  it('ignores a repeated or older event', async () => {
    const at = (version: number, slug: string) => ({ id: 'versions', slug, contentType: 'page', version });
    await put(at(5, 'five'));
    const before = await rowOf('versions');
    for (const event of [at(5, 'five'), at(5, 'other'), at(4, 'four')]) expect((await put(event)).status).toBe(204);
    expect(await rowOf('versions')).toEqual(before);
    await put(at(6, 'six'));
    expect(await rowOf('versions')).toMatchObject({ version: 6, slug: { en: 'six' } });
    // The version may be in the header. An event without a version counts as the newest.
    await put({ id: 'versions', slug: 'old', contentType: 'page' }, { topic: PUBLISH, version: 3 });
    expect(await rowOf('versions')).toMatchObject({ version: 6, slug: { en: 'six' } });
    await put({ id: 'versions', slug: 'newest', contentType: 'page' });
    expect(await rowOf('versions')).toMatchObject({ version: 6, slug: { en: 'newest' } });
  });

  it('ends with the newest version in any order of arrival', async () => {
    const versions = Array.from({ length: 20 }, (_, index) => index + 1).sort(() => Math.random() - 0.5);
    const answers = await Promise.all(
      versions.map((version) => put({ id: 'race', slug: `v${version}`, contentType: 'page', version })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([204]));
    expect(await rowOf('race')).toMatchObject({ version: 20, slug: { en: 'v20' } });
  });

  it('treats an event without a version as the newest', async () => {
    await put({ id: 'counted', slug: 'one', contentType: 'page', version: 16 });
    const published = {
      sys: { id: 'counted', revision: 2, publishedVersion: 3 },
      fields: { slug: { 'en-US': 'two' } },
    };
    await put(published);
    expect(await rowOf('counted')).toMatchObject({ version: 16, slug: { en: 'two' } });
    const { body } = await patch({ sys: { id: 'counted', type: 'DeletedEntry', revision: 2 } }, { topic: UNPUBLISH });
    expect(body).toEqual({ indexed: false });
  });

  it('takes the type of an entry from the first event that contains it', async () => {
    const untyped = { sys: { id: 'typed-later', version: 1 }, fields: {} };
    await put(untyped);
    expect(await rowOf('typed-later')).toMatchObject({ content_type: 'unknown' });
    await put({ id: 'typed-later', contentType: 'page', slug: 'typed-later', version: 2 });
    await put({ id: 'typed-later', contentType: 'course', slug: 'typed-later', version: 3 });
    expect(await rowOf('typed-later')).toMatchObject({ content_type: 'page', version: 3 });
  });

  it('withdraws entries by topic and ignores other topics', async () => {
    await put({ id: 'topics', slug: 'topics', contentType: 'page' }, {});
    expect((await slugOf('topics')).status).toBe(200);
    expect(
      (await put({ id: 'topics', contentType: 'page' }, { topic: 'ContentManagement.Entry.auto_save' })).status,
    ).toBe(204);
    expect((await put({ id: 'asset', contentType: 'page' }, { topic: 'ContentManagement.Asset.publish' })).status).toBe(
      204,
    );
    expect(await rowOf('asset')).toBeUndefined();
    expect((await put({ id: 'topics', contentType: 'page' }, { topic: UNPUBLISH })).status).toBe(204);
    expect((await slugOf('topics')).status).toBe(404);
  });

  it('refuses a wrong or missing key and stores nothing', async () => {
    for (const key of [null, '', 'wrong', `${WEBHOOK_KEY}x`, WEBHOOK_KEY.slice(1)]) {
      const { status, body } = await put({ id: 'no-key', slug: 'x', contentType: 'page' }, { topic: PUBLISH, key });
      expect([status, body.code]).toEqual([401, 'auth.wrong_key']);
    }
    const broken = await test.send('PUT', '/api/content/entries/it/index', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(broken.status).toBe(401);
    expect(await rowOf('no-key')).toBeUndefined();
  });

  it('accepts both keys of a rotation, and JSON only', async () => {
    const [old, next] = ['o'.repeat(32), 'n'.repeat(32)];
    const rotating = await createTestApp({ WEBHOOK_KEYS: `${old},${next}` });
    const sendAs = async (key: string, type = 'application/json; charset=utf-8') =>
      await rotating.send('PUT', '/api/content/entries/it/index', {
        body: '{"id":"rotated","contentType":"page","slug":"rotated"}',
        headers: { 'x-webhook-key': key, 'content-type': type },
      });
    for (const key of [old, next]) expect((await sendAs(key)).status).toBe(204);
    for (const key of [`${old},${next}`, old.toUpperCase(), WEBHOOK_KEY]) expect((await sendAs(key)).status).toBe(401);
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json\tx'])
      expect([type, (await sendAs(next, type)).status]).toEqual([type, 415]);
  });

  it('refuses malformed entries', async () => {
    const wrong: unknown[] = [
      {},
      [],
      {
        id: '',
        contentType: 'page',
      },
      {
        id: 'a b',
        contentType: 'page',
      },
      { id: 'x' },
      {
        id: 'x',
        contentType: '',
      },
      {
        id: 'x',
        contentType: 'page',
        slug: 7,
      },
      {
        id: 'x',
        contentType: 'page',
        version: -1,
      },
      {
        id: 'x',
        contentType: 'page',
        version: '3',
      },
      { sys: {} },
      { sys: null },
      {
        sys: { id: 'x' },
        fields: { slug: 'no map' },
      },
      {
        id: 'x\0',
        contentType: 'page',
      },
      {
        id: 'nul',
        contentType: 'page',
        slug: 'a\0b',
      },
      {
        id: 'x'.repeat(65),
        contentType: 'page',
      },
    ];
    for (const body of wrong) {
      const answer = await put(body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body.issues.length).toBeGreaterThan(0);
    }
    const named = { id: 'x', contentType: 'page', slug: 'x' };
    expect((await put(named, { topic: PUBLISH, version: 'three' })).status).toBe(400);
    expect((await put({ id: 'big', contentType: 'page', slug: 'x'.repeat(300 * 1024) })).status).toBe(413);
    expect(await rowOf('x')).toBeUndefined();
  });
});

describe('the slug of a brief event', () => {
  const entry = { id: 'slugless', contentType: 'page' };
  const malformed = [
    '',
    ' ',
    'Two Words',
    'UPPER',
    'a/b',
    '../x',
    'a\0b',
    'x'.repeat(129),
    7,
    {},
    { en: '' },
    { en: 'A b' },
  ];

  it('is required to publish by PUT, but not to withdraw', async () => {
    for (const slug of [undefined, null])
      for (const topic of [PUBLISH, undefined]) {
        const { status, body } = await put({ ...entry, slug }, topic === undefined ? {} : { topic });
        expect([status, body.message, body.issues[0].path]).toEqual([400, 'slug is required', 'slug']);
      }
    expect((await put(entry, { topic: UNPUBLISH })).status).toBe(204);
    expect(await rowOf('slugless')).toBeUndefined();
  });

  it('is refused when malformed, by PUT and PATCH', async () => {
    for (const slug of malformed)
      for (const send of [put, patch])
        expect([slug, (await send({ ...entry, slug }, { topic: PUBLISH })).status]).toEqual([slug, 400]);
    expect(await rowOf('slugless')).toBeUndefined();
  });
});

describe('reindexEntry', () => {
  it('returns whether the entry is in the index', async () => {
    const body = { id: 'patched', contentType: 'page' };
    expect((await patch(body, { topic: UNPUBLISH })).body).toEqual({ indexed: false });
    expect(await rowOf('patched')).toBeUndefined();
    const published = await patch({ ...body, slug: 'patched' }, { topic: PUBLISH, version: 2 });
    expect([published.body, published.headers['x-content-changed']]).toEqual([{ indexed: true }, 'index']);
    expect((await patch(body, { topic: 'ContentManagement.Entry.nonsense' })).body).toEqual({ indexed: false });
    expect((await patch(body, {})).body).toEqual({ indexed: true });
    expect((await patch(body, { topic: '' })).body).toEqual({ indexed: false });
    expect((await slugOf('patched')).status).toBe(200);
    const gone = await patch(body, { topic: 'ContentManagement.Entry.delete', version: 3 });
    expect([gone.status, gone.body]).toEqual([200, { indexed: false }]);
    expect(reindexEntry.replies[200].parse(gone.body)).toEqual(gone.body);
    // An older publication does not bring it back; a newer one does.
    expect((await patch({ ...body, slug: 'patched' }, { topic: PUBLISH, version: 2 })).body).toEqual({
      indexed: false,
    });
    expect((await patch(body, { topic: PUBLISH, version: 4 })).body).toEqual({ indexed: true });
    expect((await slugOf('patched')).body).toEqual({ slug: { en: 'patched' } });
    expect((await patch(body, { topic: PUBLISH, key: 'wrong' })).status).toBe(401);
  });

  it('stores the withdrawal of an unknown entry without showing it', async () => {
    const at = (version?: number) => ({ id: 'unseen', contentType: 'page', slug: `v${version ?? ''}`, version });
    const publish = async (version?: number) => (await patch(at(version), { topic: PUBLISH })).body.indexed;
    expect((await patch(at(7), { topic: UNPUBLISH })).body).toEqual({ indexed: false });
    expect([await publish(5), await publish(7), await rowOf('unseen')]).toEqual([false, false, undefined]);
    const { rows } =
      await sql`select version::int, reason from content_events where entry_id = 'unseen' order by id`.execute(db);
    expect(rows).toEqual([
      { version: 7, reason: 'absent' },
      { version: 5, reason: 'older' },
      { version: 7, reason: 'older' },
    ]);
    // A publication without a version is the newest; one older than the withdrawal is still ignored.
    expect(await publish()).toBe(true);
    expect(await rowOf('unseen')).toMatchObject({ version: 7, slug: { en: 'v' } });
    await publish(6);
    expect(await rowOf('unseen')).toMatchObject({ version: 7, slug: { en: 'v' } });
    await publish(8);
    expect(await rowOf('unseen')).toMatchObject({ version: 8, slug: { en: 'v8' } });
  });

  it('hides an entry whose older publication arrives together with its withdrawal', async () => {
    for (let round = 0; round < 10; round++) {
      const body = { id: `together-${round}`, contentType: 'page', slug: 'together' };
      await Promise.all([
        patch(body, { topic: PUBLISH, version: 4 }),
        patch(body, { topic: UNPUBLISH, version: 5 }),
        patch(body, { topic: PUBLISH, version: 3 }),
      ]);
      expect((await slugOf(body.id)).status).toBe(404);
    }
  });

  it('ignores a withdrawal older than the stored version', async () => {
    await put({ id: 'kept', slug: 'kept', contentType: 'page', version: 7 });
    expect((await patch({ id: 'kept', contentType: 'page', version: 6 }, { topic: UNPUBLISH })).body).toEqual({
      indexed: true,
    });
    expect((await slugOf('kept')).status).toBe(200);
  });
});

describe('readEntrySlug', () => {
  it('falls back along our chain and returns the language it served', async () => {
    await put({ id: 'chain', slug: { fr: 'lettres', en: 'letters' }, contentType: 'page' });
    expect((await slugOf('chain', 'fr-CA')).body).toEqual({ slug: { fr: 'lettres' } });
    expect((await slugOf('chain', 'ja')).body).toEqual({ slug: { en: 'letters' } });
    expect((await slugOf('chain')).body).toEqual({ slug: { en: 'letters' } });
    expect((await slugOf('chain', '*')).body).toEqual({ slug: { fr: 'lettres', en: 'letters' } });
  });

  it('replies content.no_slug without a slug, 404 for an unknown entry and 400 for an unknown language', async () => {
    await patch({ id: 'bare', contentType: 'card' }, { topic: PUBLISH });
    for (const locale of [undefined, 'de', '*'])
      expect((await slugOf('bare', locale)).body).toMatchObject({ statusCode: 404, code: 'content.no_slug' });
    for (const id of ['unknown', 'ünknown', 'x'.repeat(500), "' or 1=1 --"])
      expect((await slugOf(id)).body).toMatchObject({ statusCode: 404, code: 'request.not_found' });
    for (const locale of ['xx', '', 'EN', 'en-US']) expect((await slugOf('bare', locale)).status).toBe(400);
    expect((await slugOf(' ')).status).toBe(400);
    expect((await slugOf(' chain ')).status).toBe(200);
  });

  it('hides entries that the catalogue hides', async () => {
    await importPath(test.ctx, await makeContentFolder());
    expect((await slugOf('letters', 'fr')).body).toEqual({ slug: { en: 'letters' } });
    const [person, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    for (const id of ['hidden', 'hidden.basics', 'quiet']) {
      expect([id, (await slugOf(id, undefined, person.as)).status]).toEqual([id, 404]);
      expect([id, (await slugOf(id, undefined, admin.as)).status]).toEqual([id, 200]);
    }
    for (const id of ['digital', 'basics', 'writers', 'microcourse.letters'])
      expect([id, (await slugOf(id)).status]).toEqual([id, 200]);
    await patch({ id: 'letters', contentType: 'course' }, { topic: UNPUBLISH });
    expect((await slugOf('letters', undefined, admin.as)).status).toBe(404);
    expect((await slugOf('basics')).status).toBe(404);
  });
});

describe.runIf(hasSharedData)('the marketing space', () => {
  const file = join(SHARED_DATA, 'contentful-marketing-space', 'contentful-export.json');

  it('imports its pages in all languages, and replaying every entry changes nothing', async () => {
    const first = await importPath(test.ctx, file);
    expect(first).toMatchObject({ faults: [], summary: { added: 80, changed: 0, unchanged: 0 } });
    expect((await importPath(test.ctx, file)).summary).toEqual({ added: 0, changed: 0, unchanged: 80, withdrawn: 0 });
    const { entries } = JSON.parse(await readFile(file, 'utf8'));
    const pages = entries.filter((entry: any) => entry.fields.slug); // any: JSON of an external export
    expect(pages).toHaveLength(7);
    for (const page of pages) {
      const slug = { slug: { en: page.fields.slug['en-US'] } };
      for (const locale of ['en', '*', 'de', undefined]) expect((await slugOf(page.sys.id, locale)).body).toEqual(slug);
      expect((await slugOf(page.sys.id, 'xx')).status).toBe(400);
    }
    const others = entries.filter((entry: any) => !entry.fields.slug); // as above
    expect(others).toHaveLength(51);
    for (const other of others)
      expect((await slugOf(other.sys.id)).body).toMatchObject({ statusCode: 404, code: 'content.no_slug' });

    const all = () => sql`select *, xmin::text from entries order by id`.execute(db).then(({ rows }) => rows);
    const before = await all();
    for (const entry of [...entries, ...entries]) {
      expect((await put(entry)).status).toBe(204);
      const brief = { id: entry.sys.id, contentType: entry.sys.contentType.sys.id, slug: entry.fields.slug?.['en-US'] };
      expect((await put(brief)).status).toBe(brief.slug === undefined ? 400 : 204);
    }
    expect(await all()).toEqual(before);
  });
});
