import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { inMarkdown } from './in-markdown.ts';
import { visitAs } from './visitor.ts';

it('two authors see each other, and neither loses a word', { timeout: 180_000 }, async () => {
  const admin = await visitAs('admin');
  const title = `Written by two ${Date.now()}`;
  const make = async (piece: object) => await callApi(admin.context, 'POST', '/api/content/authoring', piece);
  const course = await make({ kind: 'course', title });
  await callApi(admin.context, 'POST', `/api/content/authoring/course/pieces/${course.key}/publish`, { version: 1 });
  const journey = await make({ kind: 'journey', title: 'Way', parent: course.key });
  const { key } = await make({ kind: 'lesson', title, parent: journey.key });
  const ada = await visitAsNewcomer('Ada Author');
  await callApi(admin.context, 'POST', `/api/admin/people/${ada.id}/roles`, {
    role: 'author',
    kind: 'course',
    placeId: course.key,
  });
  const path = `/admin/content/lesson/${key}`;
  await admin.page.goto(path);
  await admin.page.locator('[data-field=body_en]').fill('The words of the administrator');
  await ada.page.goto(path);
  await ada.page.getByText(/has had this open since/).waitFor();
  expect(await axeFaults(ada.page)).toEqual([]);
  await ada.page.locator('[data-field=body_en]').fill('The words of Ada');
  await ada.page.getByRole('button', { name: 'Save draft' }).first().click();
  await ada.page.getByText('Saved.', { exact: true }).waitFor();
  await admin.page.getByText('Ada Author', { exact: false }).first().waitFor();
  await admin.page.getByText('A newer draft has been saved', { exact: false }).waitFor();
  await admin.page.getByRole('button', { name: 'Save draft' }).first().click();
  await admin.page.locator('#conflict').waitFor();
  expect(await admin.page.locator('textarea[name=body_en]').inputValue()).toBe('The words of the administrator');
  await admin.page.getByText('The words of Ada').first().waitFor();
  expect([...admin.faults, ...ada.faults]).toEqual([]);
});

it.each([true, false])(
  'an article saved in two tabs shows both texts, with JavaScript: %s',
  { timeout: 120_000 },
  async (javaScriptEnabled) => {
    const { page, context, faults } = await visitAs('learner', { javaScriptEnabled });
    if (javaScriptEnabled) await inMarkdown(context);
    const { slug } = await callApi(context, 'POST', '/api/content/articles', {
      title: 'An article in two tabs',
      subtitle: 'Both of them were open',
      body: 'The first words of it.',
      tags: [],
    });
    const other = await context.newPage();
    const text = (tab: typeof page) => tab.getByRole('textbox', { name: 'Text', exact: true });
    for (const tab of [page, other]) await tab.goto(`/articles/${slug}/edit`);
    await text(other).fill('The words of the other tab.');
    await other.getByRole('button', { name: 'Save changes' }).click();
    await other.getByText('The words of the other tab.').first().waitFor();
    await text(page).fill('The words of this tab.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Your article has been changed meanwhile' }).waitFor();
    expect(await text(page).inputValue()).toBe('The words of this tab.');
    expect(await page.locator('section pre').textContent()).toContain('The words of the other tab.');
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The words of this tab.').first().waitFor();
    expect(faults).toEqual([]);
  },
);
