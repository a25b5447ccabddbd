import { describe, expect, it, onTestFinished } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

const PAGE = '/courses/plain-language/write-to-be-understood/who-is-reading';
const LESSON = '/api/community/courses/plain-language/journeys/write-to-be-understood/lessons/who-is-reading';
const COMMUNITY = '/communities/plain-words';

describe('a contribution to a lesson', () => {
  it.each([true, false])(
    'is shared to a community, and each leads to the other, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const { page, context } = await visitAs('learner', { javaScriptEnabled, viewport: { width: 320, height: 800 } });
      onTestFinished(() => context.close());
      const text = `I write to people who wait, ${javaScriptEnabled}`;
      const message = `Whom do you write to? ${javaScriptEnabled}`;
      const { activityId } = await callApi(context, 'POST', `${LESSON}/activities`, { body: { en: text } });
      await page.goto(PAGE);
      const contribution = page.locator(`#post-${activityId}`);
      await contribution.getByRole('link', { name: 'Share', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Share with your communities' }).waitFor();
      if (javaScriptEnabled) expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
      await page.getByRole('textbox', { name: 'Your message' }).fill(message);
      await page.getByLabel('Plain words').check();
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByText('Shared in Plain words').waitFor();
      await page.getByRole('link', { name: 'Back to the lesson' }).click();
      await contribution.getByText('Also in').waitFor();
      if (javaScriptEnabled) expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
      await contribution.getByRole('link', { name: 'Plain words' }).click();

      await page.getByRole('heading', { level: 1, name: message }).waitFor();
      const post = new URL(page.url()).pathname;
      const card = page.getByRole('main').getByRole('link', { name: /^Discussion in a lesson/ });
      await card.getByText(text).waitFor();
      await card.getByText('Plain language in public service').waitFor();
      if (javaScriptEnabled) expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
      await page.goto(`${COMMUNITY}?order=new`);
      const inFeed = page.locator('article').filter({ hasText: message });
      await inFeed.getByRole('link', { name: /^Discussion in a lesson/ }).click();
      await page.waitForURL((url) => url.pathname === PAGE && url.hash === `#post-${activityId}`);

      // A member of the community without the course reads the message only.
      const other = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled });
      onTestFinished(() => other.context.close());
      await callApi(other.context, 'POST', `/api/community${COMMUNITY}/members`);
      for (const path of [post, `${COMMUNITY}?order=new`]) {
        await other.page.goto(path);
        await other.page.getByRole('main').getByText(message).first().waitFor();
        expect(await other.page.content()).not.toContain(text);
        expect(await other.page.getByText('Discussion in a lesson').count()).toBe(0);
      }
    },
  );
});
