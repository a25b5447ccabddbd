import { describe, expect, it, onTestFinished } from 'vitest';
import { axeFaults } from './axe.ts';
import { visitDuringTest, setLimits, post } from './moderation.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { CITY } from './thread.ts';
import { visit } from './visitor.ts';

const LESSON = {
  page: '/courses/plain-language/write-to-be-understood/who-is-reading',
  api: 'courses/plain-language/journeys/write-to-be-understood/lessons/who-is-reading',
};

describe('moderation', () => {
  it.each([true, false])(
    'leads from a report through a decision and an appeal to the restored post, with JavaScript: %s',
    { timeout: 180_000 },
    async (javaScriptEnabled) => {
      const learner = await visitDuringTest('learner', { javaScriptEnabled });
      const owner = await visitDuringTest('moderator', { javaScriptEnabled });
      const admin = await visitDuringTest('admin', { javaScriptEnabled });
      const { page } = owner;
      await page.goto(`${CITY}/settings`);
      await page.getByLabel('Rules').fill('Be kind.\n\nSell *nothing* here.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      onTestFinished(() => setLimits(owner.context.request, {}));

      const title = `Benches for sale ${javaScriptEnabled}`;
      const { id } = await (await post(learner.context.request, title)).json();
      await admin.page.goto(`${CITY}/activities/${id}?report=${id}`);
      await admin.page.getByLabel('It is advertising or spam').check();
      await admin.page.getByLabel('Which rule does it break?').selectOption({ index: 2 });
      await admin.page.getByRole('button', { name: 'Send report' }).click();
      await admin.page.getByText('Moderators will review it').waitFor();

      await page.goto(`${CITY}/reports`);
      const card = page.getByRole('article', { name: title });
      await card.getByText('Rule 2').waitFor();
      await card.getByRole('button', { name: 'Review this' }).click();
      await card.getByText('You are reviewing this').waitFor();
      await card.locator('summary', { hasText: 'Remove it' }).click();
      await card.getByLabel('It is advertising or spam').check();
      await card.getByLabel('Which rule does it break?').selectOption({ index: 2 });
      await card.getByLabel('In your own words').fill('A shop belongs elsewhere.');
      await card.getByRole('button', { name: 'Delete the post' }).click();
      if (javaScriptEnabled) await card.getByRole('button', { name: 'Delete now' }).click();
      await card.waitFor({ state: 'detached' });

      const author = learner.page;
      await author.goto('/notifications?locale=fr');
      await author
        .getByRole('link', { name: /modération a pris une décision/ })
        .first()
        .click();
      await author.waitForURL(/\/moderation\//);
      const [path] = [new URL(author.url()).pathname];
      await author.goto(`${path}?locale=fr`);
      await author.getByRole('heading', { name: 'Pourquoi votre publication a été retirée' }).waitFor();
      await author.getByText('A shop belongs elsewhere.').waitFor();
      await author.getByText('Quelqu’un l’a signalé.').waitFor();
      if (javaScriptEnabled) expect(await axeFaults(author)).toEqual([]);
      await author.getByLabel('Pourquoi faudrait-il le rétablir ?').fill('Ce sont des bancs publics.');
      await author.getByRole('button', { name: 'Envoyer le recours' }).click();
      await author.getByText('Ce sont des bancs publics.').waitFor();

      // The moderator who decided sees the appeal but cannot decide it.
      await page.goto(`${CITY}/reports`);
      await page.getByText('you made the original decision').first().waitFor();
      await page.goto(path);
      await page.getByText('The appeal is waiting for a decision.').waitFor();
      expect(await page.getByRole('button', { name: 'Uphold the decision' }).count()).toBe(0);

      await admin.page.goto('/admin/moderation?community=city-makers&sort=-since');
      await admin.page.getByRole('row').filter({ hasText: 'Appealed' }).getByRole('link').first().click();
      await admin.page.getByLabel('Reasons, shown to the author').fill('They are public benches.');
      await admin.page.getByRole('button', { name: 'Reverse and restore' }).click();
      await admin.page.getByText('what was removed has been restored').waitFor();
      const back = await learner.context.request.get(`/api/community${CITY}/activities/${id}`);
      expect(back.status()).toBe(200);
      await page.goto(`${CITY}/log`);
      await page.getByRole('row').filter({ hasText: 'Reversed a decision on appeal' }).first().waitFor();
      for (const { faults } of [learner, owner, admin]) expect(faults).toEqual([]);
      await learner.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
    },
  );

  it('leaves a reader of the report form where they are when its script comes late', async () => {
    const { page } = await visitDuringTest('admin');
    const { context } = await visitDuringTest('learner');
    const { id } = await (await post(context.request, 'Slow script')).json();
    let arrive = (): void => undefined;
    const isLate = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/assets/report-form-*.js', async (route) => {
      await isLate;
      await route.continue();
    });
    await page.goto(`${CITY}/activities/${id}?report=${id}`, { waitUntil: 'commit' });
    const note = page.getByLabel('In your own words');
    await page.getByLabel('It attacks someone').check();
    await note.fill('Unkind');
    const loaded = page.waitForResponse('**/assets/report-form-*.js');
    arrive();
    await loaded;
    // Its button answers once the form has come alive.
    await page.getByRole('button', { name: 'Send report' }).hover();
    await page.waitForLoadState('networkidle');
    expect(await note.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await note.inputValue()).toBe('Unkind');
    expect(await page.getByLabel('It attacks someone').isChecked()).toBe(true);
    await context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
  });

  it.each([true, false])(
    'leads from a report under a lesson to a removal with a reason and an appeal, with JavaScript: %s',
    { timeout: 180_000 },
    async (javaScriptEnabled) => {
      const author = await visitDuringTest('learner', { javaScriptEnabled });
      const admin = await visitDuringTest('admin', { javaScriptEnabled });
      const reporter = await visitAsNewcomer('A learner', { javaScriptEnabled });
      onTestFinished(() => reporter.context.close());
      const enrolment = { courseSlug: 'plain-language', journeySlug: 'write-to-be-understood' };
      await callApi(reporter.context, 'POST', '/api/learner/learners/me/journeys', enrolment);
      const words = `Nobody here can write ${javaScriptEnabled}`;
      const data = { body: { en: words } };
      const made = await author.context.request.post(`/api/community/${LESSON.api}/activities`, {
        data,
        headers: SAME_SITE,
      });
      const { activityId } = (await made.json()) as { activityId: string };

      const { page } = reporter;
      await page.goto(LESSON.page);
      const text = page.locator(`#post-${activityId}`);
      await text.locator('summary', { hasText: 'Report' }).click();
      await text.getByRole('button', { name: 'Send report' }).click();
      await text.getByRole('alert').waitFor();
      await text.getByLabel('It attacks someone').check();
      await text.getByLabel('In your own words').fill('It is unkind.');
      await text.getByRole('button', { name: 'Send report' }).click();
      await page.getByText('Moderators will review it').waitFor();

      await admin.page.goto('/admin/moderation?course=plain-language&sort=-since');
      await admin.page.getByRole('row').filter({ hasText: 'Reported' }).getByRole('link').first().click();
      await admin.page.waitForURL(/\/moderation\/courses\/plain-language/);
      const card = admin.page.getByRole('article').filter({ hasText: words });
      await card.getByText('It is unkind.').waitFor();
      if (javaScriptEnabled) expect(await axeFaults(admin.page)).toEqual([]);
      await card.locator('summary', { hasText: 'Remove it' }).click();
      await card.getByLabel('It attacks someone').check();
      await card.getByLabel('In your own words').fill('Please write about the text.');
      await card.getByRole('button', { name: 'Delete the post' }).click();
      if (javaScriptEnabled) await card.getByRole('button', { name: 'Delete now' }).click();
      await card.waitFor({ state: 'detached' });
      await page.goto(LESSON.page);
      expect(await page.locator(`#post-${activityId}`).count()).toBe(0);

      await author.page.goto('/notifications');
      await author.page
        .getByRole('link', { name: /Moderators made a decision/ })
        .first()
        .click();
      await author.page.getByRole('heading', { name: 'Why your post was removed' }).waitFor();
      await author.page.getByText('Please write about the text.').waitFor();
      await author.page.getByText(words).waitFor();
      await author.page.getByRole('link', { name: 'Who is reading, and what must they do?' }).first().waitFor();
      await author.page.getByLabel('Why should it be restored?').fill('It was about my own texts.');
      await author.page.getByRole('button', { name: 'Send appeal' }).click();
      await author.page.getByText('It was about my own texts.').waitFor();
      await author.page.goto('/me/moderation');
      await author.page.getByText('appeal pending').first().waitFor();
      for (const { faults } of [author, admin, reporter]) expect(faults).toEqual([]);
    },
  );

  it('leads from the report of an article to its removal and the statement for its author', async () => {
    const author = await visitDuringTest('learner');
    const reader = await visitDuringTest('moderator');
    const admin = await visitDuringTest('admin');
    const title = `An article to report ${Date.now()}`;
    const body = { title, subtitle: 'What it is about', body: 'It misleads whoever reads it.' };
    const { slug } = await callApi(author.context, 'POST', '/api/content/articles', body);
    await reader.page.goto(`/articles/${slug}`);
    await reader.page.locator('summary', { hasText: 'Report' }).click();
    await reader.page.getByLabel('It is false or misleading').check();
    await reader.page.getByRole('button', { name: 'Send report' }).click();
    await reader.page.getByText('Moderators will review it').waitFor();

    await admin.page.goto('/admin/moderation?kind=article&sort=-since');
    await admin.page.getByRole('row').filter({ hasText: title }).getByRole('link').first().click();
    await admin.page.waitForURL(/\/moderation\/articles/);
    const card = admin.page.getByRole('article', { name: title });
    await card.waitFor();
    expect(await axeFaults(admin.page)).toEqual([]);
    await card.locator('summary', { hasText: 'Remove it' }).click();
    await card.getByLabel('It is false or misleading').check();
    await card.getByLabel('In your own words').fill('It names no source.');
    await card.getByRole('button', { name: 'Remove the article' }).click();
    await card.getByRole('button', { name: 'Delete now' }).click();
    await card.waitFor({ state: 'detached' });
    const gone = await reader.page.goto(`/articles/${slug}`);
    expect(gone?.status()).toBe(404);

    await author.page.goto('/me/moderation');
    await author.page.getByRole('link', { name: 'An article was removed' }).first().click();
    await author.page.getByRole('heading', { name: 'Why your article was removed' }).waitFor();
    await author.page.getByText('It names no source.').waitFor();
    for (const { faults } of [author, reader, admin]) expect(faults).toEqual([]);
  });

  it('lets a moderator delete posts of members but not of owners', async () => {
    const owner = await visitDuringTest('moderator');
    const moderator = await visitAsNewcomer('A moderator');
    await moderator.context.request.post(`/api/community${CITY}/members`, { headers: SAME_SITE });
    await callApi(owner.context, 'PUT', `/api/community${CITY}/members/${moderator.id}`, { level: 'full-control' });
    const learner = await visitDuringTest('learner');
    const offered = [];
    for (const author of [learner, owner]) {
      const { id } = await (await post(author.context.request, 'Who may delete this?')).json();
      await moderator.page.goto(`${CITY}/activities/${id}`);
      await moderator.page.locator('summary', { hasText: 'More' }).first().click();
      await moderator.page.getByRole('link', { name: 'Report' }).first().waitFor();
      offered.push(await moderator.page.getByRole('link', { name: 'Delete', exact: true }).count());
      await author.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
    }
    expect(offered).toEqual([1, 0]);
  });

  it('slow mode is set by owners, enforced by the API and announced to writers', async () => {
    const learner = await visitDuringTest('learner');
    const owner = await visitDuringTest('moderator');
    const { page } = owner;
    await page.goto(`${CITY}/settings`);
    await page.getByLabel('Slow mode').selectOption('3600');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    onTestFinished(() => setLimits(owner.context.request, {}));
    const first = await post(learner.context.request, 'The first');
    expect(first.status()).toBe(201);
    const second = await post(learner.context.request, 'The second');
    expect([second.status(), (await second.json()).code]).toEqual([429, 'community.too_early']);
    expect(Number(second.headers()['retry-after'])).toBeGreaterThan(3000);
    await learner.page.goto(CITY);
    await learner.page.getByText('You posted a moment ago').waitFor();
    await learner.page.getByText('Wait at least 1 hour between').first().waitFor();
    const { id } = await first.json();
    await learner.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
  });

  it('publishes its figures to everyone as a page, CSV and JSON', async () => {
    const { page, context } = await visit();
    onTestFinished(() => context.close());
    await page.goto('/moderation-report');
    await page.getByRole('heading', { level: 1, name: 'Moderation report' }).waitFor();
    const csv = await context.request.get('/moderation-report.csv');
    expect(csv.headers()['content-type']).toContain('text/csv');
    const { years } = await callApi(context, 'GET', '/api/moderation/figures');
    expect(Array.isArray(years)).toBe(true);
    expect((await context.request.get('/admin/moderation.csv')).url()).toContain('/login');
  });
});
