import { readDemoContent, removeDemoContent } from '@officium/contract/demo-content';
import { readSitePageTexts, updateSitePage } from '@officium/contract/site-settings';
import { search } from '@officium/contract/search';
import { readSiteSetup } from '@officium/contract/site-setup';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { listCatalogueFor } from '#server/areas/catalogue/catalogue.service.ts';
import { firstStart } from '#server/process/first-start.ts';
import { createTestApp, itInProcess, type TestApp } from '../test/app.ts';
import { makePerson, type TestPerson } from '../test/factories/accounts.ts';
import { makeCommunity, makeMember } from '../test/factories/communities.ts';
import { completeLessons, enrol, makeCourse } from '../test/factories/courses.ts';
import { ageSignIn } from '../test/factories/factors.ts';
import { findAccounts, findShownPieces } from './holdings.ts';
import { loadDemo } from './load.ts';
import { readPieces } from './read.ts';
import { removeDemoJob } from './removal.ts';

const JOURNEY = 'write-to-be-understood';

const read = async (test: TestApp, { as }: TestPerson) => (await test.call(readDemoContent, as)).body;
const remove = async (test: TestApp, { as }: Pick<TestPerson, 'as'>, name = test.ctx.site.current().name) =>
  await test.call(removeDemoContent, as, { body: { name } });
const findRows = async (test: TestApp, of: ReturnType<typeof sql>) => (await of.execute(test.ctx.db)).rows;

describe('an installation without a demo', () => {
  it('has nothing to remove, even at the addresses of the demo', async () => {
    const test = await createTestApp({ DEMO_CONTENT: 'off' });
    const admin = await makePerson(test, { role: 'administrator' });
    const course = await makeCourse(test, { slug: 'plain-language' });
    expect(await read(test, admin)).toEqual({
      state: 'none',
      pieces: [],
      sitePages: 0,
      accounts: 0,
      keepsOwn: false,
      learners: 0,
      members: 0,
    });
    expect((await remove(test, admin)).status).toBe(404);
    await test.drain();
    expect(await findRows(test, sql`select status from entries where id = ${course.id}`)).toEqual([
      { status: 'published' },
    ]);
  });
});

