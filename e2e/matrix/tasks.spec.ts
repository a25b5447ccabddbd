import { beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from '../axe.ts';
import { findScreens } from '../people.ts';
import { isTooWide, visitAs } from '../visitor.ts';

/** The learner's own analysis. */
let analysis: string;
beforeAll(async () => {
  analysis = (await findScreens()).analysis;
});

describe('the job analysis', () => {
  it.each([
    ['light', 'en'],
    ['dark', 'ar'],
  ] as const)('has no axe violations: %s, %s', { timeout: 120_000 }, async (colorScheme, locale) => {
    const { page, context, faults } = await visitAs('learner', { colorScheme });
    const bad: string[] = [];
    for (const path of [`/tasks?locale=${locale}`, `${analysis}?view=table&locale=${locale}`]) {
      await page.goto(path);
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    }
    expect([...bad, ...faults]).toEqual([]);
    await context.close();
  });

  it('does not scroll sideways at 320 px', async () => {
    const { page, context } = await visitAs('learner', { viewport: { width: 320, height: 700 } });
    const wide: string[] = [];
    for (const locale of ['en', 'ar', 'de', 'pl', 'ja'])
      for (const path of ['/tasks', analysis]) {
        await page.goto(`${path}?view=table&locale=${locale}`);
        if (await isTooWide(page)) wide.push(`${path} ${locale}`);
      }
    expect(wide).toEqual([]);
    await context.close();
  });
});
