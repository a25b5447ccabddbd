import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi } from './newcomer.ts';
import { PASTES } from './pastes.ts';
import { isTooWide, visitAs, type Visit } from './visitor.ts';

const SHOTS = process.env['SHOTS'];
const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** The editor of the English text, and the Markdown that its form would send. */
const editor = (page: Page, locale = 'en') => page.locator(`[data-field=body_${locale}]`);
const markdown = async (page: Page, name = 'body_en') => await page.locator(`textarea[name=${name}]`).inputValue();

/** TipTap keeps the editor at its element. */
type Editable = { editor: { state: { selection: { $head: { parent: { textContent: string } } } } } };

/** Puts the cursor into a text, and waits until the editor knows: it reads the browser's selection later. */
async function placeCursor(page: Page, text: string): Promise<void> {
  const isThere = async () =>
    await editor(page).evaluate(
      (dom, words) => (dom as unknown as Editable).editor.state.selection.$head.parent.textContent === words,
      text,
    );
  await vi.waitFor(
    async () => {
      await editor(page).getByText(text).click();
      await vi.waitFor(async () => expect(await isThere()).toBe(true), 1_000);
    },
    { timeout: 20_000 },
  );
}

let visit: Visit;
beforeAll(async () => {
  visit = await visitAs('admin');
});

/** A new lesson with a text, opened in the editor. */
async function openLesson(page: Page, body: string, title = `Editor ${Date.now()}`): Promise<string> {
  const make = async (piece: object) => await callApi(visit.context, 'POST', '/api/content/authoring', piece);
  const course = await make({ kind: 'course', title });
  const journey = await make({ kind: 'journey', title: 'Way', parent: course.key });
  const { key } = await make({ kind: 'lesson', title, parent: journey.key });
  const at = `/api/content/authoring/lesson/pieces/${key}`;
  const { doc, version } = await callApi(visit.context, 'GET', at);
  await callApi(visit.context, 'PUT', at, { version, doc: { ...doc, body: { en: body } } });
  const path = `/admin/content/lesson/${key}`;
  await page.goto(path);
  await editor(page).waitFor();
  return path;
}