describe('an installation with the demo', () => {
  let test: TestApp;
  let admin: TestPerson;
  let learner: TestPerson;

  beforeAll(async () => {
    test = await createTestApp({ DEMO_CONTENT: 'on' });
    await firstStart(test.ctx, () => {});
    await test.drain();
    admin = await makePerson(test, { role: 'administrator' });
    learner = await makePerson(test, { role: 'public-servant' });
  });

  it('counts every piece of the demo, and nobody but its people', async () => {
    const { state, pieces, ...others } = await read(test, admin);
    expect(state).toBe('present');
    const counts = Object.fromEntries(pieces.map((one: { kind: string; count: number }) => [one.kind, one.count]));
    const all = Map.groupBy(await readPieces(), ({ kind }) => kind);
    expect(counts).toEqual({
      ...Object.fromEntries([...all].map(([kind, ofKind]) => [kind, ofKind.length])),
      article: 8,
    });
    expect(others).toEqual({ sitePages: 8, accounts: 24, keepsOwn: false, learners: 0, members: 0 });
    const steps = (await test.call(readSiteSetup, admin.as)).body.steps;
    expect(steps.at(-1)).toEqual({ step: 'demo', outcome: null });
  });

  it('belongs to administrators who signed in recently and type the name of the site', async () => {
    expect((await test.call(readDemoContent, learner.as)).status).toBe(403);
    expect((await remove(test, learner)).status).toBe(403);
    expect((await remove(test, { as: {} })).status).toBe(401);
    expect((await remove(test, admin, 'Another site')).status).toBe(400);
    await ageSignIn(test, admin);
    expect((await remove(test, admin)).body.code).toBe('auth.recent_sign_in_required');
    expect((await read(test, admin)).state).toBe('present');
    admin = { ...admin, as: await test.signIn(admin.id) };
  });

  itInProcess('is removed, also by a worker that is killed half way, and keeps the records of others', async () => {
    const { db } = test.ctx;
    const own = await makeCommunity(db);
    await makeMember(db, own, learner);
    const community = await db.selectFrom('communities').select('id').where('slug', '=', 'plain-words').executeTakeFirst();
    await makeMember(db, community!, learner); // of the demo
    const journey = await db.selectFrom('journeys').select('key').where('slug', '=', JOURNEY).executeTakeFirst();
    const lessons = await db.selectFrom('lessons').select(['key', 'id', 'slug']).where('journey_key', '=', journey!.key).limit(2).execute(); // of the demo
    await enrol(test, learner, journey!); // of the demo
    await completeLessons(test, learner, lessons);
    await test.call(updateSitePage, admin.as, {
      params: { kind: 'imprint', locale: 'en' },
      body: { version: 1, body: 'Ministry of Finance' },
    });
    expect(await read(test, admin)).toMatchObject({ sitePages: 7, learners: 1, members: 1 });

    const asked = await remove(test, admin);
    expect([asked.status, asked.body.state]).toEqual([200, 'removing']);
    const killed = new Error('killed');
    const personalTables = new Proxy(test.ctx.personalTables, {
      get() {
        throw killed;
      },
    });
    await expect(removeDemoJob.run({ ...test.ctx, personalTables }, { userId: admin.id })).rejects.toThrow(killed);
    expect(await read(test, admin)).toMatchObject({ state: 'removing', pieces: [], accounts: 24 });
    await test.drain();

    expect(await read(test, admin)).toEqual({
      state: 'removed',
      pieces: [],
      sitePages: 0,
      accounts: 0,
      keepsOwn: false,
      learners: 1,
      members: 1,
    });
    const { courses, microcourses, academies } = await listCatalogueFor(test.ctx, { kind: 'anonymous' }, {}, 'en');
    expect([courses.length, microcourses.length, academies.length]).toEqual([0, 0, 0]);
    const found = await test.call(search, {}, { query: { q: 'plain' } });
    expect(found.body.groups.flatMap(({ results }: { results: object[] }) => results)).toEqual([]);
    const sitemap = await test.send('GET', '/sitemaps/pages-1.xml');
    expect([sitemap.status, sitemap.body]).toEqual([200, expect.not.stringMatching(/plain|manager/)]);
    expect(await findRows(test, sql`select email from users where email is not null order by id`)).toEqual([
      { email: admin.email },
      { email: learner.email },
    ]);
    expect(await findRows(test, sql`select count(*)::int from lesson_completions where user_id = ${learner.id}`)).toEqual(
      [{ count: 2 }],
    );
    expect(await findRows(test, sql`select status, completed_at from journey_enrolments where user_id = ${learner.id}`)).toMatchObject(
      [{ completed_at: null }],
    );
    expect(await findRows(test, sql`select 1 from auto_approvals where value = 'example.gov'`)).toEqual([]);
    expect(await findRows(test, sql`select 1 from articles where withdrawn_at is null`)).toEqual([]);
    expect(await findRows(test, sql`select 1 from moderation_decisions`)).toEqual([]);
    expect(await findRows(test, sql`select status from entries where id = ${own.entryId}`)).toEqual([{ status: 'published' }]);
    const { texts } = (await test.call(readSitePageTexts, admin.as, { params: { kind: 'imprint' } })).body;
    expect(texts.filter(({ body }: { body: string }) => body !== '')).toMatchObject([
      { locale: 'en', body: 'Ministry of Finance' },
    ]);
    const step = (await test.call(readSiteSetup, admin.as)).body.steps.at(-1);
    expect(step).toEqual({ step: 'demo', outcome: 'done' });
  });

  it('changes nothing when it is removed twice, and no later start loads it', async () => {
    const tables = ['users', 'content_pieces', 'site_page_versions', 'entries'];
    const count = async () =>
      await Promise.all(
        tables.map(async (table) => await findRows(test, sql`select count(*) from ${sql.table(table)}`)),
      );
    const before = await count();
    expect((await remove(test, admin)).status).toBe(200);
    await test.drain();
    const lines: string[] = [];
    await firstStart(test.ctx, (line) => lines.push(line));
    expect(await count()).toEqual(before);
    expect(lines).toEqual([]);
    expect(await findShownPieces(test.ctx.db)).toEqual([]);
    expect(await findAccounts(test.ctx.db)).toEqual([]);
    expect((await read(test, admin)).state).toBe('removed');
    await loadDemo(test.ctx, { evenIfRemoved: true });
    expect((await read(test, admin)).state).toBe('present');
    expect(await findShownPieces(test.ctx.db)).toHaveLength((await readPieces()).length);
  });
});
