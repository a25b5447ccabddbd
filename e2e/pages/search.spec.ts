import { expect, it } from 'vitest';
import { visit, visitAs } from '../visitor.ts';

it('finds by a key, shows groups, narrows to one and goes through its pages', async () => {
  const { page, context, faults } = await visitAs('learner');
  await page.goto('/communities');
  await page.keyboard.press('/');
  await page.keyboard.type('people');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Results for “people”' }).waitFor();
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toContain('Posts and replies');
  await expect.poll(() => page.locator('main mark').count()).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'More: Posts and replies' }).click();
  await page.waitForURL('**/search?q=people&group=posts');
  await page.getByRole('link', { name: 'Next page' }).waitFor();
  const first = page.locator('main article').first();
  const before = await first.innerText();
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL(/page=2/);
  await page.getByRole('link', { name: 'Previous page' }).waitFor();
  expect(await first.innerText()).not.toBe(before);
  await first.getByRole('heading').getByRole('link').click();
  await page.waitForURL(/\/communities\/.+\/activities\//);
  expect(faults).toEqual([]);
  await context.close();
});

it('says what to try when a search is too short, almost right, or finds nothing', async () => {
  const { page, context } = await visit({ javaScriptEnabled: false });
  await page.goto('/search');
  const field = page.getByRole('searchbox', { name: 'What are you looking for?' }).last();
  await field.fill('a');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('Enter at least two letters.').waitFor();
  await field.fill('langauge publc servce');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('No exact matches.').waitFor();
  await page.goto('/search?q=qqzxqqzx%20letters&group=articles');
  await page.getByText('Nothing found for “qqzxqqzx letters”').waitFor();
  await page.getByRole('link', { name: 'Search only for “letters”' }).click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await page.goto('/search?q=qqzx&group=articles');
  await page.getByRole('link', { name: 'Search everything' }).waitFor();
  expect(await page.getByRole('link', { name: 'Sign in and search again' }).getAttribute('href')).toBe(
    '/login?next=%2Fsearch%3Fq%3Dqqzx%26group%3Darticles',
  );
  await context.close();
});

it('is reached from the bar of a phone, by key as well', async () => {
  const { page, context } = await visitAs('learner', { viewport: { width: 320, height: 700 } });
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search-q');
  await page.goto('/articles');
  await page.keyboard.press('/');
  await page.waitForURL('**/search');
  await context.close();
});
