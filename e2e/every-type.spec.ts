import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { visit, visitAs } from './visitor.ts';

// Every type of content is written on the screen in two languages, published, read, found, translated anew and
// withdrawn. Only the pages decide what is seen.

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const box = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });

let author: Page;
let readers: { en: Page; de: Page };
beforeAll(async () => {
  author = (await visitAs('admin', { javaScriptEnabled: false })).page;
  readers = { en: (await visit({ locale: 'en' })).page, de: (await visit({ locale: 'de' })).page };
});

type Texts = { title: string; titel: string };
/** Words that stand nowhere else in the demo. */
const textsOf = (kind: string): Texts => ({ title: `Amberite ${kind}`, titel: `Bernsteinit ${kind}` });
const slugOf = (kind: string) => `amberite-${kind}`;

async function begin(kind: string): Promise<void> {
  await author.goto(`/admin/content/new?kind=${kind}`);
  await create(kind);
}

async function create(kind: string): Promise<void> {
  const { title, titel } = textsOf(kind);
  await box(author, 'Title').fill(title);
  await button(author, 'Create').click();
  await author.getByRole('heading', { level: 1, name: title }).waitFor();
  await button(author, 'Deutsch missing').click();
  await box(author, /^Title · Deutsch/).fill(titel);
}

async function save(): Promise<void> {
  await button(author, 'Save draft').first().click();
  await author.getByText('Saved', { exact: false }).first().waitFor();
}

/** Publishes the piece on the screen and everything below it, for everyone: what is written here begins as private. */
async function publish(): Promise<void> {
  await button(author, 'Save and publish…').click();
  const audience = author.getByLabel('Who will see it');
  // Parts of a hub have no audience of their own.
  if ((await audience.count()) && (await audience.inputValue()) !== 'public') {
    await audience.selectOption('public');
    await button(author, /^Publish$/).click();
    await author.getByRole('heading', { name: 'What this would change' }).waitFor();
  }
  await button(author, /^Publish$/).click();
  await author
    .getByText(/^Published\.|pieces published\.$/)
    .first()
    .waitFor();
}

async function withdraw(kind: string): Promise<void> {
  await author.goto(`/admin/content?q=${slugOf(kind)}&kind=${kind}`);
  await author
    .getByRole('link', { name: textsOf(kind).title })
    .first()
    .click();
  await author.getByRole('link', { name: 'Publication' }).click();
  await author.getByText('Withdraw', { exact: true }).click();
  await button(author, 'Withdraw now').click();
  await author.getByText('Withdrawn. Publish it to show it again.').first().waitFor();
}

