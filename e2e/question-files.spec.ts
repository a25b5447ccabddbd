import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs, type Visit } from './visitor.ts';

const SHOTS = process.env['SHOTS'];
const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

const GIFT = `::Two words::Which is shorter?{=use #Three letters. ~utilise}

::Text::About short forms.

::Why::Explain your choice.{=}
`;

/** A new lesson of a new course, as a draft. */
async function makeLesson({ context }: Visit, slug: string): Promise<string> {
  const create = async (body: object) => await callApi(context, 'POST', '/api/content/authoring', body);
  const course = await create({ kind: 'course', title: 'Words', slug });
  const at = `/api/content/authoring/course/pieces/${course.key}`;
  await callApi(context, 'POST', `${at}/publish`, { version: course.version });
  const journey = await create({ kind: 'journey', title: 'Short words', parent: course.key });
  return (await create({ kind: 'lesson', title: 'What have you learned?', parent: journey.key })).key;
}

async function choose(page: Page, text: string) {
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'short-words.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
}

const button = (page: Page, name: string) => page.getByRole('button', { name });

describe('a file of questions', () => {
  for (const javaScriptEnabled of [true, false])
    it(`is checked, added and downloaded, with JavaScript: ${javaScriptEnabled}`, { timeout: 180_000 }, async () => {
      const author = await visitAs('admin', { javaScriptEnabled });
      const { page, faults } = author;
      const key = await makeLesson(author, javaScriptEnabled ? 'words' : 'words-plain');
      await page.goto(`/admin/content/lesson/${key}`);
      await page.getByRole('link', { name: 'Questions', exact: true }).click();
      expect(await page.getByRole('link', { name: 'QTI 3.0' }).count()).toBe(0);

      await button(page, 'Check the file').click();
      await page.getByText('This field is required.').first().waitFor();
      await choose(page, '<!DOCTYPE quiz><quiz/>');
      await button(page, 'Check the file').click();
      await page.getByText('This file cannot be read as questions.').first().waitFor();

      await choose(page, GIFT);
      await button(page, 'Check the file').click();
      await page.getByText('1 question can be added. Nothing has changed yet.').waitFor();
      const problems = await page.getByRole('table', { name: 'Not taken' }).getByRole('row').allInnerTexts();
      expect(problems[1]).toMatch(/Text\s+There is no such type of question here: description\s+Question left out/);
      expect(problems).toHaveLength(3);
      expect(await page.getByRole('link', { name: 'QTI 3.0' }).count()).toBe(0);
      if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
      await shoot(page, `checked-${javaScriptEnabled}`);

      if (!javaScriptEnabled) await choose(page, GIFT);
      await button(page, 'Add questions').click();
      await page.getByText('1 question was added to the draft.').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'QTI 3.0' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('what-have-you-learned-en.zip');
      await shoot(page, `added-${javaScriptEnabled}`);
      expect(faults).toEqual([]);
    });

  it.each(['light', 'dark'] as const)(
    'fits a narrow screen in English and Arabic, %s',
    { timeout: 120_000 },
    async (colorScheme) => {
      const author = await visitAs('admin', { viewport: { width: 320, height: 800 }, colorScheme });
      const { page } = author;
      const key = await makeLesson(author, `words-${colorScheme}`);
      for (const locale of ['en', 'ar']) {
        await page.goto(`/admin/content/lesson/${key}/questions?locale=${locale}`);
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'short-words.txt', mimeType: 'text/plain', buffer: Buffer.from(GIFT) });
        await page.locator('button[value=check]').click();
        await page.getByRole('status').filter({ hasText: /./ }).first().waitFor();
        await page.getByRole('table').first().waitFor();
        expect(await isTooWide(page)).toBe(false);
        expect(await axeFaults(page)).toEqual([]);
        await shoot(page, `narrow-${locale}-${colorScheme}`);
      }
    },
  );
});

const ATTEMPTS = '/api/learner/me/courses/responsible-ai/journeys/foundations/lessons/check-what-you-know/attempts';

/** A person who submits an attempt at the assessment of the demo with a right answer to `count` of its questions. */
async function attempt(name: string, count: number): Promise<void> {
  const { context } = await visitAsNewcomer(name);
  const journey = { courseSlug: 'responsible-ai', journeySlug: 'foundations' };
  await callApi(context, 'POST', '/api/learner/learners/me/journeys', journey);
  const { id, questions } = await callApi(context, 'POST', ATTEMPTS, {});
  for (const { number, type } of questions.slice(0, count)) {
    const data = type === 'number' ? { choice: [], text: '3' } : { choice: [1], text: '' };
    await context.request.put(`${ATTEMPTS}/${id}/answers/${number}`, { data, headers: SAME_SITE });
  }
  await callApi(context, 'POST', `${ATTEMPTS}/${id}/submission`, {});
}

it('shows authors how questions do, once five people have answered', { timeout: 180_000 }, async () => {
  for (const [nth, name] of ['Ana Reis', 'Bo Lind', 'Chi Ito', 'Dia Sow', 'Eva Roth'].entries())
    await attempt(name, nth);
  const { page, context } = await visitAs('admin');
  const { pieces } = await callApi(context, 'GET', '/api/content/authoring?kind=lesson&q=check-what-you-know');
  const path = `/admin/content/lesson/${pieces[0].key}/statistics`;
  await page.goto(path);
  const table = page.getByRole('table', { name: 'Statistics' });
  expect(await table.getByRole('row').nth(1).innerText()).toMatch(/\b5\b.*\d+(?:\.\d)?%/s);
  expect(await axeFaults(page)).toEqual([]);
  await shoot(page, 'statistics');
  const csv = await (await context.request.get(`${path}.csv`)).text();
  expect(csv.split('\r\n')[0]).toBe('\uFEFFquestion,language,current,people,facility,discrimination');
  for (const locale of ['en', 'ar']) {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(`${path}?locale=${locale}`);
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, `statistics-${locale}`);
  }
});

it('gives a learner extra time, without JavaScript too', { timeout: 120_000 }, async () => {
  const learner = await visitAsNewcomer('Noor Haddad');
  const journey = { courseSlug: 'responsible-ai', journeySlug: 'foundations' };
  await callApi(learner.context, 'POST', '/api/learner/learners/me/journeys', journey);
  const { page } = await visitAs('admin', { javaScriptEnabled: false });
  await page.goto('/admin/content/course/responsible-ai');
  await page.getByRole('link', { name: 'Extra time' }).click();
  await page.getByText('Nobody has extra time in this course.').waitFor();
  const give = async (email: string) => {
    await page.getByLabel('E-mail address of the learner').fill(email);
    await page.getByLabel('Extra time in percent').fill('25');
    await button(page, 'Give extra time').click();
  };
  await give('nobody@example.org');
  await page.getByText('Nobody with a place in this course has this address.').first().waitFor();
  await give(learner.email);
  await page.getByRole('row', { name: /Noor Haddad\s+25%/ }).waitFor();
  await shoot(page, 'extra-time');
  await learner.page.goto('/courses/responsible-ai/foundations/check-what-you-know');
  await learner.page.getByText('Time limit: 25 minutes', { exact: false }).waitFor();
  const narrow = await visitAs('admin', { viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
  await narrow.page.goto('/admin/content/course/responsible-ai/extra-time?locale=ar');
  expect(await isTooWide(narrow.page)).toBe(false);
  expect(await axeFaults(narrow.page)).toEqual([]);
  await shoot(narrow.page, 'extra-time-ar');
  await button(page, 'Remove the extra time of Noor Haddad').click();
  await page.getByText('Nobody has extra time in this course.').waitFor();
});
