import { describe, expect, it } from 'vitest';
import { SAME_SITE } from './newcomer.ts';
import { CITY, visitDuringTest, entryLink, poll, post, reply, entryWith } from './thread.ts';

describe('a thread', () => {
  it('shows three levels of replies in place, with edits and likes', async () => {
    const { page, context, faults } = await visitDuringTest('learner');
    const id = await post(context.request, 'Three levels');
    await page.goto(`${CITY}/activities/${id}`);
    await page.getByLabel('Your reply').fill('The first level');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await entryWith(page, 'The first level').getByText('Author', { exact: true }).waitFor();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('');
    for (const [above, text] of [
      ['The first level', 'The second level'],
      ['The second level', 'The third level'],
    ] as const) {
      await entryLink(page, above, 'Reply').click();
      await page.getByLabel('Reply to Maya Okafor').fill(text);
      await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
      await entryWith(page, text).waitFor();
    }
    expect(await entryLink(page, 'The third level', 'Reply').count()).toBe(0);

    await entryLink(page, 'The third level', 'Edit').click();
    await page.getByLabel('Edit your reply').fill('The third level, said better');
    await page.getByRole('button', { name: 'Save' }).click();
    await entryWith(page, 'said better').getByText('edited').waitFor();
    const like = entryWith(page, 'said better').getByRole('button', { name: /^Like this/ });
    await like.click();
    await page.getByText('You like this.').waitFor({ state: 'attached' });
    expect(await like.getAttribute('aria-pressed')).toBe('true');
    expect(faults).toEqual([]);
  });

  it('lets a deletion be undone, and completes it when the page is left', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await post(context.request, 'Second thoughts');
    for (const text of ['Kept after all', 'Really to go']) await reply(context.request, id, text);
    await page.goto(`${CITY}/activities/${id}`);
    const deleteEntry = async (text: string) => {
      await entryLink(page, text, 'Delete').click();
      await page.getByRole('button', { name: 'Delete the reply' }).click();
      await page.getByText('about to be deleted').waitFor();
    };
    await deleteEntry('Kept after all');
    expect(await page.getByText('Kept after all').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await entryWith(page, 'Kept after all').waitFor();

    await deleteEntry('Really to go');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.getByText('about to be deleted').waitFor({ state: 'detached' });
    expect(await page.getByText('Really to go').count()).toBe(0);
    await entryWith(page, 'Kept after all').waitFor();

    await deleteEntry('Kept after all');
    await page.goto('/articles');
    const left = async () =>
      (await context.request.get(`/api/community${CITY}/activities/${id}/reactions`))
        .json()
        .then(({ results }) => results);
    await expect.poll(left).toEqual([]);

    await page.goto(`${CITY}/activities/${id}?remove=${id}`);
    // The form is a part that comes to life after the page; before that it deletes at once, and says so.
    await page.getByText('This cannot be undone.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete the post' }).click();
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.waitForURL(`**${CITY}`);
    expect((await context.request.get(`/api/community${CITY}/activities/${id}`)).status()).toBe(404);
  });

  it('opens at the linked reply, however far down', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await post(context.request, 'A long thread');
    const ids: string[] = [];
    for (let nth = 1; nth <= 27; nth += 1) ids.push(await reply(context.request, id, `Remark ${nth}.`));
    await page.goto(`${CITY}/activities/${id}#${ids[26]}`);
    await entryWith(page, 'Remark 27.').waitFor();
    expect(page.url()).toContain(`?at=${ids[26]}#`);
    expect(await page.getByText('Remark 1.', { exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the first' }).click();
    await page.getByText('Remark 1.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Later replies' }).click();
    await page.getByText('Remark 26.').waitFor();
    await page.goto(`${CITY}/activities/${id}?at=${id}`);
    await page.getByText('no longer here').waitFor();
  });
});

it('a report reaches the moderators, who keep the post or remove it with a reason', async () => {
  const learner = await visitDuringTest('learner');
  const moderator = await visitDuringTest('moderator');
  const admin = await visitDuringTest('admin');
  // The administrator posts without being a member; the owner decides.
  const id = await post(admin.context.request, 'Cheap benches, today only');
  const report = async (reason: string, note: string) => {
    const { page } = learner;
    await page.goto(`${CITY}/activities/${id}`);
    await page.locator('summary', { hasText: 'More about this post' }).click();
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByRole('alert').first().waitFor(); // no reason is preselected
    await page.getByLabel(reason).check();
    await page.getByLabel('In your own words').fill(note);
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('Moderators will review it').waitFor();
  };
  await report('It is advertising or spam', 'A shop, again');
  const { page } = moderator;
  await page.goto(`${CITY}/members`);
  await page.getByRole('link', { name: 'Reports' }).click();
  const card = page.getByRole('article', { name: 'Cheap benches' });
  await card.getByText('A shop, again').waitFor();
  expect(await card.getByText('Maya Okafor').count()).toBe(0);
  await card.getByRole('button', { name: 'Keep it' }).click();
  await page.getByText('The reports are closed').waitFor();
  expect(await card.count()).toBe(0);

  await report('Something else', 'It came back');
  await page.reload();
  await card.getByText('Remove it').click();
  await card.getByLabel('It is advertising or spam').check();
  await card.getByRole('button', { name: 'Delete the post' }).click();
  await card.getByRole('button', { name: 'Delete now' }).click();
  await card.waitFor({ state: 'detached' });
  expect((await learner.context.request.get(`/api/community${CITY}/activities/${id}`)).status()).toBe(404);
  expect((await learner.page.goto(`${CITY}/reports`))?.status()).toBe(403);
});

