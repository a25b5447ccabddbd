import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { visitAs } from './visitor.ts';

describe('a transcript', () => {
  it.each([true, false])('is found in My learning and downloaded, with JavaScript: %s', async (script) => {
    const person = await visitAsNewcomer('=Ines Duarte', { javaScriptEnabled: script });
    const { page, context } = person;
    await callApi(context, 'POST', '/api/learner/learners/me/journeys', {
      courseSlug: 'plain-language',
      journeySlug: 'write-to-be-understood',
    });
    await page.goto('/me/learning');
    await page.getByRole('link', { name: 'Transcript' }).click();
    await page.getByRole('heading', { level: 1, name: 'Transcript' }).waitFor();
    await page.getByText('Nothing has been completed yet.').waitFor();
    const row = page.getByRole('table', { name: 'Not completed' }).getByRole('row').nth(1);
    expect(await row.innerText()).toContain('In progress');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download (CSV)' }).click(),
    ]);
    const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n');
    expect([csv.suggestedFilename(), lines.length, lines[1]?.startsWith('journey,')]).toEqual([
      'transcript.csv',
      2,
      true,
    ]);
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download (PDF)' }).click(),
    ]);
    expect((await readFile(await pdf.path(), 'latin1')).startsWith('%PDF-1.7')).toBe(true);
    await context.close();
  });

  it('shows what was completed, also to administrators', async () => {
    const admin = await visitAs('admin');
    const learner = await visitAs('learner');
    await learner.page.goto('/me/learning/transcript');
    const completed = learner.page.getByRole('table', { name: 'Completed' }).getByRole('row');
    expect(await completed.count()).toBeGreaterThan(1);
    const { viewer } = await callApi(learner.context, 'GET', '/api/auth/session');
    const { page } = admin;
    await page.goto(`/admin/people/${viewer.id}`);
    await page.getByRole('main').getByRole('link', { name: 'Transcript' }).click();
    await page.getByRole('heading', { level: 1, name: `Transcript of ${viewer.name}` }).waitFor();
    expect(await page.getByRole('table', { name: 'Completed' }).getByRole('row').count()).toBe(await completed.count());
    const refused = await learner.context.request.get(`/admin/people/${viewer.id}/transcript.csv`);
    expect(refused.status()).toBe(403);
    await admin.context.close();
    await learner.context.close();
  });
});

describe('the completion of a course', () => {
  it.each([true, false])('is found from the overview, filtered and downloaded, with JavaScript: %s', async (script) => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled: script });
    await page.goto('/admin?course=plain-language');
    await page.getByRole('link', { name: 'Completion of the course by lesson' }).click();
    await page.getByRole('heading', { level: 1, name: 'Completion by lesson' }).waitFor();
    const rows = page.getByRole('table').first().getByRole('row');
    expect(await rows.count()).toBe(11);
    expect(await page.getByText('withheld').count()).toBe(0);
    await page.getByLabel('Country').selectOption('NG');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('Numbers below 5, and numbers that would reveal them, are withheld').waitFor();
    expect(new URL(page.url()).searchParams.get('country')).toBe('NG');
    expect(await page.getByLabel('Country').inputValue()).toBe('NG');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download (CSV)' }).click(),
    ]);
    const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n');
    expect([csv.suggestedFilename(), lines.length]).toEqual(['completion-plain-language.csv', 11]);
    await context.close();
  });
});
