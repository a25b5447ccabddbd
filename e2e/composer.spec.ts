import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { type Account, closeVisits, isTooWide, PASSWORD, visit, visitAs, type Visit } from './visitor.ts';

afterEach(closeVisits);

const ROOM = '/communities/plain-words';
const SOON = { timeout: 10_000 };
const CITY = '/communities/city-makers';
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });

/** Opens the composer and returns the text field once it is an editor. */
async function openComposer(page: Page, room = ROOM): Promise<Locator> {
  await page.goto(room);
  await page.locator('#write summary').first().click();
  return await enterText(page);
}

/** Focuses the text field, which turns it into an editor. */
async function enterText(page: Page): Promise<Locator> {
  await page.locator('#post-body').focus();
  const editor = page.locator('#post-body[contenteditable=true]');
  await editor.waitFor();
  return editor;
}

/** The API accepts session cookies only from our own pages. */
const ownOrigin = async () => ({ origin: (await currentProduct()).url });

async function publish(page: Page): Promise<void> {
  await button(page, 'Post in Plain words').click();
  await page.getByText('Your post has been published.').waitFor();
}

describe('writing', () => {
  it('formats with the toolbar and publishes what was shown', async () => {
    const { page, faults } = await visitAs('learner');
    const editor = await openComposer(page);
    await page.getByLabel('Title').first().fill('With a toolbar');
    await editor.click();
    await tool(page, 'Bold').click();
    await page.keyboard.type('strong');
    await expect.poll(() => tool(page, 'Bold').getAttribute('aria-pressed')).toBe('true');
    await tool(page, 'Bold').click();
    await page.keyboard.type(' and 2*3*4 <b>');
    await page.keyboard.press('Enter');
    await tool(page, 'Bulleted list').click();
    await page.keyboard.type('one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await publish(page);
    const text = page.locator('main .prose').first();
    expect(await text.locator('strong').allTextContents()).toEqual(['strong']);
    expect(await text.locator('p').first().textContent()).toBe('strong and 2*3*4 <b>');
    expect(await text.locator('li').allTextContents()).toEqual(['one', 'two']);
    expect(faults).toEqual([]);
  });

  it('moves the cursor to the editor when the plain field disappears, so that no keystroke is lost', async () => {
    const { page } = await visitAs('learner');
    await page.goto(ROOM);
    await page.locator('#write summary').first().click();
    const focused = await page.evaluate(async () => {
      const field = document.querySelector<HTMLTextAreaElement>('textarea#post-body')!; // the page has it
      const gone = new Promise<string | undefined>((resolve) => {
        new MutationObserver(() =>
          resolve(document.activeElement?.getAttribute('contenteditable') ?? undefined),
        ).observe(field, { attributeFilter: ['hidden'] });
      });
      field.focus();
      return await gone;
    });
    expect(focused).toBe('true');
  });

  it('leaves the focus where the user moved while the editor was made', async () => {
    const { page } = await visitAs('learner');
    await page.goto(ROOM);
    // The form focuses its first field as it opens, which already fetches the script.
    const script = page.waitForResponse(/rich-editor/);
    await page.locator('#write summary').first().click();
    await page.locator('#post-title').focus();
    await (await script).finished();
    await page.evaluate(() => {
      const field = document.querySelector('textarea#post-body');
      const title = document.querySelector<HTMLInputElement>('#post-title')!; // focused above
      const active = Object.getOwnPropertyDescriptor(Document.prototype, 'activeElement')!; // every browser has it
      // Moves on as soon as the page has seen the focus in the field.
      Object.defineProperty(document, 'activeElement', {
        get() {
          const element: unknown = active.get!.call(document); // an accessor
          if (element === field) queueMicrotask(() => title.focus());
          return element;
        },
      });
      document.querySelector<HTMLTextAreaElement>('textarea#post-body')?.focus();
    });
    await page.locator('#post-body[contenteditable=true]').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('post-title');
  });

  it('works with the keyboard only, and a mention reaches the other person', async () => {
    const writer = await visitAs('learner');
    const reader = await visitAs('moderator');
    const { page, faults } = writer;
    await openComposer(page, CITY);
    await page.getByLabel('Title').first().focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Bold');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Italic');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Dear @');
    const { name } = (await (await reader.context.request.get('/api/auth/session')).json()).viewer;
    await page.keyboard.type(name.slice(0, 5), { delay: 20 });
    const option = page.getByRole('option', { name });
    await option.waitFor();
    const editor = page.locator('#post-body');
    const active = await editor.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => option.count(), SOON).toBe(0);
    for (let times = 0; times < 6; times += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type(`@${name.slice(0, 5)}`, { delay: 20 });
    await option.waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('look');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your post has been published.').waitFor();
    expect(await page.locator('main .prose').first().textContent()).toContain(`Dear @${name} look`);
    const inbox = async () => await (await reader.context.request.get('/api/notifications/inbox')).text();
    await expect.poll(inbox, SOON).toContain('By keyboard');
    expect(faults).toEqual([]);
  });

  it('keeps a draft across reloads, only for its author, until it is published or discarded', async () => {
    const { page, context, faults } = await visitAs('learner');
    const drafts = () =>
      page.evaluate(() =>
        Object.entries(localStorage).flatMap(([key, draft]) => (key.startsWith('draft:') ? [String(draft)] : [])),
      );
    const editor = await openComposer(page);
    await page.getByLabel('Title').first().fill('Half a thought');
    await editor.fill('I was *about*');
    await expect.poll(drafts, SOON).toEqual([expect.stringContaining('about')]);
    await page.reload();
    await page.getByText('Draft saved', { exact: true }).waitFor();
    await page.locator('#write summary').first().click();
    await page.getByText('Draft saved, last changed').waitFor();
    await enterText(page);
    await editor.locator('em', { hasText: 'about' }).waitFor();
    expect(await page.getByLabel('Title').first().inputValue()).toBe('Half a thought');

    expect(await drafts()).toHaveLength(1);
    await context.setOffline(true);
    await button(page, 'Post in Plain words').click();
    await page.getByText('You are offline. Your text is saved on this device').waitFor();
    await context.setOffline(false);
    await publish(page);
    await expect.poll(drafts, SOON).toEqual([]);

    await (await openComposer(page)).fill('Another');
    await expect.poll(drafts, SOON).toEqual([expect.stringContaining('Another')]);
    await page.reload();
    await page.locator('#write summary').first().click();
    await button(page, 'Discard draft').click();
    const field = page.locator('textarea[name=body]').first();
    await expect.poll(() => field.inputValue(), SOON).toBe('');
    expect(await drafts()).toEqual([]);

    await (await enterText(page)).fill('Mine alone');
    await expect.poll(drafts, SOON).toEqual([expect.stringContaining('Mine alone')]);
    await signInAgain(context, 'moderator');
    await page.goto(ROOM);
    await expect.poll(drafts, SOON).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('switches back to a plain field and remembers the choice', async () => {
    const { page, faults } = await visitAs('learner');
    const editor = await openComposer(page);
    await editor.click();
    await page.keyboard.type('A word');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+b');
    await tool(page, 'Plain text').click();
    const plain = page.locator('textarea[name=body]').first();
    await expect.poll(() => plain.inputValue(), SOON).toBe('**A word**');
    await plain.fill('A **plain** word');
    await publish(page);
    expect(await page.locator('main .prose strong').first().textContent()).toBe('plain');
    await page.goto(ROOM);
    await page.locator('#write summary').first().click();
    await plain.click();
    await button(page, 'Formatting tools').first().click();
    await editor.waitFor();
    expect(faults).toEqual([]);
  });

  it('publishes without JavaScript', async () => {
    const { page } = await visitAs('learner', { javaScriptEnabled: false });
    await page.goto(`${ROOM}?write=post`);
    await page.getByLabel('Title').first().fill('Without script');
    await page.getByLabel('Your text').first().fill('Still **there**');
    await publish(page);
    expect(await page.locator('main .prose strong').first().textContent()).toBe('there');
    await page.goto(`${ROOM}?write=poll`);
    await expect.poll(() => page.getByLabel(/^Option \d/).count()).toBe(5);
  });

  it('previews the first link until the preview is hidden', async () => {
    const { page } = await visitAs('learner');
    const editor = await openComposer(page);
    const refused = page.waitForResponse(/\/api\/assets\/link-previews\//);
    await editor.fill('See http://127.0.0.1:9/secret');
    expect((await refused).status()).toBe(400);
    expect(await page.getByRole('group', { name: 'Link preview' }).count()).toBe(0);
    await page.route(/\/api\/assets\/link-previews\//, (route) =>
      route.fulfill({ json: { url: 'https://page.example/a', title: 'A page', description: 'What it says' } }),
    );
    await editor.fill('See https://page.example/a');
    const card = page.getByRole('group', { name: 'Link preview' });
    await card.getByText('What it says').waitFor();
    await button(page, 'Hide the preview').click();
    await expect.poll(() => card.count(), SOON).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('post-body');
    await page
      .locator('form[method=post]')
      .first()
      .evaluate((form: HTMLFormElement) => form.reset());
  });

  it('creates a poll with any number of options', async () => {
    const { page, faults } = await visitAs('learner');
    await page.goto(ROOM);
    await page.getByText('Create a poll').click();
    await page.getByLabel('Your question').fill('Tea or coffee?');
    await page.getByLabel('Option 1').fill('Tea');
    await page.getByLabel('Option 2').fill('Mud');
    await button(page, 'Add option').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('poll-option3');
    await page.keyboard.type('Coffee');
    await button(page, 'Remove option 2').click();
    await expect.poll(() => page.getByLabel('Option 2').inputValue()).toBe('Coffee');
    await button(page, 'Start the poll in Plain words').click();
    await page.getByText('Your poll has started.').waitFor();
    expect(await page.locator('main li button:not(details *)').allTextContents()).toHaveLength(2);
    expect(faults).toEqual([]);
  });

  it('loads the editor only when it is used', async () => {
    const { page } = await visitAs('learner');
    const scripts: string[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('.js')) scripts.push(await response.text().catch(() => ''));
    });
    const streamed = page.waitForRequest(/\/api\/notifications\/stream/);
    await page.goto(ROOM);
    await streamed; // everything else has loaded
    await expect.poll(() => scripts.length, SOON).toBeGreaterThan(3);
    expect(scripts.filter((script) => script.includes('ProseMirror'))).toEqual([]);
    await page.locator('#write summary').first().click();
    await enterText(page);
    await expect.poll(() => scripts.some((script) => script.includes('ProseMirror')), SOON).toBe(true);
  });
});

describe('on a narrow screen', () => {
  it.each(['en', 'ar'])('the editor and its suggestions fit and are accessible: %s', async (locale) => {
    const visitor = await visitAs('learner', { viewport: { width: 320, height: 640 } });
    const { page, faults } = visitor;
    const editor = await openComposer(page, `${ROOM}?locale=${locale}`);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(locale === 'ar' ? 'rtl' : 'ltr');
    await editor.click();
    await page.keyboard.type('@', { delay: 20 });
    await page.getByRole('listbox').waitFor();
    expect(await isTooWide(page)).toBe(false);
    // Seen from the top on a long screen, because a button half under one of the bars would count as too small.
    await page.setViewportSize({ width: 320, height: 3_000 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('listbox').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto('/communities');
    expect(await isTooWide(page)).toBe(false);
    expect(faults).toEqual([]);
  });

  it('a visitor sees no composer', async () => {
    const { page } = await visit({ viewport: { width: 320, height: 640 } });
    await page.goto(ROOM);
    expect(await page.locator('#write').count()).toBe(0);
    expect(await isTooWide(page)).toBe(false);
  });
});

async function signInAgain(context: Visit['context'], account: Account): Promise<void> {
  const answer = await context.request.post('/api/auth/logins', {
    data: { email: `${account}@example.gov`, password: PASSWORD },
    headers: await ownOrigin(),
  });
  expect(answer.status()).toBe(200);
}
