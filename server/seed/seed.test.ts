import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { approvingRule } from '#server/areas/people/auto-approval.service.ts';
import { createTestApp } from '#server/test/app.ts';
import { differences } from '#server/integrity/counters.ts';
import { seed } from './seed.ts';

const test = await createTestApp();
const { db } = test.ctx;

const fill = async (isForced = false) => await seed(test.ctx, { size: 300, isForced, print: () => {} });
const count = async (of: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(of)}`.execute(db)).rows[0]?.n ?? 0;

it('fills a new product once, and a product in use only with force', { timeout: 240_000 }, async () => {
  expect(await fill()).toBeUndefined();
  const people = await count('users');
  expect(people).toBeGreaterThanOrEqual(300);
  expect(await fill()).toMatch(/^There are \d+ people already/);
  expect(await count('users')).toBe(people);
  expect(await fill(true)).toBeUndefined();
  expect(await count('users')).toBe(people + 300);
  expect(await differences(db)).toEqual([]);
});

it('fills every table that people’s activity writes', async () => {
  const tables =
    `cohort_members cohort_invitations cohort_upload_rows cohort_products journey_enrolments lesson_completions
    certificates bulk_enrolments community_members activities reactions activity_people audit_log notifications mails
    connections sessions auto_approvals content_reports moderation_decisions`.split(/\s+/);
  for (const table of tables) expect([table, await count(table)]).not.toEqual([table, 0]);
});

it('detects a counter that was changed', async () => {
  await sql`update communities set member_count = member_count + 1 where slug = 'plain-words'`.execute(db);
  await sql`update activities set like_count = like_count + 1 where id = (select min(id::text)::uuid from activities)`.execute(
    db,
  );
  expect(await differences(db)).toEqual(['communities.member_count: 1', expect.stringMatching(/^activities/)]);
});

it('enables every trigger again', async () => {
  expect(await count(`pg_trigger where not tgisinternal and tgenabled <> 'O'`)).toBe(0);
});

it('detects a tally and a figure that were changed', async () => {
  const before = await differences(db);
  await sql`insert into tally_changes (thing, key, n) values ('mails', 'sent', 1)`.execute(db);
  await sql`update week_figures set posts = posts + 1 where (scope, week) = (select scope, max(week) from week_figures where scope = '' group by 1)`.execute(
    db,
  );
  expect(await differences(db)).toEqual([...before, 'tallies: 1', 'figures: 1']);
});

it('makes the people public servants whom an auto-approval rule matches', async () => {
  const { rows } = await sql<{ email: string; approved_by_rule: string | null }>`
    select email, approved_by_rule from users where sign_up->>'page' = 'seed' and approved_by_rule is not null limit 20`.execute(
    db,
  );
  expect(rows.length).toBe(20);
  for (const { email, approved_by_rule } of rows) expect((await approvingRule(db, email))?.id).toBe(approved_by_rule);
});

it('leaves no mail to send and no reminder due', async () => {
  expect(await count(`mails where status = 'queued'`)).toBe(0);
  expect(
    await count(
      `notifications n join users u on u.id = n.user_id where mailed_at is null and u.sign_up->>'page' = 'seed'`,
    ),
  ).toBe(0);
  expect(
    await count(
      `journey_enrolments where completed_at is null and expires_on between now() and now() + interval '30 days'`,
    ),
  ).toBe(0);
});
