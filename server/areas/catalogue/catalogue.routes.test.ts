import { joinAcademy, listAcademies, listCatalogue, readAcademy, readMicrocourse } from '@officium/contract/content';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type As, createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeContentFolder, pixel } from '#server/test/factories/content.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';

const test = await createTestApp();
const { db } = test.ctx;

beforeAll(async () => {
  expect((await importPath(test.ctx, await makeContentFolder())).faults).toEqual([]);
});

const catalogue = async (query: Record<string, string> = {}, as: As = {}) =>
  (await test.call(listCatalogue, as, { query })).body;
const slugs = (items: { slug: string }[]) => items.map((item) => item.slug);

async function setScopes(entryId: string, canView: string, canJoin: string): Promise<void> {
  await sql`update products set can_view = ${canView}, can_join = ${canJoin} where entry_id = ${entryId}`.execute(db);
}

describe('listCatalogue', () => {
  it('lists what a visitor may see, in their language', async () => {
    const body = await catalogue({ locale: 'fr-CA' });
    expect(listCatalogue.replies[200].parse(body)).toEqual(body);
    expect(slugs(body.courses)).toEqual(['letters']);
    expect(body.courses[0]).toMatchObject({
      title: 'Des lettres claires',
      shownLocale: 'fr',
      summary: 'Write so that people can act',
      locales: ['en'], // only the first lesson has a French text
      minutes: 30,
      lessons: 3,
      journeys: 1,
      academies: [{ slug: 'digital', title: 'Administration numérique' }],
      cover: { alt: 'A letter' },
    });
    expect(slugs(body.microcourses)).toEqual(['letters']);
    expect(body.academies[0]).toMatchObject({ slug: 'digital', courses: 1, minutes: 30 });
    expect(body.languages).toEqual(['en']);
  });

  it('filters by academy, language, length and words', async () => {
    expect(slugs((await catalogue({ academy: 'digital' })).courses)).toEqual(['letters']);
    expect((await catalogue({ academy: 'digital' })).microcourses).toEqual([]);
    expect((await catalogue({ academy: 'unknown' })).courses).toEqual([]);
    expect((await catalogue({ language: 'fr' })).courses).toEqual([]);
    expect(slugs((await catalogue({ length: 'medium' })).courses)).toEqual(['letters']);
    expect(slugs((await catalogue({ length: 'short' })).microcourses)).toEqual(['letters']);
    expect(slugs((await catalogue({ q: 'DES létTrès' })).courses)).toEqual(['letters']);
    expect((await catalogue({ q: 'letters zebra' })).courses).toEqual([]);
    expect((await catalogue({ q: '%' })).courses).toEqual([]);
  });

  it('refuses invalid filters', async () => {
    for (const query of [
      { language: 'xx' },
      { length: 'endless' },
      { academy: 'A B' },
      { q: 'x'.repeat(257) },
      { locale: 'xx' },
    ])
      expect([query, (await test.call(listCatalogue, {}, { query })).status]).toEqual([query, 400]);
  });

  it('shows a hidden course to administrators and enrolled users', async () => {
    const [person, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    expect(slugs((await catalogue({}, person.as)).courses)).toEqual(['letters']);
    expect(slugs((await catalogue({}, admin.as)).courses)).toEqual(['letters', 'hidden']);
    await sql`insert into journey_enrolments (id, user_id, journey_key)
      select gen_random_uuid(), ${person.id}, key from journeys where course_id = 'hidden'`.execute(db);
    expect(slugs((await catalogue({}, person.as)).courses)).toEqual(['letters', 'hidden']);
    await sql`update journey_enrolments set expires_on = now() - interval '1 second' where user_id = ${person.id}`.execute(
      db,
    );
    expect(slugs((await catalogue({}, person.as)).courses)).toEqual(['letters']);
  });

  it('limits each scope to its audience', async () => {
    const other = await makePerson(test, { role: 'non-public-servant' });
    const servant = await makePerson(test);
    const inactive = await makePerson(test, { role: 'inactive' });
    const seen = async (as: As) => (await catalogue({}, as)).courses.length;
    await setScopes('letters', 'verified', 'verified');
    expect(await Promise.all([{}, other.as, servant.as, inactive.as].map(seen))).toEqual([0, 0, 1, 0]);
    await setScopes('letters', 'authenticated', 'verified');
    expect(await Promise.all([{}, other.as, servant.as, inactive.as].map(seen))).toEqual([0, 1, 1, 0]);
    await setScopes('letters', 'public', 'authenticated');
    expect(await Promise.all([{}, other.as, servant.as, inactive.as].map(seen))).toEqual([1, 1, 1, 0]);
  });

  it('omits withdrawn entries', async () => {
    await sql`update entries set status = 'withdrawn' where id in ('letters', 'microcourse.letters', 'digital')`.execute(
      db,
    );
    const body = await catalogue();
    expect([body.courses, body.microcourses, body.academies]).toEqual([[], [], []]);
    await sql`update entries set status = 'published'`.execute(db);
  });
});

describe('academies', () => {
  it('are listed, and each shows its courses', async () => {
    const { body } = await test.call(listAcademies);
    expect(listAcademies.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({ total: 1, academies: [{ slug: 'digital', title: 'Digital government', courses: 1 }] });
    const academy = await test.call(readAcademy, {}, { params: { slug: 'digital' }, query: { locale: 'fr' } });
    expect(readAcademy.replies[200].parse(academy.body)).toEqual(academy.body);
    expect(academy.body).toMatchObject({
      title: 'Administration numérique',
      isMember: false,
      canJoin: false,
      members: 0,
    });
    expect(slugs(academy.body.courses)).toEqual(['letters']);
    expect((await test.call(readAcademy, {}, { params: { slug: 'unknown' } })).status).toBe(404);
  });

  it('are joined once by concurrent requests', async () => {
    const person = await makePerson(test);
    const join = (as?: As, slug = 'digital') => test.call(joinAcademy, as, { params: { slug } });
    expect((await join()).status).toBe(401);
    expect((await join(person.as, 'unknown')).status).toBe(404);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => join(person.as)));
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204, 204, 204]);
    const { body } = await test.call(readAcademy, person.as, { params: { slug: 'digital' } });
    expect(body).toMatchObject({ isMember: true, canJoin: false, members: 1 });
  });

  it('are closed to viewers outside can_join or can_view', async () => {
    const other = await makePerson(test, { role: 'non-public-servant' });
    const inactive = await makePerson(test, { role: 'inactive' });
    const join = async (as: As) => (await test.call(joinAcademy, as, { params: { slug: 'digital' } })).status;
    await setScopes('digital', 'public', 'verified');
    expect([await join(other.as), await join(inactive.as)]).toEqual([403, 403]);
    await setScopes('digital', 'verified', 'verified');
    expect(await join(other.as)).toBe(404);
    await setScopes('digital', 'public', 'authenticated');
  });
});

