import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { theProduct } from './demo.ts';

export const PASSWORD = 'officium-demo-2026';
export type Account = 'learner' | 'moderator' | 'admin';

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

// A page of a test lives for seconds: optimising its script costs a tenth more CPU than it saves.
const WITHOUT_OPTIMISING = '--js-flags=--no-opt --no-maglev';

/** One browser for all test files of a worker, which ends with it. */
export async function theBrowser(): Promise<Browser> {
  if (!browser?.isConnected()) browser = await launchBrowser([WITHOUT_OPTIMISING], inject('browser'));
  return browser;
}

/** After a test whose visitors' pages would still listen: one person has six streams in a process, and no more. */
export async function closeVisits(): Promise<void> {
  for (const context of contexts.splice(0)) await context.close();
}

export type Visit = { page: Page; context: BrowserContext; faults: string[] };

/** Tests of the service worker need it. Elsewhere it would fetch the whole application into each new browser profile. */
export const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } as const;

/** A visitor with a browser profile of their own. `faults` gathers what the page complains about. */
export async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
  const browser = await theBrowser();
  const baseURL = options.baseURL ?? (await theProduct()).url;
  const context = await browser.newContext({ locale: 'en', serviceWorkers: 'block', ...options, baseURL });
  contexts.push(context);
  context.setDefaultTimeout(30_000);
  if (options.javaScriptEnabled !== false) {
    await context.addInitScript(keepFromPressing);
    context.on('page', waitForScript);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text());
  });
  return { page, context, faults };
}

// What is pressed before a page answers to script is sent as without it, and a test that means one of the two must know
// which. So nothing can be pressed until then, whichever way the page was reached, and `goto` and `reload` take as long.

function keepFromPressing(): void {
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

/** The same, signed in to a demo account. */
export async function visitAs(account: Account, options: BrowserContextOptions = {}): Promise<Visit> {
  const visitor = await visit(options);
  const reply = await visitor.context.request.post('/api/auth/logins', {
    data: { email: `${account}@example.gov`, password: PASSWORD },
  });
  expect(reply.status()).toBe(200);
  return visitor;
}

/** The newest mail to an address, once it has arrived. */
export async function mailTo(address: string): Promise<{ subject: string; text: string; links: string[] }> {
  const outbox = join((await theProduct()).dataDir, 'outbox');
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
  throw new Error(`No mail to ${address} arrived.`);
}

/** Whether a page is wider than its window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
