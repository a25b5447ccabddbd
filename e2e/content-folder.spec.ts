import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeZip } from '../server/test/factories/zips.ts';
import { axeFaults } from './axe.ts';
import { isTooWide, visit, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
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

/**
 * Waits for the result of a job. A page without JavaScript refreshes itself only every five seconds, so it is reloaded.
 */
async function waitForJob(page: Page, result: Locator, { needsReload }: { needsReload: boolean }): Promise<void> {
  const look = async () => {
    if (needsReload && (await result.count()) === 0) await page.reload();
    return await result.count();
  };
  await expect.poll(look, { timeout: 30_000 }).toBeGreaterThan(0);
}

describe('content as a ZIP', () => {
  for (const javaScriptEnabled of [true, false])
    it(`is checked, imported and exported, with JavaScript: ${javaScriptEnabled}`, { timeout: 300_000 }, async () => {
      const { page, faults } = await visitAs('admin', { javaScriptEnabled });
      const reloading = { needsReload: !javaScriptEnabled };
      const title = `Imported ${javaScriptEnabled ? 'with' : 'without'} JavaScript`;

      await send(page, zip(content(title, 'minutes: many')), 'faulty.zip');
      await page.getByText('Nothing was imported.', { exact: false }).waitFor({ timeout: 30_000 });
      expect(await rows(page, 'Problems to fix first')).toContainEqual([
        'content.yaml',
        '6',
        'microcourses[0].minutes does not have the required format. (Must be number)',
        'microcourses[0].minutes',
      ]);
      await link(page, 'Upload another ZIP').click();

      await send(page, makeZip([{ name: 'a/../../evil.md' }]));
      await waitForJob(page, page.getByText('A name in the ZIP is a link or points outside it.'), reloading);
      await page.getByText('a/../../evil.md').waitFor();

      await send(page, zip(content(title)));
      await waitForJob(page, button(page, 'Import now'), reloading);
      expect((await rows(page, 'Changes')).at(-1)).toContain(title);
      const visitor = await visit();
      expect((await visitor.page.goto('/microcourses/en/from-a-zip'))?.status()).toBe(
        javaScriptEnabled ? 404 : 200, // the first run's import already exists
      );
      await button(page, 'Import now').click();
      await waitForJob(page, page.getByText('Imported', { exact: true }), reloading);
      await page.reload();
      await page.getByText('Imported', { exact: true }).waitFor();
      await visitor.page.goto('/microcourses/en/from-a-zip');
      await visitor.page.getByRole('heading', { level: 1, name: title }).waitFor();
      await link(page, title).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();

      await page.goto('/admin/content/folder');
      expect((await rows(page, 'Imports in the last 90 days'))[1]).toContain('spring.zip');
      const coming = page.waitForEvent('download');
      await link(page, 'Download as ZIP').click();
      const download = await coming;
      expect(download.suggestedFilename()).toMatch(/^content-\d{4}-\d\d-\d\d\.zip$/);
      const bytes = await readFile(await download.path());
      await send(page, bytes, 'again.zip');
      await waitForJob(page, button(page, 'Import now'), reloading);
      expect(await page.getByRole('table', { name: 'Changes' }).count()).toBe(0);
      expect(faults).toEqual([]);
    });

  it('is accessible at 320 px', { timeout: 120_000 }, async () => {
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
