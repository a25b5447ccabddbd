import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

const COURSE = { courseSlug: 'responsible-ai', journeySlug: 'foundations' };
const LESSON = '/courses/responsible-ai/foundations/check-what-you-know';
const SHOTS = process.env['SHOTS'];

const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

/** Joins the journey and completes its other lessons. */
async function join(context: BrowserContext): Promise<void> {
  await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
  const { course } = await callApi(context, 'GET', '/api/learner/courses/responsible-ai');
  const lessons: { slug: string }[] = course.journeys[0].sections.flatMap(
    ({ lessons }: { lessons: object[] }) => lessons,
  );
  for (const { slug } of lessons.filter((lesson) => lesson.slug !== 'check-what-you-know')) {
    const path = `/api/learner/me/courses/responsible-ai/journeys/foundations/lessons/${slug}/completion`;
    expect((await context.request.put(path, { headers: SAME_SITE })).status()).toBe(204);
  }
}

const question = (page: Page, text: string) => page.locator('.quiz-card').filter({ hasText: text }).first();
type Words = Record<'FACTS' | 'SHARE' | 'DECIDE' | 'TESTS' | 'OPEN', string> & {
  right: string[];
  wrong: string[];
  /** The right answers to the questions of the bank, of which an attempt draws two. */
  bank: Record<string, string>;
};
const ENGLISH: Words = {
  FACTS: 'gives you the date of a law',
  SHARE: 'go into an approved assistant',
  DECIDE: 'refuse an application on its own',
  TESTS: 'how many known cases',
  OPEN: 'wants to paste a complaint',
  right: ['Look the date up', 'Your own draft', 'A form without'],
  wrong: ['because the sentence', 'A complaint with'],
  bank: {
    'Who reads it before': 'A second person',
    'sent to forty people': 'Tell the person',
    'A line in the file': 'True',
  },
};
const ARABIC: Words = {
  FACTS: 'يعطيك نموذج لغوي تاريخ قانون',
  SHARE: 'يمكن إدخاله في مساعد معتمد',
  DECIDE: 'أن يرفض طلبًا وحده',
  TESTS: 'كم حالة معروفة',
  OPEN: 'تريد زميلة أن تلصق شكوى',
  right: ['أبحث عن التاريخ', 'مسودتك لإعلان', 'نموذج خالٍ'],
  wrong: ['الجملة سلسة', 'شكوى فيها'],
  bank: { 'من يقرؤها قبل': 'شخص ثانٍ', 'أربعين شخصًا': 'أبلغ الشخص', 'يذكر سطر في الملف': 'صحيح' },
};
const { FACTS, SHARE, DECIDE, TESTS } = ENGLISH;

/** Answers by keyboard: focuses the field and presses keys, as a person does after Tab. */
async function answerAll(page: Page, isRight: boolean, words = ENGLISH): Promise<void> {
  const [fact, ...shares] = isRight ? words.right : words.wrong;
  await question(page, words.FACTS).getByRole('radio', { name: fact! }).focus();
  await page.keyboard.press('Space');
  for (const name of shares) {
    await question(page, words.SHARE).getByRole('checkbox', { name }).focus();
    await page.keyboard.press('Space');
  }
  await question(page, words.DECIDE).getByRole('radio').nth(1).focus();
  await page.keyboard.press('Space');
  await question(page, words.TESTS).getByRole('textbox').focus();
  await page.keyboard.type(isRight ? '3' : '4');
  if (!isRight) return;
  await question(page, words.OPEN).getByRole('textbox').focus();
  await page.keyboard.type('Please leave it out.');
  let drawn = 0;
  for (const [text, name] of Object.entries(words.bank)) {
    if ((await question(page, text).count()) === 0) continue;
    drawn += 1;
    await question(page, text).getByRole('radio', { name }).focus();
    await page.keyboard.press('Space');
  }
  expect(drawn).toBe(2);
}

/** Gives all points to the open answer of a person, as an administrator. */
async function mark(name: string): Promise<void> {
  const { page } = await visitAs('admin');
  await page.goto('/admin/marking');
  await page.getByRole('link', { name }).click();
  await page.getByText('Please leave it out.').waitFor();
  const points = page.locator('input[inputmode=decimal]');
  for (const field of await points.all()) await field.fill('1');
  await page.getByRole('button', { name: 'Save marks' }).click();
  await page.getByText('100%').first().waitFor();
  await shoot(page, `marked-${name}`);
}

