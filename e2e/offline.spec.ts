import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { query } from '../server/test/cluster.ts';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { isTooWide, PASSWORD, visit, visitAs, WITH_SERVICE_WORKER } from './visitor.ts';

const JOURNEY = '/courses/plain-language/write-to-be-understood';
const LESSON = `${JOURNEY}/who-is-reading`;
const TITLE = 'Who is reading, and what must they do?';
const PATIENT = { timeout: 15_000 };
const FIRST_WORDS = 'Imagine a housing office';

/** Opens a lesson and waits until it is saved offline. */
async function openAndKeep(page: Page, path = LESSON): Promise<void> {
  await page.goto(path);
  await page.getByText('Saved on this device for offline reading').waitFor();
}

/** The URLs cached in this browser. */
async function heldBy(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const held: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      held.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return held;
  });
}

describe('a lesson opened once', () => {
  it('is readable offline and hides actions that need a connection', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    await openAndKeep(page);
    await context.setOffline(true);
    await page.reload();
    await page.getByText('This is the copy saved on your device').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(TITLE);
    expect(await page.getByText(FIRST_WORDS).isVisible()).toBe(true);
    expect(await page.locator('script').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    // The serif font of lessons is cached too.
    expect(await page.evaluate(() => document.fonts.check('18px "Source Serif 4 Variable"'))).toBe(true);
    expect(await page.locator('h1').evaluate((h1) => getComputedStyle(h1).fontFamily)).toContain('Source Serif');

    await page.goto('/communities');
    await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: TITLE }).click();
    await page.getByText(FIRST_WORDS).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await context.setOffline(false);
    await page.reload();
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
    await context.close();
  });

  it('caches only lessons, their assets and the offline page', async () => {
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    await page.goto('/me/learning');
    await page.goto('/communities/plain-words');
    await openAndKeep(page);
    const held = await heldBy(page);
    expect(held).toContain(LESSON);
    expect(
      held.filter(
        (path) => !/^\/(?:assets\/|favicon\.svg$|offline$|offline\/kept\.json$)/.test(path) && path !== LESSON,
      ),
    ).toEqual([]);
    expect(held.filter((path) => path.endsWith('.js'))).toEqual([]);
    await context.close();
  });

  it('is deleted after signing out', { timeout: 90_000 }, async () => {
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    await openAndKeep(page);
    await page.locator('header summary', { hasText: 'Your account' }).click();
    await page.locator('header').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await heldBy(page)).not.toContain(LESSON);
    await context.setOffline(true);
    await page.goto(LESSON);
    await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor();
    await page.getByText('No lesson is saved here yet').waitFor();
    await context.close();
  });

  it('is deleted after withdrawal, when it is opened or after an hour', { timeout: 90_000 }, async () => {
    const { databaseUrl } = await currentProduct();
    const withdraw = async (slug: string) => await query(databaseUrl, `update lessons set withdrawn_at = now() where slug = '${slug}'`); // prettier-ignore
    const restore = `update lessons set withdrawn_at = null where slug in ('who-is-reading', 'main-point-first')`;
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    const [opened, unopened] = [LESSON, `${JOURNEY}/main-point-first`];
    await openAndKeep(page, opened);
    await openAndKeep(page, unopened);
    await withdraw('who-is-reading');
    await withdraw('main-point-first');
    try {
      expect((await page.goto(opened))?.status()).toBe(404);
      await expect.poll(() => heldBy(page), PATIENT).not.toContain(opened);
      expect(await heldBy(page)).toContain(unopened);
      // Simulates that an hour has passed.
      await page.evaluate(async () => {
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          const list = await cache.match('/offline/kept.json');
          if (!list) continue;
          const kept = (await list.json()) as { lessons: { keptAt: number }[] };
          for (const lesson of kept.lessons) lesson.keptAt = 0;
          await cache.put('/offline/kept.json', Response.json(kept));
        }
      });
      await page.goto('/courses');
      await expect.poll(() => heldBy(page), PATIENT).not.toContain(unopened);
    } finally {
      await query(databaseUrl, restore);
    }
    await context.close();
  });

  it('is deleted once the reader may no longer open it', { timeout: 90_000 }, async () => {
    const { databaseUrl } = await currentProduct();
    const until = async (end: string) =>
      await query(
        databaseUrl,
        `update journey_enrolments set expires_on = ${end} where user_id = (select id from users where email = 'learner@example.gov')
          and journey_key = (select key from journeys where slug = 'write-to-be-understood')`,
      );
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    const closed = `${JOURNEY}/main-point-first`;
    await openAndKeep(page, closed);
    await until(`now() - interval '1 day'`);
    try {
      await page.goto(closed);
      expect(new URL(page.url()).pathname).toBe('/courses/plain-language');
      await expect.poll(() => heldBy(page), PATIENT).not.toContain(closed);
    } finally {
      await until('null');
    }
    await context.close();
  });

  it('is deleted when another account signs in', async () => {
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    await openAndKeep(page, `${LESSON}?lang=fr`);
    await context.clearCookies();
    await context.request.post('/api/auth/logins', { data: { email: 'moderator@example.gov', password: PASSWORD } });
    await page.goto('/');
    await expect.poll(() => heldBy(page), PATIENT).not.toContain(LESSON);
    await page.goto('/offline');
    await page.getByText('No lesson is saved here yet').waitFor();
    await context.close();
  });
});

describe('losing the connection on an open page', () => {
  it('blocks actions and links to saved lessons', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAs('learner', WITH_SERVICE_WORKER);
    await openAndKeep(page, `${JOURNEY}/main-point-first`);
    await openAndKeep(page);
    await context.setOffline(true);
    await page.getByLabel('Your question').fill('Who reads?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('This needs an internet connection').waitFor();
    expect(await page.getByLabel('Your question').inputValue()).toBe('Who reads?');
    // Navigates to a saved lesson, and to a page that is not saved.
    await page.locator('h1').click();
    await page.keyboard.press('n');
    await page.getByText('This is the copy saved on your device').waitFor();
    expect(new URL(page.url()).pathname).toBe(`${JOURNEY}/main-point-first`);
    await page.getByRole('link', { name: 'Articles' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor();
    await context.close();
  });
});

describe('a whole journey', () => {
  it('is saved with one button; single lessons can be removed', { timeout: 120_000 }, async () => {
    const { page, context, faults } = await visitAs('learner', WITH_SERVICE_WORKER);
    await page.goto(LESSON);
    await page.getByRole('button', { name: 'Save for offline reading' }).first().click();
    await page.getByText('All lessons open to you are saved').first().waitFor({ timeout: 60_000 });
    await page.goto('/offline');
    const removals = page.getByRole('button', { name: /^Delete ./ });
    await removals.first().waitFor();
    await expect.poll(() => removals.count()).toBe(10);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `Delete ${TITLE}` }).click();
    await expect.poll(() => removals.count(), PATIENT).toBe(9);
    expect(await heldBy(page)).not.toContain(LESSON);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('the offline page', () => {
  it('uses the language of earlier pages and fits a phone', { timeout: 90_000 }, async () => {
    const { page, context } = await visit({ ...WITH_SERVICE_WORKER, viewport: { width: 320, height: 800 } });
    await page.goto(`/?locale=ar`);
    await expect.poll(() => heldBy(page), PATIENT).toContain('/offline');
    await expect.poll(() => heldBy(page), PATIENT).toContain('/offline/kept.json');
    await context.setOffline(true);
    await page.goto('/courses');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await expect.poll(() => page.locator('h1:visible').count()).toBe(1);
    expect(await isTooWide(page)).toBe(false);
    await context.close();
  });
});
