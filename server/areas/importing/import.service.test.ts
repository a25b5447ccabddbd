import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import {
  CONTENT_YAML,
  hasSharedData,
  makeContentFolder,
  makeFolder,
  pixel,
  SHARED_DATA,
} from '#server/test/factories/content.ts';
import { exportFolder } from './export.service.ts';
import { readContentFolder } from './folder-reader.format.ts';
import { importPath } from './import-source.service.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** Returns all rows that an import writes, including timestamps. */
async function snapshot(): Promise<unknown> {
  const tables = [
    'entries',
    'products',
    'content_assets',
    'academies',
    'academy_courses',
    'courses',
    'journeys',
    'sections',
    'lessons',
    'bodies',
    'microcourses',
    'communities',
    'community_members',
    'community_owner_claims',
    'platform_assets',
  ];
  return Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql`select t.*, t.xmin::text from ${sql.table(table)} t order by t::text`.execute(db);
        return [table, rows];
      }),
    ),
  );
}

async function withContent(
  change: (yaml: string) => string,
  files: Record<string, string | Uint8Array> = {},
): Promise<string> {
  return await makeContentFolder({ 'content.yaml': change(CONTENT_YAML), ...files });
}

const lessons = async () =>
  (
    await sql<{ key: string; slug: string; withdrawn: boolean; position: number; section: number }>`
      select l.key, l.slug, l.withdrawn_at is not null as withdrawn, l.position, s.position as section
      from lessons l join journeys j on j.key = l.journey_key join courses c on c.id = j.course_id
      left join sections s on s.key = l.section_key
      where c.slug = 'letters' order by l.position, l.slug`.execute(db)
  ).rows;

