import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { callApi } from './newcomer.ts';
import { visitOf } from './people.ts';
import { visit } from './visitor.ts';

const COURSE = '/courses/plain-language';

describe('finding a course', () => {
  it('works by topic, without script too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await visit({ javaScriptEnabled });
      await page.goto('/courses');
      await page.getByLabel('Topic', { exact: true }).selectOption('Policymaking');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.waitForURL(/topic=policymaking/);
      await page.getByText('1 found').waitFor();
      expect(await page.getByRole('heading', { level: 3 }).count()).toBe(1);
      await page.getByRole('link', { name: 'Digital and data' }).click();
      await page.waitForURL(/topic=digital-and-data/);
      expect(await page.getByRole('heading', { level: 3 }).count()).toBe(4);
    }
  });

  it('says who runs it', async () => {
    const { page } = await visit({ locale: 'ar' });
    await page.goto(COURSE);
    const facts = page.getByRole('complementary');
    await facts.getByText('Plain language desk').waitFor();
    await facts.getByText('فريق الدورة').waitFor();
    expect(await facts.getByRole('link').last().getAttribute('href')).toBe('mailto:plain-language@academy.example.gov');
  });
});

describe('topics and contacts of a course', () => {
  it('are written on the screen, without script too', async () => {
    const { page } = await visitOf('administrator', { javaScriptEnabled: false });
    await page.goto('/admin/content/course/budgets-and-evidence');
    await page.getByLabel('Education', { exact: true }).check();
    const contact = page.getByRole('group', { name: 'Contact 1' });
    await contact.getByLabel('Name').fill('Budget office');
    await contact.getByLabel(/^Role · English/).fill('Authors');
    await contact.getByLabel('E-mail address').fill('budgets@academy.example.gov');
    await contact.getByLabel('Profile on this site').fill('somebody');
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await expect.poll(() => page.getByRole('alert').count()).toBeGreaterThan(0);
    expect(await contact.getByLabel('Name').inputValue()).toBe('Budget office');
    await contact.getByLabel('Profile on this site').fill('');
    await page.getByRole('button', { name: 'Save draft' }).first().click();
    await expect.poll(() => page.getByRole('group', { name: 'Contact 3' }).count()).toBe(1);
    expect(await contact.getByLabel('E-mail address').inputValue()).toBe('budgets@academy.example.gov');
    expect(await page.getByLabel('Education', { exact: true }).isChecked()).toBe(true);
  });
});

describe('one’s profile', () => {
  it('takes a country from a list in the reader’s language, and a link', async () => {
    const { page } = await visitOf('newcomer', { javaScriptEnabled: false });
    await page.goto('/me/settings');
    await page.getByLabel(/^Country/).selectOption({ label: 'Vietnam' });
    await page.getByLabel(/^Link about you/).fill('city.example');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('http').first().waitFor();
    expect(await page.getByLabel(/^Country/).inputValue()).toBe('VN');
    await page.getByLabel(/^Link about you/).fill('https://city.example/noor');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto('/people/me');
    await page.getByText('Vietnam').waitFor();
    expect(await page.getByRole('link', { name: 'city.example/noor' }).getAttribute('href')).toBe(
      'https://city.example/noor',
    );
    await page.goto('/people/me?locale=pl');
    await page.getByText('Wietnam').waitFor();
  });
});

describe('the cover of a community', () => {
  it('is on its page and in the list once it is published', async () => {
    const { page, context } = await visitOf('administrator');
    const at = '/api/content/authoring/community/pieces/data-and-evidence';
    const buffer = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#0b6e6e' } })
      .png()
      .toBuffer();
    const sent = await context.request.post(`${at}/pictures`, {
      multipart: { file: { name: 'cover.png', mimeType: 'image/png', buffer } },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const { path } = await sent.json();
    const { doc, version } = await callApi(context, 'GET', at);
    const saved = await callApi(context, 'PUT', at, {
      version,
      doc: { ...doc, cover: path, coverAlt: { en: 'A teal square' } },
    });
    await callApi(context, 'POST', `${at}/publish`, { version: saved.version });
    await page.goto('/communities/data-and-evidence');
    await page.getByAltText('A teal square').waitFor();
    const picture = await page.locator('meta[property="og:image"]').getAttribute('content');
    expect((await context.request.get(new URL(picture ?? '').pathname)).status()).toBe(200);
    await page.goto('/communities');
    expect(await page.locator('main img[src*="content-assets"]').count()).toBeGreaterThan(0);
  });
});
