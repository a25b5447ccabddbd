import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from './axe.ts';
import { Keyboard } from './keyboard.ts';
import { findScreens, visitOf } from './people.ts';
import { record } from './results.ts';
import type { Found } from './screens.ts';
import { isTooWide, visit } from './visitor.ts';

const LESSON = '/courses/plain-language/write-to-be-understood/who-is-reading';
const FEED = '/communities/plain-words';
const SPACED = 'line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;';

let found: Found;
let states = 0;
/** One screen of each type: list, article, form, feed, thread. */
let typical: string[];
beforeAll(async () => {
  found = await findScreens();
  typical = ['/', '/courses', LESSON, '/me/settings', FEED, found.poll];
});
afterAll(async () => {
  await record('states', { states });
});

async function expectNoFaults(page: Page, without?: string): Promise<void> {
  expect((await inspect(page, { without })).faults).toEqual([]);
  states += 1;
}

/** Texts clipped by a box that is too small and cannot scroll. */
async function clippedTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const { overflowX, overflowY, clip, clipPath, position } = getComputedStyle(element);
      const isForReaders = position === 'absolute' && (clip !== 'auto' || clipPath !== 'none');
      if (isForReaders || !element.textContent?.trim() || element.clientHeight === 0) return false;
      const isCutAcross = ['hidden', 'clip'].includes(overflowX) && element.scrollWidth > element.clientWidth + 1;
      const isCutDown = ['hidden', 'clip'].includes(overflowY) && element.scrollHeight > element.clientHeight + 1;
      return isCutAcross || isCutDown;
    });
    return cut.map(
      (element) => `${element.localName}.${element.className}: ${element.textContent?.trim().slice(0, 40)}`,
    );
  });
}

describe('a screen in another state', () => {
  it('stays accessible with open menus, forms and confirmations', async () => {
    const { page, context } = await visitOf('administrator');
    await page.goto('/courses');
    await page.locator('header summary', { hasText: 'Change language' }).click();
    await expectNoFaults(page);
    await page.locator('header summary', { hasText: 'Your account' }).first().click();
    await expectNoFaults(page);
    for (const query of ['write=post', 'write=poll']) {
      await page.goto(`${FEED}?${query}`);
      await expectNoFaults(page);
    }
    await page.goto(`${found.thread}?remove=${found.thread.split('/').at(-1)}`);
    await page.getByRole('button', { name: 'Delete the post' }).waitFor();
    await expectNoFaults(page);
    await context.close();
  });

  it('stays accessible after a rejected form, with the focus on the error', async () => {
    const { page, context } = await visit();
    for (const [path, send] of [
      ['/login', 'Sign in'],
      ['/signup', 'Send me a code'],
      ['/reset', 'Send link'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('main').getByRole('button', { name: send, exact: true }).click();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      await expect.poll(() => alert.evaluate((element) => element === document.activeElement)).toBe(true);
      await expectNoFaults(page);
    }
    await context.close();
  });

  it.each([
    [403, 'You don’t have access to this page'],
    [429, 'One moment, please'],
    [503, 'We’ll be back shortly'],
  ])('stays accessible for an error %i', async (status, title) => {
    const { page, context } = await visitOf('member'); // with the application, which shows its own error page
    await page.goto('/');
    const style = await page.$('link[rel=stylesheet]');
    await page.route('**/courses.data*', (route) => route.fulfill({ status, contentType: 'text/plain', body: 'no' }));
    await page.getByRole('banner').getByRole('link', { name: 'Learn' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await style?.evaluate((link) => link.isConnected)).toBe(true); // reloading the style sheet would flash
    await expectNoFaults(page);
    await context.close();
  });
});

describe('with forced colours', () => {
  it('buttons and fields have borders, and focus and current page are visible', async () => {
    const { page, context } = await visitOf('member', { forcedColors: 'active', reducedMotion: 'reduce' });
    for (const path of typical) {
      await page.goto(path);
      const bare = await page.locator('.btn:not(.sr-only):visible, .input:visible').evaluateAll((elements) =>
        elements
          .filter((element) => {
            const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(element);
            const isSeen = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) >= 1;
            return !isSeen || (borderTopColor.startsWith('rgba') && borderTopColor.endsWith(', 0)'));
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      expect(bare).toEqual([]);
      // axe reads the declared colours, not the forced ones that the browser paints.
      await expectNoFaults(page, 'color-contrast');
    }
    await page.goto(FEED);
    const here = page.locator('header [aria-current="page"]');
    const bar = await here.evaluate((element) => getComputedStyle(element, '::after').backgroundColor);
    expect(bar).not.toBe(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor));
    const keys = new Keyboard(page);
    await keys.open('/me/settings');
    await keys.walk(30);
    expect(keys.faults).toEqual([]);
    await context.close();
  });
});

describe('with reduced motion', () => {
  it('nothing moves', async () => {
    const { page, context } = await visitOf('member', { reducedMotion: 'reduce' });
    for (const path of typical) {
      await page.goto(path);
      const moving = await page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const style = getComputedStyle(element);
            const longest = `${style.transitionDuration},${style.animationDuration}`.split(',').map(Number.parseFloat);
            return Math.max(...longest) > 0.01 || style.scrollBehavior === 'smooth';
          }).length,
      );
      expect([path, moving]).toEqual([path, 0]);
    }
    await context.close();
  });
});

describe('with larger text', () => {
  it.each([320, 1280])('nothing is clipped with the spacing of WCAG 1.4.12, %i px wide', async (width) => {
    const { page, context } = await visitOf('member', { viewport: { width, height: 900 }, bypassCSP: true });
    const bad: string[] = [];
    for (const path of typical) {
      await page.goto(path);
      await page.addStyleTag({ content: `* { ${SPACED} } p { margin-block-end: 2em !important; }` });
      bad.push(...(await faultsOfSize(page, path)));
    }
    expect(bad).toEqual([]);
    await context.close();
  });

  it('nothing is clipped at twice the browser’s font size', async () => {
    const { page, context } = await visitOf('member', { viewport: { width: 1280, height: 900 } });
    const browser = await context.newCDPSession(page);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    const bad: string[] = [];
    for (const path of typical) {
      await page.goto(path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
      bad.push(...(await faultsOfSize(page, path)));
    }
    expect(bad).toEqual([]);
    await context.close();
  });
});

async function faultsOfSize(page: Page, path: string): Promise<string[]> {
  const cut = await clippedTexts(page);
  return [...cut, ...((await isTooWide(page)) ? ['is too wide'] : [])].map((fault) => `${path} ${fault}`);
}

describe('at 400 % zoom', () => {
  it('every focus stop is visible', { timeout: 120_000 }, async () => {
    const { page, context } = await visitOf('member', {
      viewport: { width: 320, height: 256 },
      reducedMotion: 'reduce',
    });
    const keys = new Keyboard(page);
    for (const path of typical) {
      await keys.open(path);
      await keys.walk(40);
    }
    expect([...new Set(keys.faults)]).toEqual([]);
    await context.close();
  });
});
