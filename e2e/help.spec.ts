import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { visit, visitAs } from './visitor.ts';

describe.each([true, false])('the help, with JavaScript: %s', (javaScriptEnabled) => {
  it('leads from the footer to a guide, its pictures and a screen', async () => {
    const { page, faults } = await visit({ javaScriptEnabled });
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
    await page.getByRole('link', { name: 'Get your certificate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Learning' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#get-your-certificate');
    expect(await page.title()).toMatch(/^Learning · /);
    await page.getByText('For Officium 0.1.0').waitFor();
    const picture = page.getByAltText('A certificate that anyone can verify');
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300);
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('article').getByRole('link', { name: '/courses' }).click();
    await page.waitForURL('**/courses');
    expect(faults).toEqual([]);
  });

  it('is searched, and says so when nothing is found', async () => {
    const { page } = await visit({ javaScriptEnabled });
    await page.goto('/help');
    await page.getByRole('main').getByRole('searchbox', { name: 'Search the help' }).fill('slow mode');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Moderating: Keep the pace calm' }).click();
    await page.getByRole('heading', { level: 1, name: 'Moderating' }).waitFor();
    await page.goto('/help?q=zzzz');
    await page.getByText('Nothing found.').waitFor();
  });
});

it('tells readers of other languages that the guides are in English', async () => {
  const { page } = await visit({ locale: 'ar' });
  await page.goto('/help/learner');
  await page.getByText('الأدلة متاحة باللغة الإنجليزية.').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).getAttribute('lang')).toBe('en');
  expect((await page.goto('/help/nonsense'))?.status()).toBe(404);
});

it('leads from the administration to the guide of its subject', async () => {
  const { page } = await visitAs('admin');
  for (const [path, guide] of [
    ['/admin', 'administrator'],
    ['/admin/content', 'author'],
    ['/admin/moderation', 'moderator'],
    ['/admin/operations/jobs', 'operator'],
  ] as const) {
    await page.goto(path);
    const link = page.getByRole('main').getByRole('link', { name: 'Help', exact: true });
    expect([path, await link.getAttribute('href')]).toEqual([path, `/help/${guide}`]);
  }
  await page.goto('/');
  await page.locator('header summary', { hasText: 'Your account' }).first().click();
  await page.getByRole('banner').getByRole('link', { name: 'Help', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
});
