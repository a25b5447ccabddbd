import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { MEDIA_FILES } from '../server/test/factories/media.ts';
import { write } from './articles.ts';
import { axeFaults } from './axe.ts';
import { closeVisits, isTooWide, visit, visitAs } from './visitor.ts';

afterEach(closeVisits);

const LESSON = '/courses/plain-language/write-to-be-understood/one-idea-per-sentence';
const file = async () => ({
  name: 'plan.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 180, channels: 3, background: '#0b6e6e' } })
    .png()
    .toBuffer(),
});
const cover = (page: Page) => page.getByRole('group', { name: /^Cover picture/ });
const isShown = async (image: Locator) =>
  await image.evaluate(async (element) => {
    await (element as HTMLImageElement).decode();
    return (element as HTMLImageElement).naturalWidth;
  });

describe('pictures of an article', () => {
  it('are uploaded as a cover and into the text', { timeout: 120_000 }, async () => {
    const { page, faults } = await visitAs('learner', { viewport: { width: 320, height: 800 } });
    await page.goto('/articles/new');
    await page.locator('[data-field=body]').waitFor();
    await write(page, 'A letter with a plan');
    await cover(page)
      .getByLabel('Picture', { exact: true })
      .setInputFiles(await file());
    await cover(page).getByText('The picture is uploaded.').waitFor();
    const alt = cover(page).getByLabel('What the picture shows');
    await expect.poll(() => alt.evaluate((input) => input === document.activeElement)).toBe(true);
    await alt.fill('A green plan');
    const value = async (name: string) => await cover(page).getByLabel(name).inputValue();
    expect([await value('Width in pixels'), await value('Height in pixels')]).toEqual(['320', '180']);
    expect(await value('Main colour')).toMatch(/^#0[0-9a-f]6[0-9a-f]6[0-9a-f]$/);

    const panel = page.locator('details', { hasText: 'Add a picture' }).last();
    await panel.locator('summary').click();
    await panel.getByLabel('Picture', { exact: true }).setInputFiles(await file());
    await panel.getByLabel('What the picture shows').fill('A second plan');
    await panel.getByRole('button', { name: 'Insert picture' }).click();
    await panel.getByText('The picture is in the text.').waitFor();
    expect(await page.locator('textarea[name=body]').inputValue()).toMatch(
      /!\[A second plan\]\(\/article-pictures\/[0-9a-f-]{36}\)/,
    );
    expect(await axeFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await isShown(page.getByRole('region', { name: 'Preview' }).getByAltText('A second plan'))).toBe(320);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Your article has been published.').waitFor();
    const reader = await visit();
    await reader.page.goto(page.url());
    for (const name of ['A green plan', 'A second plan'])
      expect(await isShown(reader.page.getByAltText(name))).toBe(320);
    expect([...faults, ...reader.faults]).toEqual([]);
  });

  it('are sent with the form without script', { timeout: 120_000 }, async () => {
    const { page } = await visitAs('learner', { javaScriptEnabled: false });
    await page.goto('/articles/new');
    await write(page, 'A letter without script');
    await cover(page)
      .getByLabel('Picture', { exact: true })
      .setInputFiles(await file());
    await page.getByRole('button', { name: 'Publish' }).click();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /What the picture shows/ })
      .waitFor();
    await cover(page)
      .getByLabel('Picture', { exact: true })
      .setInputFiles(await file());
    await cover(page).getByLabel('What the picture shows').fill('A plain plan');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Your article has been published.').waitFor();
    expect(await page.getByAltText('A plain plan').getAttribute('width')).toBe('320');
  });
});

describe('pictures in a lesson discussion', () => {
  it.each([true, false])('with script: %s', { timeout: 90_000 }, async (javaScriptEnabled) => {
    const { page, faults } = await visitAs('learner', { javaScriptEnabled });
    await page.goto(LESSON);
    const form = page.locator('#discussion form').first();
    await form.getByRole('textbox', { name: 'What would you say?' }).fill('Our letter:');
    const panel = form.locator('details');
    await panel.locator('summary').click();
    await panel.getByLabel('Picture', { exact: true }).setInputFiles(await file());
    const name = `A letter, script ${javaScriptEnabled}`;
    await panel.getByLabel('What the picture shows').fill(name);
    if (javaScriptEnabled) {
      expect(await axeFaults(page)).toEqual([]);
      await panel.getByRole('button', { name: 'Insert picture' }).click();
      await panel.getByText('The picture is in the text.').waitFor();
    }
    await form.getByRole('button', { name: 'Publish' }).click();
    const shown = page.locator('#discussion').getByAltText(name).first();
    await shown.waitFor();
    const url = String(await shown.getAttribute('src'));
    expect((await page.context().request.get(url)).status()).toBe(200);
    expect((await (await visit()).context.request.get(url)).status()).toBe(404);
    if (javaScriptEnabled) expect(faults).toEqual([]);
  });
});

it('a recording that is interrupted continues where it stopped', { timeout: 180_000 }, async () => {
  const { page, context } = await visitAs('admin');
  const edit = async () => {
    await page.goto('/admin/content?q=everyday-words&kind=lesson');
    await page.locator('main a[href*="/lesson/"]').filter({ hasText: /\S/ }).first().click();
    await page.getByText('Add a recording or file').click();
    await page.locator('#media_file:not([name])').setInputFiles(film);
    await page.getByRole('button', { name: 'Upload and add to the text' }).click();
  };
  const film = {
    name: 'long.mp4',
    mimeType: 'video/mp4',
    buffer: Buffer.concat([MEDIA_FILES['intro.mp4'], Buffer.alloc(24 * 1024 * 1024, 7)]),
  };
  const sent: number[] = [];
  let isBroken = true;
  await context.route('**/uploads/*/parts/*', async (route) => {
    const number = Number(/parts\/(\d+)/.exec(route.request().url())?.[1]);
    if (isBroken && number === 3) return await route.abort('connectionreset');
    sent.push(number);
    await route.continue();
  });
  await edit();
  await page.getByText('The connection is interrupted. The upload continues by itself.').waitFor();
  expect(sent).toEqual([1, 2]);
  isBroken = false;
  await page.getByText('long.mp4 is in the text now.').waitFor({ timeout: 60_000 });
  expect(sent).toEqual([1, 2, 3, 4, 5]);
  await page.getByRole('textbox', { name: /^Text · English/ }).waitFor();
});
