import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, type Newcomer, visitAsNewcomer } from './newcomer.ts';
import { visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const box = (page: Page, name: RegExp) => page.getByRole('textbox', { name });
const sections = (page: Page) =>
  page.getByRole('navigation', { name: 'Administration sections' }).getByRole('link').allInnerTexts();

/** An administrator assigns a role in a course on the person's page. */
async function assign(admin: Page, { id }: Newcomer, role: string, course: string) {
  await admin.goto(`/admin/people/${id}`);
  await admin.locator('#delegated-role').selectOption({ label: role });
  await button(admin, 'Continue').click();
  await admin.getByLabel('Place').fill(course);
  await button(admin, 'Find places').click();
  await admin.getByLabel(`Course: ${course}`).check();
  await button(admin, 'Assign role').click();
  await admin.getByText('Saved.').first().waitFor();
}

async function withdraw(page: Page) {
  await page.locator('summary').filter({ hasText: 'Withdraw' }).click();
  await button(page, 'Withdraw now').click();
  await page.getByText('Withdrawn. Publish it to show it again.').waitFor();
}

async function openLesson(page: Page, title: string) {
  await page.goto('/');
  await page.goto((await page.locator('a[href="/admin"]').first().getAttribute('href')) ?? '');
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Content' }).waitFor();
  await page.getByRole('link', { name: /^Show what is in A shared course/ }).click();
  await page.getByRole('link', { name: 'Show what is in Way' }).click();
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

it.each([true, false])(
  'an author edits, an owner publishes and a translator translates, with JavaScript: %s',
  { timeout: 300_000 },
  async (javaScriptEnabled) => {
    const word = javaScriptEnabled ? 'one' : 'two';
    const admin = await visitAs('admin', { javaScriptEnabled });
    const title = `A shared course ${word}`;
    const make = async (body: object) => await callApi(admin.context, 'POST', '/api/content/authoring', body);
    const course = await make({ kind: 'course', title });
    const journey = await make({ kind: 'journey', title: 'Way', parent: course.key });
    const lesson = await make({ kind: 'lesson', title: `Lesson ${word}`, parent: journey.key });
    const at = `/api/content/authoring/lesson/pieces/${lesson.key}`;
    const { doc } = await callApi(admin.context, 'GET', at);
    await callApi(admin.context, 'PUT', at, { version: 1, doc: { ...doc, body: { en: 'First words.' } } });
    await callApi(admin.context, 'POST', `/api/content/authoring/course/pieces/${course.key}/publish`, {
      version: 1,
      withParts: true,
    });
    const people = [];
    for (const name of ['Ada Author', 'Otto Owner', 'Tara Translator'])
      people.push(await visitAsNewcomer(`${name} ${word}`, { javaScriptEnabled }));
    const [author, owner, translator] = people as [Newcomer, Newcomer, Newcomer]; // three were made
    await assign(admin.page, author, 'Author', title);
    await assign(admin.page, owner, 'Course owner', title);
    await assign(admin.page, translator, 'Translator', title);

    await openLesson(author.page, `Lesson ${word}`);
    expect(await sections(author.page)).toEqual(['Content']);
    expect(await button(author.page, 'Save and publish…').count()).toBe(0);
    await box(author.page, /^Text · English/).fill('Better words.');
    await button(author.page, 'Save draft').first().click();
    await author.page.getByText('Changed since published').waitFor();
    await author.page.getByRole('link', { name: 'Publication' }).click();
    await author.page.getByText('Your role does not include publishing.', { exact: false }).waitFor();
    expect(await button(author.page, /^Publish$/).count()).toBe(0);
    if (javaScriptEnabled) expect(await axeFaults(author.page)).toEqual([]);
    expect((await author.page.goto('/admin/content/check'))?.status()).toBe(200);
    expect((await author.page.goto('/admin/people'))?.status()).toBe(403);
    expect((await author.page.goto('/admin/content/new?kind=course'))?.status()).toBe(403);

    await openLesson(owner.page, `Lesson ${word}`);
    expect(await sections(owner.page)).toEqual(['Overview', 'Certificates', 'Content', 'Marking', 'Moderation']);
    await owner.page.getByText('Better words.').first().waitFor();
    await button(owner.page, 'Save and publish…').click();
    await button(owner.page, /^Publish$/).click();
    await owner.page
      .getByText(/^Published\.$/)
      .first()
      .waitFor();

    await withdraw(owner.page);
    await owner.page.reload();
    expect(await owner.page.getByText('Keep withdrawn').count()).toBe(0);
    await admin.page.goto(`/admin/content/lesson/${lesson.key}/publish`);
    await admin.page.locator('summary').filter({ hasText: 'Keep withdrawn' }).click();
    if (javaScriptEnabled) expect(await axeFaults(admin.page)).toEqual([]);
    await button(admin.page, 'Keep withdrawn').click();
    await admin.page.getByText('It stays withdrawn until an administrator publishes it.').waitFor();
    expect(await admin.page.getByText('Keep withdrawn').count()).toBe(0);
    await owner.page.reload();
    await owner.page.getByText('Only administrators can publish it again.', { exact: false }).waitFor();
    expect(await button(owner.page, /^Publish$/).count()).toBe(0);
    await button(admin.page, /^Publish$/).click();
    await admin.page
      .getByText(/^Published\.$/)
      .first()
      .waitFor();

    await openLesson(translator.page, `Lesson ${word}`);
    expect(await box(translator.page, /^Text · English/).isEditable()).toBe(false);
    await button(translator.page, 'Deutsch missing').click();
    await box(translator.page, /^Title · Deutsch/).fill('Eine Lektion');
    await box(translator.page, /^Text · Deutsch/).fill('Bessere Worte.');
    await button(translator.page, 'Save draft').first().click();
    await translator.page.getByText('Changed since published').waitFor();
    if (javaScriptEnabled) expect(await axeFaults(translator.page)).toEqual([]);
    const { doc: after } = await callApi(admin.context, 'GET', at);
    expect(after).toMatchObject({
      title: { en: `Lesson ${word}`, de: 'Eine Lektion' },
      body: { en: 'Better words.', de: 'Bessere Worte.' },
    });
    for (const { faults } of [admin, ...people]) expect(faults).toEqual([]);
    for (const { context } of [admin, ...people]) await context.close();
  },
);
