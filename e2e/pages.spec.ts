import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import type { Page } from 'playwright-core';
import { LOCALES } from '@officium/i18n/locales';
import routes from '../web/app/routes.ts';
import { inspect } from './axe.ts';
import { findScreens, visitOf } from './people.ts';
import { record } from './results.ts';
import { addressOf, isFor, PEOPLE, SCREENS, type Found, type Person, type Screen } from './screens.ts';
import { closeBrowser, theBrowser, visit } from './visitor.ts';

let found: Found;
let views = 0;
let settled = 0;
let axe = '';
beforeAll(async () => {
  found = await findScreens();
});
afterAll(async () => {
  const { length: screens } = SCREENS;
  await record('screens', {
    screens,
    people: PEOPLE.length,
    views,
    settled,
    axe,
    chromium: (await theBrowser()).version(),
  });
  await closeBrowser();
});

/** Two tabs at a time: while one waits for the server, the other is looked at. */
async function walk(
  person: Person,
  options: { locale: string; screens?: readonly Screen[]; width?: number },
  look: (page: Page, screen: Screen) => Promise<string[]>,
): Promise<string[]> {
  const { locale, screens = SCREENS, width = 1280 } = options;
  const { context, page, faults } = await visitOf(person, {
    viewport: { width, height: 900 },
    // Nothing is looked at on its way from one colour to the next.
    reducedMotion: 'reduce',
  });
  const waiting = screens.filter((screen) => isFor(screen, person));
  const bad: string[] = [];
  const take = async (tab: Page) => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      const address = addressOf(screen, found, locale);
      const reply = await tab.goto(address);
      const status = reply?.status();
      if (status !== (screen.status ?? 200)) bad.push(`${address} answers ${status}`);
      bad.push(...(await look(tab, screen)).map((fault) => `${address} ${fault}`));
    }
  };
  await Promise.all([take(page), take(await context.newPage())]);
  await context.close();
  return [...bad, ...faults];
}

/** What makes a page wider than its window. */
async function overruns(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 1 || left < -1;
    });
    const names = wide.slice(-3).map((element) => `<${element.localName} class="${element.getAttribute('class')}">`);
    return [`is ${scrollWidth} px wide in ${clientWidth}, by ${names.join(', ')}`];
  });
}

/** Each page of routes.ts, as its path from the root. */
function pagesOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = [above, entry.path].filter(Boolean).join('/');
    return [...(entry.file.endsWith('.page.tsx') ? [path] : []), ...pagesOf(entry.children ?? [], path)];
  });
}

describe('the list of screens', () => {
  it('has every page of the routes and no other', async () => {
    const listed = new Set(SCREENS.map(({ route }) => route));
    expect([...listed].toSorted()).toEqual([...new Set(pagesOf(await routes))].toSorted());
  });
});

describe.each(PEOPLE)('every screen, for a %s', (person) => {
  it.each(['en', 'ar'])(
    'has nothing axe objects to in %s, light and dark, and fits 320 px',
    { timeout: 300_000 },
    async (locale) => {
      const bad = await walk(person, { locale }, async (page) => {
        const light = await inspect(page);
        await page.emulateMedia({ colorScheme: 'dark' });
        const dark = await inspect(page, { only: 'color-contrast' });
        await page.emulateMedia({ colorScheme: 'light' });
        views += 1;
        settled += light.settled + dark.settled;
        axe = light.engine;
        // As wide as 1280 px at 400 %.
        await page.setViewportSize({ width: 320, height: 256 });
        const wide = await overruns(page);
        await page.setViewportSize({ width: 1280, height: 900 });
        return [...light.faults, ...dark.faults.map((fault) => `(dark) ${fault}`), ...wide];
      });
      expect(bad).toEqual([]);
    },
  );
});

describe.each(['de', 'ja'])('every screen in %s', (locale) => {
  it('needs no scrolling sideways at 320 px', { timeout: 120_000 }, async () => {
    for (const person of ['visitor', 'member'] as const) {
      const bad = await walk(person, { locale, width: 320 }, overruns);
      expect(bad).toEqual([]);
    }
  });
});

describe('every screen', () => {
  it('has one first-level heading and a title no other screen has', { timeout: 120_000 }, async () => {
    const titles = new Map<string, string>();
    const screens = SCREENS.filter(({ state }) => !state);
    const bad = await walk('visitor', { locale: 'en', screens }, async (page, { route }) => {
      const headings = await page.locator('h1:visible').count();
      const title = await page.title();
      const other = titles.get(title);
      titles.set(title, route);
      return [
        ...(headings === 1 ? [] : [`has ${headings} first-level headings`]),
        ...(title ? [] : ['has no title']),
        ...(other ? [`is called “${title}”, as ${other} is`] : []),
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
    // Neighbours may say the same: Portuguese and Spanish of both shores, French of both.
    expect(headings.size).toBeGreaterThanOrEqual(LOCALES.length - 3);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
