import { describe, expect, it } from 'vitest';
import { axeFaults } from '../axe.ts';
import { createCohort, unique } from '../cohorts.ts';
import { isTooWide, visitAs } from '../visitor.ts';

describe('a cohort', () => {
  it('pages are accessible at 320 px in each language', { timeout: 180_000 }, async () => {
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 700 } });
    await createCohort(page, unique('Narrow school'));
    const place = new URL(page.url()).pathname;
    const bad: string[] = [];
    for (const path of ['', '/invitations', '/products', '/uploads', '/progress', '/details'])
      for (const locale of ['en', 'ar']) {
        await page.goto(`${place}${path}?locale=${locale}`);
        if (await isTooWide(page)) bad.push(`${path} ${locale} is too wide`);
        bad.push(...(await axeFaults(page)).map((fault) => `${path} ${locale} ${fault}`));
      }
    expect(bad).toEqual([]);
    await context.close();
  });
});

describe('writing a course on the screen', () => {
  it('is accessible at 320 px and right-to-left', { timeout: 180_000 }, async () => {
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 800 } });
    await page.goto('/admin/content?kind=journey');
    await page.getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Sections and lessons' }).waitFor();
    const path = new URL(page.url()).pathname;
    for (const address of [path, `${path}/publish`, `${path}/versions`, `${path}/preview`, '/admin/content'])
      for (const locale of ['en', 'ar']) {
        await page.goto(`${address}?locale=${locale}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect([address, locale, await axeFaults(page), await isTooWide(page)]).toEqual([address, locale, [], false]);
      }
    await context.close();
  });
});
