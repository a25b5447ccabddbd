import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { createCohort, heading, unique } from './cohorts.ts';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

const SHOTS = process.env['SHOTS'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const tab = async (page: Page, name: RegExp) =>
  await page.getByRole('navigation', { name: 'Cohort sections' }).getByRole('link', { name }).click();

/** axe needs the page's JavaScript. */
async function inspect(page: Page, name: string, javaScriptEnabled = true): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  const faults = javaScriptEnabled ? await axeFaults(page) : [];
  expect([name, faults, await isTooWide(page)]).toEqual([name, [], false]);
}

/** A cohort with a journey that is overdue and this person as its member; ends on its page of products. */
async function assign(page: Page, email: string): Promise<string> {
  const name = unique('Assigned school');
  await createCohort(page, name);
  await tab(page, /^Products/);
  await heading(page, 'Attach a product');
  await button(page, /^Attach/)
    .first()
    .click();
  await page.getByText('The product has been attached.').waitFor();
  await page.getByLabel(/^Due on/).fill('2024-06-30');
  await button(page, /^Save\s*:/).click();
  await page.getByText('Saved. This date has already passed').waitFor();
  await tab(page, /^Members/);
  await page.getByLabel('Add a person').fill(email);
  await button(page, 'Add').click();
  await page.getByText(`${email} has been added.`).waitFor();
  await tab(page, /^Products/);
  return name;
}

describe.each([true, false])('assigned learning, with JavaScript: %s', (javaScriptEnabled) => {
  it('reminds a member who is late, once a day, with words of one’s own', { timeout: 120_000 }, async () => {
    const { page, context, faults } = await visitAs('admin', { javaScriptEnabled });
    const member = await visitAsNewcomer('Late Learner', { javaScriptEnabled });
    await assign(page, member.email);
    await tab(page, /^Progress/);
    await page.getByRole('checkbox', { name: 'Select: Late Learner' }).check();
    await page.getByLabel('Your message').fill('Please finish this week.');
    await inspect(page, `remind-${String(javaScriptEnabled)}`, javaScriptEnabled);
    await button(page, 'Send reminder').click();
    await page.getByText('1 person is being reminded.').waitFor();
    await page.getByLabel('To', { exact: true }).selectOption('late');
    await button(page, 'Send reminder').click();
    await page.getByText('1 person was already reminded today.').waitFor();
    await expect
      .poll(
        async () => {
          await member.page.goto('/notifications');
          return await member.page.getByText('Please finish this week.').count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await inspect(member.page, `reminded-${String(javaScriptEnabled)}`, javaScriptEnabled);
    expect(faults).toEqual([]);
    await context.close();
    await member.context.close();
  });

  it('enrols members at once when the cohort is set so', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled });
    const member = await visitAsNewcomer('Enrolled Learner', { javaScriptEnabled });
    await assign(page, member.email);
    await page.getByLabel('They are enrolled at once').check();
    await page.getByLabel('Remind members of due dates').uncheck();
    await page
      .getByRole('region', { name: 'What happens automatically' })
      .getByRole('button', { name: 'Save' })
      .click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await page.getByLabel('They are enrolled at once').isChecked()).toBe(true);
    expect(await page.getByLabel('Remind members of due dates').isChecked()).toBe(false);
    await inspect(page, `products-${String(javaScriptEnabled)}`, javaScriptEnabled);
    await expect
      .poll(async () => (await callApi(member.context, 'GET', '/api/learner/me/learning')).journeys.length, {
        timeout: 30_000,
      })
      .toBe(1);
    await context.close();
    await member.context.close();
  });

  it('is reported by period', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled });
    await page.goto('/admin');
    await inspect(page, `overview-${String(javaScriptEnabled)}`, javaScriptEnabled);
    await page.getByRole('link', { name: 'Report by period' }).click();
    await page.getByRole('heading', { level: 1, name: 'Report by period' }).waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('course');
    await button(page, 'Show').click();
    await page.getByRole('columnheader', { name: 'Course' }).waitFor();
    await page.getByRole('rowheader', { name: 'Total' }).waitFor();
    await inspect(page, `report-${String(javaScriptEnabled)}`, javaScriptEnabled);
    const csv = await context.request.get((await page.getByRole('link', { name: /CSV/ }).getAttribute('href')) ?? '');
    expect(await csv.text()).toContain('course,active,minutes,enrolments,completions,open,rate,certificates');
    await context.close();
  });
});

it('shows the report at 320 px, in Arabic and dark', { timeout: 60_000 }, async () => {
  for (const [name, options] of [
    ['narrow', { viewport: { width: 320, height: 700 } }],
    ['arabic', { viewport: { width: 390, height: 800 }, locale: 'ar' }],
    ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ] as const) {
    const { page, context } = await visitAs('admin', options);
    await page.goto('/admin/reports?by=organization');
    await page.getByRole('table').waitFor();
    if (name === 'narrow') await page.getByText('only if at least 50 people are counted', { exact: false }).waitFor();
    await inspect(page, `report-${name}`);
    await context.close();
  }
});

it('asks for the name before it makes an administrator, and tells the others', { timeout: 60_000 }, async () => {
  const { page, context } = await visitAs('admin');
  const person = await visitAsNewcomer('Nora New');
  await page.goto(`/admin/people/${person.id}`);
  await page.locator('#role-role').selectOption('administrator');
  await button(page, 'Assign this role').click();
  await page.getByRole('heading', { level: 1, name: 'Make Nora New an administrator?' }).waitFor();
  await inspect(page, 'administrator');
  await page.getByLabel(/type the name/).fill('Somebody');
  await button(page, 'Make administrator').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel(/type the name/).fill('Nora New');
  await button(page, 'Make administrator').click();
  await page.getByText('Nora New is now an administrator.').waitFor();
  await page.goto('/admin/audit');
  await page.getByRole('link', { name: 'Nora New' }).first().waitFor();
  await inspect(page, 'audit');
  await page.goto('/admin/operations/mails?status=sent');
  await inspect(page, 'mails');
  await context.close();
  await person.context.close();
});
