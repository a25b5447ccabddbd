import type { APIRequestContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { capitals, FAULTS, says, startApertiumServer } from '../server/test/apertium-server.ts';
import { axeFaults } from './axe.ts';
import { startDemo, type DemoProduct } from './demo.ts';
import { isTooWide, visitAs, type Account } from './visitor.ts';

const CITY = '/communities/city-makers';
const SAME_SITE = { 'sec-fetch-site': 'same-origin' };
type Apertium = Awaited<ReturnType<typeof startApertiumServer>>;
let apertium: Apertium;
let product: DemoProduct;

beforeAll(async () => {
  apertium = await startApertiumServer(says(capitals));
  product = await startDemo({ TRANSLATION_PROVIDER: 'apertium', APERTIUM_URL: apertium.url });
});
afterAll(async () => {
  await product.stop();
  await apertium.close();
});

async function visitDuringTest(account: Account, options: BrowserContextOptions = {}) {
  const visitor = await visitAs(account, { baseURL: product.url, ...options });
  onTestFinished(() => visitor.context.close());
  return visitor;
}

async function send(request: APIRequestContext, path: string, data: object): Promise<string> {
  const reply = await request.post(`/api/community${path}`, { data, headers: SAME_SITE });
  expect([path, reply.status()]).toEqual([path, 201]);
  return ((await reply.json()) as { id: string }).id;
}
const post = async (request: APIRequestContext, title: string) =>
  await send(request, `${CITY}/activities`, {
    title,
    body: 'Leemos **todo** en [esta página](https://example.org/plan) con `npm ci`.',
    locale: 'es',
  });
const reply = async (request: APIRequestContext, to: string, body: string, locale: string) =>
  await send(request, `${CITY}/activities/${to}/reactions`, { kind: 'reply', body, locale });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

describe('a text in another language', () => {
  it('is translated in place, names the engine, and is shown in the original again', async () => {
    const { page, context, faults } = await visitDuringTest('learner');
    const id = await post(context.request, 'La plaza nueva');
    await reply(context.request, id, 'Me gusta mucho', 'es');
    await reply(context.request, id, 'So do I', 'en');
    await page.goto(`${CITY}/activities/${id}`);
    await expect.poll(() => link(page, /^Translate from Spanish/).count()).toBe(2);

    await link(page, 'Translate from Spanish').first().click();
    const textOnPage = (words: string) => page.getByText(words, { exact: true });
    const translated = title(page, 'LA PLAZA NUEVA');
    await translated.waitFor();
    expect(await translated.getAttribute('lang')).toBe('en');
    const body = page.locator('.prose').first();
    expect([await body.getAttribute('lang'), await body.getAttribute('dir')]).toEqual(['en', 'auto']);
    expect(await body.locator('strong').innerText()).toBe('TODO');
    expect(await body.getByRole('link', { name: 'ESTA PÁGINA' }).getAttribute('href')).toBe('https://example.org/plan');
    expect(await body.locator('code').innerText()).toBe('npm ci');
    await page.getByText('Machine translated from Spanish').waitFor();
    // The focus moves to the link that restores the original.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Show original');

    await link(page, /^Translate from Spanish.*Maya Okafor/).click();
    await textOnPage('ME GUSTA MUCHO').waitFor();
    await translated.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await link(page, 'Show original').first().click();
    await title(page, 'La plaza nueva').waitFor();
    await textOnPage('ME GUSTA MUCHO').waitFor();
    expect(faults).toEqual([]);
  });

  it('is translated once for all readers', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await post(context.request, 'Una vez');
    const before = apertium.forms.length;
    const other = await visitDuringTest('moderator');
    for (const each of [page, other.page, page]) {
      await each.goto(`${CITY}/activities/${id}?translate=${id}`);
      await title(each, 'UNA VEZ').waitFor();
    }
    expect(apertium.forms.length - before).toBe(2); // its title and its body
  });

  it('can be translated in the feed, including a poll with its options', async () => {
    const { page, context } = await visitDuringTest('learner');
    const options = ['Más árboles', 'Una fuente'].map((body, index) => ({ position: index + 1, body }));
    await send(context.request, `${CITY}/polls`, { title: '¿Qué falta?', options, settings: {}, locale: 'es' });
    await page.goto(`${CITY}?ranking=recent_with_pin`);
    await link(page, /^Translate.*¿Qué falta/).click();
    await title(page, '¿QUÉ FALTA?').waitFor();
    await page.getByRole('button', { name: 'UNA FUENTE' }).click();
    await page.getByText('1 vote', { exact: true }).first().waitFor();
  });

  it('can be an article', async () => {
    const { page, context } = await visitDuringTest('moderator');
    const made = await context.request.post('/api/content/articles', {
      data: {
        title: 'Escribir para ser leídos',
        subtitle: 'Lo que aprendimos en un año',
        body: 'Las cartas **cortas** se leen.',
        tags: [],
        locale: 'es',
      },
      headers: SAME_SITE,
    });
    const { slug } = (await made.json()) as { slug: string };
    await page.goto(`/articles/${slug}`);
    await link(page, 'Translate from Spanish').click();
    await title(page, 'ESCRIBIR PARA SER LEÍDOS').waitFor();
    await page.getByText('LO QUE APRENDIMOS EN UN AÑO', { exact: true }).waitFor();
    expect(await page.locator('.prose strong').innerText()).toBe('CORTAS');
    await page.getByText('Machine translated from Spanish').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await link(page, 'Show original').click();
    await title(page, 'Escribir para ser leídos').waitFor();
  });

  it('can be a lesson discussion', async () => {
    const { page, context } = await visitDuringTest('learner');
    const lesson = 'courses/plain-language/journeys/write-to-be-understood/lessons/who-is-reading';
    const words = 'I write to people who wait';
    const data = { body: { en: words } };
    const made = await context.request.post(`/api/community/${lesson}/activities`, { data, headers: SAME_SITE });
    const { activityId } = (await made.json()) as { activityId: string };
    await page.goto('/courses/plain-language/write-to-be-understood/who-is-reading?locale=es');
    const first = page.locator(`#post-${activityId}`);
    await first
      .getByRole('link', { name: /^Traducir \(idioma original: inglés\)/ })
      .first()
      .click();
    await first.getByText('Traducción automática (idioma original: inglés)').first().waitFor();
    await first.locator('.prose').getByText(words.toUpperCase(), { exact: true }).waitFor();
    expect(await first.locator('.prose').first().getAttribute('lang')).toBe('es');
    await first.getByRole('link', { name: /^Ver el original/ }).click();
    await first.locator('.prose').getByText(words, { exact: true }).waitFor();
  });

  it('works without JavaScript, fits a narrow screen, and has labels in the reader’s language', async () => {
    const { page, context } = await visitDuringTest('learner', {
      javaScriptEnabled: false,
      viewport: { width: 320, height: 640 },
    });
    const id = await post(context.request, 'Sin guion');
    await page.goto(`${CITY}/activities/${id}`);
    await link(page, 'Translate from Spanish').click();
    await title(page, 'SIN GUION').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await link(page, 'Show original').click();
    await title(page, 'Sin guion').waitFor();
    await page.goto(`${CITY}/activities/${id}?translate=${id}&locale=pt`);
    await page.getByText('Tradução automática (língua original: espanhol)').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).getAttribute('lang')).toBe('pt');
  });

  it('stays in the original without a translation into the language, or when the engine fails', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await post(context.request, 'Sin motor');
    await page.goto(`${CITY}/activities/${id}?locale=ar`);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await page.locator('main a[href*="translate"]').count()).toBe(0);
    apertium.state.respond = FAULTS.html;
    await page.goto(`${CITY}/activities/${id}?translate=${id}`);
    await page.getByText('This text cannot be translated right now.').waitFor();
    await title(page, 'Sin motor').waitFor();
    apertium.state.respond = says(capitals);
    await link(page, 'Translate from Spanish').click();
    await title(page, 'SIN MOTOR').waitFor();
  });

  it('has no translation for visitors', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await post(context.request, 'Para todos');
    await context.clearCookies();
    const before = apertium.forms.length;
    await page.goto(`${CITY}/activities/${id}?translate=${id}`);
    await title(page, 'Para todos').waitFor();
    expect(await link(page, /^Translate/).count()).toBe(0);
    expect(apertium.forms.length).toBe(before);
  });
});
