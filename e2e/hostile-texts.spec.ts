import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { blockExamples, hostileBlocks } from '../server/test/hostile-blocks.ts';
import { sharedBrowser } from './visitor.ts';

const newPage = async () => await (await sharedBrowser()).newPage();

/** Opens HTML without any policy that could stop its scripts, and returns what ran or was fetched. */
async function effectsOf(page: Page, html: string): Promise<string[]> {
  const effects: string[] = [];
  await page.unrouteAll();
  await page.route('**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/lesson') return await route.fulfill({ contentType: 'text/html', body: html });
    if (!pathname.startsWith('/content-assets/')) effects.push(`fetched ${route.request().url()}`);
    return await route.abort();
  });
  const ran = (what: string) => void effects.push(what);
  page.removeAllListeners('dialog').on('dialog', (dialog) => {
    ran(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.removeAllListeners('popup').on('popup', (popup) => {
    ran('window');
    void popup.close();
  });
  await page.goto('http://officium.example/lesson', { waitUntil: 'load' });
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('*')) {
      element.focus();
      for (const name of ['mouseover', 'focus', 'error', 'load', 'toggle', 'animationend'])
        element.dispatchEvent(new Event(name, { bubbles: false }));
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a'))
      if (/^(?:javascript|data|vbscript):/i.test(link.href)) alert(link.href);
  });
  return effects;
}

it('shows that the browser of this test would run a script', async () => {
  const page = await newPage();
  expect(await effectsOf(page, '<img src=x onerror="alert(1)">')).toContain('dialog 1');
  expect(await effectsOf(page, '<a href="javascript:alert(1)">x</a>')).toEqual(['dialog javascript:alert(1)']);
  await page.close();
});

it.each(blockExamples)('runs nothing that hostile authors write into %s', async (name) => {
  const page = await newPage();
  expect(await effectsOf(page, hostileBlocks(name).join('\n'))).toEqual([]);
  await page.close();
});
