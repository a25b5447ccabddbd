import { describe, expect, it, onTestFinished } from 'vitest';
import { axeFaults } from './axe.ts';
import { come, limit, post } from './moderation.ts';
import { ask, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { CITY } from './thread.ts';
import { visit } from './visitor.ts';

describe('moderation', () => {
  it.each([true, false])(
    'from a report over a statement and an appeal to the post being back, with script: %s',
    { timeout: 180_000 },
    async (javaScriptEnabled) => {
      const learner = await come('learner', { javaScriptEnabled });
      const owner = await come('moderator', { javaScriptEnabled });
      const admin = await come('admin', { javaScriptEnabled });
      const { page } = owner;
      await page.goto(`${CITY}/settings`);
      await page.getByLabel('Rules').fill('Be kind.\n\nSell *nothing* here.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      onTestFinished(() => limit(owner.context.request, {}));

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

      // Who decided sees the appeal and cannot decide it.
      await page.goto(`${CITY}/reports`);
      await page.getByText('you made the original decision').first().waitFor();
      await page.goto(path);
      await page.getByText('The appeal is waiting for a decision.').waitFor();
      expect(await page.getByRole('button', { name: 'Uphold it' }).count()).toBe(0);

      await admin.page.goto('/admin/moderation?community=city-makers&sort=-since');
      await admin.page.getByRole('row').filter({ hasText: 'Appealed' }).getByRole('link').first().click();
      await admin.page.getByLabel('Reasons, shown to the author').fill('They are public benches.');
      await admin.page.getByRole('button', { name: 'Reverse it and restore' }).click();
      await admin.page.getByText('what was removed has been restored').waitFor();
      const back = await learner.context.request.get(`/api/community${CITY}/activities/${id}`);
      expect(back.status()).toBe(200);
      await page.goto(`${CITY}/log`);
      await page.getByRole('row').filter({ hasText: 'Reversed a decision on appeal' }).first().waitFor();
      for (const { faults } of [learner, owner, admin]) expect(faults).toEqual([]);
      await learner.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
    },
  );

  it('offers a moderator to delete what a member wrote, and not what an owner wrote', async () => {
    const owner = await come('moderator');
    const moderator = await visitAsNewcomer('A moderator');
    await moderator.context.request.post(`/api/community${CITY}/members`, { headers: SAME_SITE });
    await ask(owner.context, 'PUT', `/api/community${CITY}/members/${moderator.id}`, { level: 'full-control' });
    const learner = await come('learner');
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

  it('slow mode is set by owners, kept by the API and shown where one writes', async () => {
    const learner = await come('learner');
    const owner = await come('moderator');
    const { page } = owner;
    await page.goto(`${CITY}/settings`);
    await page.getByLabel('Slow mode').selectOption('3600');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    onTestFinished(() => limit(owner.context.request, {}));
    const first = await post(learner.context.request, 'The first');
    expect(first.status()).toBe(201);
    const second = await post(learner.context.request, 'The second');
    expect([second.status(), (await second.json()).code]).toEqual([429, 'community.too_early']);
    expect(Number(second.headers()['retry-after'])).toBeGreaterThan(3000);
    await learner.page.goto(CITY);
    await learner.page.getByText('You wrote a moment ago').waitFor();
    await learner.page.getByText('Everyone lets 1 hour pass').first().waitFor();
    const { id } = await first.json();
    await learner.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
  });

  it('publishes its figures for everybody, as a page, as CSV and as JSON', async () => {
    const { page, context } = await visit();
    onTestFinished(() => context.close());
    await page.goto('/moderation-report');
    await page.getByRole('heading', { level: 1, name: 'Moderation report' }).waitFor();
    const csv = await context.request.get('/moderation-report.csv');
    expect(csv.headers()['content-type']).toContain('text/csv');
    const { years } = await ask(context, 'GET', '/api/moderation/figures');
    expect(Array.isArray(years)).toBe(true);
    expect((await context.request.get('/admin/moderation.csv')).url()).toContain('/login');
  });
});
