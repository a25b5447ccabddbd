import { describe, expect, it, onTestFinished } from 'vitest';
import type { BrowserContextOptions } from 'playwright-core';
import { PASSWORD, visit, type Visit, WITH_SERVICE_WORKER } from '../visitor.ts';

const COMMUNITY = '/communities/plain-words';
const LESSON = '/courses/plain-language/write-to-be-understood/who-is-reading';
const PATIENT = { timeout: 15_000 };
const PHONE = { width: 390, height: 800 };

async function open(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visitor = await visit(options);
  onTestFinished(() => visitor.context.close());
  await visitor.page.goto(path);
  return visitor;
}

describe('a page for visitors without a session', () => {
  it('arrives complete, in order, and without the application', async () => {
    const { context } = await open('/');
    for (const path of ['/', COMMUNITY, LESSON, '/login', '/no-such-page']) {
      const html = await (await context.request.get(path)).text();
      const scripts = html.match(/<script(?! type="(?:application\/ld\+json|speculationrules)")[^>]*>/g) ?? [];
      expect([path, scripts.length, scripts[0]]).toEqual([path, 1, expect.stringContaining('src="/assets/light-')]);
      // React's markers for streamed content.
      expect([path, /<template|<div hidden|modulepreload|messages-\w+[^ ]*\.json" crossorigin/.test(html)]).toEqual([
        path,
        false,
      ]);
    }
  });

  it('shows nothing that needs the application', async () => {
    const { page } = await open(LESSON, { viewport: { width: 1280, height: 900 } });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).count()).toBe(0);
  });

  it('does not violate its own content security policy', async () => {
    const { page, faults } = await open(COMMUNITY);
    await page.getByRole('link', { name: 'Articles' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Articles' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('its script', () => {
  it('closes a menu on Esc, restoring the focus, and on a click or focus outside', async () => {
    const { page } = await open('/courses');
    const menu = page.locator('header details');
    const summary = menu.locator('summary');
    const isOpen = () => menu.evaluate((details: HTMLDetailsElement) => details.open);
    await summary.click();
    await menu.getByRole('button', { name: 'Français', exact: true }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(isOpen, PATIENT).toBe(false);
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await summary.click();
    await page.locator('h1').click();
    await expect.poll(isOpen, PATIENT).toBe(false);
    await summary.click();
    await page.locator('main a').first().focus();
    await expect.poll(isOpen, PATIENT).toBe(false);
  });

  it('opens the search on /, except while typing', async () => {
    const { page } = await open('/courses', { viewport: { width: 1280, height: 900 } });
    await page.keyboard.press('/');
    const field = page.locator('header input[name=q]');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement), PATIENT).toBe(true);
    await page.keyboard.press('/');
    expect(await field.inputValue()).toBe('/');
    await page.setViewportSize(PHONE);
    await page.goto('/communities');
    await page.keyboard.press('/');
    await expect.poll(() => new URL(page.url()).pathname, PATIENT).toBe('/search');
  });

  it('stores the time zone for later pages', async () => {
    const { page, context } = await open('/', { timezoneId: 'Asia/Tokyo' });
    await expect
      .poll(async () => (await context.cookies()).find(({ name }) => name === 'tz')?.value, PATIENT)
      .toBe('Asia%2FTokyo');
    await page.reload();
    expect(await page.locator('html').getAttribute('data-time-zone')).toBe('Asia/Tokyo');
  });

  it('saves a lesson for offline reading', { timeout: 60_000 }, async () => {
    const { page, context } = await open(LESSON, WITH_SERVICE_WORKER);
    await page.getByText('Saved on this device for offline reading').waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.getByText('This is the copy saved on your device').waitFor();
    expect(await page.locator('script').count()).toBe(0);
  });

  it('submits a form once, however often its button is pressed', async () => {
    const { page } = await open('/login');
    let posts = 0;
    await page.route('**/login', async (route) => {
      if (route.request().method() === 'POST') posts += 1;
      await new Promise((later) => setTimeout(later, 500));
      await route.continue();
    });
    await page.getByLabel('E-mail').first().fill('nobody@example.gov');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>('main form button');
      button?.click();
      button?.click();
    });
    await page.getByRole('alert').waitFor();
    expect(posts).toBe(1);
  });
});

it('signing in loads the application', async () => {
  const { page, faults } = await open(`/login?next=${encodeURIComponent(COMMUNITY)}`);
  await page.getByLabel('E-mail').first().fill('learner@example.gov');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('#write').waitFor();
  expect(await page.locator('html').getAttribute('data-light')).toBe(null);
  // The application navigates without loading a new document.
  await page.evaluate(() => document.body.setAttribute('data-same', ''));
  await page.getByRole('link', { name: 'Articles' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Articles' }).waitFor();
  expect(await page.locator('body').getAttribute('data-same')).toBe('');
  expect(faults).toEqual([]);
});
