import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { visit, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const saved = (page: Page) => page.getByText('Saved.').waitFor();

describe('following and muting', () => {
  it.each([true, false])('watch a community and mute a post, and list both, with JavaScript: %s', async (script) => {
    const person = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled: script });
    const { page } = person;
    const community = '/api/community/communities/plain-words';
    await callApi(person.context, 'POST', `${community}/members`);
    const { id } = await callApi(person.context, 'POST', `${community}/activities`, {
      title: 'A quiet post',
      body: 'Hm.',
    });
    const menu = (level: string) => page.locator('summary').filter({ hasText: `Notifications: ${level}` });
    await page.goto('/communities/plain-words');
    await menu('Normal').click();
    await button(page, /^Watching/).click();
    await saved(page);
    await menu('Watching').waitFor();
    expect(new URL(page.url()).pathname).toBe('/communities/plain-words');
    await page.goto(`/communities/plain-words/activities/${id}`);
    await menu('Normal').click();
    await button(page, /^Muted/).click();
    await menu('Muted').waitFor();

    await page.goto('/me/settings');
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Following and muting' })
      .click();
    await page.getByRole('link', { name: 'A quiet post' }).waitFor();
    const rows = page.getByRole('main').getByRole('button', { name: /^Remove/ });
    expect(await rows.count()).toBe(2);
    await rows.first().click();
    await saved(page);
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().click();
    await page.getByText('Nothing here yet').waitFor();
    await person.context.close();
  });

  it.each([true, false])('follow the topic of a list of articles, with JavaScript: %s', async (script) => {
    const { page, context } = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled: script });
    await page.goto('/articles');
    expect(await button(page, 'Follow this topic').count()).toBe(0);
    await page.goto('/articles?topic=education&language=en');
    for (const pressed of ['true', 'false']) {
      await button(page, 'Follow this topic').click();
      await saved(page);
      await page.locator(`button[aria-pressed=${pressed}]`).filter({ hasText: 'Follow this topic' }).waitFor();
      expect(new URL(page.url()).search).toBe('?topic=education&language=en');
    }
    await context.close();
    const visitor = await visit();
    await visitor.page.goto('/articles?topic=education');
    expect(await button(visitor.page, 'Follow this topic').count()).toBe(0);
  });

  it.each([true, false])(
    'mute a person on their profile, whose texts then collapse, with JavaScript: %s',
    async (script) => {
      const person = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled: script });
      const moderator = await visitAs('moderator');
      const { page } = person;
      const activities = '/api/community/communities/plain-words/activities';
      await callApi(person.context, 'POST', '/api/community/communities/plain-words/members');
      const loud = await callApi(moderator.context, 'POST', activities, { title: 'A loud post', body: 'Ha!' });
      const own = await callApi(person.context, 'POST', activities, { title: 'A calm post', body: 'Hm.' });
      await callApi(moderator.context, 'POST', `${activities}/${own.id}/reactions`, {
        kind: 'reply',
        body: 'A loud reply',
      });
      await page.goto(`/people/${loud.actor.id}`);
      await page.locator('summary').filter({ hasText: 'Notifications: Normal' }).click();
      await button(page, /^Muted/).click();
      await saved(page);
      await page.goto('/communities/plain-words?order=new');
      const title = page.getByRole('link', { name: 'A loud post' });
      expect(await title.isVisible()).toBe(false);
      await page.getByText('Muted: Tomás Rivera').first().click();
      await title.waitFor();
      await page.goto(`/communities/plain-words/activities/${own.id}`);
      expect(await page.getByText('A loud reply').isVisible()).toBe(false);
      await page.getByText('Muted: Tomás Rivera').click();
      await page.getByText('A loud reply').waitFor();
      await moderator.context.close();
      await person.context.close();
    },
  );

  it('leave the posts of a muted community out of the front page', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page } = person;
    await callApi(person.context, 'POST', '/api/community/communities/plain-words/members');
    const posts = page.getByRole('main').locator('a[href^="/communities/plain-words/activities/"]');
    await page.goto('/');
    await posts.first().waitFor();
    await page.goto('/communities/plain-words');
    await page.locator('summary').filter({ hasText: 'Notifications: Normal' }).click();
    await button(page, /^Muted/).click();
    await saved(page);
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await posts.count()).toBe(0);
    await person.context.close();
  });
});
