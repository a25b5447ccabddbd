import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import pg from 'pg';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visit, visitAs } from './visitor.ts';

const COURSE = 'budgets-and-evidence';
const JOURNEY = 'reading-a-budget';
const AT = `/api/learner/me/courses/${COURSE}/journeys/${JOURNEY}`;
const OWN = `/me/learning/${COURSE}/${JOURNEY}/certificate`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Completes every lesson through the API, and passes those with an assessment in the database. */
async function complete(page: Page, personId: string): Promise<void> {
  const { course } = await (await page.request.get(`/api/learner/courses/${COURSE}`)).json();
  const journey = course.journeys.find(({ slug }: { slug: string }) => slug === JOURNEY);
  await query(
    `insert into assessment_attempts (id, user_id, lesson_key, locale, pass_mark, review, questions, submitted_at, score, passed)
     select gen_random_uuid(), $1, l.key, 'en', 70, 'none', '[]', now(), 100, true from lessons l
     join journeys j on j.key = l.journey_key where j.slug = $2 and l.assessment is not null`,
    [personId, JOURNEY],
  );
  for (const { slug } of journey.sections.flatMap(({ lessons }: { lessons: object[] }) => lessons)) {
    const done = await page.request.put(`${AT}/lessons/${slug}/completion`, { headers: SAME_SITE });
    expect(done.ok(), await done.text()).toBe(true);
  }
}

async function query(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: (await currentProduct()).databaseUrl });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

it('a certificate that is about to expire is renewed, and both say so in public', { timeout: 90_000 }, async () => {
  const { page, context, id, faults } = await visitAsNewcomer('Noor Visser');
  await callApi(context, 'POST', '/api/learner/learners/me/journeys', { courseSlug: COURSE, journeySlug: JOURNEY });
  await complete(page, id);
  await page.goto(OWN);
  await button(page, 'Issue my certificate').click();
  await page.getByText(/Valid until/).waitFor();
  await page.getByRole('link', { name: 'Verification page' }).click();
  await page.getByText('This certificate is valid').waitFor();
  const first = new URL(page.url()).pathname;

  await query(
    `update certificates set issued_at = now() - interval '700 days', expires_at = now() + interval '30 days' where user_id = $1`,
    [id],
  );
  await page.goto('/me/learning');
  await page.getByText(/Renew by/).waitFor();
  await page.getByRole('link', { name: 'Renew the certificate' }).click();
  await button(page, 'Start the renewal').click();
  await page.getByText('The renewal has begun.').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await isTooWide(page)).toBe(false);
  await page.goto('/');
  await page
    .getByText(/Renew by/)
    .first()
    .waitFor();

  await complete(page, id);
  await page.goto(OWN);
  expect(await page.getByLabel('Name on the certificate').inputValue()).toBe('Noor Visser');
  await button(page, 'Issue my certificate').click();
  await page.getByText('Your certificate has been issued.').waitFor();
  await page.getByRole('link', { name: 'Verification page' }).click();
  await page.getByText('Renews', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: first.split('/').at(-1) ?? '' }).isVisible()).toBe(true);

  await query(`update certificates set expires_at = now() - interval '1 day' where public_id = $1`, [
    first.split('/').at(-1),
  ]);
  const stranger = await visit({ javaScriptEnabled: false });
  await stranger.page.goto(first);
  await stranger.page.getByText(/This certificate expired on/).waitFor();
  expect(await stranger.page.getByRole('link', { name: 'Open the certificate (PDF)' }).isVisible()).toBe(true);

  const admin = await visitAs('admin');
  await admin.page.goto('/admin/certificates?state=renewed');
  await admin.page.getByRole('link', { name: 'Noor Visser' }).waitFor();
  const csv = await (await admin.page.request.get('/admin/certificates.csv?state=renewed')).text();
  expect(csv).toContain(first.split('/').at(-1));
  expect([...faults, ...admin.faults]).toEqual([]);
  await Promise.all([context.close(), stranger.context.close(), admin.context.close()]);
});
