import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { type DemoProduct, startDemo } from './demo.ts';
import { visit, visitAs } from './visitor.ts';

/** A product of its own, because every page shows its name. */
let product: DemoProduct;
beforeAll(async () => {
  product = await startDemo();
});
afterAll(async () => {
  await product.stop();
});

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').first().waitFor();
};
const accentOf = async (page: Page) =>
  await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());

describe.each([true, false])('an administrator, with JavaScript: %s', (javaScriptEnabled) => {
  const name = javaScriptEnabled ? 'Ministarstvo finansija' : 'وزارة المالية';

  it('gives the site its name, colour, words and links', async () => {
    const { page, faults } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled });
    await page.goto('/admin/site?language=fr');
    await page.getByLabel('Name of the site').fill(name);
    await page.getByLabel('Colour').fill(javaScriptEnabled ? '#7a0019' : '#ffd500');
    await page.getByLabel('Address for questions').fill('learning@finance.example');
    await page.getByLabel('Headline of the front page').fill('Apprendre au ministère');
    await page.getByRole('group', { name: 'Link 1' }).getByLabel('Label').fill('Intranet');
    await page.getByRole('group', { name: 'Link 1' }).getByLabel('Address').fill('https://intranet.example/');
    await save(page);
    if (!javaScriptEnabled) await page.getByText('would be hard to read on light pages').waitFor();
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);

    const reader = await visit({ baseURL: product.url, locale: 'fr', javaScriptEnabled: true });
    await reader.page.goto('/');
    await reader.page.getByRole('banner').getByText(name).waitFor();
    await reader.page.getByRole('heading', { level: 1, name: 'Apprendre au ministère' }).waitFor();
    expect(await reader.page.title()).toContain(name);
    const footer = reader.page.getByRole('contentinfo');
    expect(await footer.getByRole('link', { name: 'Intranet' }).getAttribute('href')).toBe('https://intranet.example/');
    await footer.getByText('learning@finance.example').waitFor();
    expect(await accentOf(reader.page)).not.toBe('#0b6e6e');
    expect(await axeFaults(reader.page)).toEqual([]);
    expect(await (await reader.context.request.get('/manifest.webmanifest')).json()).toMatchObject({ name });
    expect(reader.faults).toEqual([]);
  });

  it('is told of another’s change, and takes an earlier version again', async () => {
    const { page } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled });
    const other = await visitAs('admin', { baseURL: product.url, javaScriptEnabled: false });
    await Promise.all([page.goto('/admin/site'), other.page.goto('/admin/site')]);
    await other.page.getByLabel('Name of the site').fill('Somebody else’s name');
    await save(other.page);
    await page.getByLabel('Name of the site').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Someone else has changed this since you opened it.').first().waitFor();
    expect(await page.getByLabel('Name of the site').inputValue()).toBe('Mine');

    await other.page.goto('/admin/site');
    await other.page.getByText('Earlier versions').click();
    const again = other.page.getByRole('button', { name: 'Use this version again' });
    await other.page.getByRole('listitem').filter({ hasText: name, has: again }).first().getByRole('button').click();
    await other.page.getByText('The earlier version is in use again.').waitFor();
    await other.page.getByRole('banner').getByText(name).waitFor();
  });

  it('uploads a logo for light and for dark pages, and removes it', async () => {
    const { page, faults } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled, colorScheme: 'dark' });
    const create = { width: 800, height: 200, channels: 4, background: '#7a0019' } as const;
    await page.goto('/admin/site');
    for (const title of ['Logo', 'Logo on dark pages']) {
      const part = page.getByRole('region', { name: title, exact: true });
      const background = title === 'Logo' ? '#7a0019' : '#f0c0c0';
      const buffer = await sharp({ create: { ...create, background } })
        .png()
        .toBuffer();
      await part.getByLabel('Picture').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
      await part.getByRole('button', { name: 'Upload the logo' }).click();
      await part.getByRole('button', { name: 'Remove the logo' }).waitFor();
    }
    // One of the two is shown, and named for everybody who does not see it.
    const shown = page.getByRole('banner').getByRole('img');
    expect(await shown.count()).toBe(1);
    const dark = await shown.getAttribute('src');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await shown.count()).toBe(1);
    expect(await shown.getAttribute('src')).not.toBe(dark);
    expect((await shown.boundingBox())?.height).toBe(40);
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    for (const title of ['Logo on dark pages', 'Logo']) {
      const part = page.getByRole('region', { name: title, exact: true });
      await part.getByRole('button', { name: 'Remove the logo' }).click();
      await part.getByRole('button', { name: 'Remove the logo' }).waitFor({ state: 'detached' });
    }
    expect(await page.getByRole('banner').getByRole('img').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('writes the legal notice in two languages and withdraws one', async () => {
    const { page } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled });
    for (const [language, text] of [
      ['de', 'Ministerium der **Finanzen**'],
      ['it', 'Ministero delle Finanze'],
    ] as const) {
      await page.goto(`/admin/site/pages/imprint?language=${language}`);
      await page.getByRole('textbox').last().fill(text);
      await save(page);
    }
    const reader = await visit({ baseURL: product.url, locale: 'de', javaScriptEnabled });
    await reader.page.goto('/');
    await reader.page.getByRole('link', { name: 'Impressum' }).click();
    await reader.page.getByRole('heading', { level: 1, name: 'Impressum' }).waitFor();
    await reader.page.getByText('Ministerium der Finanzen').waitFor();
    await reader.page.goto('/legal-notice?locale=it');
    await reader.page.getByText('Ministero delle Finanze').waitFor();

    await page.goto('/admin/site/pages/imprint?language=it');
    await page.getByRole('textbox').last().fill('');
    await save(page);
    await reader.page.reload();
    await reader.page.getByText('This site is a demonstration.').waitFor();
  });
});
