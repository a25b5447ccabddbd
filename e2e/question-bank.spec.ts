import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { axeFaults } from './axe.ts';
import { inMarkdown } from './in-markdown.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs, type Visit } from './visitor.ts';

const SHOTS = process.env['SHOTS'];
const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

const BANK = `## Questions about notices

:::quiz{#reader tags=readers}
Whom does a notice address?

- [x] Its readers
  > Yes. They must act on it.
- [ ] Its author
:::

:::quiz{#order type=ordering tags="method" points=2}
In what order does a notice get better?

1. Decide
2. Draft
3. Test
:::

:::quiz{#words type=gaps tags=words}
Instead of “utilise” write [1].

1. use
:::
`;
const GIFT = `// [tag:readers]
::Days::In how many days does a notice have to be answered?{#14:0 #Two weeks.}

// [tag:method]
::Short::A notice is short.{T}

::Text::Only a text.
`;
const COURSE = { courseSlug: 'notices', journeySlug: 'write' };
const LESSON = '/courses/notices/write/test';
const ATTEMPTS = '/api/learner/me/courses/notices/journeys/write/lessons/test/attempts';

type Keys = { course: string; journey: string; lesson: string };

/** A public course with one lesson, not yet published; its bank is empty. */
async function makeCourse({ context }: Visit): Promise<Keys> {
  const at = '/api/content/authoring';
  const create = async (body: object) => (await callApi(context, 'POST', at, body)).key as string;
  const change = async (kind: string, key: string, fields: object) => {
    const { doc, version } = await callApi(context, 'GET', `${at}/${kind}/pieces/${key}`);
    await callApi(context, 'PUT', `${at}/${kind}/pieces/${key}`, { version, doc: { ...doc, ...fields } });
  };
  const course = await create({ kind: 'course', title: 'Notices', slug: COURSE.courseSlug });
  await change('course', course, { type: 'Public' });
  const journey = await create({ kind: 'journey', title: 'Write', slug: COURSE.journeySlug, parent: course });
  await change('journey', journey, { privacy: 'open-public' });
  const lesson = await create({ kind: 'lesson', title: 'Test', slug: 'test', parent: journey });
  await change('lesson', lesson, { body: { en: 'Two questions about notices.' } });
  return { course, journey, lesson };
}

