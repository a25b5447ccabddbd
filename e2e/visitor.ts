import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { currentProduct } from './demo.ts';
import { readPrepared } from './prepared.ts';

export const PASSWORD = 'officium-demo-2026';
export type Account = 'learner' | 'moderator' | 'admin';

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

// Test pages live for seconds: optimising their scripts costs a tenth more CPU than it saves.
const WITHOUT_OPTIMISING = '--js-flags=--no-opt --no-maglev';

/** One browser for all test files of a worker. */
export async function sharedBrowser(): Promise<Browser> {
  if (!browser?.isConnected()) browser = await launchBrowser([WITHOUT_OPTIMISING], (await readPrepared()).browser);
  return browser;
}

/** Closes contexts whose pages would keep their event streams open: a person has at most six per process. */
export async function closeVisits(): Promise<void> {
  for (const context of contexts.splice(0)) await context.close();
}

export type Visit = { page: Page; context: BrowserContext; faults: string[] };

/** Only tests of the service worker allow it; it would download the whole application into each new context. */
export const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } as const;

/** A visitor with a browser context of their own. `faults` collects errors of the page. */
export async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const browser = await sharedBrowser();
  const baseURL = options.baseURL ?? (await currentProduct()).url;
  const context = await browser.newContext({ locale: 'en', serviceWorkers: 'block', ...options, baseURL });
  contexts.push(context);
  context.setDefaultTimeout(30_000);
  if (options.javaScriptEnabled !== false) {
    await context.addInitScript(blockClicks);
    context.on('page', waitForScript);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => {
    // A page that is left or reloaded no longer reads the answers that are on their way to it.
    if (message !== 'BodyStreamBuffer was aborted') faults.push(message);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text());
  });
  return { page, context, faults };
}

// Clicks before hydration would be submitted as without JavaScript, but each test means one of the two. So nothing can
// be clicked until then, and `goto` and `reload` wait for it.

function blockClicks(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html:not([data-hydrated]):has(script[type=module]) body { pointer-events: none }');
  document.adoptedStyleSheets = [sheet];
}

function waitForScript(page: Page): void {
  const settle = () =>
    page.waitForFunction(() => {
      const isApplication = document.querySelector('script[type=module]') !== null;
      return !isApplication || document.documentElement.dataset['hydrated'] !== undefined;
    });
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...args) => {
    const reply = await goto(...args);
    await settle();
    return reply;
  };
  page.reload = async (...args) => {
    const reply = await reload(...args);
    await settle();
    return reply;
  };
}

/** A visitor signed in to a demo account. */
export async function visitAs(account: Account, options: BrowserContextOptions = {}): Promise<Visit> {
  const visitor = await visit(options);
  const reply = await visitor.context.request.post('/api/auth/logins', {
    data: { email: `${account}@example.gov`, password: PASSWORD },
  });
  expect(reply.status()).toBe(200);
  return visitor;
}

/** Waits for the newest mail to an address. */
export async function mailTo(address: string): Promise<{ subject: string; text: string; links: string[] }> {
  const outbox = join((await currentProduct()).dataDir, 'outbox');
  for (let tries = 0; tries < 100; tries += 1) {
    const files = (await readdir(outbox).catch(() => []))
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse();
    for (const file of files) {
      const mail = await PostalMime.parse(await readFile(join(outbox, file)));
      if (mail.to?.some((to) => to.address === address)) {
        const text = mail.text ?? '';
        return { subject: mail.subject ?? '', text, links: text.match(/https?:\/\/\S+/g) ?? [] };
      }
    }
    await new Promise((later) => setTimeout(later, 200));
  }
  throw new Error(`no mail to ${address} arrived`);
}

/** Whether a page is wider than its window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
