import { expect, it } from 'vitest';
import { inspect } from './axe.ts';
import { callApi } from './newcomer.ts';
import { isTooWide, visit, visitAs } from './visitor.ts';

const NOTICE = 'Maintenance on Friday';

it.each([true, false])('is linked from the footer of every page, with JavaScript: %s', async (javaScriptEnabled) => {
  const { page, faults } = await visit({ javaScriptEnabled });
  await page.goto('/no-such-page');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Site status', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Site status' }).waitFor();
  await page.getByRole('link', { name: 'Open the site' }).click();
  await page.getByRole('heading', { level: 1, name: /public service/ }).waitFor();
  expect(faults).toEqual([]);
});

it.each([
  ['en', 'light'],
  ['en', 'dark'],
  ['ar', 'light'],
  ['ar', 'dark'],
] as const)('is accessible in %s and %s, at 320 pixels', async (locale, colorScheme) => {
  await announce();
  const { page, faults } = await visit({ locale, colorScheme, viewport: { width: 320, height: 640 } });
  await page.goto('/status');
  expect(await page.getAttribute('html', 'lang')).toBe(locale);
  await page.getByText(NOTICE).first().waitFor();
  expect((await inspect(page)).faults).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  expect(faults).toEqual([]);
});

it('has the fonts of the product, and those of languages that a system may lack', async () => {
  const { page, faults } = await visit();
  const families = async (locale: string) => {
    await page.goto(`/status?locale=${locale}`);
    return await page.evaluate(async () => {
      await document.fonts.ready;
      return [...new Set(Array.from(document.fonts, ({ family }) => family.replaceAll('"', '')))];
    });
  };
  const own = await families('en');
  expect(own).toEqual(expect.arrayContaining(['Public Sans Variable', 'Noto Sans Arabic Variable', 'Language Names']));
  expect(await page.evaluate(() => document.fonts.check('16px "Public Sans Variable"'))).toBe(true);
  expect((await families('ja')).filter((family) => !own.includes(family))).toEqual(['Noto Sans JP Variable']);
  expect((await families('ko')).filter((family) => !own.includes(family))).toEqual(['Noto Sans KR Variable']);
  expect(faults).toEqual([]);
});

/** Puts up a notice for everybody. */
async function announce(): Promise<void> {
  const { context } = await visitAs('admin');
  const startsAt = new Date(Date.now() - 60_000).toISOString();
  const data = { level: 'warning', audience: 'everyone', texts: { en: NOTICE }, startsAt };
  await callApi(context, 'POST', '/api/admin/site/notices', data);
}
