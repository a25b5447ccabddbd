import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callApi, visitAgain, visitAsNewcomer } from './newcomer.ts';
import { mailTo, visit, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const saved = (page: Page) => page.getByText('Saved.').waitFor();

describe('the settings', () => {
  it.each([true, false])('save notification and digest preferences, with JavaScript: %s', async (script) => {
    const person = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled: script, timezoneId: 'Asia/Tokyo' });
    const { page } = person;
    await page.goto('/me/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Notifications' }).click();
    const row = page.getByRole('row', { name: /^Replies to you/ });
    await row.getByLabel('On this site').uncheck();
    await row.getByLabel('By e-mail').selectOption('Once a week');
    await page.getByLabel('Digest time').selectOption('17');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await button(page, 'Save').click();
    await saved(page);
    await page.reload();
    expect(await row.getByLabel('On this site').isChecked()).toBe(false);
    expect(await row.getByLabel('By e-mail').inputValue()).toBe('weekly');
    const { events, digestHour, timeZone } = await callApi(person.context, 'GET', '/api/notifications/preferences');
    expect([digestHour, timeZone]).toEqual([17, 'Asia/Tokyo']);
    const others = events.filter(({ event }: { event: string }) => event !== 'reply');
    expect(others.every(({ inApp }: Record<string, string>) => inApp === 'at-once')).toBe(true);
    const silent = others.filter(({ mail }: Record<string, string>) => mail === 'never');
    expect(silent.map(({ event }: Record<string, string>) => event)).toEqual(['report_outcome']);
    await person.context.close();
  });

  it.each([true, false])('sign out one device, and all others at once, with JavaScript: %s', async (script) => {
    const person = await visitAsNewcomer('Ines Duarte', { javaScriptEnabled: script });
    const { page } = person;
    const agent = (system: string) => ({ userAgent: `Mozilla/5.0 (${system}) Gecko/20100101 Firefox/140.0` });
    const phone = await visitAgain(person, agent('Android 15; Mobile; rv:140.0'));
    const laptop = await visitAgain(person, agent('Windows NT 10.0; Win64; x64; rv:140.0'));
    await page.goto('/me/settings/sessions');
    await page.getByText('Chrome on Linux').waitFor();
    await button(page, 'End session: Firefox on Android').click();
    await page.getByText('That session has ended.').waitFor();
    await phone.page.goto('/me/settings/sessions');
    expect(new URL(phone.page.url()).pathname).toBe('/login');
    await laptop.page.goto('/me/settings/sessions');
    expect(new URL(laptop.page.url()).pathname).toBe('/me/settings/sessions');

    await button(page, 'Sign out everywhere else').click();
    await page.getByText('All other sessions have ended.').waitFor();
    await laptop.page.goto('/me/settings');
    expect(new URL(laptop.page.url()).pathname).toBe('/login');
    await page.getByText('This device').waitFor();
    expect(await button(page, /^End session/).count()).toBe(0);
    for (const { context } of [person, phone, laptop]) await context.close();
  });

  it('save the profile, its visibility and the language', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page } = person;
    await page.goto('/me/settings');
    await page.getByLabel('Job title').fill('Town planner');
    await button(page, 'Save').click();
    await saved(page);
    await page.goto('/me/settings/privacy');
    await page.getByLabel('Your connections').check();
    await button(page, 'Save').click();
    await saved(page);
    const profile = await callApi(person.context, 'GET', '/api/account/accounts/me/profile');
    expect([profile.jobTitle, profile.visibility]).toEqual(['Town planner', 'private']);
    await page.goto('/me/settings/account');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await button(page, 'Change language').click();
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await person.context.close();
  });
});

describe('an account', () => {
  it('changes its address with the mailed link and the right password', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page } = person;
    const newEmail = person.email.replace('newcomer', 'moved');
    await page.goto('/me/settings/account');
    const form = page.getByRole('region', { name: 'E-mail address' });
    await form.getByLabel('New e-mail address').fill(newEmail);
    await form.getByLabel('Current password').fill('not the password');
    await button(page, 'Change e-mail address').click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('New e-mail address').inputValue()).toBe(newEmail);
    await form.getByLabel('Current password').fill(person.password);
    await button(page, 'Change e-mail address').click();
    await page.getByText(`Open the link we sent to ${newEmail}.`).waitFor();
    await form.getByText(person.email).waitFor();

    const [link = ''] = (await mailTo(newEmail)).links;
    await page.goto(link);
    await button(page, 'Confirm').click();
    await page.waitForURL((url) => url.pathname !== '/email/confirm');
    await visitAgain({ ...person, email: newEmail }).then(({ context }) => context.close());
    await person.context.close();
  });

  it('changes its password and stays signed in', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page } = person;
    await page.goto('/me/settings/account');
    const form = page.getByRole('region', { name: 'Password' });
    await form.getByLabel('Current password').fill(person.password);
    await form.getByLabel('New password').fill('five quiet words and a hill');
    await button(page, 'Change password').click();
    await page.getByText('Your password has been changed.').waitFor();
    await visitAgain({ ...person, password: 'five quiet words and a hill' }).then(({ context }) => context.close());
    await person.context.close();
  });

  it('exports all of its data', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const { page } = person;
    await page.goto('/me/settings/privacy');
    await button(page, 'Request my data').click();
    await page.getByText('We’ll also e-mail you when it is ready.').waitFor();
    const download = page.getByRole('link', { name: 'Download' });
    await download.waitFor({ timeout: 40_000 });
    // The message outlives reading the data of the page again.
    expect(await page.getByText('We’ll also e-mail you when it is ready.').isVisible()).toBe(true);
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toMatch(/^export-.*\.zip$/);
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
    await person.context.close();
  });

  it('that is inactive can still be exported and deleted', async () => {
    const person = await visitAsNewcomer('Ines Duarte');
    const admin = await visitAs('admin');
    await callApi(admin.context, 'PUT', `/api/people/v2/users/${person.id}`, { name: person.name, role: 'inactive' });
    const { page, context } = await visitAgain(person);
    await page.goto('/me/settings');
    await page.getByRole('link', { name: 'Delete my account…' }).waitFor();
    await page.getByRole('link', { name: 'Privacy and data' }).click();
    await button(page, 'Request my data').waitFor();
    expect(await button(page, 'Save').count()).toBe(0);
    for (const each of [person.context, admin.context, context]) await each.close();
  });

  it.each([true, false])('is deleted after its name is typed, with JavaScript: %s', async (javaScriptEnabled) => {
    const person = await visitAsNewcomer('Inês Duarte', { javaScriptEnabled });
    const { page } = person;
    await page.goto('/me/settings/account');
    await page.getByRole('link', { name: 'Delete my account…' }).click();
    const name = page.getByLabel('To confirm, type your name: Inês Duarte');
    await name.fill('Ines');
    await button(page, 'Delete my account for good').click();
    await page.getByText('This does not match your name.').first().waitFor();
    await name.fill('inês duarte');
    await button(page, 'Delete my account for good').click();
    await page.getByRole('heading', { level: 1, name: 'Goodbye' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    const stranger = await visit();
    const reply = await stranger.context.request.post('/api/auth/logins', {
      data: { email: person.email, password: person.password },
    });
    expect(reply.status()).toBe(401);
    for (const { context } of [person, stranger]) await context.close();
  });
});
