import { expect, it } from 'vitest';
import { callApi } from './newcomer.ts';
import { visitAs } from './visitor.ts';

it.each([true, false])(
  'the publication page says who sees a course, and shows it as a learner, with JavaScript: %s',
  { timeout: 120_000 },
  async (javaScriptEnabled) => {
    const { page } = await visitAs('admin', { javaScriptEnabled, viewport: { width: 390, height: 844 } });
    await page.goto('/admin/content/course/plain-language/publish?locale=en');
    await page.getByRole('heading', { name: 'Who sees this' }).waitFor();
    await page.getByRole('region', { name: 'Who sees this' }).getByText('Anyone, even without an account').waitFor();

    await page.getByLabel('As a learner').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const banner = page.getByRole('complementary', { name: 'Preview' });
    await banner.getByText(/in no cohort/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/courses/plain-language');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect((await page.goto('/admin'))?.status()).toBe(403);

    await banner.getByRole('button', { name: 'End preview' }).press('Enter');
    await banner.waitFor({ state: 'detached' });
    expect((await page.goto('/admin'))?.status()).toBe(200);
  },
);

it.each([true, false])(
  'a new course is seen by those chosen when it is published, with JavaScript: %s',
  { timeout: 90_000 },
  async (javaScriptEnabled) => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled });
    const learner = await visitAs('learner', { javaScriptEnabled });
    const make = async (body: object) => await callApi(context, 'POST', '/api/content/authoring', body);
    const title = `Chosen readers ${javaScriptEnabled ? 'one' : 'two'}`;
    const course = await make({ kind: 'course', title });
    const journey = await make({ kind: 'journey', title: 'The only way', parent: course.key });
    const lesson = await make({ kind: 'lesson', title: 'One', parent: journey.key });
    const at = `/api/content/authoring/lesson/pieces/${lesson.key}`;
    const { doc, version } = await callApi(context, 'GET', at);
    await callApi(context, 'PUT', at, { version, doc: { ...doc, body: { en: 'Text.' } } });
    const address = `/courses/${title.toLowerCase().replaceAll(' ', '-')}`;

    await page.goto(`/admin/content/course/${course.key}/publish?locale=en`);
    await page.getByText('Learners join these journeys only by invitation', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'The only way' }).waitFor();
    await page.getByLabel('Who will see it').selectOption('authenticated');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'What this would change' }).waitFor();
    expect((await learner.page.goto(address))?.status()).toBe(404);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText(/pieces published\.$/).waitFor();
    await page.getByRole('region', { name: 'Who sees this' }).getByText('Anyone signed in').waitFor();
    expect((await learner.page.goto(address))?.status()).toBe(200);
    await context.close();
    await learner.context.close();
  },
);
