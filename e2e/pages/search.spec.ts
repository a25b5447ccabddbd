import { expect, it } from 'vitest';
import { visit, visitAs } from '../visitor.ts';

it('searches by keyboard, shows groups, narrows to one and pages through it', async () => {
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

it('suggests what to do when a search is too short, misspelt or without results', async () => {
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

it('is reached from the navigation bar of a phone, also by keyboard', async () => {
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

it('narrows a search by filters in the address, without JavaScript, and removes each of them', async () => {
  const { page, context } = await visit({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
  await page.goto('/search?q=people&group=posts');
  await page.getByText('Filters', { exact: true }).click();
  const results = () => page.locator('main article').count();
  const all = await results();
  expect(all).toBeGreaterThan(0);
  const community = page.getByRole('combobox', { name: 'Community' });
  const [, first = ''] = await community
    .locator('option')
    .evaluateAll((found) => found.map((one) => (one as HTMLOptionElement).value));
  await community.selectOption(first);
  await page.getByRole('combobox', { name: 'Time' }).selectOption('year');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('en');
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForURL(/community=/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    q: 'people',
    group: 'posts',
    community: first,
    within: 'year',
    language: 'en',
  });
  expect(await results()).toBeLessThanOrEqual(all);
  const active = page.getByRole('navigation', { name: 'Active filters' });
  expect(await active.getByRole('listitem').count()).toBe(4);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await active.getByRole('link', { name: 'Remove filter: Time: Last 12 months' }).click();
  await page.waitForURL((url) => !url.searchParams.has('within'));
  expect(await active.getByRole('listitem').count()).toBe(3);
  await active.getByRole('link', { name: 'Remove all filters' }).click();
  await page.waitForURL('**/search?q=people&group=posts');
  expect(await results()).toBe(all);
  await page.goto('/search?q=people&community=no-such-community');
  await page.getByText('Nothing found for “people”').waitFor();
  await page.getByRole('link', { name: 'Remove all filters' }).click();
  await page.waitForURL('**/search?q=people');
  await context.close();
});
