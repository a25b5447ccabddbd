import { afterEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { closeVisits, visitAs, type Visit } from './visitor.ts';

afterEach(closeVisits);

const SOON = { timeout: 10_000 };
const CITY = '/communities/city-makers';

/** The API accepts session cookies only from our own pages. */
const ownOrigin = async () => ({ origin: (await currentProduct()).url });

/** Posts in City makers and returns the id. */
async function post({ context }: Visit, title: string): Promise<string> {
  const answer = await context.request.post('/api/community/communities/city-makers/activities', {
    data: { title, body: `About ${title}`, locale: 'en' },
    headers: await ownOrigin(),
  });
  expect(answer.status()).toBe(201);
  return (await answer.json()).id;
}

describe('the feed', () => {
  it('announces new posts and links to them', async () => {
    const reader = await visitAs('learner');
    const { page, faults } = reader;
    const streamed = page.waitForRequest(/\/api\/notifications\/stream\?community=city-makers/);
    await page.goto(CITY);
    await streamed;
    const id = await post(await visitAs('moderator'), 'Just now');
    await page.getByRole('link', { name: 'Show 1 new post' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id), SOON).toBe(id);
    expect(new URL(page.url()).search).toBe('?order=new');
    await expect.poll(() => page.getByText('Pinned posts first, then the newest.').count()).toBe(1);
    expect(await page.getByRole('link', { name: /new post/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('grows in place and is restored on back navigation; without JavaScript it has pages', async () => {
    const writer = await visitAs('moderator');
    const written: string[] = [];
    for (let number = 0; number < 32; number += 1) written.push(await post(writer, `Number ${number}`));
    const { page, faults } = await visitAs('learner');
    await page.goto(`${CITY}?order=new`);
    const posts = page.locator('main article');
    await expect.poll(() => posts.count()).toBe(30);
    await page.getByRole('link', { name: 'More posts' }).click();
    await expect.poll(() => posts.count(), SOON).toBeGreaterThan(40);
    const first = await posts.nth(30).getAttribute('id');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id), SOON).toBe(first);
    expect(page.url()).toContain('offset=30');
    const all = await posts.count();
    await posts.nth(35).locator('h3 a').click();
    await page.waitForURL(/\/activities\//);
    await page.goBack();
    await expect.poll(() => posts.count(), SOON).toBe(all);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000);
    expect(faults).toEqual([]);

    const plain = await visitAs('learner', { javaScriptEnabled: false });
    await plain.page.goto(`${CITY}?order=new`);
    await plain.page.getByRole('link', { name: 'More posts' }).click();
    await plain.page.waitForURL(/offset=30/);
    expect(await plain.page.locator('main article').first().getAttribute('id')).toBe(first);
    await plain.page.getByRole('link', { name: 'Previous page' }).click();
    await plain.page.waitForURL(`**${CITY}?order=new`);
    await expect.poll(() => plain.page.locator('main article').count()).toBe(30);
    for (const id of written)
      await writer.context.request.delete(`/api/community/communities/city-makers/activities/${id}`, {
        headers: await ownOrigin(),
      });
  });
});

describe('communities', () => {
  it('are found by words and kind, with and without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visitAs('learner', { javaScriptEnabled });
      await page.goto('/communities');
      await page.getByRole('searchbox', { name: 'Find a community' }).fill('plain words');
      await page.getByRole('search', { name: 'Find a community' }).getByRole('button').click();
      await page.getByRole('heading', { level: 2, name: '1 community' }).waitFor();
      expect(new URL(page.url()).search).toBe('?q=plain+words');
      await page.getByRole('navigation', { name: 'Show' }).getByRole('link', { name: 'Closed' }).click();
      await page.getByText('No communities match').waitFor();
      expect(new URL(page.url()).search).toBe('?q=plain+words&show=closed');
      await page.getByRole('link', { name: 'Show all communities' }).click();
      await page.getByRole('heading', { name: 'Yours' }).waitFor();
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    }
  });
});
