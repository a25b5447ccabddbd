import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { query } from '../server/test/cluster.ts';
import { startDemo } from './demo.ts';
import { visitAgain, visitAsNewcomer } from './newcomer.ts';
import { findScreens } from './people.ts';
import { visit, visitAs } from './visitor.ts';

/** The learner's analysis. Finding it waits until the task statements are loaded. */
let analysis: string;
beforeAll(async () => {
  analysis = (await findScreens()).analysis;
});

const APPOINT = 'Appoint department heads or managers and assign responsibilities';
const POEM = 'The fog comes on little cat feet';

async function describeJob(page: Page, jobTitle: string, tasks: string): Promise<void> {
  await page.getByLabel('Job title').fill(jobTitle);
  await page.getByLabel('Your tasks, one per line').fill(tasks);
  await page.getByRole('button', { name: 'Compare my tasks' }).click();
}
/** The tasks of the chart, from the top. */
const charted = async (page: Page) =>
  await page.getByRole('region', { name: 'Your tasks by what could change' }).locator('ol > li p a').allTextContents();

describe.each([true, false])('the job analysis, with JavaScript: %s', (javaScriptEnabled) => {
  it('is found from Today, compared, read, changed, reopened and deleted', { timeout: 120_000 }, async () => {
    const { page, context, faults } = await visitAs('learner', { javaScriptEnabled });
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'How AI changes my job' }).click();
    expect(await page.getByLabel('Job title').inputValue()).not.toBe(''); // from the profile
    const title = `Head of press ${javaScriptEnabled ? 'one' : 'two'}`;
    await describeJob(page, title, `- Write press releases\n${APPOINT}\n\n${POEM}`);

    await page
      .getByRole('heading', { level: 1, name: `${title}: language models could change 1 of 2 tasks.` })
      .waitFor();
    const address = new URL(page.url()).pathname;
    expect(await charted(page)).toEqual(['Write press releases', APPOINT]);
    const low = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: APPOINT }) })
      .first();
    expect((await low.locator('dl').innerText()).replace(/\s+/g, ' ')).toMatch(
      /Automation 25% low Effort exposed 0% low/,
    );

    const unmatched = page.getByRole('region', { name: 'Tasks without a comparable statement' });
    expect(await unmatched.getByRole('listitem').getByRole('heading').allTextContents()).toEqual([POEM]);
    expect(await unmatched.innerText()).toMatch(/No comparable task found.*Both are averages that say little/);

    // Each figure shows its evidence and source.
    const evidence = page.locator('#task-2');
    const quote = evidence.locator('blockquote[lang=en]');
    expect(await quote.textContent()).toBe(
      'Appoint department heads or managers and assign or delegate responsibilities to them.',
    );
    expect(await evidence.innerText()).toMatch(/Chief Executives, O\*NET 11-1011\.00, task 8831\./);
    expect(await page.getByText('Task statements: O*NET').innerText()).toMatch(/CC BY 4\.0.*Eloundou/);
    await page.getByRole('region', { name: 'Courses that help' }).getByRole('link').first().waitFor();

    // The order is in the URL and applies to the table too.
    await page.getByRole('link', { name: 'As entered' }).click();
    await page.waitForURL(`${address}?sort=order`);
    await page.goto(`${address}?sort=effort&view=table`);
    expect(await charted(page)).toEqual([APPOINT, 'Write press releases']);
    const table = page.getByRole('table', { name: `Tasks: ${title}` });
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([APPOINT, 'Write press releases']);
    expect(await table.getByRole('columnheader', { name: /^Effort exposed/ }).getAttribute('aria-sort')).toBe(
      'ascending',
    );

    expect(await table.getByRole('link', { name: /^Effort exposed/ }).getAttribute('title')).toBe(
      'Sort by Effort exposed',
    );
    const file = await context.request.get(`${address}/csv?sort=effort`);
    expect([file.status(), file.headers()['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect((await file.text()).split('\r\n').map((line) => line.split(',').slice(0, 6).join(','))).toEqual([
      '\uFEFFtask,category,automationPercentage,effortPercentage,statements,comparable',
      `${APPOINT},unexposed,25,0,11-1011.00:8831,yes`,
      expect.stringMatching(/^Write press releases,direct,75,\d+,27-3031\.00:20554 .*,yes$/),
      expect.stringMatching(new RegExp(`^${POEM},[a-z-]+,\\d+,\\d+,[^,]+,no$`)),
      '',
    ]);

    await page.getByRole('link', { name: 'Change the tasks' }).click();
    await page.waitForURL('**/tasks?from=*');
    expect(await page.getByLabel('Your tasks, one per line').inputValue()).toBe(
      `Write press releases\n${APPOINT}\n${POEM}`,
    );
    await describeJob(page, title, 'Answer phone calls from the public');
    await page.getByRole('heading', { name: `${title}: language models could change 1 of 1 task.` }).waitFor();
    expect(new URL(page.url()).pathname).toBe(address); // one analysis per job title

    await page.goto('/tasks');
    const past = page.getByRole('region', { name: 'Your analyses' });
    await past.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { name: `${title}: language models` }).waitFor();
    await page.locator('summary', { hasText: 'Delete this analysis' }).click();
    await page.getByText('The analysis and its conversation are permanently deleted.').waitFor();
    await page.getByRole('button', { name: 'Delete this analysis' }).click();
    await page.getByText('The analysis has been deleted.').waitFor();
    expect(await past.getByRole('link', { name: title }).count()).toBe(0);
    expect((await page.goto(address))?.status()).toBe(404);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('keeps the input of a rejected form and explains why', async () => {
    const { page, context } = await visitAs('learner', { javaScriptEnabled });
    await page.goto('/tasks');
    const tasks = Array.from({ length: 21 }, (_, index) => `Write letter ${index}`).join('\n');
    await describeJob(page, ' ', tasks);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.getByRole('link').allInnerTexts()).toEqual([
      expect.stringContaining('This field is required'),
      expect.stringContaining('At most 20 tasks'),
    ]);
    expect(await page.getByLabel('Your tasks, one per line').inputValue()).toBe(tasks);
    await context.close();
  });
});

