import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { CITY, visitDuringTest, entryLink, poll, post, reply, entryWith, send } from './thread.ts';
import { isTooWide, visit } from './visitor.ts';

it('without JavaScript a member replies, likes, votes, reports and joins', async () => {
  const { page, context } = await visitDuringTest('learner', { javaScriptEnabled: false });
  const admin = await visitDuringTest('admin');
  const id = await post(admin.context.request, 'Plain pages');
  await page.goto(`${CITY}/activities/${id}`);
  await page.getByLabel('Your reply').fill('Said without script');
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.getByText('Your reply has been published.').waitFor();
  await page
    .getByRole('button', { name: /^Like this/ })
    .first()
    .click();
  expect(
    await page
      .getByRole('button', { name: /^Like this/ })
      .first()
      .getAttribute('aria-pressed'),
  ).toBe('true');
  await entryLink(page, 'Said without script', 'Delete').click();
  await page.getByText('This cannot be undone.').waitFor();
  await page.getByRole('button', { name: 'Delete the reply' }).click();
  await page.getByText('The reply has been deleted.').waitFor();
  await page.goto(`${CITY}/activities/${id}?report=${id}`);
  await page.getByLabel('It is false or misleading').check();
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByText('Moderators will review it').waitFor();

  const pollId = await poll(context.request, 'And this?', { hide_participants: false });
  await page.goto(`${CITY}/activities/${pollId}`);
  await page.getByRole('button', { name: 'Benches' }).click();
  await page.getByText('100%').waitFor();

  await page.goto('/communities/data-and-evidence');
  await page.getByRole('button', { name: /^Join/ }).click();
  await page.getByText('Welcome to').waitFor();
  await page.locator('summary', { hasText: 'Member' }).click();
  await page.getByRole('button', { name: /^Leave/ }).click();
  await page.getByRole('button', { name: /^Join/ }).waitFor();
});

it.each(['en', 'ar'])('has no axe violations and fits 320 px, %s', { timeout: 120_000 }, async (locale) => {
  const options = {
    viewport: { width: 320, height: 800 },
    colorScheme: locale === 'ar' ? ('dark' as const) : ('light' as const),
  };
  const { page, context, faults } = await visitDuringTest('moderator', options);
  const learner = await visitDuringTest('learner');
  const id = await post(learner.context.request, 'To be looked at');
  const replyId = await reply(learner.context.request, id, 'And this as well');
  const data = { community: 'city-makers', kind: 'reaction', id: replyId, reason: 'other', note: 'Look at it' };
  expect((await context.request.post('/api/moderation/reports', { data, headers: SAME_SITE })).status()).toBe(201);
  const thread = `${CITY}/activities/${id}`;
  const bad: string[] = [];
  const paths =
    locale === 'en'
      ? [`${thread}?report=${id}`, `${CITY}/members?x`]
      : [`${thread}?remove=${replyId}`, `${CITY}/reports?x`];
  for (const path of paths) {
    await page.goto(`${path}&locale=${locale}`);
    if (path.includes('reports')) await page.locator('main summary').last().click();
    bad.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
    if (await isTooWide(page)) bad.push(`${path} is too wide`);
  }
  expect(bad).toEqual([]);
  expect(faults).toEqual([]);
});

it('a deleted account is named in the reader’s language, without a link', async () => {
  const gone = await visitAsNewcomer('Soon Gone');
  const { request } = gone.context;
  await callApi(gone.context, 'POST', `/api/community${CITY}/members`, {});
  const { id } = await send(request, `${CITY}/activities`, { body: 'Said and left' });
  await reply(request, id, 'Answered and left');
  const learner = await visitDuringTest('learner');
  await reply(learner.context.request, id, 'Still here');
  expect((await request.delete('/api/people/users/me', { headers: SAME_SITE })).ok()).toBe(true);
  await gone.context.close();

  const { page } = learner;
  await page.goto(`${CITY}/activities/${id}?locale=de`);
  await page.getByRole('heading', { level: 1, name: 'Beitrag von Gelöschtes Konto' }).waitFor();
  await entryWith(page, 'Answered and left').getByText('Gelöschtes Konto', { exact: true }).waitFor();
  expect(await page.getByText('Verfasst den Beitrag').count()).toBe(0);
  expect(await page.getByText('Deleted user').count()).toBe(0);
  expect(await page.locator('a[href*="/people/00000000"]').count()).toBe(0);
  await page.goto(`${CITY}?locale=ja`);
  await page.getByRole('article', { name: /削除されたユーザー/ }).waitFor();
});

it('a visitor sees a post and only the number of its replies', async () => {
  const { page, context } = await visit();
  const learner = await visitDuringTest('learner');
  const id = await post(learner.context.request, 'For everybody');
  await reply(learner.context.request, id, 'Among members');
  await page.goto(`${CITY}/activities/${id}`);
  await page.getByText('1 reply').waitFor();
  expect(await page.getByText('Among members').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Report', exact: true }).count()).toBe(0);
  await context.close();
});

it.each([true, false])(
  'somebody who is not a member reports a post of an open community, with JavaScript: %s',
  async (javaScriptEnabled) => {
    const learner = await visitDuringTest('learner');
    const id = await post(learner.context.request, 'Said to everybody');
    const { page, context, faults } = await visitAsNewcomer('Rita Reader', { javaScriptEnabled });
    await page.goto(`${CITY}/activities/${id}`);
    await page.locator('summary', { hasText: 'More about this post' }).click();
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    await page.getByLabel('It is advertising or spam').check();
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('Moderators will review it').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
);