async function expectRead(path: string, kind: string): Promise<void> {
  const { title, titel } = textsOf(kind);
  for (const [page, name] of [
    [readers.en, title],
    [readers.de, titel],
  ] as const) {
    expect([path, (await page.goto(path))?.status()]).toEqual([path, 200]);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
}

async function found(page: Page, words: string): Promise<number> {
  await page.goto(`/search?q=${encodeURIComponent(words)}`);
  return await page.getByRole('main').getByRole('link', { name: words }).count();
}

async function expectFound(kind: string, count: number): Promise<void> {
  const { title, titel } = textsOf(kind);
  for (const [page, words] of [
    [readers.en, title],
    [readers.de, titel],
  ] as const)
    await expect.poll(async () => Math.min(await found(page, words), 1), { message: words }).toBe(count);
}

async function expectGone(path: string): Promise<void> {
  for (const page of [readers.en, readers.de]) expect((await page.goto(path))?.status()).toBe(404);
}

const fill = async (fields: Record<string, string>) => {
  for (const [name, text] of Object.entries(fields)) await author.locator(`[name="${name}"]`).first().fill(text);
};

/** The fields of each type besides its title, and its page. */
const TYPES: Record<string, { path: string; write: () => Promise<void> }> = {
  academy: {
    path: '/academies/amberite-academy',
    write: () => fill({ description_en: 'For those who begin.', description_de: 'Für alle am Anfang.' }),
  },
  microcourse: {
    path: '/microcourses/en/amberite-microcourse',
    write: () => fill({ body_en: 'A *short* text.', body_de: 'Ein *kurzer* Text.' }),
  },
  community: {
    path: '/communities/amberite-community',
    write: async () => {
      await fill({ description_en: 'We talk.', description_de: 'Wir reden.' });
      await author.locator('[name=privacy]').selectOption('open-visible');
    },
  },
  question: {
    path: '/questions/amberite-question',
    write: () => fill({ answer_en: 'Ask the office.', answer_de: 'Fragen Sie das Amt.' }),
  },
  solution: {
    path: '/solutions/amberite-solution',
    write: () => fill({ problem_en: 'Letters were long.', problem_de: 'Briefe waren lang.' }),
  },
  event: {
    path: '/events/amberite-event',
    write: () =>
      fill({
        about_en: 'We meet.',
        about_de: 'Wir treffen uns.',
        starts: '2031-05-06T10:00',
        ends: '2031-05-06T12:00',
        place: 'Town hall',
      }),
  },
};

describe.each(Object.entries(TYPES))('content of the type %s', (kind, { path, write }) => {
  it('is written, translated, found and withdrawn on the screen', { timeout: 240_000 }, async () => {
    await begin(kind);
    await write();
    await save();
    await expectGone(path);
    await publish();
    await expectRead(path, kind);
    await expectFound(kind, 1);
    await withdraw(kind);
    await expectGone(path);
    await expectFound(kind, 0);
  });
});

const picture = async () => ({
  name: 'square.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 80, height: 60, channels: 3, background: '#0b6e6e' } })
    .png()
    .toBuffer(),
});

describe('a hub of a carousel and a picture', () => {
  it('is written, translated, found and withdrawn with its parts on the screen', { timeout: 240_000 }, async () => {
    await begin('picture');
    await author.locator('[name=cover_file]').setInputFiles(await picture());
    await button(author, 'Save with this cover').click();
    await author.locator('[name=no_cover]').waitFor();
    await fill({ coverAlt_en: 'A green square', coverAlt_de: 'Ein grünes Quadrat' });
    await publish();

    await begin('carousel');
    await fill({ items: '/courses/plain-language\n/microcourses/en/write-alt-text' });
    await publish();

    await begin('hub');
    await fill({ items: '/carousels/amberite-carousel\n/pictures/amberite-picture\n/courses/plain-language' });
    await publish();
    const path = '/hubs/amberite-hub';
    await expectRead(path, 'hub');
    await expectFound('hub', 1);

    await readers.de.goto(path);
    await readers.de.getByRole('heading', { name: 'Bernsteinit carousel' }).waitFor();
    await readers.de.getByRole('img', { name: 'Ein grünes Quadrat' }).waitFor();

    for (const part of ['carousel', 'picture']) await withdraw(part);
    await readers.de.goto(path);
    await readers.de.getByRole('heading', { level: 1, name: 'Bernsteinit hub' }).waitFor();
    expect(await readers.de.getByRole('heading', { name: 'Bernsteinit carousel' }).count()).toBe(0);
    expect(await readers.de.getByRole('img', { name: 'Ein grünes Quadrat' }).count()).toBe(0);
    await withdraw('hub');
    await expectGone(path);
    await expectFound('hub', 0);
  });
});

describe('a course with a journey and a lesson', () => {
  it('is written, translated, found and withdrawn on the screen', { timeout: 240_000 }, async () => {
    await begin('course');
    await author.getByLabel('In the catalogue').selectOption('Public');
    await save();
    await author.getByRole('link', { name: 'New journey' }).click();
    await create('journey');
    await author.locator('[name=privacy]').selectOption('open-public');
    await box(author, 'Heading of a new section').fill('Start');
    await button(author, 'Add section').click();
    await button(author, /^New lesson/)
      .first()
      .click();
    await create('lesson');
    await fill({ body_en: 'We write.', body_de: 'Wir schreiben.' });
    await save();
    await author.getByRole('navigation', { name: 'Location' }).getByRole('link', { name: 'Amberite course' }).click();
    await author.getByRole('heading', { level: 1, name: 'Amberite course' }).waitFor();
    await publish();

    const path = '/courses/amberite-course';
    await expectRead(path, 'course');
    for (const [page, journey] of [
      [readers.en, 'Amberite journey'],
      [readers.de, 'Bernsteinit journey'],
    ] as const) {
      await page.goto(path);
      await page.getByText(journey).first().waitFor();
    }
    await expectFound('course', 1);
    await withdraw('course');
    await expectGone(path);
    await expectFound('course', 0);
    await expectFound('lesson', 0);
  });
});
