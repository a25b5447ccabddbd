import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { visit, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name });

describe('a draft course', () => {
  it('can be reordered, given owners and deleted without JavaScript', { timeout: 300_000 }, async () => {
    const { page, faults } = await visitAs('admin', { javaScriptEnabled: false });
    const title = `Two ways ${Date.now()}`; // unique, so that a retry does not find the earlier one
    await page.goto('/admin/content/new?kind=course');
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await button(page, 'Create').click();
    await heading(page, title).waitFor();
    const course = page.url();
    for (const way of ['First way', 'Second way', 'Third way']) {
      await page.goto(course);
      await link(page, 'New journey').click();
      await page.getByRole('textbox', { name: 'Title' }).fill(way);
      await button(page, 'Create').click();
      await heading(page, way).first().waitFor();
    }
    await link(page, 'Publication').click();
    await page.getByText('Delete the draft').first().click();
    await page.getByText('It was never published.', { exact: false }).waitFor();
    await button(page, 'Delete the draft').click();
    await page.getByText('The draft is deleted.').waitFor();
    await heading(page, title).waitFor();
    expect(await link(page, 'Third way').count()).toBe(0);

    await link(page, 'Publication').click();
    await button(page, /^Publish$/).click();
    await page.getByText('3 pieces published.').waitFor();
    expect(await page.getByText('Delete the draft').count()).toBe(0);
    await page.goto(course);
    await button(page, 'Move down: First way').click();
    const order = page.locator('#journeys').getByRole('listitem').getByRole('link');
    await expect.poll(async () => await order.allTextContents()).toEqual(['Second way', 'First way']);
    expect(await button(page, 'Move up: Second way').isDisabled()).toBe(true);

    await page.goto('/admin/content/community/plain-words');
    const owners = page.locator('#owners');
    await owners.getByRole('textbox', { name: 'E-mail address of a new owner' }).fill('no address');
    await button(page, 'Make an owner').click();
    await page.getByRole('alert').first().waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    await owners.getByRole('textbox', { name: 'E-mail address of a new owner' }).fill('later@example.gov');
    await button(page, 'Make an owner').click();
    await owners.getByText('later@example.gov').first().waitFor();
    await owners.getByText('no account yet', { exact: false }).waitFor();
    await owners.locator('summary').filter({ hasText: 'later@example.gov' }).click();
    await button(page, /^Remove as owner ?: later@example\.gov$/).click();
    await expect.poll(async () => await owners.getByText('later@example.gov').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('an error on a page for visitors', () => {
  it('names its field and links to it without JavaScript', async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto('/signup');
    await page.getByRole('textbox', { name: /address/ }).fill('nobody');
    await page.locator('main form').getByRole('button').first().click();
    const summary = page.getByRole('alert').getByRole('listitem').getByRole('link');
    const messages = await summary.allTextContents();
    expect(messages).toContainEqual(expect.stringMatching(/^Name: /));
    expect(messages).toContainEqual(expect.stringMatching(/^E-mail address: /));
    await summary.filter({ hasText: 'E-mail address' }).click();
    expect(await page.evaluate(() => location.hash)).toBe('#email');
  });
});
