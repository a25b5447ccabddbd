import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { BODY, field, write } from './articles.ts';
import { axeFaults } from './axe.ts';
import { inMarkdown } from './in-markdown.ts';
import { visit, visitAs } from './visitor.ts';

const drafts = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')));

describe('writing an article', () => {
  it('keeps a draft, shows a preview, publishes and edits', { timeout: 120_000 }, async () => {
    const { page, context, faults } = await visitAs('learner');
    await inMarkdown(context);
    await page.goto('/articles');
    await page.getByRole('link', { name: 'Write an article' }).click();
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
    await write(page, 'Short');
    await page.getByText('5 of 65').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    const summary = page.getByRole('alert');
    await summary.getByRole('link', { name: /^Title: Enter at least 10 characters/ }).click();
    await expect.poll(() => field(page, 'Title').evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field(page, 'Title').getAttribute('aria-invalid')).toBe('true');
    expect(await field(page, 'Text').inputValue()).toBe(BODY);

    await write(page, 'A letter that people read');
    await page.getByRole('checkbox', { name: 'Climate' }).check();
    await page.getByText('Draft saved on this device').waitFor();
    await expect.poll(() => drafts(page)).toHaveLength(1);

    // Leaving asks for confirmation; "Stay" keeps the page.
    await page.getByRole('link', { name: 'Learn', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();

    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/articles/new');
    await page.getByText('Your draft from').waitFor();
    expect(await field(page, 'Title').inputValue()).toBe('A letter that people read');
    expect(await page.getByRole('checkbox', { name: 'Climate' }).isChecked()).toBe(true);

    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'A letter that people read' }).waitFor();
    await expect.poll(() => preview.getByRole('heading', { name: 'What changed' }).count()).toBe(1);
    expect(await preview.locator('strong').textContent()).toBe('three');

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Your article has been published.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'A letter that people read' }).waitFor();
    expect(await drafts(page)).toEqual([]);

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit your article' }).waitFor();
    expect(await field(page, 'Text').inputValue()).toBe(BODY);
    expect(await page.getByRole('checkbox', { name: 'Climate' }).isChecked()).toBe(true);
    await field(page, 'Subtitle').fill('Said in other words');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Said in other words').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('discards drafts on sign-out', async () => {
    const { page } = await visitAs('learner');
    await page.goto('/articles/new');
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
    await field(page, 'Title').fill('Not for the next person here');
    await expect.poll(() => drafts(page)).toHaveLength(1);
    page.on('dialog', (dialog) => void dialog.accept());
    await page
      .locator('header summary', { hasText: 'Your account' })
      .or(page.getByLabel('Your account'))
      .first()
      .click();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByText('You are signed out.').waitFor();
    expect(await drafts(page)).toEqual([]);
  });

  it('works without JavaScript', async () => {
    const { page } = await visitAs('learner', { javaScriptEnabled: false });
    await page.goto('/articles/new');
    expect(await page.getByRole('toolbar').count()).toBe(0);
    await write(page, 'Written on an old machine');
    await page.getByRole('checkbox', { name: 'Education' }).check();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'What changed' }).waitFor();
    expect(await field(page, 'Text').inputValue()).toBe(BODY);
    expect(await page.getByRole('checkbox', { name: 'Education' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Written on an old machine' }).waitFor();
  });
});

describe('sharing an article', () => {
  it('reports the outcome for each community and can retry', async () => {
    const { page, context } = await visitAs('moderator');
    const { articles } = await (await context.request.get('/api/content/articles')).json();
    await page.goto(`/articles/${encodeURIComponent(articles[0].slug)}/share`);
    await field(page, 'Your message').fill('Worth your ten minutes');
    const boxes = page.getByRole('group', { name: 'Communities' }).getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBeGreaterThan(1);
    await page.getByRole('checkbox', { name: 'Plain words' }).check();
    // Simulates a form that was open while two communities closed.
    await page.locator('main form').evaluate((form) => {
      for (const slug of ['closed-since', 'gone-since']) {
        const input = Object.assign(document.createElement('input'), {
          type: 'hidden',
          name: `to-${slug}`,
          value: 'on',
        });
        form.append(input);
      }
    });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('heading', { name: 'It could not be shared with 2 communities' }).waitFor();
    await expect.poll(() => page.getByText('There is no such community, or it is closed to you.').count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Shared in').waitFor({ state: 'detached' });
    const card = page.locator(`a[href="/articles/${encodeURIComponent(articles[0].slug)}"]`);
    await page.goto('/communities/plain-words?ranking=recent_with_pin');
    const post = page.getByRole('article').filter({ hasText: 'Worth your ten minutes' });
    expect(await post.locator(card).innerText()).toContain(articles[0].title);
    await post.getByRole('link', { name: 'Worth your ten minutes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Worth your ten minutes' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await card.click();
    await page.getByRole('heading', { level: 1, name: articles[0].title }).waitFor();
  });

  it('requires a message and one to three communities', async () => {
    const { page, context } = await visitAs('moderator', { javaScriptEnabled: false });
    const { articles } = await (await context.request.get('/api/content/articles')).json();
    await page.goto(`/articles/${encodeURIComponent(articles[0].slug)}/share`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByText('Choose one to 3 communities.').waitFor();
    await expect.poll(() => page.getByRole('alert').getByRole('link').count()).toBe(2);
  });
});

describe('link previews of public pages', () => {
  it('have a title, a URL and a picture for each page and language', { timeout: 120_000 }, async () => {
    const { page, context } = await visit({ javaScriptEnabled: false });
    const get = async (path: string) => await (await context.request.get(path)).json();
    const { articles } = await get('/api/content/articles');
    const { results } = await get('/api/community/communities/plain-words/activities?limit=5');
    const paths = [
      '/',
      '/courses',
      '/academies/digital-government',
      '/microcourses/en/write-alt-text',
      '/courses/plain-language',
      '/courses/plain-language/write-to-be-understood/who-is-reading',
      '/communities',
      '/communities/plain-words',
      `/communities/plain-words/activities/${results[0].id}`,
      '/articles',
      `/articles/${articles[0].slug}`,
    ];
    const seen = { title: new Set<string>(), picture: new Set<string>() };
    for (const path of paths) {
      await page.goto(`${path}?locale=ja&utm_source=mail`);
      const attribute = async (selector: string, name: string) =>
        (await page.locator(selector).getAttribute(name)) ?? '';
      expect(new URL(await attribute('link[rel=canonical]', 'href')).search, path).toBe('?locale=ja');
      expect(await page.locator('link[rel=alternate][hreflang]').count(), path).toBe(17);
      expect(new URL(await attribute('link[hreflang=x-default]', 'href')).search, path).toBe('');
      for (const fact of await page.locator('script[type="application/ld+json"]').allTextContents())
        expect(JSON.parse(fact)['@type']).toBeTruthy();
      seen.title.add(await page.title());
      const picture = await attribute('meta[property="og:image"]', 'content');
      seen.picture.add(picture);
      const reply = await context.request.get(picture, { maxRedirects: 0 });
      expect([path, reply.status(), reply.headers()['content-type']]).toEqual([path, 200, 'image/png']);
      const png = await reply.body();
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    }
    expect([seen.title.size, seen.picture.size]).toEqual([paths.length, paths.length]);
    await page.goto('/communities/plain-words');
    const feed = await page.locator('link[type="application/atom+xml"]').getAttribute('href');
    expect((await context.request.get(feed ?? '')).headers()['content-type']).toContain('application/atom+xml');
  });
});