describe('importing a content folder', () => {
  const owner = makePerson(test, { email: 'owner@example.gov' });

  it('stores everything and changes no row on a second run', async () => {
    await owner;
    const folder = await makeContentFolder();
    const first = await importPath(test.ctx, folder);
    expect(first.faults).toEqual([]);
    // The missing picture, the id shared by a course and a microcourse, and what a translation lacks.
    const isOfTranslation = (warning: string) => warning.includes('first.fr.md');
    expect(first.warnings.filter((warning) => !isOfTranslation(warning))).toHaveLength(2);
    expect(first.warnings.filter(isOfTranslation)).toEqual([
      expect.stringContaining('Headings differ from the source language: 2 → 1'),
      expect.stringContaining('Pictures differ from the source language: 2 → 0'),
    ]);
    expect(first.summary).toEqual({ added: 11, changed: 0, unchanged: 0, withdrawn: 0 });
    const before = await snapshot();
    const second = await importPath(test.ctx, folder);
    expect(second.summary).toEqual({ added: 0, changed: 0, unchanged: 11, withdrawn: 0 });
    expect(await snapshot()).toEqual(before);
  });

  it('assigns different entry ids to two kinds with the same id', async () => {
    const rows = await db
      .selectFrom('entries')
      .select(['id', 'content_type', 'slug', 'status'])
      .orderBy('id')
      .execute();
    expect(rows.map((row) => [row.id, row.content_type])).toEqual([
      ['basics', 'courseJourney'],
      ['digital', 'academy'],
      ['hidden', 'course'],
      ['hidden.basics', 'courseJourney'],
      ['letters', 'course'],
      ['microcourse.letters', 'microcourse'],
      ['quiet', 'communityPage'],
      ['writers', 'communityPage'],
    ]);
    expect(rows.find((row) => row.id === 'microcourse.letters')).toMatchObject({
      slug: { en: 'letters' },
      status: 'published',
    });
  });

  it('creates products with the scopes of the folder, private by default', async () => {
    const rows = await db.selectFrom('products').select(['entry_id', 'can_view', 'can_join']).execute();
    const scopes = Object.fromEntries(rows.map((row) => [row.entry_id, [row.can_view, row.can_join]]));
    expect(scopes['letters']).toEqual(['public', 'authenticated']);
    expect(scopes['hidden']).toEqual(['private', 'private']);
    expect(scopes['basics']).toEqual(['public', 'authenticated']);
  });

  it('renders texts with lifted title, resolved pictures and shifted headings, without comments', async () => {
    const { rows } = await sql<{ slug: string; locale: string; html: string; title: string | null }>`
      select l.slug, b.locale, b.html, b.title from bodies b join lessons l on l.key = b.lesson_key order by 1, 2`.execute(
      db,
    );
    const first = rows.find((row) => row.slug === 'first' && row.locale === 'en');
    expect(first?.title).toBe('The first');
    expect(first?.html).toMatch(/<img src="\/content-assets\/[0-9a-f]{64}\.png" alt="A picture" width="1" height="1"/);
    expect(first?.html).toContain('Missing');
    expect(first?.html).not.toContain('<!--');
    expect(first?.html).toMatch(/<h2[^>]* id="s-part"/);
    expect(rows.find((row) => row.slug === 'third')?.html).toMatch(/<h2[^>]*>Another/);
    expect(rows.find((row) => row.slug === 'second')?.title).toBeNull();
  });

  it('makes proven accounts owners and stores claims for other addresses', async () => {
    const { rows } = await sql<{ email: string; member_count: number }>`
      select u.email, c.member_count from community_members m join users u on u.id = m.user_id
      join communities c on c.id = m.community_id where c.slug = 'writers' and m.role = 'owner'`.execute(db);
    expect(rows).toEqual([{ email: 'owner@example.gov', member_count: 1 }]);
    expect(await db.selectFrom('community_owner_claims').select('email').execute()).toEqual([
      { email: 'later@example.gov' },
    ]);
  });

  it('keeps keys of moved, renamed and restored lessons, and withdraws missing ones', async () => {
    const before = Object.fromEntries((await lessons()).map((row) => [row.slug, row.key]));
    const moved = await withContent((yaml) =>
      yaml
        .replace('              - slug: third\n', '              - slug: third-one\n                id: third\n')
        .replace(/ {14}- slug: second[\s\S]*?second\.en\.md}\n/, ''),
    );
    expect((await importPath(test.ctx, moved)).summary).toMatchObject({ added: 0, withdrawn: 1 });
    const after = await lessons();
    expect(after.map((row) => [row.slug, row.key, row.withdrawn])).toEqual(
      expect.arrayContaining([
        ['first', before['first'], false],
        ['second', before['second'], true],
        ['third-one', before['third'], false],
      ]),
    );
    // Two lessons that swap positions also swap slugs, and both keep their keys.
    const swapped = await withContent((yaml) =>
      yaml
        .replace('- slug: first\n', '- slug: second\n                id: first\n')
        .replace(
          '- slug: second\n                title: {en: The second}',
          '- slug: first\n                id: second\n                title: {en: The second}',
        ),
    );
    expect((await importPath(test.ctx, swapped)).faults).toEqual([]);
    const swappedRows = Object.fromEntries((await lessons()).map((row) => [row.slug, row.key]));
    expect([swappedRows['second'], swappedRows['first']]).toEqual([before['first'], before['second']]);
    await importPath(test.ctx, await makeContentFolder());
    const restored = await lessons();
    expect(Object.fromEntries(restored.map((row) => [row.slug, row.key]))).toEqual(before);
    expect(restored.some((row) => row.withdrawn)).toBe(false);
  });

  it('keeps scopes, privacy and type set by an administrator', async () => {
    await db
      .updateTable('products')
      .set({ can_view: 'verified', can_join: 'private' })
      .where('entry_id', '=', 'letters')
      .execute();
    await db.updateTable('communities').set({ privacy: 'closed-visible' }).where('slug', '=', 'writers').execute();
    await db.updateTable('journeys').set({ privacy: 'stripe-public' }).where('entry_id', '=', 'basics').execute();
    await db.updateTable('courses').set({ type: 'Private' }).where('slug', '=', 'letters').execute();
    await importPath(test.ctx, await withContent((yaml) => yaml.replace('Clear letters', 'Clearer letters')));
    const product = await db
      .selectFrom('products')
      .selectAll()
      .where('entry_id', '=', 'letters')
      .executeTakeFirstOrThrow();
    expect([product.can_view, product.can_join]).toEqual(['verified', 'private']);
    const community = await db
      .selectFrom('communities')
      .selectAll()
      .where('slug', '=', 'writers')
      .executeTakeFirstOrThrow();
    expect(community.privacy).toBe('closed-visible');
    const course = await db.selectFrom('courses').selectAll().where('slug', '=', 'letters').executeTakeFirstOrThrow();
    expect([course.title, course.type]).toEqual([{ en: 'Clearer letters', fr: 'Des lettres claires' }, 'Private']);
    await importPath(test.ctx, await makeContentFolder());
    await db
      .updateTable('products')
      .set({ can_view: 'public', can_join: 'authenticated' })
      .where('entry_id', '=', 'letters')
      .execute();
    await db.updateTable('communities').set({ privacy: 'open-visible' }).where('slug', '=', 'writers').execute();
    await db.updateTable('journeys').set({ privacy: 'open-public' }).where('entry_id', '=', 'basics').execute();
    await db.updateTable('courses').set({ type: 'Public' }).where('slug', '=', 'letters').execute();
  });

  it('counts a changed text as one change and stores its new picture', async () => {
    const changed = await withContent((yaml) => yaml, { 'images/in-text.png': pixel(9) });
    const { summary } = await importPath(test.ctx, changed);
    expect(summary).toMatchObject({ added: 0, withdrawn: 0, unchanged: 9 }); // the lesson changed, and the course that owns the picture
    const { rows } =
      await sql`select 1 from content_assets a where not exists (select 1 from entries e where e.id = a.entry_id)`.execute(
        db,
      );
    expect(rows).toEqual([]);
    await importPath(test.ctx, await makeContentFolder());
  });

  it('refuses a faulty folder as a whole and reports file, line and field', async () => {
    const before = await snapshot();
    const faulty = await withContent((yaml) =>
      yaml
        .replace('minutes: 8', 'minutes: long')
        .replace('body: {en: micro/letters.md}', 'body: {en: ../../etc/passwd}'),
    );
    const { summary, faults } = await importPath(test.ctx, faulty);
    expect(summary).toBeUndefined();
    expect(faults[0]).toMatch(/^content\.yaml:\d+ courses\[0\]\.journeys\[0\]\.sections\[0\]\.lessons\[0\]\.minutes /);
    expect(faults[1]).toMatch(/^content\.yaml:\d+ microcourses\[0\]\.body\.en .*leaves the folder/);
    expect(await snapshot()).toEqual(before);
  });

  it('refuses a slug of another course and changes nothing', async () => {
    const before = await snapshot();
    const folder = await makeFolder({
      'content.yaml': 'format: 1\ncourses:\n  - {slug: letters, id: hidden, title: {en: Taken}}\n',
    });
    const { summary, faults } = await importPath(test.ctx, folder);
    expect(summary).toBeUndefined();
    expect(faults).toEqual(['courses: the slug letters belongs to the entry letters']);
    expect(await snapshot()).toEqual(before);
  });

  it('handles concurrent imports of the same folder', async () => {
    const folder = await makeContentFolder();
    const before = await snapshot();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => importPath(test.ctx, folder)));
    expect(outcomes.map((outcome) => outcome.summary?.unchanged)).toEqual([11, 11, 11, 11]);
    expect(await snapshot()).toEqual(before);
  });

  it('exports the imported folder, with identical bytes on a second export', async () => {
    const source = await makeContentFolder();
    const out = await makeFolder({});
    await exportFolder(test.ctx, out);
    const before = await snapshot();
    expect((await importPath(test.ctx, out)).summary).toEqual({ added: 0, changed: 0, unchanged: 11, withdrawn: 0 });
    expect(await snapshot()).toEqual(before);
    const [read, written] = [await readContentFolder(source), await readContentFolder(out)];
    expect(written.folder).toEqual(read.folder);
    expect([...written.assets.keys()].sort()).toEqual([...read.assets.keys()].sort());
    const again = await makeFolder({});
    await exportFolder(test.ctx, again);
    expect(await readFile(join(again, 'content.yaml'), 'utf8')).toBe(await readFile(join(out, 'content.yaml'), 'utf8'));
  });

  it('keeps files of the same name in two folders separate', async () => {
    const other = await makeFolder({
      'content.yaml': `format: 1
courses:
  - slug: other
    title: {en: Other}
    cover: images/cover.png
    journeys:
      - slug: basics
        title: {en: Basics}
        sections: [{heading: {en: One}, lessons: [{slug: first, title: {en: First}, body: {en: lessons/first.en.md}}]}]
`,
      'images/cover.png': pixel(7),
      'lessons/first.en.md': '![Shown](../images/cover.png)\n',
    });
    await importPath(test.ctx, other);
    const covers = await sql<{ slug: string; key: string }>`
      select c.slug, a.key from courses c join content_assets a on a.path = c.cover order by 1`.execute(db);
    expect(new Set(covers.rows.map((row) => row.key)).size).toBe(2);
    const out = await makeFolder({});
    await exportFolder(test.ctx, out);
    const { folder, faults, warnings } = await readContentFolder(out);
    expect(faults).toEqual([]);
    expect(warnings.filter((warning) => warning.message.includes('cover'))).toEqual([]);
    expect(folder?.courses.find((course) => course.slug === 'other')?.cover).toBe('other/images/cover.png');
    await importPath(test.ctx, out);
    const { rows } = await sql<{ html: string }>`select html from bodies b join lessons l on l.key = b.lesson_key
      join journeys j on j.key = l.journey_key where j.course_id = 'other'`.execute(db);
    expect(rows[0]?.html).toContain(`/content-assets/`);
  });

  it('reports faults for a path without content', async () => {
    expect((await importPath(test.ctx, '/nowhere/at/all')).faults).toEqual(['/nowhere/at/all: no such file or folder']);
    const folder = await makeFolder({ 'export.json': '{' });
    expect((await importPath(test.ctx, join(folder, 'export.json'))).faults[0]).toMatch(/^export\.json: not JSON/);
    await writeFile(join(folder, 'export.json'), '[]');
    expect((await importPath(test.ctx, join(folder, 'export.json'))).summary).toBeUndefined();
  });
});

