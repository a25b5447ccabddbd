import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, type Inspection } from '../axe.ts';
import { findScreens } from '../people.ts';
import { record } from '../results.ts';
import { isFor, SCREENS, type Found, type Person, type Screen } from '../screens.ts';
import { sharedBrowser } from '../visitor.ts';
import { overruns, walk } from './walk.ts';

/** SCREEN_RULES=all applies every axe rule to Arabic too, and in both themes for everyone. */
const hasAllRules = process.env['SCREEN_RULES'] === 'all';
/** Between languages and themes, the same elements differ only in colour and size. */
const COLOUR = ['color-contrast'];
const COLOUR_AND_SIZE = ['color-contrast', 'target-size'];

/**
 * Ordered by how much they see. The Arabic and dark variants of a screen are checked only for the first who sees it.
 */
const BY_CONTENT: readonly Person[] = ['administrator', 'member', 'moderator', 'newcomer', 'visitor'];
const isFirst = (screen: Screen, person: Person) => BY_CONTENT.find((other) => isFor(screen, other)) === person;

type Options = { screens?: readonly Screen[]; name?: string };

/**
 * Defines tests for every screen of a person, or for `screens`. `name` separates the figures of several files for one
 * person.
 */
export function everyScreenFor(person: Person, { screens = SCREENS, name = person }: Options = {}): void {
  let found: Found;
  let views = 0;
  let settled = 0;
  let axe = '';
  beforeAll(async () => {
    found = await findScreens();
  });
  afterAll(async () => {
    const chromium = (await sharedBrowser()).version();
    if (hasAllRules) await record(`screens-${name}`, { views, settled, axe, chromium });
  });

  const look = async (page: Page, only?: string[]): Promise<Inspection> => {
    const inspection = await inspect(page, { only });
    settled += inspection.settled;
    axe = inspection.engine;
    return inspection;
  };

  describe(`every screen, for a ${person}`, () => {
    it.each(['en', 'ar'])(
      'has no axe violations in %s, light and dark, and fits 320 px',
      { timeout: 300_000 },
      async (locale) => {
        const isClose = hasAllRules || locale === 'en';
        const shown = isClose ? screens : screens.filter((screen) => isFirst(screen, person));
        const bad = await walk(person, { found, locale, screens: shown }, async (page, screen) => {
          const light = await look(page, isClose ? undefined : COLOUR_AND_SIZE);
          views += 1;
          const dark: string[] = [];
          if (hasAllRules || (locale === 'en' && isFirst(screen, person))) {
            await page.emulateMedia({ colorScheme: 'dark' });
            dark.push(...(await look(page, COLOUR)).faults);
            await page.emulateMedia({ colorScheme: 'light' });
          }
          // Equals 1280 px at 400 % zoom.
          await page.setViewportSize({ width: 320, height: 256 });
          const wide = await overruns(page);
          await page.setViewportSize({ width: 1280, height: 900 });
          return [...light.faults, ...dark.map((fault) => `(dark) ${fault}`), ...wide];
        });
        expect(bad).toEqual([]);
      },
    );
  });
}
