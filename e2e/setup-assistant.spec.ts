import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { type DemoProduct, startDemo } from './demo.ts';
import { Keyboard } from './keyboard.ts';
import { visit, visitAs } from './visitor.ts';

/** A product of its own, because every page shows its name and languages. */
let product: DemoProduct;
beforeAll(async () => {
  product = await startDemo();
});
afterAll(async () => {
  await product.stop();
});

describe('the set-up assistant', () => {
  it('is gone through with the keyboard alone', async () => {
    const { page, faults } = await visitAs('admin', { baseURL: product.url, reducedMotion: 'reduce' });
    const keys = new Keyboard(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const step = async (title: string) => await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const save = async () => await keys.press(button('Save and continue'));
    const next = async () => await keys.press(button('Continue'));

    await keys.open('/admin');
    await page.getByText('0 of 8 steps done').waitFor();
    await keys.press(page.getByRole('link', { name: 'Continue the set-up' }));
    await step('Name of the site');
    await keys.fill(page.getByLabel('Name of the site'), 'Finance Academy');
    await save();
    await step('Logo');
    await keys.press(button('Skip this step'));
    await step('Colour');
    await keys.fill(page.getByLabel('Colour'), '#7a0019');
    await save();
    await step('Languages');
    await keys.press(page.getByLabel('日本語', { exact: true }), 'Space');
    await save();
    await step('Who may join');
    await page.getByText('ADMIN_SECOND_FACTOR').waitFor();
    await next();
    await step('E-mail');
    await keys.press(button('Send a test message'));
    await page.getByText('The message was saved as a file on the server.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await next();
    await step('Legal pages');
    await next();
    await step('Demo content');
    expect(await axeFaults(page)).toEqual([]);
    await keys.press(button('Keep the demo content'));
    await page.getByText('Your site is set up.').waitFor();
    expect(await page.getByText('steps done').count()).toBe(0);
    await page.getByRole('banner').getByText('Finance Academy').waitFor();
    expect([...new Set(keys.faults)]).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('has left out a language everywhere', async () => {
    const { page, context } = await visit({ baseURL: product.url, locale: 'ja' });
    await page.goto('/');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.getByRole('button', { name: '日本語' }).count()).toBe(0);
    expect(await page.locator('link[hreflang="ja"]').count()).toBe(0);
    expect(await page.locator('link[hreflang="fr"]').count()).toBe(1);
    await page.goto('/?locale=ja');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const sent = await context.request.post('/language', {
      form: { locale: 'ja', next: '/' },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(await sent.text()).toContain('<html lang="en"');
  });

  it('is put away and opened again, without JavaScript', async () => {
    const { page } = await visitAs('admin', { baseURL: product.url, javaScriptEnabled: false });
    await page.goto('/admin/setup');
    await page.getByRole('link', { name: 'Logo' }).click();
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await page.goto('/admin/setup');
    await page.getByRole('button', { name: 'Hide the assistant' }).click();
    await page.getByText('The assistant is hidden.').waitFor();
    await page.goto('/admin/site');
    await page.getByRole('link', { name: 'Set-up assistant' }).click();
    await page.getByText('7 of 8 steps done').waitFor();
  });
});

describe.each([true, false])('a notice, with JavaScript: %s', (javaScriptEnabled) => {
  it('is written, read, dismissed on one device, changed and deleted', async () => {
    const options = { baseURL: product.url, javaScriptEnabled };
    const { page, faults } = await visitAs('admin', options);
    const text = `Closed on Sunday, ${javaScriptEnabled}`;
    await page.goto('/admin/site/notices/new');
    await page.getByLabel('English').fill(text);
    await page.getByText('In other languages').click();
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('العربية').fill('مغلق يوم الأحد');
    await page.getByLabel('Start').fill('2026-01-01T09:00');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();

    const reader = await visit({ ...options, locale: 'en' });
    await reader.page.goto('/courses');
    const notices = reader.page.getByRole('region', { name: 'Notices' });
    await notices.getByText(text).waitFor();
    if (javaScriptEnabled) expect(await axeFaults(reader.page)).toEqual([]);
    await reader.page.goto('/courses?locale=ar');
    await reader.page.getByText('مغلق يوم الأحد').waitFor();
    await reader.page.goto('/courses?locale=en');
    await notices.getByRole('button', { name: 'Dismiss this notice' }).click();
    await notices.waitFor({ state: 'detached' });
    expect(new URL(reader.page.url()).pathname).toBe('/courses');

    await page.getByRole('main').getByRole('link', { name: text }).click();
    await page.getByLabel('Warning, which always stays').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    await reader.page.reload();
    await notices.getByText(`Warning: ${text}`).waitFor();
    expect(await notices.getByRole('button').count()).toBe(0);

    await page.getByRole('main').getByRole('link', { name: text }).click();
    await page.getByRole('button', { name: 'Delete the notice' }).click();
    await page.getByText('The notice has been deleted.').waitFor();
    await reader.page.reload();
    expect(await notices.count()).toBe(0);
    expect([...faults, ...reader.faults]).toEqual([]);
  });
});

describe.each([true, false])('the demo content, with JavaScript: %s', (javaScriptEnabled) => {
  it('is removed by its administrator, who stays', async () => {
    const tried = await startDemo();
    try {
      const options = { baseURL: tried.url, javaScriptEnabled };
      const { page, faults } = await visitAs('admin', options);
      await page.goto('/admin/site');
      await page.getByRole('link', { name: 'Look at the demo content' }).click();
      await page.getByRole('heading', { level: 1, name: 'Demo content' }).waitFor();
      await page.getByText('Your own account belongs to the demo').waitFor();
      const name = page.getByLabel('To confirm, type the name of the site');
      const remove = page.getByRole('button', { name: 'Remove the demo content' });
      await name.fill('Another site');
      await remove.click();
      await page.getByText('This is not the name of the site.').first().waitFor();
      await name.fill(await page.locator('label strong').innerText());
      await remove.click();
      const removed = page.getByText('The demo content has been removed');
      const progress = page.getByRole('link', { name: 'Show progress' });
      await removed.or(progress).first().waitFor();
      for (let tries = 0; (await removed.count()) === 0 && tries < 30; tries += 1) {
        await page.waitForTimeout(1000);
        await page.goto('/admin/setup/demo');
      }
      await removed.waitFor();
      expect(await remove.count()).toBe(0);
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
      await page.goto('/admin/site');
      expect(await page.getByRole('link', { name: 'Look at the demo content' }).count()).toBe(0);
      await page.goto('/admin/setup');
      await page.getByText('1 of 8 steps done').waitFor();

      const reader = await visit({ ...options, locale: 'en' });
      await reader.page.goto('/courses');
      await reader.page.getByRole('heading', { level: 1 }).waitFor();
      expect(await reader.page.getByText('Plain language in public service').count()).toBe(0);
      expect([...faults, ...reader.faults]).toEqual([]);
    } finally {
      await tried.stop();
    }
  });
});
