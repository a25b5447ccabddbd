import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inMarkdown } from './in-markdown.ts';
import { visit, visitAs } from './visitor.ts';

const box = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const saved = async (page: Page) => await page.getByText('Saved', { exact: false }).first().waitFor();
const picture = async () => ({
  name: 'square.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 80, height: 60, channels: 3, background: '#0b6e6e' } })
    .png()
    .toBuffer(),
});

async function begin(page: Page, title: string) {
  await box(page, 'Title').fill(title);
  await button(page, 'Create').click();
  await heading(page, title).waitFor();
}

async function publish(page: Page) {
  await button(page, 'Save and publish…').click();
  await button(page, /^Publish$/).click();
  await page
    .getByText(/^Published\.|pieces published\.$/)
    .first()
    .waitFor();
}

const TITLE = 'Writing for screens';
const BASE = '/courses/writing-for-screens/first-steps';

describe('writing a course on the screen', () => {
  it('creates, publishes, changes, withdraws and restores it', { timeout: 300_000 }, async () => {
    const { page, faults } = await visitAs('admin', { javaScriptEnabled: false });
    await page.goto('/admin/content');
    await page.getByRole('link', { name: 'New course' }).click();
    await begin(page, TITLE);
    await button(page, 'Deutsch missing').click();
    await box(page, /^Title · Deutsch/).fill('Schreiben für Bildschirme');
    await page.getByLabel('In the catalogue').selectOption('Public');
    await button(page, 'Save draft').first().click();
    await expect.poll(async () => await box(page, /^Title · Deutsch/).inputValue()).toBe('Schreiben für Bildschirme');

    await page.getByRole('link', { name: 'New journey' }).click();
    await begin(page, 'First steps');
    await page.getByLabel('Who can find and join it').selectOption('open-public');
    await box(page, 'Heading of a new section').fill('Start');
    await button(page, 'Add section').click();
    for (const lesson of ['Short words', 'Clear pictures']) {
      await button(page, /^New lesson/)
        .first()
        .click();
      await begin(page, lesson);
      await box(page, /^Text · English/).fill(`We write *${lesson}*.`);
      await button(page, 'Save draft').first().click();
      await page.getByRole('navigation', { name: 'Location' }).getByRole('link', { name: 'First steps' }).click();
      await heading(page, 'First steps').waitFor();
    }
    await button(page, 'Move up: Clear pictures').click();
    const order = page.locator('#outline').getByRole('listitem').getByRole('link');
    await expect.poll(async () => await order.allTextContents()).toEqual(['Clear pictures', 'Short words']);
    await button(page, 'Save draft').first().click();
    await page.getByText('Saved.').first().waitFor();
    expect(await order.allTextContents()).toEqual(['Clear pictures', 'Short words']);

    await page.getByRole('link', { name: 'Clear pictures' }).click();
    await heading(page, 'Clear pictures').waitFor();
    await page.getByText('Add a picture to the text').click();
    await page.locator('input[name=picture_file]').setInputFiles(await picture());
    await box(page, 'What the picture shows').fill('A green square');
    await button(page, 'Save and add this picture at the end').click();
    await expect
      .poll(async () => await box(page, /^Text · English/).inputValue())
      .toContain('![A green square](/images/');
    await page.getByRole('link', { name: 'Preview', exact: true }).click();
    await page.getByRole('img', { name: 'A green square' }).waitFor();

    await page.getByRole('navigation', { name: 'Location' }).getByRole('link', { name: TITLE }).click();
    await heading(page, TITLE).waitFor();
    await publish(page);
    const session = page.context().request;
    for (const permission of ['can_view', 'can_join']) {
      const scope = permission === 'can_view' ? 'public' : 'authenticated';
      const set = await session.put('/api/admin/products/writing-for-screens/permissions', {
        data: { permission, scope },
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect([permission, set.status() < 300]).toEqual([permission, true]);
    }

    const learner = await visitAs('learner');
    await learner.page.goto('/courses/writing-for-screens');
    await learner.page
      .getByRole('button', { name: /join|start|enrol/i })
      .first()
      .click();
    await learner.page.waitForURL(`**${BASE}/*`);
    await learner.page.goto(`${BASE}/clear-pictures`);
    await learner.page.getByRole('button', { name: 'Complete and continue' }).click();
    await heading(learner.page, 'Short words').waitFor();
    await learner.page.getByRole('button', { name: 'Complete this lesson' }).click();
    await expect.poll(async () => await button(learner.page, 'Complete this lesson').count()).toBe(0);

    // Drafts are for administrators; the learner still reads the published text.
    await page.goto('/admin/content?q=short-words&kind=lesson');
    await page.getByRole('link', { name: 'Short words' }).click();
    await box(page, /^Text · English/).fill('We write *shorter words*.');
    await button(page, 'Save draft').first().click();
    await page.getByText('Changed since published').waitFor();
    await learner.page.goto(`${BASE}/short-words`);
    await learner.page.getByText('We write Short words.').waitFor();

    // Another administrator edits the same piece.
    const other = await visitAs('admin');
    await inMarkdown(other.context);
    await other.page.goto(page.url());
    await box(other.page, /^Text · English/).fill('Other words.');
    await button(other.page, 'Save draft').first().click();
    await saved(other.page);
    await box(page, /^Text · English/).fill('My words.');
    await button(page, 'Save draft').first().click();
    await page.getByRole('heading', { name: 'Someone else saved changes while you were editing' }).waitFor();
    await page.getByText('Other words.').waitFor();
    expect(await box(page, /^Text · English/).inputValue()).toBe('My words.');
    await publish(page);
    await learner.page.goto(`${BASE}/short-words`);
    await learner.page.getByText('My words.').waitFor();

    await page.getByText('Withdraw', { exact: true }).click();
    await button(page, 'Withdraw now').click();
    await page.getByText('Withdrawn. Publish it to show it again.').first().waitFor();
    expect((await learner.page.goto(`${BASE}/short-words`))?.status()).toBe(404);

    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('button', { name: /^Restore as draft ?: 1$/ }).click();
    await expect.poll(async () => await box(page, /^Text · English/).inputValue()).toContain('We write *Short words*.');
    await publish(page);
    await learner.page.goto(`${BASE}/short-words`);
    await learner.page.getByText('We write Short words.').waitFor();

    // Cleans up: the demo catalogue no longer shows the course.
    await page.goto('/admin/content/course/writing-for-screens/publish');
    await page.getByText('Withdraw', { exact: true }).click();
    await button(page, 'Withdraw now').click();
    await page.getByText('Withdrawn. Publish it to show it again.').first().waitFor();
    expect([faults, learner.faults, other.faults]).toEqual([[], [], []]);
  });

  it('is for administrators only', async () => {
    const { page } = await visitAs('moderator');
    for (const path of ['/admin/content', '/admin/content.csv', '/admin/content/new?kind=course'])
      expect((await page.goto(path))?.status()).toBe(403);
    const visitor = await visit();
    await visitor.page.goto('/admin/content');
    await visitor.page
      .getByRole('button', { name: /sign in/i })
      .first()
      .waitFor();
  });
});
