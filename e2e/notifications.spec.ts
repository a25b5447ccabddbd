import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { mailWaitingJob } from '../server/areas/notifications/notification.jobs.ts';
import { readConfig } from '../server/config.ts';
import { createLogger } from '../server/log.ts';
import { openCtx } from '../server/app/open.ts';
import { axeFaults } from './axe.ts';
import { currentProduct } from './demo.ts';
import { callApi, visitAsNewcomer, type Newcomer } from './newcomer.ts';
import { isTooWide, visit, visitAs, type Visit } from './visitor.ts';

const COMMUNITY = '/api/community/communities/plain-words';

let moderator: Visit;

beforeAll(async () => {
  moderator = await visitAs('moderator');
});

async function becomeMember(person: Newcomer): Promise<void> {
  await callApi(person.context, 'POST', `${COMMUNITY}/members`);
}

/** Posts as the person and replies as the moderator. */
async function postAndReply(person: Newcomer, title: string): Promise<string> {
  const post = await callApi(person.context, 'POST', `${COMMUNITY}/activities`, { verb: 'post', title, body: 'Well?' });
  await answer(post.id);
  return post.id;
}

async function answer(post: string): Promise<void> {
  await callApi(moderator.context, 'POST', `${COMMUNITY}/activities/${post}/reactions`, {
    kind: 'reply',
    body: 'Yes.',
  });
}

const bell = (page: Page, name: string | RegExp) =>
  page.getByRole('banner').getByRole('link', { name, exact: true }).and(page.locator('[href="/notifications"]'));

describe('a reply', () => {
  it('updates the unread count without a reload, opens, and is then read', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page, faults } = person;
    await becomeMember(person);
    await page.goto('/courses');
    await bell(page, 'Notifications').waitFor();
    const post = await postAndReply(person, 'A first question');
    await bell(page, '1 unread notification').waitFor();

    await bell(page, '1 unread notification').click();
    await page.getByRole('heading', { level: 2, name: 'today' }).waitFor();
    const entry = page.getByRole('link', { name: 'Unread: Tomás Rivera replied to you: “A first question”' });
    await entry.waitFor();
    expect(await axeFaults(page)).toEqual([]);

    // New notifications on an open page are offered and shown on request.
    await postAndReply(person, 'A second question');
    await page.getByRole('link', { name: 'Show 1 new notification' }).click();
    await page.getByRole('link', { name: /A second question/ }).waitFor();

    await entry.click();
    await page.waitForURL(new RegExp(`/communities/plain-words/activities/${post}#`));
    await bell(page, '1 unread notification').waitFor();

    await bell(page, '1 unread notification').click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('Everything is marked as read.').waitFor();
    await bell(page, 'Notifications').waitFor();
    expect(await page.getByText('Unread:').count()).toBe(0);
    expect(faults).toEqual([]);
    await person.context.close();
  });

  it('is shown and read without JavaScript', async () => {
    const person = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled: false });
    const { page } = person;
    await becomeMember(person);
    await page.goto('/notifications');
    await page.getByText('Nothing new for you').waitFor();
    const post = await postAndReply(person, 'A question');
    await postAndReply(person, 'One more');
    await page.goto('/courses');
    await bell(page, '2 unread notifications').click();
    await page.getByRole('link', { name: /“A question”/ }).click();
    await page.waitForURL(new RegExp(`/communities/plain-words/activities/${post}#`));
    await bell(page, '1 unread notification').click();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(page, 'Notifications').waitFor();
    await person.context.close();
  });

  it('is paginated by twenty with the page in the URL, and does not scroll sideways in Arabic', async () => {
    const person = await visitAsNewcomer('Ines Duarte', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
    const { page } = person;
    await becomeMember(person);
    const titles = Array.from({ length: 21 }, (_, count) => `Question ${count} of very many questions`);
    await Promise.all(titles.map((title) => postAndReply(person, title)));
    await page.goto('/notifications?locale=ar');
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(20);
    expect(await isTooWide(page)).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    await page.goto('/notifications');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/page=2/);
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(1);
    await expect.poll(() => page.getByRole('link', { name: /of very many questions/ }).count()).toBe(1);
    await person.context.close();
  });
});

/** Mails pending notifications now; the product would wait two minutes for them to be read. */
async function sendPendingMails(person: Newcomer): Promise<void> {
  const { url, dataDir, databaseUrl } = await currentProduct();
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: url, ROLE: 'web' });
  const { ctx, close } = await openCtx(config, databaseUrl, createLogger({ logLevel: 'fatal' }));
  await ctx.db
    .updateTable('notifications')
    .set({ created_at: new Date(Date.now() - 180_000) })
    .where('user_id', '=', person.id)
    .execute();
  await mailWaitingJob.run(ctx, {});
  await close();
}

/** The List-Unsubscribe URL in the newest mail to an address that has one. */
async function unsubscribeLink(email: string): Promise<string> {
  const outbox = join((await currentProduct()).dataDir, 'outbox');
  for (const file of (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toReversed()) {
    const mail = await PostalMime.parse(await readFile(join(outbox, file)));
    const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
    if (header && mail.to?.some((to) => to.address === email)) return header.replace(/^<|>$/g, '');
  }
  return '';
}

describe('the unsubscribe link of a mail', () => {
  it('stops mails of its kind after one click', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    await becomeMember(person);
    const mention = { verb: 'post', title: 'Ask her', body: `See {{${person.id}}}` };
    await callApi(moderator.context, 'POST', `${COMMUNITY}/activities`, mention);
    await sendPendingMails(person);
    await expect.poll(() => unsubscribeLink(person.email), { timeout: 20_000 }).not.toBe('');

    // The mail may be read on a device without a session and without JavaScript.
    const elsewhere = await visit({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
    const { page } = elsewhere;
    await page.goto(await unsubscribeLink(person.email));
    await page.getByText('You will no longer get e-mails of this kind: Mentions.').waitFor();
    const mailOf = async () => {
      const { events } = await callApi(person.context, 'GET', '/api/notifications/preferences');
      return events.find(({ event }: { event: string }) => event === 'mention').mail;
    };
    expect(await mailOf()).toBe('at-once');
    await page.getByRole('button', { name: 'Stop these e-mails' }).click();
    await page.getByText('Done. You will no longer get e-mails of this kind: Mentions.').waitFor();
    expect(await mailOf()).toBe('never');
    expect(await isTooWide(page)).toBe(false);
    await elsewhere.context.close();
    await person.context.close();
  });

  it('reports an invalid token', async () => {
    const { page, context, faults } = await visit();
    await page.goto('/unsubscribe?token=x');
    await page.getByText('This link is not valid.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.goto('/unsubscribe?token=01a1fe99-b07b-7762-8efb-7533e66009e4.reply.AAAA');
    await page.getByRole('button', { name: 'Stop these e-mails' }).click();
    await page.getByText('This link is not valid.').waitFor();
    expect(await page.getByRole('button', { name: 'Stop these e-mails' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});
