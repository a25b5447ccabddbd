import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { closeVisits, isTooWide, visit, visitAs } from './visitor.ts';

afterEach(closeVisits);

const ROOM = '/communities/plain-words';
const picture = async () =>
  await sharp({ create: { width: 320, height: 180, channels: 3, background: '#0b6e6e' } })
    .png()
    .toBuffer();
const file = async () => ({ name: 'plan.png', mimeType: 'image/png', buffer: await picture() });

/** Opens the form for a post, with its editor, and the fields for a picture. */
async function compose(page: Page, text = ''): Promise<{ editor: Locator; panel: Locator }> {
  await page.goto(ROOM);
  await page.locator('#write summary').first().click();
  await page.locator('#post-body').focus();
  const editor = page.locator('#post-body[contenteditable=true]');
  await editor.waitFor();
  await editor.click();
  await page.keyboard.type(text);
  const panel = page.locator('#write details', { hasText: 'Add a picture' }).last();
  await panel.getByText('Insert picture').waitFor({ state: 'attached' });
  return { editor, panel };
}

/** Pastes a picture, as a browser does. */
async function paste(editor: Locator, bytes: Buffer): Promise<void> {
  await editor.evaluate((element, text) => {
    const data = new DataTransfer();
    const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    data.items.add(new File([content], 'pasted.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, bytes.toString('base64'));
}

const isShown = async (image: Locator) =>
  await image.evaluate(async (element) => {
    await (element as HTMLImageElement).decode();
    return (element as HTMLImageElement).naturalWidth;
  });

describe('pictures in posts', () => {
  it('are pasted, described, inserted and published', async () => {
    const { page, faults } = await visitAs('learner');
    const { editor, panel } = await compose(page, 'Our plan');
    await paste(editor, await picture());
    const alt = panel.getByLabel('What the picture shows');
    await expect.poll(() => alt.evaluate((field) => field === document.activeElement)).toBe(true);
    await alt.fill('A *green* plan');
    expect(await axeFaults(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Insert picture' }).click();
    await panel.getByText('The picture is in the text.').waitFor();
    expect(await isShown(editor.locator('img[alt="A *green* plan"]'))).toBe(320);
    await page.getByRole('button', { name: 'Post in Plain words' }).click();
    await page.getByText('Your post has been published.').waitFor();
    const shown = page.locator('main .prose img').first();
    expect([await shown.getAttribute('alt'), await isShown(shown)]).toEqual(['A *green* plan', 320]);
    expect(faults).toEqual([]);

    const stranger = await visit();
    const url = String(await shown.getAttribute('src'));
    expect((await stranger.context.request.get(url)).status()).toBe(200); // the community is open
  });

  it('need a description', async () => {
    const { page } = await visitAs('learner', { viewport: { width: 320, height: 700 } });
    const { panel } = await compose(page, 'Without words');
    await panel.locator('summary').click();
    await panel.getByLabel('Picture', { exact: true }).setInputFiles(await file());
    await panel.getByRole('button', { name: 'Insert picture' }).click();
    const alt = panel.getByLabel('What the picture shows');
    await expect.poll(() => alt.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Post in Plain words' }).click();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /What the picture shows/ })
      .waitFor();
  });

  it('are sent with the form without script', async () => {
    const { page } = await visitAs('learner', { javaScriptEnabled: false });
    await page.goto(`${ROOM}?write=post`);
    await page.locator('#post-body').fill('Sent without script');
    const panel = page.locator('#write details', { hasText: 'Add a picture' }).last();
    await panel.locator('summary').click();
    await panel.getByLabel('Picture', { exact: true }).setInputFiles(await file());
    await panel.getByLabel('What the picture shows').fill('A green field');
    await page.getByRole('button', { name: 'Post in Plain words' }).click();
    await page.getByText('Your post has been published.').waitFor();
    expect(await isShown(page.locator('main .prose img').first()).catch(() => 320)).toBe(320);
    expect(await page.locator('main .prose img').first().getAttribute('alt')).toBe('A green field');
  });
});