describe('the editor of a lesson', () => {
  it('inserts, moves and deletes blocks by keyboard', { timeout: 120_000 }, async () => {
    const { page, faults } = visit;
    await openLesson(page, '*  first\n\nlast\n');
    await editor(page).press('Control+End');
    await page.keyboard.type(' words');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/call');
    await page.getByRole('option', { name: 'Callout' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Read it *aloud*.');
    expect(await markdown(page)).toBe('*  first\n\nlast words\n\n:::callout{kind=tip}\nRead it *aloud*.\n:::\n');
    const callout = page.getByRole('group', { name: 'Callout' });
    await callout.getByRole('textbox', { name: 'Title' }).fill('Before [you] start');
    await callout.getByRole('combobox', { name: 'Kind' }).selectOption('warning');
    await callout.getByRole('button', { name: 'Move up' }).click();
    expect(await markdown(page)).toBe(
      '*  first\n\n:::callout[Before \\[you\\] start]{kind=warning}\nRead it *aloud*.\n:::\n\nlast words\n',
    );
    await placeCursor(page, 'last words');
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await page.keyboard.press('Alt+Shift+ArrowUp');
    expect(await markdown(page)).toMatch(/^last words\n\n\* {2}first\n\n:::callout/);
    await page.keyboard.press('Alt+Shift+Delete');
    expect(await markdown(page)).toMatch(/^\* {2}first\n\n:::callout/);
    await callout.getByRole('button', { name: 'Delete' }).click();
    expect(await markdown(page)).toBe('*  first\n');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await markdown(page)).toContain('last words');
    expect(faults).toEqual([]);
  });

  it('writes questions, tables, steps and pictures', { timeout: 120_000 }, async () => {
    const { page, faults } = visit;
    await openLesson(page, 'Text ![old](/images/none.webp)\n');
    await page.getByRole('textbox', { name: 'What the picture shows' }).first().fill('A [new] text');
    expect(await markdown(page)).toBe('Text ![A \\[new\\] text](/images/none.webp)\n');
    await editor(page).press('Control+End');
    await page.keyboard.press('Enter');
    await page.getByRole('toolbar').first().getByRole('button', { name: 'Insert' }).click();
    await page.getByRole('option', { name: 'Question', exact: true }).click();
    await page.keyboard.type('Is it so?');
    await page.getByRole('checkbox', { name: 'Right answer' }).nth(1).check();
    expect(await markdown(page)).toContain(':::quiz\nIs it so?\n\n- [x] A right answer\n  > ');
    expect(await markdown(page)).toContain('\n- [x] A wrong answer\n');
    await editor(page).press('Control+End');
    await page.keyboard.type('/table');
    await page.keyboard.press('Enter');
    await page.keyboard.type('One | two');
    await page.getByRole('toolbar').first().getByRole('button', { name: 'Add column after' }).click();
    await page.getByRole('toolbar').first().getByRole('button', { name: 'Add row below' }).click();
    expect(await markdown(page)).toContain('| One \\| two |  |  |\n| --- | --- | --- |\n|  |  |  |');
    for (const [index, words] of ['Two', 'Three'].entries()) {
      await editor(page)
        .locator('th')
        .nth(index + 1)
        .click();
      await page.keyboard.type(words);
    }
    await editor(page).press('Control+End');
    await page.keyboard.type('/raw');
    await page.keyboard.press('Enter');
    await page.keyboard.type('A <sup>2</sup>');
    expect(await markdown(page)).toMatch(/\n\nA <sup>2<\/sup>\s*$/);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'editor');
    await button(page, 'Save draft').first().click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('changes no byte of a text that is only opened and saved', { timeout: 120_000 }, async () => {
    const { page } = visit;
    const source = await readFile(
      new URL('../demo/lessons/plain-language/en/one-idea-per-sentence.md', import.meta.url),
    );
    const body = `  \n${source.toString()}\n\n\n<div>raw</div>\n* a\n* b\n+ c\n\n\n`;
    const path = await openLesson(page, body);
    const before = await markdown(page);
    await page.getByRole('textbox', { name: /^Title · English/ }).fill('Another title');
    await button(page, 'Save draft').first().click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await markdown(page)).toBe(before);
    const { doc } = await callApi(
      visit.context,
      'GET',
      `/api/content/authoring/lesson/pieces/${path.split('/').at(-1)}`,
    );
    expect(doc.body.en).toBe(body);
  });

  it('shows the Markdown on request and keeps the cursor', { timeout: 120_000 }, async () => {
    const { page, faults } = visit;
    await openLesson(page, '_One_ two\n\n:::accordion[A]\nthree **four** five\n:::\n');
    await editor(page).getByText('five').click();
    await page.keyboard.press('Home');
    await page.getByRole('toolbar').first().getByRole('button', { name: 'Markdown' }).click();
    const area = page.getByRole('textbox', { name: /^Text · English/ });
    await expect.poll(() => area.evaluate((field) => field instanceof HTMLTextAreaElement)).toBe(true);
    await page.keyboard.type('zero ');
    expect(await markdown(page)).toBe('_One_ two\n\n:::accordion[A]\nzero three **four** five\n:::\n');
    await button(page, 'Text').click();
    await editor(page).waitFor();
    await page.keyboard.type('and ');
    expect(await markdown(page)).toBe('_One_ two\n\n:::accordion[A]\nzero and three **four** five\n:::\n');
    expect(faults).toEqual([]);
  });

  it('puts a dropped file at the cursor', { timeout: 120_000 }, async () => {
    const { page, faults } = visit;
    await openLesson(page, 'One\n\nTwo\n');
    await editor(page).getByText('One', { exact: true }).click();
    const bytes = await readFile(new URL('../demo/media/sentences.en.pdf', import.meta.url));
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], 'form.pdf', { type: 'application/pdf' }));
      return transfer;
    }, bytes.toString('base64'));
    const box = await editor(page).getByText('One', { exact: true }).boundingBox();
    const at = { clientX: box!.x + 4, clientY: box!.y + 4 }; // it is visible
    await editor(page).dispatchEvent('drop', { dataTransfer: data, ...at });
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A form');
    await button(page, 'Upload and add to the text').click();
    await page.getByText('form.pdf is in the text now.').waitFor();
    expect(await markdown(page)).toMatch(/^One\n\n::file\[A form\]\{src=media\/form-[0-9a-f]{8}\.pdf\}\n\nTwo\n$/);
    expect(faults).toEqual([]);
  });

  it('fits a narrow page in Arabic and in the dark', { timeout: 120_000 }, async () => {
    const narrow = await visitAs('admin', { viewport: { width: 320, height: 800 }, colorScheme: 'dark' });
    const text =
      ':::callout[عنوان]{kind=tip}\nنص\n:::\n\n- [x] أ\n- [ ] ب\n\n| أ | ب |\n|---|---|\n| ج | د |\n\n::::tabs\n:::tab[واحد]\nنص\n:::\n::::\n';
    const path = await openLesson(visit.page, text);
    await narrow.page.goto(`${path}?locale=ar`);
    await editor(narrow.page).waitFor();
    expect(await isTooWide(narrow.page)).toBe(false);
    expect(await axeFaults(narrow.page)).toEqual([]);
    await shoot(narrow.page, 'editor-ar-320-dark');
    await editor(narrow.page).press('Control+End');
    await narrow.page.keyboard.press('Enter');
    await narrow.page.keyboard.type('/');
    await narrow.page.getByRole('listbox').waitFor();
    expect(await isTooWide(narrow.page)).toBe(false);
    await shoot(narrow.page, 'editor-menu-ar-320-dark');
    expect(narrow.faults).toEqual([]);
  });
});

