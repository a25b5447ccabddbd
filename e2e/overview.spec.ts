import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs, type Visit } from './visitor.ts';

const JOURNEY = { courseSlug: 'plain-language', journeySlug: 'write-to-be-understood' };
const LESSON =
  '/api/learner/me/courses/plain-language/journeys/write-to-be-understood/lessons/who-is-reading/completion';

let admin: Visit;
let cohort: { id: string; name: string };

const waitForText = async (page: Page, text: string | RegExp) => await page.getByText(text).first().waitFor();
const figure = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** A cohort with one member, who completes a lesson. */
beforeAll(async () => {
  admin = await visitAs('admin');
  const learner = await visitAsNewcomer('Noor Visser');
  const { viewer } = await (await learner.context.request.get('/api/auth/session')).json();
  const send = async ({ context }: Visit, method: 'post' | 'put', path: string, data?: object) => {
    const reply = await context.request[method](path, { data, headers: SAME_SITE });
    expect(reply.ok(), `${path}: ${await reply.text()}`).toBe(true);
    return reply.status() === 204 ? undefined : await reply.json();
  };
  const name = `Overview ${Date.now()}`;
  cohort = await send(admin, 'post', '/api/admin/cohorts', { name, type: 'LEARNERS', primaryPartner: 'A city' });
  await send(admin, 'post', `/api/admin/cohorts/${cohort.id}/users`, { email: viewer.email });
  await send(learner, 'post', '/api/learner/learners/me/journeys', JOURNEY);
  await send(learner, 'put', LESSON, {});
});

describe('the overview', () => {
  it('shows a cohort’s activity as charts, tables and files', async () => {
    const { page, context, faults } = admin;
    await page.goto('/admin');
    await page.getByLabel('Cohort').selectOption(cohort.name);
    await page.getByLabel('Period').selectOption('4 weeks');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await waitForText(page, 'For this cohort: activity of its current members.');
    expect(new URL(page.url()).search).toContain(`weeks=4&cohort=${cohort.id}`);
    for (const [name, count] of [
      ['Active people', 1],
      ['New people', 1],
      ['Enrolments', 1],
      ['Lessons finished', 1],
      ['Posts', 0],
    ] as const)
      await expect
        .poll(async () => [name, await figure(page, name).getByRole('img', { name: /./ }).innerHTML()])
        .toEqual([name, expect.stringContaining(`This week so far: ${count}.`)]);
    const lessons = figure(page, 'Lessons finished');
    await lessons.getByText('Lessons finished as a table').click();
    await lessons.getByRole('row').nth(4).waitFor();
    await expect.poll(() => lessons.getByRole('row').count()).toBe(5);
    const file = lessons.getByRole('link', { name: 'Lessons finished as CSV' });
    const csv = await (await context.request.get((await file.getAttribute('href')) ?? '')).text();
    expect(csv.trim().split('\r\n')).toHaveLength(5);
    expect(csv).toMatch(/^\uFEFFweek,lessons\r\n/);
    expect(csv.trim()).toMatch(/,1$/);
    expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('works without JavaScript, in a narrow window and right-to-left', async () => {
    const { page } = await visitAs('admin', { javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
    await page.goto('/admin?weeks=52&locale=ar');
    await page.getByRole('img').first().waitFor();
    await expect.poll(() => page.getByRole('img').count()).toBe(8);
    await page.goto('/admin?locale=en');
    await page.getByLabel('Course').selectOption('plain-language');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/course=plain-language/);
    await figure(page, 'Lessons finished').waitFor();
    expect(await figure(page, 'New people').count()).toBe(0);
    expect(await isTooWide(page)).toBe(false);
  });

  it('shows every section of the administration in full, in French', async () => {
    const { page } = await visitAs('admin', { javaScriptEnabled: false, viewport: { width: 1280, height: 800 } });
    await page.goto('/admin?locale=fr');
    const links = page.getByRole('navigation', { name: 'Rubriques de l’administration' }).getByRole('link');
    expect(await links.count()).toBeGreaterThan(8);
    const cut = await links.evaluateAll((all) =>
      all.filter((link) => link.scrollWidth > (link.parentElement?.clientWidth ?? 0)).map((link) => link.textContent),
    );
    expect(cut).toEqual([]);
  });

  it('reports that a cohort no longer exists', async () => {
    const { page } = admin;
    await page.goto('/admin?cohort=00000000-0000-7000-8000-000000000000');
    await waitForText(page, 'This cohort or course no longer exists.');
    await page.getByRole('link', { name: 'Show the figures for everything' }).click();
    await figure(page, 'Posts').waitFor();
  });
});

describe('the audit log', () => {
  it('is filtered by actor, action, object and time, and downloaded', async () => {
    const { page, context } = admin;
    await page.goto('/admin/audit');
    await page.getByLabel('Object').fill(cohort.id);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(async () => await page.getByRole('row').count()).toBe(3); // header, creation and the added person
    await page.getByRole('rowheader', { name: /Created a cohort/ }).waitFor();
    await waitForText(page, /^Outcome: (Added|Invited)$/);
    const csv = await (await context.request.get(`/admin/audit.csv?object=${cohort.id}`)).text();
    expect(csv.trim().split('\r\n')).toHaveLength(3);
    await page.getByLabel('From').fill('2099-01-01');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await waitForText(page, 'Nothing matches your filters.');
    await page.getByRole('link', { name: 'Show everything' }).click();
    await page.getByRole('rowheader').first().waitFor();
    expect(await axeFaults(page)).toEqual([]);
  });

  it('is for administrators only', async () => {
    const { page } = await visitAs('learner');
    for (const path of ['/admin', '/admin/audit', '/admin/audit.csv', '/admin/figures.csv'])
      expect([path, (await page.request.get(path)).status()]).toEqual([path, 403]);
  });
});
