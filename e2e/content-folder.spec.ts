import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { makeZip } from '../server/test/factories/zips.ts';
import { axeFaults, closeBrowser, isTooWide, visit, visitAs } from './visitor.ts';

afterAll(closeBrowser);

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const rows = async (page: Page, table: string) =>
  (await page.getByRole('table', { name: table }).getByRole('row').allInnerTexts()).map((text) =>
    text.split(/\s*[\t\n]\s*/).filter(Boolean),
  );

const content = (title: string, extra = '') => `format: 1
microcourses:
  - slug: from-a-zip
    title: {en: ${title}, de: Aus einer ZIP-Datei}
    scopes: {can_view: public, can_join: authenticated}
    ${extra}
    body: {en: text.en.md}
`;
const zip = (yaml: string) =>
  makeZip([
    { name: 'content.yaml', content: yaml },
    { name: 'text.en.md', content: 'Words that came in a ZIP.\n' },
  ]);
const send = async (page: Page, buffer: Buffer, name = 'spring.zip') => {
  await page.goto('/admin/content/folder');
  await page.getByLabel('ZIP file').setInputFiles({ name, mimeType: 'application/zip', buffer });
  await button(page, 'Check the file').click();
};

describe('content as a ZIP', () => {
  for (const javaScriptEnabled of [true, false])
    it(`is checked, imported and exported, script: ${javaScriptEnabled}`, { timeout: 300_000 }, async () => {
      const { page, faults } = await visitAs('admin', { javaScriptEnabled });
      const title = `Brought in ${javaScriptEnabled ? 'with' : 'without'} script`;

      await send(page, zip(content(title, 'minutes: many')), 'faulty.zip');
      await page.getByText('Nothing was imported.', { exact: false }).waitFor({ timeout: 30_000 });
      expect(await rows(page, 'What has to be mended first')).toContainEqual([
        'content.yaml',
        '6',
        'microcourses[0].minutes does not have the form that is needed. (Must be number)',
        'microcourses[0].minutes',
      ]);
      await link(page, 'Send another ZIP').click();

      await send(page, makeZip([{ name: 'a/../../evil.md' }]));
      await page.getByText('A name in the ZIP is a link or leads out of it.').waitFor();
      await page.getByText('a/../../evil.md').waitFor();

      await send(page, zip(content(title)));
      await button(page, 'Import now').waitFor({ timeout: 30_000 });
      expect((await rows(page, 'What changes')).at(-1)).toContain(title);
      const visitor = await visit();
      expect((await visitor.page.goto('/microcourses/en/from-a-zip'))?.status()).toBe(
        javaScriptEnabled ? 404 : 200, // what came with script is there by then
      );
      await button(page, 'Import now').click();
      await page.getByText('Imported', { exact: true }).waitFor({ timeout: 30_000 });
      await page.reload();
      await page.getByText('Imported', { exact: true }).waitFor();
      await visitor.page.goto('/microcourses/en/from-a-zip');
      await visitor.page.getByRole('heading', { level: 1, name: title }).waitFor();
      await link(page, title).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();

      await page.goto('/admin/content/folder');
      expect((await rows(page, 'Imports of the last 90 days'))[1]).toContain('spring.zip');
      const coming = page.waitForEvent('download');
      await link(page, 'Download as ZIP').click();
      const download = await coming;
      expect(download.suggestedFilename()).toMatch(/^content-\d{4}-\d\d-\d\d\.zip$/);
      const bytes = await readFile(await download.path());
      await send(page, bytes, 'again.zip');
      await button(page, 'Import now').waitFor({ timeout: 60_000 });
      expect(await page.getByRole('table', { name: 'What changes' }).count()).toBe(0);
      expect(faults).toEqual([]);
    });

  it('can be read by everyone', { timeout: 120_000 }, async () => {
    const { page } = await visitAs('admin', { viewport: { width: 320, height: 800 } });
    await send(page, zip(content('Looked at')));
    await button(page, 'Import now').waitFor({ timeout: 30_000 });
    expect(await isTooWide(page)).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    await page.goto('/admin/content/folder?locale=ar');
    expect(await isTooWide(page)).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
  });
});

describe('what stands beside a draft', () => {
  it('is put in order, owned and deleted without script', { timeout: 300_000 }, async () => {
    const { page, faults } = await visitAs('admin', { javaScriptEnabled: false });
    const title = `Two ways ${Date.now()}`; // a second try finds what the first one made
    await page.goto('/admin/content/new?kind=course');
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await button(page, 'Begin').click();
    await heading(page, title).waitFor();
    const course = page.url();
    for (const way of ['First way', 'Second way', 'Third way']) {
      await page.goto(course);
      await link(page, 'New journey').click();
      await page.getByRole('textbox', { name: 'Title' }).fill(way);
      await button(page, 'Begin').click();
      await heading(page, way).first().waitFor();
    }
    await link(page, 'Publication').click();
    await page.getByText('Delete the draft').first().click();
    await page.getByText('It was never published.', { exact: false }).waitFor();
    await button(page, 'Delete the draft').click();
    await page.getByText('The draft is deleted.').waitFor();
    await heading(page, title).waitFor();
    expect(await link(page, 'Third way').count()).toBe(0);

    await link(page, 'Publication').click();
    await button(page, /^Publish$/).click();
    await page.getByText('3 pieces published.').waitFor();
    expect(await page.getByText('Delete the draft').count()).toBe(0);
    await page.goto(course);
    await button(page, 'Move down: First way').click();
    const order = page.locator('#journeys').getByRole('listitem').getByRole('link');
    await expect.poll(async () => await order.allTextContents()).toEqual(['Second way', 'First way']);
    expect(await button(page, 'Move up: Second way').isDisabled()).toBe(true);

    await page.goto('/admin/content/community/plain-words');
    const owners = page.locator('#owners');
    await owners.getByRole('textbox', { name: 'E-mail address of a new owner' }).fill('no address');
    await button(page, 'Make an owner').click();
    await page.getByRole('alert').first().waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    await owners.getByRole('textbox', { name: 'E-mail address of a new owner' }).fill('later@example.gov');
    await button(page, 'Make an owner').click();
    await owners.getByText('later@example.gov').first().waitFor();
    await owners.getByText('no account yet', { exact: false }).waitFor();
    await owners.locator('summary').filter({ hasText: 'later@example.gov' }).click();
    await button(page, /^Remove as owner ?: later@example\.gov$/).click();
    await expect.poll(async () => await owners.getByText('later@example.gov').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('an error on a page for visitors', () => {
  it('names and leads to its field without script', async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto('/signup');
    await page.getByRole('textbox', { name: /address/ }).fill('nobody');
    await page.locator('main form').getByRole('button').first().click();
    const summary = page.getByRole('alert').getByRole('listitem').getByRole('link');
    const said = await summary.allTextContents();
    expect(said).toContainEqual(expect.stringMatching(/^Name: /));
    expect(said).toContainEqual(expect.stringMatching(/^E-mail address: /));
    await summary.filter({ hasText: 'E-mail address' }).click();
    expect(await page.evaluate(() => location.hash)).toBe('#email');
  });
});
