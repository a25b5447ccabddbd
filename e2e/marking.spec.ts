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

const EN = `One question about a notice.

:::quiz{type=open words=40}
Why do notices fail?

- [2] Names one reason
- [1] Gives an example

> They hide what readers must do.
:::
`;
const AR = `سؤال عن إعلان.

:::quiz{type=open words=40}
لماذا تفشل الإعلانات؟

- [2] يذكر سببًا واحدًا
- [1] يعطي مثالًا

> لأنها تخفي ما على القارئ فعله.
:::
`;
const COURSE = { courseSlug: 'open-answers', journeySlug: 'notices' };
const LESSON = '/courses/open-answers/notices/in-your-words';

const ASSESSMENT = { passMark: 60, attempts: null, minutes: null, draw: null, shuffle: false, review: 'answers' };
/** One lesson with an assessment whose right answers are shown afterwards. */
const ASSESSED = {
  course: { title: 'Open answers', slug: COURSE.courseSlug },
  journey: { title: 'Notices', slug: COURSE.journeySlug },
  lesson: {
    title: 'In your words',
    slug: 'in-your-words',
    fields: { assessment: ASSESSMENT, body: { en: EN, ar: AR } },
  },
};

let admin: Awaited<ReturnType<typeof visitAs>>;
beforeAll(async () => {
  admin = await visitAs('admin');
  await publishCourse(admin, ASSESSED);
}, 120_000);

describe('an open question', () => {
  it('is answered, marked by its criteria and told to the learner', { timeout: 240_000 }, async () => {
    const { page, context, faults } = await visitAsNewcomer('Lea Brandt');
    await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
    await page.goto(LESSON);
    await page.getByRole('button', { name: 'Begin' }).click();
    const field = page.getByLabel('Your answer');
    await field.focus();
    await page.keyboard.type('They are long. Nobody finds the date.');
    await page.getByText('7 words').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.content()).not.toMatch(/hide what|Names one reason/);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'open-attempt');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('You will be notified of the result.').waitFor();
    expect(await page.content()).not.toMatch(/hide what|Names one reason/);
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'open-waits');
    await page.goto(LESSON);
    await page.getByRole('link', { name: 'See your submitted attempt' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);

    const marker = admin.page;
    await marker.goto('/admin');
    await marker.getByRole('link', { name: /waiting to be marked/ }).click();
    await marker.waitForURL(/admin\/marking/);
    expect(await axeFaults(marker)).toEqual([]);
    await shoot(marker, 'marking-list');
    await marker.getByRole('link', { name: 'Lea Brandt' }).click();
    await marker.getByText('Nobody finds the date.').waitFor();
    expect(await axeFaults(marker)).toEqual([]);
    await shoot(marker, 'marking');
    await marker.getByLabel('Names one reason').fill('3');
    await marker.getByLabel('Gives an example').fill('0.5');
    await marker.getByRole('button', { name: 'Save marks' }).click();
    await marker.getByRole('alert').getByText('Points are whole or half numbers').waitFor();
    expect(await axeFaults(marker)).toEqual([]);
    await marker.getByLabel('Names one reason').fill('2');
    await marker.getByLabel('Feedback for the learner').fill('Clear.\nGive an example next time.');
    await marker.getByRole('button', { name: 'Save marks' }).click();
    await marker.getByText(/83/).first().waitFor();
    await shoot(marker, 'marking-done');

    await page.goto('/notifications');
    await page.getByRole('link', { name: /Your answers in .*In your words.* have been marked/ }).click();
    await page.getByText('You reached 83%').waitFor();
    await page.getByText('Give an example next time.').waitFor();
    await page.getByText('They hide what readers must do.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(page, 'open-result-dark');
    expect(faults).toEqual([]);
  });

  it('works at 320 px without script, for learners in Arabic and for markers', { timeout: 240_000 }, async () => {
    const narrow = { javaScriptEnabled: false, locale: 'ar', viewport: { width: 320, height: 800 } };
    const { page, context } = await visitAsNewcomer('Omar Nasser', narrow);
    await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
    await page.goto(LESSON);
    await page.getByRole('button', { name: 'ابدأ' }).click();
    await page.waitForURL(/attempts/);
    await page.getByRole('textbox').fill('لأنها طويلة.');
    await page.getByRole('button', { name: 'حفظ الإجابات' }).click();
    await page.getByText('حُفظت إجاباتك.').waitFor();
    expect(await page.getByRole('textbox').inputValue()).toBe('لأنها طويلة.');
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'open-attempt-ar');
    await page.getByRole('button', { name: 'تسليم' }).click();
    await page.getByText('بانتظار التصحيح').first().waitFor();
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'open-waits-ar');

    // The administrator has chosen English.
    const { page: marker } = await visitAs('admin', narrow);
    await marker.goto('/admin/marking');
    expect(await isTooWide(marker)).toBe(false);
    await shoot(marker, 'marking-list-ar');
    await marker.getByRole('link', { name: 'Omar Nasser' }).click();
    await marker.getByText('لأنها طويلة.').waitFor();
    expect(await isTooWide(marker)).toBe(false);
    await marker.getByLabel('يذكر سببًا واحدًا').fill('٩');
    await marker.getByRole('button', { name: 'Save marks' }).click();
    await marker.getByRole('alert').waitFor();
    await marker.getByLabel('يذكر سببًا واحدًا').fill('١');
    await marker.getByLabel('يعطي مثالًا').fill('0');
    await marker.getByRole('button', { name: 'Save marks' }).click();
    await marker.getByText('Not passed').waitFor();
    expect(await isTooWide(marker)).toBe(false);
    await shoot(marker, 'marking-ar');
    await page.reload();
    await page.getByText('لم تُجتز').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'open-result-ar');
  });
});
