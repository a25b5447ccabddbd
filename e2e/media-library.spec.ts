import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { visitAs } from './visitor.ts';

const AT = '/api/content/authoring';
// A picture of one pixel.
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC',
  'base64',
);

/** A published course with one lesson. */
async function makeCourse({ context }: { context: BrowserContext }, title: string) {
  const make = async (body: object) => await callApi(context, 'POST', AT, body);
  const course = await make({ kind: 'course', title });
  const journey = await make({ kind: 'journey', title: 'Way', parent: course.key });
  const lesson = await make({ kind: 'lesson', title: `Lesson of ${title}`, parent: journey.key });
  const { doc } = await callApi(context, 'GET', `${AT}/lesson/pieces/${lesson.key}`);
  const written = { version: 1, doc: { ...doc, body: { en: 'Words.' } } };
  await callApi(context, 'PUT', `${AT}/lesson/pieces/${lesson.key}`, written);
  await callApi(context, 'POST', `${AT}/course/pieces/${course.key}/publish`, { version: 1, withParts: true });
  return { course: course.key as string, lesson: lesson.key as string };
}

async function send({ request }: BrowserContext, lesson: string, what: 'files' | 'pictures', file: object) {
  const sent = await request.post(`${AT}/lesson/pieces/${lesson}/${what}`, {
    headers: SAME_SITE,
    multipart: { file: file as { name: string; mimeType: string; buffer: Buffer } },
  });
  expect([sent.status(), sent.ok() ? '' : await sent.text()]).toEqual([201, '']);
  return (await sent.json()) as { path: string; version: number };
}
const note = (text: string) => ({ name: `${text}.txt`, mimeType: 'text/plain', buffer: Buffer.from(text) });

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

it.each([true, false])(
  'the media library shows pictures with their pieces, and a role only its own, with JavaScript: %s',
  { timeout: 120_000 },
  async (javaScriptEnabled) => {
    const word = javaScriptEnabled ? 'amber' : 'birch';
    const admin = await visitAs('admin', { javaScriptEnabled });
    const [own, foreign] = [await makeCourse(admin, `Own ${word}`), await makeCourse(admin, `Foreign ${word}`)];
    await send(admin.context, own.lesson, 'pictures', { name: 'a.png', mimeType: 'image/png', buffer: PICTURE });
    await send(admin.context, foreign.lesson, 'files', note(`foreign-${word}`));
    const left = await send(admin.context, own.lesson, 'files', note(`left-${word}`));
    await callApi(admin.context, 'POST', `${AT}/lesson/pieces/${own.lesson}/remove-file`, {
      path: left.path,
      version: left.version,
    });

    const { page } = admin;
    await page.goto('/admin/content');
    await page.getByRole('link', { name: 'Media', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
    const show = page.getByRole('button', { name: 'Show', exact: true });
    await page.getByLabel('File name, address or title').fill(`Lesson of Own ${word}`);
    await page.getByLabel('Type').selectOption({ label: 'Picture' });
    await show.click();
    const picture = row(page, `Lesson of Own ${word}`);
    await picture.waitFor();
    expect(await picture.getByRole('link', { name: `Lesson of Own ${word}` }).getAttribute('href')).toBe(
      `/admin/content/lesson/${own.lesson}`,
    );
    expect(await picture.innerText()).toContain('Picture (WEBP)');
    await expect
      .poll(async () => await picture.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);

    await page.getByRole('link', { name: 'Show everything' }).click();
    await row(page, `Lesson of Foreign ${word}`).first().waitFor();
    await page.getByLabel('Only unused files').check();
    await show.click();
    await page.waitForURL(/unused=true/);
    await expect.poll(async () => await row(page, 'Lesson of').count()).toBe(0);
    expect(await row(page, 'Unused').count()).toBeGreaterThan(0);

    const author = await visitAsNewcomer(`Ada ${word}`, { javaScriptEnabled });
    await callApi(admin.context, 'POST', `/api/admin/people/${author.id}/roles`, {
      role: 'author',
      kind: 'course',
      placeId: own.course,
    });
    await author.page.goto('/admin/content/media');
    await row(author.page, `Lesson of Own ${word}`).waitFor();
    expect(await row(author.page, 'Lesson of').count()).toBe(1);
    expect(await author.page.getByLabel('Only unused files').count()).toBe(0);
    expect([...admin.faults, ...author.faults]).toEqual([]);
  },
);