describe('an assessment', () => {
  it('is failed, tried again and passed by keyboard, and the certificate follows', { timeout: 180_000 }, async () => {
    const { page, context, faults } = await visitAsNewcomer('Nadia Osei');
    await join(context);
    await page.goto(LESSON);
    await page.getByText('Pass mark: 75%').waitFor();
    expect(await page.getByText(/Time limit: 20 minutes/).count()).toBe(1);
    expect(await page.getByRole('button', { name: /Complete/ }).count()).toBe(0);
    expect(await page.content()).not.toContain('Fluent and correct');
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'lesson');
    await page.getByRole('button', { name: 'Begin' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('20 minutes left').first().waitFor();
    await answerAll(page, false);
    for (const text of [FACTS, SHARE, DECIDE, TESTS])
      await question(page, text).getByText('Saved', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await shoot(page, 'attempt');
    expect(await page.content()).not.toMatch(/Fluent and correct|isRight/);
    await page.getByRole('button', { name: 'Submit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Not passed').waitFor();
    await page.getByText(/You reached 1[23]/).waitFor();
    await page.getByText('Fluent and correct are different things').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot(page, 'failed-dark');
    await page.getByRole('button', { name: 'Try again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('20 minutes left').first().waitFor();
    await answerAll(page, true);
    await page.getByRole('button', { name: 'Submit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('You will be notified of the result.').waitFor();
    await mark('Nadia Osei');
    await page.reload();
    await page.getByText('You reached 100%').waitFor();
    await page.getByRole('link', { name: 'Get your certificate' }).click();
    await page.waitForURL(/certificate/);
    const { body } = await issue(context);
    expect(body.certificate.nameOnCertificate).toBe('Nadia Osei');
    expect(faults).toEqual([]);
  });

  it('works in Arabic at 320 px without script', { timeout: 180_000 }, async () => {
    const { page, context } = await visitAsNewcomer('Samir Haddad', {
      javaScriptEnabled: false,
      locale: 'ar',
      viewport: { width: 320, height: 800 },
    });
    await join(context);
    await page.goto(LESSON);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await shoot(page, 'lesson-ar');
    await page.getByRole('button', { name: 'ابدأ' }).click();
    await page.waitForURL(/attempts/);
    expect(await isTooWide(page)).toBe(false);
    await answerAll(page, true, ARABIC);
    await page.getByRole('button', { name: 'حفظ الإجابات' }).click();
    await page.getByText('حُفظت إجاباتك.').waitFor();
    expect(await question(page, ARABIC.TESTS).getByRole('textbox').inputValue()).toBe('3');
    await shoot(page, 'attempt-ar');
    await page.getByRole('button', { name: 'تسليم' }).click();
    await page.getByText('بانتظار التصحيح').first().waitFor();
    await mark('Samir Haddad');
    await page.reload();
    await page.getByText('ناجح').waitFor();
    expect(await isTooWide(page)).toBe(false);
    await shoot(page, 'passed-ar');
    expect((await issue(context)).status).toBe(201);
  });

  it('keeps answers without the network and saves them when it is back', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAsNewcomer('Iris Vance');
    await callApi(context, 'POST', '/api/learner/learners/me/journeys', COURSE);
    await page.goto(LESSON);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('20 minutes left').first().waitFor();
    await context.setOffline(true);
    await question(page, TESTS).getByRole('textbox').fill('3');
    await question(page, TESTS).getByText('No connection.').waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('This needs an internet connection').waitFor();
    await context.setOffline(false);
    await question(page, TESTS).getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    expect(await question(page, TESTS).getByRole('textbox').inputValue()).toBe('3');
  });
});

async function issue({ request }: BrowserContext) {
  const path = '/api/learner/me/courses/responsible-ai/journeys/foundations/certificate';
  const reply = await request.put(path, { data: {}, headers: SAME_SITE });
  return { status: reply.status(), body: await reply.json() };
}