it('uses the tasks of the nearest occupation when there is only a title, and says when the title differs', async () => {
  const { page, context } = await visitAs('learner');
  await page.goto('/tasks');
  await describeJob(page, 'chief executive', '');
  await page.getByText('The tasks are those of the occupation Chief Executives.').waitFor();
  expect((await charted(page)).length).toBe(20);
  await page.goto('/tasks');
  await describeJob(page, 'Poet', '');
  await page.getByRole('heading', { level: 1, name: 'Poet: no occupation has this title.' }).waitFor();
  await page.getByText('If yours are different, describe them').waitFor();
  expect((await charted(page)).length).toBeGreaterThan(0);
  await page.goto('/tasks');
  await describeJob(page, 'Zzyzx', '');
  await page.getByRole('heading', { name: 'No comparable task found for Zzyzx.' }).waitFor();
  await page.getByText('No occupation has this title. Describe your tasks instead').waitFor();
  expect(await charted(page)).toEqual([]);
  await page.getByRole('link', { name: 'Change the tasks' }).click();
  await page.waitForURL('**/tasks?from=*');
  expect(await page.getByLabel('Your tasks, one per line').inputValue()).toBe('');
  await context.close();
});

it('translates the page but not the figures', async () => {
  const { page, context } = await visitAs('learner');
  await page.goto(`${analysis}?locale=de`);
  await page.getByRole('heading', { level: 1, name: /Sprachmodelle könnten 2 von 2 Aufgaben verändern/ }).waitFor();
  await page.goto(`${analysis}?locale=ar`);
  expect(await page.locator('blockquote').first().getAttribute('dir')).toBe('ltr');
  await context.close();
});

describe('a viewer without access', () => {
  it('is told so, and a visitor how to continue', async () => {
    const visitor = await visit();
    await visitor.page.goto('/tasks');
    await visitor.page.getByText('For public servants').waitFor();
    await visitor.page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await visitor.page.waitForURL('**/login?next=%2Ftasks');
    await visitor.page.goto(analysis);
    await visitor.page.waitForURL('**/login?next=*');
    await visitor.context.close();
  });

  it('includes people who are not verified public servants', async () => {
    const newcomer = await visitAsNewcomer('Ines Duarte');
    const admin = await visitAs('admin');
    const changed = await admin.context.request.put(`/api/people/v2/users/${newcomer.id}`, {
      data: { name: newcomer.name, role: 'non-public-servant' },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(changed.ok(), await changed.text()).toBe(true);
    const { page, context } = await visitAgain(newcomer); // changing the role ended the sessions
    await page.goto(analysis);
    await page.waitForURL('**/tasks');
    await page.getByText('We have not yet been able to confirm that you work in public service.').waitFor();
    expect(await page.getByLabel('Job title').count()).toBe(0);
    await page.goto('/');
    expect(await page.getByRole('link', { name: 'How AI changes my job' }).count()).toBe(0);
    for (const one of [context, newcomer.context, admin.context]) await one.close();
  });

  it('cannot open another person’s analysis', async () => {
    const { page, context } = await visitAs('moderator');
    expect((await page.goto(analysis))?.status()).toBe(404);
    await context.close();
  });
});

it('shows a notice while the statements are being loaded', { timeout: 120_000 }, async () => {
  const product = await startDemo({ ROLE: 'web' }); // runs no jobs, so nothing reloads them
  try {
    await query(
      product.databaseUrl,
      'truncate job_postings, job_spellings, job_words, job_statements, job_occupations, job_task_load',
    );
    for (const javaScriptEnabled of [true, false]) {
      const { page, context } = await visitAs('learner', { baseURL: product.url, javaScriptEnabled });
      await page.goto('/tasks');
      await describeJob(page, 'Clerk', 'Write letters');
      await page.getByText('The statements are still being loaded. Nothing you typed is lost').waitFor();
      expect(await page.getByLabel('Job title').inputValue()).toBe('Clerk');
      expect(await page.getByLabel('Your tasks, one per line').inputValue()).toBe('Write letters');
      await context.close();
    }
  } finally {
    await product.stop();
  }
});