describe('pasting into the editor', () => {
  const paste = async (page: Page, html: string) =>
    await editor(page).evaluate((field, content) => {
      const data = new DataTransfer();
      data.setData('text/html', content);
      data.setData('text/plain', 'the same as text');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }, html);
  const pasted = async (page: Page, html: string) => {
    await editor(page).press('Control+a');
    await page.keyboard.press('Delete');
    await paste(page, html);
    return (await markdown(page)).trim();
  };

  it.each(PASTES)('is clean: %s', { timeout: 60_000 }, async (name, html, expected) => {
    const { page, faults } = visit;
    if (name === PASTES[0]![0]) await openLesson(page, 'Text'); // the others go on there
    expect(await pasted(page, html)).toBe(expected);
    expect(faults).toEqual([]);
  });

  it('says that pictures were left out, and runs nothing', { timeout: 60_000 }, async () => {
    const { page, faults } = visit;
    const html =
      '<p>A<img src="file:///C:/a.png"><img src="x" onerror="document.title=1"></p><script>document.title=1</script>';
    expect(await pasted(page, html)).toBe('A');
    await page.getByText('2 pictures were left out. Upload them to add them.').waitFor();
    expect(await page.title()).not.toBe('1');
    expect(faults).toEqual([]);
  });
});

it('the editor of an article offers its blocks and keeps the limits', { timeout: 120_000 }, async () => {
  const { page, faults } = visit;
  await page.goto('/articles/new');
  await page.locator('[data-field=body]').click();
  await page.keyboard.type('/');
  await page.getByRole('option', { name: 'Callout' }).waitFor();
  expect(await page.getByRole('option', { name: /question/i }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('## A heading');
  await page.keyboard.press('Enter');
  await page.keyboard.type('We wrote it **three** times.');
  expect(await markdown(page, 'body')).toBe('## A heading\n\nWe wrote it **three** times.');
  expect(await axeFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});
