import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { write } from '../articles.ts';
import { axeFaults } from '../axe.ts';
import { visitDuringTest, setLimits, post } from '../moderation.ts';
import { callApi, SAME_SITE } from '../newcomer.ts';
import { CITY } from '../thread.ts';
import { isTooWide, visitAs } from '../visitor.ts';

const LONG_ADDRESS = `https://example.gov/${'long'.repeat(20)}`;

describe('moderation', () => {
  /** A post that was removed and restored on appeal, for the log and the list of decisions. */
  beforeAll(async () => {
    const [learner, owner, admin] = [await visitAs('learner'), await visitAs('moderator'), await visitAs('admin')];
    const { id } = await (await post(learner.context.request, 'Benches for sale')).json();
    const removal = { decision: 'remove', reason: 'spam', note: 'A shop belongs elsewhere.' };
    const thing = { community: 'city-makers', kind: 'activity', id };
    await callApi(owner.context, 'POST', '/api/moderation/decisions', { ...thing, ...removal });
    const { decisions } = await callApi(learner.context, 'GET', '/api/moderation/me/decisions');
    const decision = `/api/moderation/decisions/${decisions[0].id}`;
    await callApi(learner.context, 'POST', `${decision}/appeal`, { text: 'They are public benches.' });
    await callApi(admin.context, 'POST', `${decision}/outcome`, {
      outcome: 'reversed',
      note: 'They are public benches.',
    });
    await learner.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
    for (const { context } of [learner, owner, admin]) await context.close();
  });

  it.each([
    ['light', 'en'],
    ['dark', 'ar'],
  ] as const)('has no axe violations and fits 320 px: %s, %s', { timeout: 120_000 }, async (colorScheme, locale) => {
    const { page, context } = await visitDuringTest('admin', { colorScheme, viewport: { width: 320, height: 700 } });
    const learner = await visitDuringTest('learner');
    const { id } = await (await post(learner.context.request, 'A long address', LONG_ADDRESS)).json();
    onTestFinished(async () => {
      await learner.context.request.delete(`/api/community${CITY}/activities/${id}`, { headers: SAME_SITE });
    });
    await setLimits(context.request, { rules: ['Be *kind*', 'Sell nothing'], slowModeSeconds: 60, postsPerDay: 5 });
    onTestFinished(async () => {
      const again = await visitAs('admin');
      await setLimits(again.context.request, {});
      await again.context.close();
    });
    const report = { community: 'city-makers', kind: 'activity', id, reason: 'spam', rule: 2 };
    const owner = await visitDuringTest('moderator');
    const reported = await owner.context.request.post('/api/moderation/reports', {
      data: report,
      headers: SAME_SITE,
    });
    expect(reported.status()).toBe(201);
    const bad: string[] = [];
    const paths = ['', '/rules', '/settings', '/log', '/reports'].map((path) => CITY + path);
    for (const path of [...paths, '/me/moderation', '/moderation-report', '/admin/moderation?state=decided']) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}locale=${locale}`);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
      if (await isTooWide(page)) bad.push(`${path} is too wide`);
    }
    expect(bad).toEqual([]);
  });
});

describe('article pages', () => {
  /** Publishes an article of the learner. */
  async function publish(): Promise<void> {
    const { page, context } = await visitAs('learner', { javaScriptEnabled: false });
    await page.goto('/articles/new');
    await write(page, 'Written on an old machine');
    await page.getByRole('checkbox', { name: 'Education' }).check();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { level: 1, name: 'Written on an old machine' }).waitFor();
    await context.close();
  }

  it('fit a phone, are right-to-left in Arabic and have no axe violations', { timeout: 180_000 }, async () => {
    await publish();
    const { page, context } = await visitAs('learner', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
    const { articles } = await (await context.request.get('/api/content/articles')).json();
    const { articles: mine } = await (await context.request.get('/api/content/articles?mine=true')).json();
    const bad: string[] = [];
    for (const path of [
      '/articles/new',
      `/articles/${mine[0].slug}/edit`,
      `/articles/${articles[0].slug}/share`,
      `/articles/${mine[0].slug}`,
      '/articles?mine=1',
      '/articles?language=ja&topic=climate',
    ]) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}locale=ar`);
      await page.locator('html:has(body)').waitFor();
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      if (await isTooWide(page)) bad.push(`${path} is too wide`);
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    }
    expect(bad).toEqual([]);
    await context.close();
  });
});

describe('the search', () => {
  it.each([
    ['en', 'dark', 1280],
    ['ar', 'light', 320],
  ] as const)('has no axe violations: %s, %s, %i px', async (locale, colorScheme, width) => {
    const { page, context, faults } = await visitAs('learner', { colorScheme, viewport: { width, height: 800 } });
    const bad: string[] = [];
    for (const path of [
      '/search?q=forms',
      '/search?q=a',
      '/search?q=qqzx+qqzy&group=articles',
      '/search?q=langauge+publc',
    ]) {
      await page.goto(`${path}&locale=${locale}`);
      if (await isTooWide(page)) bad.push(`${path} is too wide`);
      bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    }
    expect(bad).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
