import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inMarkdown } from './in-markdown.ts';
import { visitAs } from './visitor.ts';

const DEMO = new URL('../demo/media/', import.meta.url);
const sample = async (name: string, mimeType: string) => ({
  name,
  mimeType,
  buffer: await readFile(new URL(name, DEMO)),
});
const LESSON = '/courses/plain-language/write-to-be-understood/one-idea-per-sentence';

/** Opens the editor of a demo lesson and returns its text field. */
async function edit(page: Page, slug: string) {
  await page.goto(`/admin/content?q=${slug}&kind=lesson`);
  await page
    .locator('main')
    .getByRole('link')
    .filter({ hasText: /\S/ })
    .and(page.locator('[href*="/lesson/"]'))
    .first()
    .click();
  await page.getByText('Add a recording or file').click();
  return page.getByRole('textbox', { name: /^Text · English/ });
}

async function publish(page: Page) {
  await page.getByRole('button', { name: 'Save and publish…' }).click();
  await page.getByRole('button', { name: /^Publish$/ }).click();
  await page
    .getByText(/^Published\./)
    .first()
    .waitFor();
}

/** Drops a file into a text field, as a browser does. */
async function drop(page: Page, field: ReturnType<Page['locator']>, name: string, bytes: Buffer) {
  const data = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], name, { type: 'application/pdf' }));
      return transfer;
    },
    [name, bytes.toString('base64')] as const,
  );
  await field.dispatchEvent('drop', { dataTransfer: data });
}

const state = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    ready: video.readyState,
    time: video.currentTime,
    captions: [...video.textTracks]
      .filter(({ mode }) => mode === 'showing')
      .map(({ language, cues }) => [language, cues?.length]),
  }));

describe('media in lessons', () => {
  it('are uploaded in the editor, published, played and downloaded', { timeout: 180_000 }, async () => {
    const { page, context, faults } = await visitAs('admin');
    await inMarkdown(context);
    const text = await edit(page, 'say-who-does-what');
    await text.click();
    await text.press('Control+Home');
    await page.locator('#media_file').setInputFiles(await sample('one-idea.webm', 'video/webm'));
    await page.locator('#media_words').setInputFiles(await sample('one-idea.en.vtt', 'text/vtt'));
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A film');
    await page.getByRole('button', { name: 'Upload and add to the text' }).click();
    await page.getByText('one-idea.webm is in the text now.').waitFor();
    expect(await text.inputValue()).toMatch(
      /^::video\[A film\]\{src=media\/one-idea-[0-9a-f]{8}\.webm captions-en=media\/one-idea-en-[0-9a-f]{8}\.vtt\}\n\n/,
    );

    await text.press('Control+End');
    await drop(page, text, 'form.pdf', (await sample('sentences.en.pdf', '')).buffer);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A form');
    await page.getByRole('button', { name: 'Upload and add to the text' }).click();
    await page.getByText('form.pdf is in the text now.').waitFor();
    expect(await text.inputValue()).toMatch(/\n\n::file\[A form\]\{src=media\/form-[0-9a-f]{8}\.pdf\}\n+$/);

    // A page under the name of a document is refused by its content.
    const trap = { name: 'trap.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<script>alert(1)</script>') };
    await page.locator('#media_file').setInputFiles(trap);
    await page.getByRole('button', { name: 'Upload and add to the text' }).click();
    await page.getByRole('alert').getByText('This type of file is not accepted.').waitFor();
    await publish(page);
    expect(faults).toEqual([]);

    const learner = await visitAs('learner');
    await learner.page.goto(LESSON.replace('one-idea-per-sentence', 'say-who-does-what'));
    const video = learner.page.locator('video');
    await expect.poll(async () => (await state(learner.page)).ready, { timeout: 15_000 }).toBeGreaterThan(0);
    await video.focus();
    await learner.page.keyboard.press('Space');
    await expect.poll(async () => (await state(learner.page)).time, { timeout: 15_000 }).toBeGreaterThan(0.3);
    expect((await state(learner.page)).captions).toEqual([['en', 3]]);
    await learner.page.getByText('Transcript', { exact: true }).click();
    await learner.page.getByText('Find the joints, and cut there.').waitFor();
    const link = learner.page.getByRole('link', { name: 'A form' });
    const [download] = await Promise.all([learner.page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^form-[0-9a-f]{8}\.pdf$/);
    expect(learner.faults).toEqual([]);
  });

  it('are added and removed without script', { timeout: 120_000 }, async () => {
    const { page, faults } = await visitAs('admin', { javaScriptEnabled: false });
    const text = await edit(page, 'everyday-words');
    await page.locator('#media_file').setInputFiles(await sample('sentences.en.pdf', 'application/pdf'));
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A form');
    await page.getByRole('button', { name: 'Upload and add to the text' }).click();
    await expect.poll(async () => await text.inputValue()).toContain('::file[A form]{src=media/sentences-en-');
    const remove = page.getByRole('button', { name: /^Remove: sentences-en-/ });
    await remove.click();
    await page.getByText('Take it out of the text first.').first().waitFor();
    await text.fill((await text.inputValue()).replace(/::file.*\n?/, ''));
    await remove.click();
    await expect.poll(async () => await remove.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('fit a narrow page in Arabic, and can be read and played without script', { timeout: 90_000 }, async () => {
    const narrow = { viewport: { width: 320, height: 640 }, javaScriptEnabled: false, locale: 'ar' };
    const { page, faults } = await visitAs('learner', narrow);
    await page.goto(`${LESSON}?lang=ar&locale=ar`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await page.locator('video[controls] track[default]').getAttribute('srclang')).toBe('ar');
    await page.getByText('نص التسجيل', { exact: true }).click();
    await page.getByText('ابحث عن المفاصل واقطع عندها.').waitFor();
    expect(faults).toEqual([]);
  });
});
