import { expect, it } from 'vitest';
import { callApi } from './newcomer.ts';
import { visitAs } from './visitor.ts';

it('the publication page lists what blocks first, with a link to each text', { timeout: 90_000 }, async () => {
  const { page, context } = await visitAs('admin', { javaScriptEnabled: false });
  const make = async (body: object) => await callApi(context, 'POST', '/api/content/authoring', body);
  const course = await make({ kind: 'course', title: `Findings ${Date.now()}` });
  const journey = await make({ kind: 'journey', title: 'Way', parent: course.key });
  const lesson = await make({ kind: 'lesson', title: 'Shouting', parent: journey.key });
  const at = `/api/content/authoring/lesson/pieces/${lesson.key}`;
  const { doc, version } = await callApi(context, 'GET', at);
  const text = 'Read [here](https://example.gov).\n\n![](https://example.gov/picture.png)\n';
  await callApi(context, 'PUT', at, { version, doc: { ...doc, body: { en: 'Plain.', de: text } } });

  await page.goto(`/admin/content/lesson/${lesson.key}/publish`);
  const findings = page.getByRole('region', { name: 'Accessibility check' }).getByRole('listitem');
  expect(await findings.first().innerText()).toMatch(/^Must be fixed/);
  expect(await findings.last().innerText()).toMatch(/^Could be improved/);
  await findings
    .first()
    .getByRole('link', { name: /^Deutsch, line/ })
    .click();
  expect(await page.getByRole('textbox', { name: /^Text · Deutsch/ }).inputValue()).toContain('picture.png');

  await page.goto(`/admin/content/course/${course.key}/publish`);
  await page
    .getByRole('link', { name: /^Deutsch, line/ })
    .first()
    .click();
  expect(new URL(page.url()).pathname).toBe(`/admin/content/lesson/${lesson.key}`);
  await context.close();
});
