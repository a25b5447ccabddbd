import { describe, expect, it } from 'vitest';
import { axeFaults } from '../axe.ts';
import { visitAsNewcomer } from '../newcomer.ts';
import { isTooWide, visitAs } from '../visitor.ts';

describe('auto-approval', () => {
  it('has no axe violations and fits 320 px', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 700 } });
    for (const path of ['/admin/approval', '/admin/approval/test'])
      for (const locale of ['en', 'ar']) {
        await page.goto(`${path}?locale=${locale}`);
        await page.locator('h1').waitFor();
        expect([path, await axeFaults(page), await isTooWide(page)]).toEqual([path, [], false]);
      }
    await context.close();
  });
});

describe('products and permissions', () => {
  it.each(['en', 'ar'])('have no axe violations and fit 320 px: %s', { timeout: 120_000 }, async (locale) => {
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 700 } });
    for (const path of ['/admin/products', '/admin/products/say-no-kindly?can_view=private&can_join=private']) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}locale=${locale}`);
      await page.locator('h1').waitFor();
      expect([path, await axeFaults(page), await isTooWide(page)]).toEqual([path, [], false]);
    }
    await context.close();
  });
});

describe('operations', () => {
  it('is accessible in a narrow window', async () => {
    await visitAsNewcomer('Noor Visser'); // creates a sent mail
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 800 } });
    for (const path of ['', '/jobs', '/mails?status=sent', '/webhooks']) {
      await page.goto(`/admin/operations${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await isTooWide(page), await axeFaults(page)]).toEqual([path, false, []]);
    }
    await context.close();
  });
});
