import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from '../axe.ts';
import { visitAsNewcomer } from '../newcomer.ts';
import { isTooWide, visitAs } from '../visitor.ts';

const SETTINGS = ['', '/account', '/delete', '/notifications', '/privacy', '/sessions'].map(
  (path) => `/me/settings${path}`,
);

describe('the settings', () => {
  it.each([
    ['light', 'en', ['/me/settings/account', '/me/settings/notifications', '/me/settings/sessions']],
    ['dark', 'ar', ['/me/settings', '/me/settings/delete', '/me/settings/privacy']],
  ] as const)('have no axe violations: %s, %s', { timeout: 120_000 }, async (colorScheme, locale, paths) => {
    const person = await visitAsNewcomer('Ines Duarte', { colorScheme });
    const { page, faults } = person;
    const bad: string[] = [];
    for (const path of paths) {
      await page.goto(`${path}?locale=${locale}`);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    }
    expect(bad).toEqual([]);
    expect(faults).toEqual([]);
    await person.context.close();
  });

  it('do not scroll sideways at 320 px, nor does the table', async () => {
    const person = await visitAsNewcomer('Ines Duarte', { viewport: { width: 320, height: 700 } });
    const wide: string[] = [];
    for (const locale of ['en', 'ar', 'de'])
      for (const path of SETTINGS) {
        await person.page.goto(`${path}?locale=${locale}`);
        if (await isTooWide(person.page)) wide.push(`${path} ${locale}`);
      }
    expect(wide).toEqual([]);
    await person.context.close();
  });
});

describe('pages about people', () => {
  let profile: string;
  /** A person with a picture. */
  beforeAll(async () => {
    const { page, context, id } = await visitAsNewcomer('Piet Maas', { javaScriptEnabled: false });
    await page.goto('/me/settings/picture');
    const picture = fileURLToPath(new URL('../../web/public/social.png', import.meta.url));
    await page.getByLabel('Choose a picture').setInputFiles(picture);
    await page.getByRole('button', { name: 'Upload the picture' }).click();
    await page.getByText('Your picture has been changed.').first().waitFor();
    profile = `/people/${id}`;
    await context.close();
  });

  it.each([
    ['en', 'light', 1280],
    ['ar', 'dark', 320],
  ] as const)('have no axe violations and do not overflow: %s, %s, %i px', async (locale, colorScheme, width) => {
    const { page, context, faults } = await visitAs('learner', { colorScheme, viewport: { width, height: 800 } });
    const bad: string[] = [];
    for (const path of ['/people/me', profile, '/me/connections?tab=accepted', '/me/settings/picture']) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}locale=${locale}`);
      if (await isTooWide(page)) bad.push(`${path} is too wide`);
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    }
    expect(bad).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
