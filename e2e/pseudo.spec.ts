import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { ROOT } from '../server/test/process.ts';
import { HELP_FILES } from '../web/help-files.ts';
import { findScreens } from './people.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { disguise } from './pseudo.ts';
import { addressOf, isFor, SCREENS, type Found } from './screens.ts';
import { isTooWide, PASSWORD, visit } from './visitor.ts';

/** The texts of the demo and the documents of the help, which are not translated. */
const DEMO = [...globSync('demo/**/*.{yaml,md}', { cwd: ROOT }), ...HELP_FILES.map((file) => `docs/${file}`)]
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
const SENTENCES = DEMO.replace(/\s+/g, ' ');
/** Titles and names: field values of the demo's files. */
const VALUES = new Set([
  ...[...DEMO.matchAll(/(?::|^#)[ \t]+"?([^"\n]+?)"?$/gm)].map(([, value]) => value),
  ...[...DEMO.matchAll(/\b\w+: ([^,}\n]+)[,}]/g)].map(([, value]) => value),
]);
/** Categories and badges, written as lists. */
const LISTED = new Set(
  [...DEMO.matchAll(/\[([a-z0-9, -]+)\]/g)].flatMap(([, names = '']) => names.replaceAll('-', ' ').split(/, */)),
);
/** Product names, input from screens.ts, and names from Intl. */
const KEPT = new RegExp(
  `\\b(?:${[...namesOfDays(), 'Officium', 'PDF', 'somebody@example.org', 'zzzz', 'forms'].join('|')})\\b`,
  'g',
);

function namesOfDays(): string[] {
  const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => [
    month.format(new Date(Date.UTC(2026, index))),
    day.format(new Date(Date.UTC(2026, 0, 1 + index))),
  ]).flat();
}

function isWritten(words: string): boolean {
  const isSentence = words.split(' ').length > 3 && SENTENCES.includes(words);
  return isSentence || VALUES.has(words) || LISTED.has(words.toLowerCase());
}

const ENDONYMS = new Set(LOCALES.map(endonymOf));

let product: DemoProduct;
let found: Found;
beforeAll(async () => {
  product = await startDemo({ NODE_OPTIONS: `--import=${new URL('./pseudo-hook.ts', import.meta.url).href}` });
  found = await findScreens(product.url);
});
afterAll(async () => {
  await product.stop();
});

async function enter(isMember: boolean): Promise<{ context: BrowserContext; page: Page }> {
  const { context, page } = await visit({ baseURL: product.url, viewport: { width: 320, height: 900 } });
  await context.route('**/assets/messages-en-*.json', async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: disguise(await reply.json()) });
  });
  if (isMember) {
    const data = { email: 'learner@example.gov', password: PASSWORD };
    expect((await context.request.post('/api/auth/logins', { data })).ok()).toBe(true);
  }
  return { context, page };
}

/** Untranslated English on a page, except user content. */
async function plainWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const OWN =
      '.prose, [lang]:not(html), [dir="auto"], bdi, time, script, style, noscript, svg, code, kbd, option[value]';
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest(OWN)) found.push(node.textContent ?? '');
    }
    for (const name of ['aria-label', 'placeholder', 'alt', 'title'])
      for (const element of document.querySelectorAll(`body [${name}]:not(time, bdi)`))
        if (!element.closest('.prose, [lang]:not(html)')) found.push(element.getAttribute(name) ?? '');
    return found;
  });
  const ours = texts.filter((text) => !text.includes('⟦') && text !== 'https://');
  return ours.filter((text) => {
    const parts = text
      .replace(/\s+/g, ' ')
      .split('·')
      .map((part) => part.trim());
    // Intl separates names with commas and "and", which are not in the pseudo locale.
    const names = (part: string) => (isWritten(part) ? [] : part.replace(KEPT, '').split(/, and |, | and /));
    return parts.flatMap(names).some((name) => /[A-Za-z]{2,}/.test(name) && !isWritten(name) && !ENDONYMS.has(name));
  });
}

describe('in the pseudo locale', () => {
  it.each([
    ['visitor', false],
    ['member', true],
  ] as const)(
    'no screen shows a %s words from outside the catalogues, and all fit 320 px',
    { timeout: 300_000 },
    async (person, isMember) => {
      const { context, page } = await enter(isMember);
      const bad: string[] = [];
      let disguised = 0;
      for (const screen of SCREENS.filter((one) => isFor(one, person))) {
        const address = addressOf(screen, found, 'en');
        await page.goto(address);
        disguised += (await page.locator('h1').first().innerText()).includes('⟦') ? 1 : 0;
        bad.push(...(await plainWords(page)).map((words) => `${address} says “${words}”`));
        if (await isTooWide(page)) bad.push(`${address} is too wide`);
      }
      expect(bad).toEqual([]);
      expect(disguised).toBeGreaterThan(5);
      await context.close();
    },
  );
});