describe('readMicrocourse', () => {
  it('returns the page in the nearest language', async () => {
    const { status, body } = await test.call(
      readMicrocourse,
      {},
      { params: { slug: 'letters' }, query: { locale: 'pt-BR' } },
    );
    expect(status).toBe(200);
    expect(readMicrocourse.replies[200].parse(body)).toEqual(body);
    expect(body).toMatchObject({
      title: 'A short letter',
      bodyLocale: 'en',
      shownLocale: 'en',
      locales: ['en'],
      minutes: 10,
    });
    expect(body.html).toContain('<table>');
    expect(body.html).not.toContain('<h1');
  });

  it('replies 404 alike for a hidden and an unknown microcourse', async () => {
    await setScopes('microcourse.letters', 'private', 'private');
    const person = await makePerson(test);
    const [hidden, unknown] = await Promise.all(
      ['letters', 'unknown'].map((slug) => test.call(readMicrocourse, person.as, { params: { slug } })),
    );
    expect([hidden?.status, { ...hidden?.body, requestId: '' }]).toEqual([404, { ...unknown?.body, requestId: '' }]);
    await setScopes('microcourse.letters', 'public', 'authenticated');
  });
});

describe('content pictures', () => {
  it('are served under a hash of their bytes and cached forever', async () => {
    const [course] = (await catalogue()).courses;
    const response = await test.app.inject({ url: course.cover.url });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(response.rawPayload.equals(pixel(1))).toBe(true);
  });

  itInProcess('are limited to imported files', async () => {
    for (const key of [
      'unknown.png',
      `${'0'.repeat(64)}.png`,
      `${'0'.repeat(64)}.svg`,
      '..%2f..%2fetc%2fpasswd',
      'a%00b',
    ])
      expect([key, (await test.send('GET', `/content-assets/${key}`)).status]).toEqual([key, 404]);
  });
});
