import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { inMarkdown } from './in-markdown.ts';
import { isTooWide, visitAs } from './visitor.ts';

const LESSON = '/courses/plain-language/write-to-be-understood/one-idea-per-sentence';
const SHOTS = process.env['SHOTS'];

const quiz = (page: Page, id: string) => page.locator(`#quiz-${id}`);
const result = (page: Page, id: string) => page.locator(`#quiz-${id}-result`);
const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

describe('the questions of a lesson', () => {
  it('are answered by keyboard, wrong and then right', { timeout: 120_000 }, async () => {
    const { page, faults } = await visitAs('learner');
    await page.goto(LESSON);
    const one = page.getByRole('group', { name: 'How many ideas should one sentence carry?' });
    await one.getByRole('radio', { name: 'One for each comma' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await result(page, 'length').getByText('Not quite. Try again.').waitFor();
    expect(await result(page, 'length').textContent()).toContain('Commas do not separate ideas.');
    expect(await result(page, 'length').textContent()).not.toContain('Readers then know');
    await one.getByRole('radio', { name: 'One for each comma' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await result(page, 'length').getByText('Correct.').waitFor();
    expect(await result(page, 'length').getAttribute('role')).toBe('status');
    await quiz(page, 'list').getByRole('button', { name: 'Check answer' }).click();
    await result(page, 'list').getByText('Choose or enter an answer first.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'wide');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await quiz(page, 'list').getByRole('button', { name: 'Check answer' }).click();
    await result(page, 'list').getByText('Choose or enter an answer first.').waitFor();
    await page.evaluate(() => scrollTo(0, 0)); // the header would cover a part of what is below it
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'dark');
    expect(faults).toEqual([]);
  });

  it('work in Arabic at 320 px without script, with the focus on the result', { timeout: 120_000 }, async () => {
    const { page } = await visitAs('learner', { javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
    await page.goto(`${LESSON}?locale=ar&lang=ar`);
    const list = quiz(page, 'list');
    await list.getByRole('checkbox').nth(2).check();
    await list.getByRole('button').click();
    await result(page, 'list').locator('.is-wrong').waitFor();
    expect(await list.getByRole('checkbox').nth(2).isChecked()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('quiz-list-result');
    expect(await result(page, 'list').textContent()).toContain('الخط العريض لا يفك تشابك الجملة.');
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'ar-320');
    await list.getByRole('checkbox').nth(0).check();
    await list.getByRole('checkbox').nth(1).check();
    await list.getByRole('checkbox').nth(2).uncheck();
    await list.getByRole('button').click();
    await result(page, 'list').locator('.is-right').waitFor();
  });
});

const PLACES = '/courses/plain-language/write-to-be-understood/say-who-does-what';

describe('questions to match and to order', () => {
  it('are answered by keyboard, partly right and then right', { timeout: 120_000 }, async () => {
    const { page, faults } = await visitAs('learner');
    await page.goto(PLACES);
    const select = (name: string) => quiz(page, 'alive').getByLabel(name);
    await select('make an application for').focus();
    await page.keyboard.type('apply');
    await page.keyboard.press('Tab');
    await page.keyboard.type('decide');
    await quiz(page, 'alive').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await result(page, 'alive').getByText('1 of 3 are right.').waitFor();
    expect(await result(page, 'alive').textContent()).toContain('Three nouns and a preposition');
    await select('carry out an assessment of').selectOption({ label: 'assess' });
    await select('give consideration to').selectOption({ label: 'consider' });
    await quiz(page, 'alive').getByRole('button').click();
    await result(page, 'alive').getByText('Correct.').waitFor();
    const number = (name: string) => quiz(page, 'order').getByLabel(name);
    await number('Circle the verbs').focus();
    await page.keyboard.type('1');
    for (const [at, name] of ['Write above', 'Answer the', 'Rewrite'].entries()) {
      await number(name).focus();
      await page.keyboard.type(String(at + 2));
    }
    await page.keyboard.press('Enter');
    await result(page, 'order').getByText('Correct.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'places-wide');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(page, 'places-dark');
    expect(faults).toEqual([]);
  });

  it('work in Arabic at 320 px without script, and keep what was answered', { timeout: 120_000 }, async () => {
    const { page } = await visitAs('learner', { javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
    await page.goto(`${PLACES}?locale=ar&lang=ar`);
    const selects = quiz(page, 'alive').getByRole('combobox');
    await selects.nth(0).selectOption({ label: 'درست الإدارة الطلب' });
    await selects.nth(1).selectOption({ label: 'قرّرت اللجنة' });
    await quiz(page, 'alive').getByRole('button').click();
    await result(page, 'alive').locator('.is-wrong').waitFor();
    expect(await result(page, 'alive').textContent()).toContain('الإجابات الصحيحة: 1 من 3');
    expect(await selects.nth(0).locator('option:checked').getAttribute('label')).toBe('درست الإدارة الطلب');
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'places-ar-320');
    const numbers = quiz(page, 'order').getByRole('spinbutton');
    for (const nth of [0, 1, 2, 3]) await numbers.nth(nth).fill('2');
    await quiz(page, 'order').getByRole('button').click();
    await result(page, 'order').locator('.is-wrong').waitFor();
    expect(await numbers.nth(3).inputValue()).toBe('2');
  });
});

it('an author inserts a question, previews and publishes it', { timeout: 180_000 }, async () => {
  const { page, context, faults } = await visitAs('admin');
  await inMarkdown(context);
  await page.goto('/admin/content?q=one-idea-per-sentence&kind=lesson');
  await page.getByRole('link', { name: 'One idea per sentence' }).click();
  const text = page.getByRole('textbox', { name: /^Text · English/ });
  await text.press('Control+End');
  await page.getByRole('toolbar').first().getByRole('button', { name: 'Question', exact: true }).click();
  expect(
    await text.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd)),
  ).toBe('What is the question?');
  await page.keyboard.type('Is this a new question?');
  await page.getByText('How to write blocks').first().click();
  await page.getByText('A block begins with three colons').first().waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await shoot(page, 'editor');
  await page.getByRole('button', { name: 'Save draft' }).first().click();
  await page.getByText('Saved', { exact: false }).first().waitFor();
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await page.getByRole('group', { name: 'Is this a new question?' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Save and publish…' }).click();
  await page.getByRole('button', { name: /^Publish$/ }).click();
  // The translations lack the new question, so they stay as they are.
  await page.getByText('A translation whose questions have other numbers').first().waitFor();
  await page.getByLabel('Publish the other languages only').check();
  await page.getByRole('button', { name: /^Publish$/ }).click();
  await page
    .getByText(/^Published\./)
    .first()
    .waitFor();
  const learner = await visitAs('learner');
  await learner.page.goto(LESSON);
  const own = learner.page.getByRole('group', { name: 'Is this a new question?' });
  await own.getByRole('radio', { name: 'A right answer' }).check();
  await quiz(learner.page, '3').getByRole('button', { name: 'Check answer' }).click();
  await result(learner.page, '3').getByText('Correct.').waitFor();
  await result(learner.page, '3').getByText('Why it is right').waitFor();
  expect([...faults, ...learner.faults]).toEqual([]);
});
