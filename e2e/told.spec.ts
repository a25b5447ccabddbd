import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, visitAgain, visitAsNewcomer } from './newcomer.ts';
import { visitAs } from './visitor.ts';

const COMMUNITY = '/communities/new-managers';
const MEMBERS = '/api/community/communities/new-managers/members';
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

it.each([true, false])(
  'an owner finds the request of a newcomer in the bell and accepts it, with JavaScript: %s',
  { timeout: 120_000 },
  async (javaScriptEnabled) => {
    const mark = javaScriptEnabled ? 'A' : 'B';
    const admin = await visitAs('admin');
    const owner = await visitAsNewcomer(`Olga Owner ${mark}`, { javaScriptEnabled });
    await callApi(owner.context, 'POST', '/api/community/communities/new-managers/members');
    await callApi(admin.context, 'PUT', `${MEMBERS}/${owner.id}`, { status: 'active', role: 'owner' });

    const name = `Nadia Newcomer ${mark}`;
    const newcomer = await visitAsNewcomer(name, { javaScriptEnabled });
    await newcomer.page.goto(COMMUNITY);
    await button(newcomer.page, /^Ask to join/).click();
    await newcomer.page.getByText('You asked to join. An owner will respond.').waitFor();

    await owner.page.goto('/');
    await link(owner.page, /unread notification/).click();
    await link(owner.page, /request.* to join New managers/).click();
    await owner.page.waitForURL(`**${COMMUNITY}/members`);
    await button(owner.page, `Accept ${name}`).click();
    await owner.page.getByText(`${name} is now a member.`).waitFor();

    await newcomer.page.goto('/notifications');
    await link(newcomer.page, /You are now a member of the community “New managers”/).click();
    await newcomer.page.waitForURL(`**${COMMUNITY}`);
    expect([...owner.faults, ...newcomer.faults]).toEqual([]);
    await Promise.all([admin, owner, newcomer].map(async ({ context }) => await context.close()));
  },
);

async function decide(page: Page, decision: string): Promise<void> {
  await page.getByRole('radio', { name: decision }).check();
  await button(page, 'Save decision').click();
  await page.getByText('Saved.', { exact: true }).first().waitFor();
}

it.each([true, false])(
  'a waiting registration is approved and the person is notified, with JavaScript: %s',
  { timeout: 120_000 },
  async (javaScriptEnabled) => {
    const name = `Wanda Waiting ${javaScriptEnabled ? 'A' : 'B'}`;
    const domain = 'elsewhere.example';
    const person = await visitAsNewcomer(name, { javaScriptEnabled, domain });
    await person.page.goto('/');
    await person.page.getByText('Your registration is waiting for approval').waitFor();
    if (javaScriptEnabled) expect(await axeFaults(person.page)).toEqual([]);

    const admin = await visitAs('admin', { javaScriptEnabled });
    await admin.page.goto('/notifications');
    await link(admin.page, /registrations? (is|are) waiting for a decision/)
      .first()
      .click();
    await admin.page.waitForURL('**/admin/people?state=waiting');
    await link(admin.page, name).click();
    await admin.page.getByLabel('Reason').fill('No public service');
    await decide(admin.page, 'Reject');

    await person.page.goto('/notifications');
    await link(person.page, /Your registration was not approved/).click();
    await person.page.waitForURL('**/#registration');
    await person.page.getByText('Reason: No public service').waitFor();

    await admin.page.goto(`/admin/people/${person.id}`);
    await decide(admin.page, 'Approve as a public servant');
    // The approval ends the sessions of the person.
    const again = await visitAgain(person, { javaScriptEnabled });
    await again.page.goto('/notifications');
    await link(again.page, /Your registration has been approved/)
      .first()
      .click();
    await again.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    expect(await again.page.getByText('Your registration').count()).toBe(0);
    expect([...person.faults, ...admin.faults, ...again.faults]).toEqual([]);
    await Promise.all([admin, person, again].map(async ({ context }) => await context.close()));
  },
);
