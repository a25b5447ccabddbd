import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

const SHOTS = process.env['SHOTS'];
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const minutes = (page: Page, lesson: string) =>
  page.getByRole('textbox', { name: new RegExp(`^Minutes ?: ${lesson}$`) });
const required = (page: Page, lesson: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^Required ?: ${lesson}$`) });

it.each([true, false])(
  'minutes of lessons and whether they are required are changed in the outline, with JavaScript: %s',
  { timeout: 180_000 },
  async (javaScriptEnabled) => {
    const { page, context, faults } = await visitAs('admin', { javaScriptEnabled });
    const make = async (body: object) => await callApi(context, 'POST', '/api/content/authoring', body);
    const course = await make({ kind: 'course', title: `An outline ${Date.now()}` });
    const journey = await make({ kind: 'journey', title: 'Path', parent: course.key });
    const lessons: { key: string }[] = [];
    for (const title of ['First', 'Second', 'Third'])
      lessons.push(await make({ kind: 'lesson', title, parent: journey.key }));
    const docOf = async (nth: number) =>
      (await callApi(context, 'GET', `/api/content/authoring/lesson/pieces/${lessons[nth]?.key}`)).doc;

    await page.goto(`/admin/content/journey/${journey.key}`);
    await minutes(page, 'First').fill('12');
    await required(page, 'First').uncheck();
    await minutes(page, 'Third').fill('many');
    await button(page, 'Save draft').first().click();
    await page.getByRole('alert').first().waitFor();
    expect([await minutes(page, 'First').inputValue(), await required(page, 'First').isChecked()]).toEqual([
      '12',
      false,
    ]);
    expect(await docOf(0)).toMatchObject({ minutes: 0, mandatory: true });
    await minutes(page, 'Third').fill('30');
    await button(page, 'Save draft').first().click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await docOf(0)).toMatchObject({ minutes: 12, mandatory: false });
    expect(await docOf(1)).toMatchObject({ minutes: 0, mandatory: true });
    expect(await docOf(2)).toMatchObject({ minutes: 30, mandatory: true });

    // The change of another author to a lesson that this page did not change stays.
    const at = `/api/content/authoring/lesson/pieces/${lessons[1]?.key}`;
    const { doc, version } = await callApi(context, 'GET', at);
    await callApi(context, 'PUT', at, { version, doc: { ...doc, minutes: 7 } });
    await minutes(page, 'First').fill('13');
    await button(page, 'Move down: First').click();
    expect(await minutes(page, 'First').inputValue()).toBe('13');
    await button(page, 'Save draft').first().click();
    await expect.poll(async () => (await docOf(0)).minutes, { timeout: 20_000 }).toBe(13);
    expect(await docOf(1)).toMatchObject({ minutes: 7 });
    await page.reload();
    expect(await minutes(page, 'Second').inputValue()).toBe('7');

    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      if (SHOTS)
        await page.screenshot({ path: `${SHOTS}/outline-${String(javaScriptEnabled)}-${width}.png`, fullPage: true });
      expect([width, await isTooWide(page)]).toEqual([width, false]);
    }
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  },
);

it('a lesson that moves to another section keeps what was typed', { timeout: 120_000 }, async () => {
  const { page, context } = await visitAs('admin');
  const make = async (body: object) => await callApi(context, 'POST', '/api/content/authoring', body);
  const course = await make({ kind: 'course', title: `Sections ${Date.now()}` });
  const journey = await make({ kind: 'journey', title: 'Path', parent: course.key });
  const lesson = await make({ kind: 'lesson', title: 'Wanderer', parent: journey.key });
  await page.goto(`/admin/content/journey/${journey.key}`);
  await page.getByRole('textbox', { name: 'Heading of a new section' }).fill('Next');
  await button(page, 'Add section').click();
  await page.getByRole('textbox', { name: /^Section 2/ }).waitFor();
  await minutes(page, 'Wanderer').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('25');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await button(page, 'Move down: Wanderer').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => minutes(page, 'Wanderer').inputValue()).toBe('25');
  expect(await required(page, 'Wanderer').isChecked()).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move up: Wanderer');
  // The section was saved before, which must not make this save a conflict.
  await page.keyboard.press('Control+s');
  const docOf = async ({ kind, key }: { kind: string; key: string }) =>
    (await callApi(context, 'GET', `/api/content/authoring/${kind}/pieces/${key}`)).doc;
  await expect.poll(async () => (await docOf(journey)).sections[1]?.lessons, { timeout: 20_000 }).toEqual([lesson.key]);
  expect(await docOf(lesson)).toMatchObject({ minutes: 25, mandatory: false });
  await context.close();
});