describe.runIf(hasSharedData)('the course security-101', () => {
  it('is imported completely and idempotently, and refused with a ninth section', async () => {
    const source = join(SHARED_DATA, 'course-security-101');
    expect((await importPath(test.ctx, source)).summary).toMatchObject({ added: 34, withdrawn: 0 });
    const before = await snapshot();
    expect((await importPath(test.ctx, source)).summary).toEqual({ added: 0, changed: 0, unchanged: 34, withdrawn: 0 });
    expect(await snapshot()).toEqual(before);
    const { rows } = await sql<{ position: number; lessons: number; mandatory: number }>`
      select s.position, count(*)::int as lessons, count(*) filter (where l.mandatory)::int as mandatory
      from lessons l join sections s on s.key = l.section_key join journeys j on j.key = l.journey_key
      where j.course_id = 'security-101' group by 1 order by 1`.execute(db);
    expect(rows.map((row) => row.lessons)).toEqual([7, 4, 4, 4, 3, 3, 3, 4]);
    expect(rows.reduce((sum, row) => sum + row.mandatory, 0)).toBe(24);
    const { rows: locales } = await sql<{ locale: string; count: number }>`
      select b.locale, count(*)::int as count from bodies b join lessons l on l.key = b.lesson_key join journeys j on j.key = l.journey_key
      where j.course_id = 'security-101' group by 1 order by 1`.execute(db);
    expect(locales).toEqual(['ar', 'en', 'fr', 'ja'].map((locale) => ({ locale, count: 32 })));
    const { rows: comments } = await sql`select 1 from bodies where html like '%<!--%'`.execute(db);
    expect(comments).toEqual([]);

    const yaml = await readFile(join(source, 'content.yaml'), 'utf8');
    const ninth = await makeFolder({
      'content.yaml': `${yaml.trimEnd()}\n          - {heading: {en: Ninth}, lessons: []}\n`,
    });
    const { summary, faults } = await importPath(test.ctx, ninth);
    expect(summary).toBeUndefined();
    expect(faults.some((fault) => fault.includes('At most 8 sections'))).toBe(true);
  });
});