it('a request to join a closed community is withdrawn, made again and accepted', async () => {
  const { page } = await visitDuringTest('learner');
  const admin = await visitDuringTest('admin');
  await page.goto('/communities/new-managers');
  await page.locator('summary', { hasText: 'Member' }).click();
  await page.getByRole('button', { name: /^Leave/ }).click();
  await page.getByRole('button', { name: /^Ask to join/ }).click();
  await page.getByText('You asked to join. An owner will respond.').waitFor();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: /^Ask to join/ }).click();
  await page.getByText('You asked to join. An owner will respond.').waitFor();

  await admin.page.goto('/communities/new-managers/members');
  await admin.page.getByRole('heading', { name: '1 request to join' }).waitFor();
  await admin.page.getByRole('button', { name: 'Accept Maya Okafor' }).click();
  await admin.page.getByText('Maya Okafor is now a member.').waitFor();
  await page.reload();
  await page.locator('summary', { hasText: 'Member' }).waitFor();
});

it('the last owner is told why they cannot leave, and can first make another owner', async () => {
  const { page, context } = await visitDuringTest('moderator');
  const admin = await visitDuringTest('admin');
  const { viewer } = await (await context.request.get('/api/auth/session')).json();
  const { owners } = await (await context.request.get(`/api/community${CITY}`)).json();
  const others = owners.filter(({ id }: { id: string }) => id !== viewer.id);
  const setRole = async (role: 'owner' | 'member') => {
    for (const { id } of others) {
      const path = `/api/community${CITY}/members/${id}`;
      const answer = await admin.context.request.put(path, { data: { role }, headers: SAME_SITE });
      expect(answer.status()).toBe(200);
    }
  };
  await setRole('member');
  await page.goto(CITY);
  await page.locator('summary', { hasText: 'Owner' }).click();
  await page.getByRole('button', { name: 'Leave City makers' }).click();
  await page.getByText('You are the last owner.').waitFor();
  await page.goto(`${CITY}/members?q=Okafor`);
  const more = page.locator('summary', { hasText: 'More about Maya Okafor' });
  await more.click();
  await page.getByRole('button', { name: 'Make an owner' }).click();
  await page.getByText('Maya Okafor is now an owner.').waitFor();
  await more.click();
  await page.getByRole('button', { name: 'Remove as owner' }).click();
  await page.getByText('Maya Okafor is now a regular member.').waitFor();
  await setRole('owner');
});

describe('a poll', () => {
  it('hides its results until the viewer has voted, and withdraws the vote', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await poll(context.request, 'Where do we begin?', { results_visibility: 'after-voting' });
    await page.goto(`${CITY}/activities/${id}`);
    await page.getByText('You’ll see the results once you have voted.').waitFor();
    await page.getByText('Names are never shown.').waitFor();
    expect(await page.getByText('%').count()).toBe(0);
    await page.getByRole('button', { name: 'Trees' }).click();
    await page.getByText('Votes for each option appear once at least five people have voted').waitFor();
    const trees = page.getByRole('button', { name: /^Trees/ });
    expect(await trees.getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByText('1 vote', { exact: true }).count()).toBe(1);
    expect(await page.getByText('%').count()).toBe(0);
    await page.getByRole('button', { name: /^Lamps/ }).press('Enter');
    await page.getByRole('button', { name: /^Lamps \(your vote\)/ }).waitFor();
    await page.getByRole('button', { name: 'Withdraw my vote' }).click();
    await page.getByText('You’ll see the results once you have voted.').waitFor();
  });

  it('shows the votes for each option at once where participants are not hidden', async () => {
    const { page, context } = await visitDuringTest('learner');
    const id = await poll(context.request, 'Openly, where do we begin?', { hide_participants: false });
    await page.goto(`${CITY}/activities/${id}`);
    await page.getByRole('button', { name: 'Trees' }).click();
    await page.getByText('100%').waitFor();
    expect(await page.getByRole('button', { name: /^Trees/ }).textContent()).toContain('1 vote');
  });

  it('takes several votes and, once closed, names the winners, also in a tie', async () => {
    const { page, context } = await visitDuringTest('learner');
    const deadline = new Date(Date.now() + 6_000).toISOString();
    const id = await poll(context.request, 'Which of these?', {
      allow_multiple_votes: true,
      hide_participants: false,
      results_visibility: 'always',
      deadline_at: deadline,
    });
    await page.goto(`${CITY}/activities/${id}`);
    await page.getByText('You may choose several.').waitFor();
    for (const name of ['Benches', 'Lamps']) {
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
      await page.getByRole('button', { name: new RegExp(`^${name} \\(your vote\\)`) }).waitFor();
    }
    await new Promise((later) => setTimeout(later, Date.parse(deadline) - Date.now() + 200));
    await page.reload();
    await page.getByText(/^Closed/).waitFor();
    await expect.poll(() => page.getByText('Tied for most votes').count()).toBe(2);
    expect(await page.getByRole('button', { name: /^Benches/ }).count()).toBe(0);
  });
});
