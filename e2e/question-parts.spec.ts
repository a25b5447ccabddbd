import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { publishCourse } from './assessed-course.ts';
import { axeFaults } from './axe.ts';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

const SHOTS = process.env['SHOTS'];
const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

const EN = `Three questions about a law.

:::quiz{type=matching points=2}
Who reads what?

- A notice
  - [x] Citizens
  > Notices are for everybody.
- A circular
  - [x] Staff
- [ ] Auditors
:::

:::quiz{type=ordering hint="Nobody drafts before they ask."}
What comes first?

1. Ask
2. Draft
3. Publish
:::

:::quiz{type=gaps}
The law of [1] was passed by [2].

1. 1998
2. Parliament
:::
`;
const AR = `ثلاثة أسئلة عن قانون.

:::quiz{type=matching points=2}
من يقرأ ماذا؟

- إعلان
  - [x] المواطنون
  > الإعلان للجميع.
- تعميم
  - [x] الموظفون
- [ ] المراجعون
:::

:::quiz{type=ordering hint="لا أحد يصوغ قبل أن يسأل."}
ما الذي يأتي أولًا؟

1. اسأل
2. صُغ
3. انشر
:::

:::quiz{type=gaps}
صدر قانون [1] عن [2].

1. 1998
2. البرلمان
:::
`;
const COURSE = { courseSlug: 'question-parts', journeySlug: 'laws' };
const LESSON = '/courses/question-parts/laws/what-you-know';

const ASSESSMENT = {
  passMark: 70,
  attempts: null,
  minutes: null,
  draw: null,
  shuffle: true,
  review: 'answers',
};
/** One lesson with an assessment whose right answers are shown afterwards. */
const ASSESSED = {
  course: { title: 'Question parts', slug: COURSE.courseSlug },
  journey: { title: 'Laws', slug: COURSE.journeySlug },
  lesson: {
    title: 'What you know',
    slug: 'what-you-know',
    fields: { assessment: ASSESSMENT, body: { en: EN, ar: AR } },
  },
};

beforeAll(async () => await publishCourse(await visitAs('admin'), ASSESSED), 120_000);

const question = (page: Page, text: string) => page.locator('.quiz-card').filter({ hasText: text }).first();

describe('an attempt at questions to match, to order and with gaps', () => {
  it(
    'is answered by keyboard, shows parts and points, and keeps keys until its end',
    { timeout: 180_000 },
    async () => {
      const { page, context, faults } = await visitAsNewcomer('Lea Brandt');
      await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
      await page.goto(LESSON);
      expect(await page.content()).not.toMatch(/Citizens|1998|Notices are/);
      await page.getByRole('button', { name: 'Begin' }).click();
      const matching = question(page, 'Who reads what?');
      await matching.getByLabel('A notice').focus();
      await page.keyboard.type('Cit');
      await matching.getByLabel('A circular').focus();
      await page.keyboard.type('Aud');
      const ordering = question(page, 'What comes first?');
      await ordering.getByText('Hint').focus();
      await page.keyboard.press('Enter');
      await ordering.getByText('Nobody drafts before they ask.').waitFor();
      for (const [at, name] of ['Ask', 'Draft', 'Publish'].entries()) {
        await ordering.getByRole('spinbutton', { name }).focus();
        await page.keyboard.type(String(at + 1));
      }
      const gaps = question(page, 'The law of [1]');
      await gaps.getByLabel('Gap [1]').focus();
      await page.keyboard.type('1998');
      for (const each of [matching, ordering, gaps]) await each.getByText('Saved', { exact: true }).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await shoot(page, 'parts-attempt');
      expect(await page.content()).not.toMatch(/Notices are|Parliament|isRight/);
      await page.reload();
      expect(await ordering.getByRole('spinbutton', { name: 'Publish' }).inputValue()).toBe('3');
      await page.getByRole('button', { name: 'Submit' }).focus();
      await page.keyboard.press('Enter');
      // One of two points, one and a half of two: 62 of 100.
      await page.getByText('You reached 62%').waitFor();
      await question(page, 'Who reads what?').getByText('1 of 2 are right.').waitFor();
      await question(page, 'Who reads what?').getByText('Points: 1 of 2').waitFor();
      await page.getByText('Notices are for everybody.').waitFor();
      await page.getByText('[1] 1998 · [2] Parliament').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await shoot(page, 'parts-result');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot(page, 'parts-result-dark');
      expect(faults).toEqual([]);
    },
  );

  it('works in Arabic at 320 px without script', { timeout: 180_000 }, async () => {
    const { page, context } = await visitAsNewcomer('Omar Nasser', {
      javaScriptEnabled: false,
      locale: 'ar',
      viewport: { width: 320, height: 800 },
    });
    await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
    await page.goto(LESSON);
    await page.getByRole('button', { name: 'ابدأ' }).click();
    await page.waitForURL(/attempts/);
    expect(await isTooWide(page)).toBe(false);
    const matching = question(page, 'من يقرأ ماذا؟');
    await matching.getByLabel('إعلان').selectOption({ label: 'المواطنون' });
    await matching.getByLabel('تعميم').selectOption({ label: 'الموظفون' });
    const ordering = question(page, 'ما الذي يأتي أولًا؟');
    for (const [at, name] of ['اسأل', 'صُغ', 'انشر'].entries())
      await ordering.getByRole('spinbutton', { name }).fill(String(at + 1));
    const gaps = question(page, 'صدر قانون');
    await gaps.getByRole('textbox').nth(0).fill('١٩٩٨');
    await gaps.getByRole('textbox').nth(1).fill('البرلمان');
    await page.getByRole('button', { name: 'حفظ الإجابات' }).click();
    await page.getByText('حُفظت إجاباتك.').waitFor();
    expect(await gaps.getByRole('textbox').nth(1).inputValue()).toBe('البرلمان');
    expect(await matching.getByLabel('إعلان').locator('option:checked').innerText()).toBe('المواطنون');
    await shoot(page, 'parts-attempt-ar');
    await page.getByRole('button', { name: 'تسليم' }).click();
    await page.getByText('ناجح').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'parts-result-ar');
  });
});
