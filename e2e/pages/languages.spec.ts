import type { RouteConfigEntry } from '@react-router/dev/routes';
import { LOCALES } from '@officium/i18n/locales';
import type { Locator, Page } from 'playwright-core';
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

  it('shows Japanese and Korean where the system has no font for them', async () => {
    for (const [locale, name] of [
      ['ja', '日本語'],
      ['ko', '한국어'],
    ] as const) {
      for (const path of [`/?locale=${locale}`, '/?locale=en']) {
        const { page, faults } = await visit();
        await page.goto(path);
        const text = path.endsWith('en') ? page.getByText(name).first() : page.locator('h1');
        await text.evaluate((element) => {
          for (let one = element.parentElement; one; one = one.parentElement)
            if (one instanceof HTMLDetailsElement) one.open = true;
        });
        await expect.poll(async () => await fontsOf(page, text)).toSatisfy(hasNoPlaceholder);
        expect(faults).toEqual([]);
        await page.context().close();
      }
    }
  });
});

type Font = { familyName: string; isCustomFont: boolean };

/** Fonts that draw an element's text. */
async function fontsOf(page: Page, element: Locator): Promise<Font[]> {
  const id = 'drawn';
  await element.evaluate((node, value) => node.setAttribute('data-id', value), id);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: `[data-id=${id}]` });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts;
}

/** A system without such a font would draw placeholders with any of its own. */
const hasNoPlaceholder = (fonts: Font[]) =>
  fonts.length > 0 &&
  fonts.every(({ isCustomFont, familyName }) => isCustomFont || /CJK|JP|KR|Gothic|Hiragino|Fallback/.test(familyName));
