import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { unusedEmail } from './newcomer.ts';
import { mailTo, visit } from './visitor.ts';

describe('signing up', () => {
  it.each([true, false])('is confirmed with the mailed link on another device, with JavaScript: %s', async (script) => {
    const email = unusedEmail('linked');
    const desk = await visit();
    await desk.page.goto('/signup');
    await desk.page.getByLabel('Name', { exact: true }).fill('Ines Duarte');
    await desk.page.getByLabel('Work e-mail address').fill(email);
    await desk.page.getByRole('button', { name: 'Send me a code' }).click();
    await desk.page.waitForURL(/\/signup\/confirm/);
    const [link = ''] = (await mailTo(email)).links;

    const { page, context, faults } = await visit({ javaScriptEnabled: script });
    await page.goto(link);
    await page.getByText(email).waitFor();
    expect(await page.getByLabel('Code').count()).toBe(0);
    if (script) expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/\/welcome/);

    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The code is not correct or no longer works.').first().waitFor();
    expect(faults).toEqual([]);
    for (const each of [desk.context, context]) await each.close();
  });
});
