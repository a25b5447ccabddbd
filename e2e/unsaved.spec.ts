import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCohort, unique } from './cohorts.ts';
import { PASSWORD, visitAs, type Visit } from './visitor.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const restored = (page: Page) => page.getByText('Draft saved, last changed', { exact: false });

/** An editor of the administration: its page, a field, and a link that leaves it. */
type Editor = { path: string; field: string; away: string };
/** The editor of a text field, which is then hidden. */
const richText = (page: Page, field: string) => page.locator(`main [data-field="${field}"]`);

async function findEditors(page: Page): Promise<Record<string, Editor>> {
  await createCohort(page, unique('unsaved'));
  const cohort = new URL(page.url()).pathname;
  await page.goto('/admin/content/course/plain-language');
  const journey = await page.locator('a[href^="/admin/content/journey/"]').first().getAttribute('href');
  await page.goto(journey!);
  const lesson = await page.locator('a[href^="/admin/content/lesson/"]').first().getAttribute('href');
  const piece = (path: string, field: string): Editor => ({ path, field, away: 'Versions' });
  return {
    'a course': piece('/admin/content/course/plain-language', 'summary_en'),
    'a journey': piece(journey!, 'title_en'),
    'a lesson': piece(lesson!, 'body_en'),
    'a microcourse': piece('/admin/content/microcourse/write-alt-text', 'body_en'),
    'an academy': piece('/admin/content/academy/digital-government', 'title_en'),
    'a community': piece('/admin/content/community/plain-words', 'title_en'),
    'something new': { path: '/admin/content/new?kind=course', field: 'title', away: 'Cohorts' },
    'a new cohort': { path: '/admin/cohorts/new', field: 'name', away: 'Content' },
    'the details of a cohort': {
      path: `${cohort!.replace(/\/$/, '')}/details`,
      field: 'primaryPartner',
      away: 'Content',
    },
    'the settings of a community': { path: '/communities/plain-words/settings', field: 'rules', away: 'Communities' },
  };
}

describe('unsaved input', () => {
  let visit: Visit;
  let editors: Record<string, Editor>;
  beforeAll(async () => {
    visit = await visitAs('admin');
    editors = await findEditors(visit.page);
  });

  it('in every editor survives navigation, a reload and the end of the session', { timeout: 300_000 }, async () => {
    const { page, context, faults } = visit;
    for (const [name, { path, field, away }] of Object.entries(editors)) {
      const words = `Kept ${name} ${Date.now()}`;
      const text = page.locator(`main [name="${field}"]`).first();
      await page.goto(path);
      const shown = field.startsWith('body_') ? richText(page, field) : text;
      await shown.fill(words);
      const written = await text.inputValue();
      expect([name, written]).toEqual([name, expect.stringContaining(words)]);
      await page.getByRole('link', { name: away, exact: true }).first().click();
      await page.getByRole('heading', { name: 'Leave this page?' }).waitFor();
      await button(page, 'Stay').click();
      expect([name, await text.inputValue()]).toEqual([name, written]);

      await page.getByRole('link', { name: away, exact: true }).first().click();
      await button(page, 'Leave').click();
      await expect.poll(() => new URL(page.url()).pathname).not.toBe(path.replace(/\?.*/, ''));
      await page.goto(path);
      await restored(page).waitFor();
      expect([name, await text.inputValue()]).toEqual([name, written]);

      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await restored(page).waitFor();
      expect([name, await text.inputValue()]).toEqual([name, written]);

      await context.clearCookies();
      await shown.press('Control+s');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('E-mail address').first().fill('admin@example.gov');
      await button(page, 'Sign in').first().click();
      await restored(page).waitFor();
      expect([name, await text.inputValue()]).toEqual([name, written]);
      await button(page, 'Discard draft').click();
      expect([name, await text.inputValue()]).not.toEqual([name, written]);
    }
    expect(faults).toEqual([]);
  });

  it('is no longer a draft after saving', async () => {
    const { page } = visit;
    const { path, field } = editors['a lesson']!; // named above
    const text = page.locator(`main [name="${field}"]`);
    await page.goto(path);
    const before = await text.inputValue();
    await richText(page, field).press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('One more sentence.');
    const written = `${before.trimEnd()}\n\nOne more sentence.${/\s*$/.exec(before)?.[0]}`;
    expect(await text.inputValue()).toBe(written);
    await button(page, 'Save and preview').click();
    await page.waitForURL('**/preview*');
    await page.getByText('One more sentence.').first().waitFor();
    await page.goto(path);
    expect(await text.inputValue()).toBe(written);
    expect(await restored(page).count()).toBe(0);
  });

  it('does not replace changes that someone else saved meanwhile', async () => {
    const { page } = visit;
    const { path, field } = editors['an academy']!; // named above
    const text = page.locator(`main [name="${field}"]`);
    await page.goto(path);
    await text.fill('Mine');
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await button(page, 'Leave').click();
    await page.getByRole('heading', { name: 'Versions' }).first().waitFor();

    const other = await visitAs('admin');
    await other.page.goto(path);
    await other.page.locator(`main [name="${field}"]`).fill('Theirs');
    await button(other.page, 'Save draft').first().click();
    await other.page.getByText('Saved.', { exact: true }).waitFor();
    await other.context.close();

    await page.goto(path);
    await restored(page).waitFor();
    await button(page, 'Save draft').first().click();
    await page.locator('#conflict').waitFor();
    expect(await text.inputValue()).toBe('Mine');
    await page.getByText('Theirs').first().waitFor();
  });
});
