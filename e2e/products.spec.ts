import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callApi, SAME_SITE } from './newcomer.ts';
import { visit, visitAs } from './visitor.ts';

// A microcourse that no other test opens; its scopes are restored at the end.
const PRODUCT = 'say-no-kindly';
const TITLE = /say no/i;
const WAS = { can_view: 'public', can_join: 'authenticated' };

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const rowOf = (page: Page) => page.getByRole('row', { name: TITLE });
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function openRow(page: Page): Promise<void> {
  await page.goto('/admin/products?locale=en');
  await page.getByLabel('Title, address or ID').fill('say-no');
  await page.getByLabel('Type').selectOption('Microcourse');
  await button(page, 'Show').click();
  await expect.poll(() => page.url()).toContain('q=say-no');
  await rowOf(page).waitFor();
}

describe('products and permissions', () => {
  it.each([true, false])(
    'are changed after a preview of how many people are affected, with JavaScript: %s',
    { timeout: 120_000 },
    async (script) => {
      const { page, context, faults } = await visitAs('admin', { javaScriptEnabled: script });
      const permissions = async () =>
        (await callApi(context, 'GET', `/api/admin/products/${PRODUCT}/permissions`)).permissions;
      await openRow(page);
      await rowOf(page)
        .getByLabel(/^Who can view/)
        .selectOption('Public servants');
      await rowOf(page)
        .getByLabel(/^Who can join/)
        .selectOption('By invitation');
      await button(page, /^Review the change/).click();
      await heading(page, 'What this would change');
      await page.getByText(/would no longer be visible without signing in/).waitFor();
      await page.getByText(/could no longer join/).waitFor();
      expect(await permissions()).toEqual(WAS);
      await button(page, 'Apply the change').click();
      await page.getByText(/^Changed: /).waitFor();
      expect(await permissions()).toEqual({ can_view: 'verified', can_join: 'private' });
      await expect.poll(() => page.url()).toContain('q=say-no');

      await rowOf(page)
        .getByLabel(/^Who can view/)
        .selectOption('Everyone');
      await rowOf(page)
        .getByLabel(/^Who can join/)
        .selectOption('Anyone signed in');
      await button(page, /^Review the change/).click();
      await page.getByText('This makes it public').waitFor();
      await button(page, 'Make it public').click();
      await page.getByText(/^Changed: /).waitFor();
      expect(await permissions()).toEqual(WAS);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('asks again for an invalid combination and changes nothing', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('admin');
    await openRow(page);
    await rowOf(page)
      .getByLabel(/^Who can view/)
      .selectOption('By invitation');
    await button(page, /^Review the change/).click();
    await page.getByText(/^Joining cannot be open to more people than viewing/).waitFor();
    await page.getByLabel('Who can join').selectOption('Only people with access through a cohort or invitation');
    await button(page, 'See what would change').click();
    await heading(page, 'What this would change');
    await page.getByRole('link', { name: 'Leave as is' }).click();
    await rowOf(page).waitFor();
    const { permissions } = await callApi(context, 'GET', `/api/admin/products/${PRODUCT}/permissions`);
    expect(permissions).toEqual(WAS);
    await context.close();
  });

  it.each(['en', 'de', 'es', 'id'])('show who can see and join without cutting a word, in %s', async (locale) => {
    const { page, context } = await visitAs('admin', { viewport: { width: 1280, height: 800 } });
    await page.goto(`/admin/products?locale=${locale}`);
    const cut = await page.locator('td select').evaluateAll((selects) => {
      const pen = document.createElement('canvas').getContext('2d')!; // 2d always exists
      return (selects as HTMLSelectElement[]).flatMap((select) => {
        const style = getComputedStyle(select);
        pen.font = style.font;
        const ARROW = 24;
        const room =
          select.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd) - ARROW;
        return [...select.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room);
      });
    });
    expect([...new Set(cut)]).toEqual([]);
    await context.close();
  });

  it('keep their order in the URL and export it', { timeout: 60_000 }, async () => {
    const { page, context } = await visitAs('admin');
    await page.goto('/admin/products?type=microcourse&locale=en');
    await page.getByRole('link', { name: 'Title' }).click();
    await expect.poll(() => page.url()).toContain('sort=-title');
    const csv = await context.request.get('/admin/products.csv?type=microcourse&sort=-title');
    expect(csv.headers()['content-type']).toContain('text/csv');
    const lines = (await csv.text()).trim().split('\r\n');
    expect(lines[0]).toContain('id,contentType,slug,title,can_view,can_join');
    expect(lines.slice(1).every((line) => line.includes(',microcourse,'))).toBe(true);
    await context.close();
  });

  it('are for administrators only', async () => {
    const learner = await visitAs('learner');
    expect((await learner.page.goto('/admin/products'))?.status()).toBe(403);
    expect((await learner.context.request.get('/admin/products.csv')).status()).toBe(403);
    await learner.context.close();
    const stranger = await visit();
    await stranger.page.goto('/admin/products');
    expect(new URL(stranger.page.url()).pathname).toBe('/login');
    await stranger.context.close();
  });

  it.each([true, false])(
    'change several at once after a preview, by keyboard, with JavaScript: %s',
    { timeout: 120_000 },
    async (script) => {
      const { page, context, faults } = await visitAs('admin', { javaScriptEnabled: script });
      const permissions = async () =>
        (await callApi(context, 'GET', `/api/admin/products/${PRODUCT}/permissions`)).permissions;
      await openRow(page);
      await button(page, 'See what would change').click();
      await page.getByText('Select at least one product.').waitFor();
      await rowOf(page).getByRole('checkbox').focus();
      await page.keyboard.press('Space');
      await page.getByLabel('Permission', { exact: true }).selectOption('Who can join');
      await page.getByLabel('New value').selectOption({ index: 3 });
      await button(page, 'See what would change').focus();
      await page.keyboard.press('Enter');
      await heading(page, 'Change several at once');
      await rowOf(page).getByText(/→/).waitFor();
      expect(await permissions()).toEqual(WAS);
      await button(page, 'Change 1 product').focus();
      await page.keyboard.press('Enter');
      await page.getByText('1 product has been changed.').waitFor();
      expect(await permissions()).toEqual({ ...WAS, can_join: 'private' });
      const path = `/api/admin/products/${PRODUCT}/access`;
      const restored = await context.request.put(path, { data: WAS, headers: SAME_SITE });
      expect(restored.status()).toBe(204);
      expect(faults).toEqual([]);
    },
  );
});
