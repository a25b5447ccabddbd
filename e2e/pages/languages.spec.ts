import type { RouteConfigEntry } from '@react-router/dev/routes';
import { LOCALES } from '@officium/i18n/locales';
import { beforeAll, describe, expect, it } from 'vitest';
import routes from '../../web/app/routes.ts';
import { findScreens } from '../people.ts';
import { SCREENS, type Found } from '../screens.ts';
import { visit } from '../visitor.ts';
import { walk } from './walk.ts';

let found: Found;
beforeAll(async () => {
  found = await findScreens();
});

/** The full paths of the pages in routes.ts. */
function pagesOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = [above, entry.path].filter(Boolean).join('/');
    return [...(entry.file.endsWith('.page.tsx') ? [path] : []), ...pagesOf(entry.children ?? [], path)];
  });
}

describe('the list of screens', () => {
  it('lists every page of the routes and no other', async () => {
    const listed = new Set(SCREENS.map(({ route }) => route));
    expect([...listed].toSorted()).toEqual([...new Set(pagesOf(await routes))].toSorted());
  });
});

describe('every screen', () => {
  it('has one first-level heading and a unique title', { timeout: 120_000 }, async () => {
    const titles = new Map<string, string>();
    const screens = SCREENS.filter(({ state }) => !state);
    const bad = await walk('visitor', { found, locale: 'en', screens }, async (page, { route }) => {
      const headings = await page.locator('h1:visible').count();
      const title = await page.title();
      const other = titles.get(title);
      titles.set(title, route);
      return [
        ...(headings === 1 ? [] : [`has ${headings} first-level headings`]),
        ...(title ? [] : ['has no title']),
        ...(other ? [`shares the title “${title}” with ${other}`] : []),
      ];
    });
    expect(bad).toEqual([]);
  });

  it('shows its texts in each of the sixteen languages', { timeout: 120_000 }, async () => {
    const { page, faults } = await visit();
    const headings = new Set<string>();
    for (const locale of LOCALES) {
      await page.goto(`/?locale=${locale}`);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      headings.add(await page.locator('h1').innerText());
    }
    // Variants of a language may share a heading: Portuguese, Spanish and French.
    expect(headings.size).toBeGreaterThanOrEqual(LOCALES.length - 3);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