let author: Visit;
let keys: Keys;
beforeAll(async () => {
  author = await visitAs('admin');
  await inMarkdown(author.context);
  keys = await makeCourse(author);
}, 120_000);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a question bank', () => {
  it('is written, filled from a file and drawn by an assessment', { timeout: 240_000 }, async () => {
    const { page, faults } = author;
    await page.goto(`/admin/content/course/${keys.course}/questions`);
    await page.getByText('No questions yet.').waitFor();
    await shoot(page, 'questions-empty');
    await page.goto(`/admin/content/course/${keys.course}`);
    await page.getByLabel('Question bank').fill(BANK);
    await button(page, 'Save draft').first().click();
    await vi.waitFor(async () => expect((await readBank()).doc.body.en).toBe(BANK), { timeout: 20_000 });
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'course-bank');

    await page.getByRole('link', { name: 'Questions', exact: true }).click();
    const list = page.getByRole('table', { name: 'Questions in the text' });
    await list.getByRole('row', { name: /In what order.*Ordering.*method.*2/s }).waitFor();
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'notices.txt', mimeType: 'text/plain', buffer: Buffer.from(GIFT) });
    await button(page, 'Add questions').click();
    await page.getByText('2 questions were added to the draft.').waitFor();
    await list.getByRole('row', { name: /A notice is short.*True or false/s }).waitFor();
    expect(await list.getByRole('row').count()).toBe(6);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'questions-added');
    await page.getByRole('link', { name: 'Preview', exact: true }).click();
    await page.waitForURL(/preview/);
    await page.getByText('Learners see no page of them.').waitFor();
    await shoot(page, 'preview');
    await page.getByRole('link', { name: 'Publication', exact: true }).click();
    await page.waitForURL(/publish/);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'publish');
    await button(page, 'Publish').click();
    await page.getByText('Published.').first().waitFor();
    await admitEverybody();

    await page.goto(`/admin/content/lesson/${keys.lesson}`);
    await page.getByLabel('Learners complete this lesson by passing its questions').check();
    await page.getByLabel('Pass mark').fill('50');
    await page.getByLabel('Questions by tag').fill('readers: 2\nmethod: 1');
    await page.getByLabel('Also draw from the question bank').check();
    await page.getByLabel('After submitting, learners see').selectOption('answers');
    await shoot(page, 'lesson');
    await button(page, 'Save draft').first().click();
    await vi.waitFor(async () => expect((await read('lesson', keys.lesson)).doc.assessment?.bank).toBe(true), {
      timeout: 20_000,
    });
    await publish('lesson', keys.lesson);
    expect(faults).toEqual([]);
  });

  it('is answered by learners, and its statistics are shown', { timeout: 240_000 }, async () => {
    const { page, context, faults } = await visitAsNewcomer('Lea Brandt');
    await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
    await page.goto(LESSON);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.locator('.quiz-card').nth(2).waitFor();
    expect(await page.locator('.quiz-card').count()).toBe(3);
    expect(await page.content()).not.toMatch(/Two weeks|They must act|Questions about notices/);
    await page.getByRole('radio', { name: 'Its readers' }).focus();
    await page.keyboard.press('Space');
    await page.locator('.quiz-card').filter({ hasText: 'how many days' }).getByRole('textbox').focus();
    await page.keyboard.type('14');
    await page.getByText('Saved', { exact: true }).nth(1).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'attempt');
    await page.getByRole('button', { name: 'Submit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('You reached').waitFor();
    await page.getByText('They must act on it.').waitFor();
    await page.getByText('Two weeks.').waitFor();
    await shoot(page, 'result');
    expect(faults).toEqual([]);

    for (const name of ['Ana Reis', 'Bo Lind', 'Chi Ito', 'Dia Sow']) await attempt(name);
    await author.page.goto(`/admin/content/lesson/${keys.lesson}/statistics`);
    const table = author.page.getByRole('table', { name: 'Statistics' });
    await table.getByRole('row', { name: /how many days.*5.*100%/s }).waitFor();
    await shoot(author.page, 'statistics');
  });

  it(
    'is edited as frames, where a question with a typed answer is inserted by keyboard',
    { timeout: 120_000 },
    async () => {
      const { page, faults } = await visitAs('admin');
      await page.goto(`/admin/content/course/${keys.course}`);
      const editor = page.locator('[data-field=body_en]');
      await editor.waitFor();
      await editor.press('Control+Home');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/typed');
      await page.getByRole('option', { name: 'Question with a typed answer' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.type('Who signs?');
      const text = async () => await page.locator('textarea[name=body_en]').inputValue();
      await vi.waitFor(async () => expect(await text()).toMatch(/:::quiz\{type=text\}\nWho signs\?\n\n- \[x\] /), {
        timeout: 20_000,
      });
      expect(await axeFaults(page)).toEqual([]);
      await shoot(page, 'bank-editor');
      await page.setViewportSize({ width: 320, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await isTooWide(page)).toBe(false);
      await shoot(page, 'bank-editor-narrow');
      expect(faults).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)(
    'fits a narrow screen in English and Arabic without script, %s',
    { timeout: 120_000 },
    async (colorScheme) => {
      const narrow = { viewport: { width: 320, height: 800 }, colorScheme, javaScriptEnabled: false };
      const { page } = await visitAs('admin', narrow);
      for (const locale of ['en', 'ar']) {
        await page.goto(`/admin/content/course/plain-language/questions?locale=${locale}`);
        await page.getByRole('table').getByText('Which sentence names who acts?').waitFor();
        expect(await isTooWide(page)).toBe(false);
        await shoot(page, `narrow-${locale}-${colorScheme}`);
        await page.goto(`/admin/content/lesson/${keys.lesson}/statistics?locale=${locale}`);
        expect(await isTooWide(page)).toBe(false);
        await shoot(page, `narrow-statistics-${locale}-${colorScheme}`);
      }
    },
  );
});

/** A person who submits an attempt in which a bank's questions of the tag `readers` are right. */
async function attempt(name: string): Promise<void> {
  const { context } = await visitAsNewcomer(name);
  await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
  const { id, questions } = await callApi(context, 'POST', ATTEMPTS, {});
  for (const { number, type } of questions) {
    if (type !== 'number' && type !== 'choice') continue;
    const data = type === 'number' ? { choice: [], text: '14' } : { choice: [1], text: '' };
    await context.request.put(`${ATTEMPTS}/${id}/answers/${number}`, { data, headers: SAME_SITE });
  }
  await callApi(context, 'POST', `${ATTEMPTS}/${id}/submission`, {});
}

const read = async (kind: string, key: string) =>
  await callApi(author.context, 'GET', `/api/content/authoring/${kind}/pieces/${key}`);
const readBank = async () => await read('course', keys.course);

async function publish(kind: string, key: string): Promise<void> {
  const { version } = await read(kind, key);
  await callApi(author.context, 'POST', `/api/content/authoring/${kind}/pieces/${key}/publish`, { version });
}

async function admitEverybody(): Promise<void> {
  for (const [permission, scope] of [
    ['can_view', 'public'],
    ['can_join', 'authenticated'],
  ]) {
    const path = `/api/admin/products/${keys.course}/permissions`;
    const reply = await author.context.request.put(path, { data: { permission, scope }, headers: SAME_SITE });
    expect(reply.ok()).toBe(true);
  }
}
