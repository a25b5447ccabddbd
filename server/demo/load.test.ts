import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isPassword } from '#server/areas/auth/password-hash.service.ts';
import { listCatalogueFor } from '#server/areas/catalogue/catalogue.service.ts';
import { markLoaded, markRemoving } from '#server/areas/site/demo-content.repository.ts';
import { firstStart } from '#server/process/first-start.ts';
import { createTestApp } from '../test/app.ts';
import { DEMO_PASSWORD } from '#server/published-password.ts';

const test = await createTestApp({ DEMO_CONTENT: 'on' });
const { db } = test.ctx;

const counts = async () => {
  const tables = [
    'users',
    'entries',
    'lessons',
    'bodies',
    'community_members',
    'activities',
    'reactions',
    'poll_votes',
    'articles',
    'lesson_completions',
    'certificates',
  ];
  const found: Record<string, number> = {};
  for (const table of tables)
    found[table] =
      (await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(db)).rows[0]
        ?.count ?? 0;
  return found;
};

describe('the demo', () => {
  it('fills an empty product once, within 15 seconds, and prints how to sign in', async () => {
    const lines: string[] = [];
    const startedAt = performance.now();
    await firstStart(test.ctx, (line) => lines.push(line));
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(lines.join('\n')).toContain(DEMO_PASSWORD);
    const before = await counts();
    expect(before).toMatchObject({ users: 24, articles: 8, certificates: 3 });
    expect(before['activities']).toBeGreaterThan(50);
    await firstStart(test.ctx, (line) => lines.push(line));
    expect(await counts()).toEqual(before);
    expect(lines).toHaveLength(2);
  });

  it('shows a visitor the catalogue and communities with activity', async () => {
    const { courses, microcourses, academies } = await listCatalogueFor(test.ctx, { kind: 'anonymous' }, {}, 'en');
    expect([courses.length, microcourses.length, academies.length]).toEqual([4, 6, 2]);
    expect(courses.find((course) => course.slug === 'plain-language')?.locales).toEqual(
      expect.arrayContaining(['ar', 'en', 'es', 'fr']),
    );
    const { rows } = await sql<{ member_count: number; members: number; activity_count: number; activities: number }>`
      select c.member_count, activity_count(c.id),
        (select count(*)::int from community_members m where m.community_id = c.id and m.status = 'active') as members,
        (select count(*)::int from activities a where a.community_id = c.id) as activities from communities c`.execute(
      db,
    );
    for (const row of rows) {
      expect(row.member_count).toBe(row.members);
      expect(row.activity_count).toBe(row.activities);
    }
    const { rows: left } = await sql`select 1 from activities where body like '%{{person:%' union all
      select 1 from reactions where body like '%{{person:%' or created_at > now() union all select 1 from activities where created_at > now()`.execute(
      db,
    );
    expect(left).toEqual([]);
  });

  it('gives three people a password and the others none', async () => {
    const { rows } = await sql<{ email: string; password_hash: string | null; role: string }>`
      select email, password_hash, role from users where password_hash is not null order by email`.execute(db);
    expect(rows.map((row) => [row.email, row.role])).toEqual([
      ['admin@example.gov', 'administrator'],
      ['learner@example.gov', 'public-servant'],
      ['moderator@example.gov', 'public-servant'],
    ]);
    expect(await isPassword(DEMO_PASSWORD, rows[1]?.password_hash)).toBe(true);
  });

  it('leaves a learner halfway through one journey and at the end of another', async () => {
    const { rows } = await sql<{ slug: string; done: number; lessons: number; completed: boolean }>`
      select j.slug, count(k.*)::int as done, count(l.*)::int as lessons, e.completed_at is not null as completed
      from journey_enrolments e join users u on u.id = e.user_id join journeys j on j.key = e.journey_key
      join lessons l on l.journey_key = j.key
      left join lesson_completions k on k.lesson_key = l.key and k.user_id = u.id
      where u.email = 'learner@example.gov' group by j.slug, e.completed_at order by j.slug`.execute(db);
    expect(rows).toEqual([
      { slug: 'reading-a-budget', done: 6, lessons: 6, completed: true },
      { slug: 'write-to-be-understood', done: 5, lessons: 10, completed: false },
    ]);
  });

  it('is not loaded again once its removal was asked for', async () => {
    const emptied = await createTestApp({ DEMO_CONTENT: 'on' });
    await markLoaded(emptied.ctx.db);
    await markRemoving(emptied.ctx.db);
    await firstStart(emptied.ctx, () => {});
    for (const table of ['users', 'entries', 'site_page_versions'] as const)
      expect([table, await emptied.ctx.db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
  });

  it('is not loaded when DEMO_CONTENT is off', async () => {
    const plain = await createTestApp({
      DEMO_CONTENT: 'off',
      ADMIN_EMAIL: 'boss@example.gov',
      ADMIN_PASSWORD: 'correct horse battery',
    });
    await firstStart(plain.ctx, () => {});
    expect(await plain.ctx.db.selectFrom('users').select('email').execute()).toEqual([{ email: 'boss@example.gov' }]);
  });
});
