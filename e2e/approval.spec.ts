import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const row = (page: Page, value: string) =>
  page.getByRole('row', { name: new RegExp(`^${value.replaceAll('.', '\\.')}`) });

async function add(page: Page, type: string, value: string): Promise<void> {
  const form = page.getByRole('region', { name: 'New rule' });
  await form.getByLabel('Type').selectOption(type);
  await form.getByLabel('Value').fill(value);
  await button(page, 'Add rule').click();
}

async function remove(page: Page, value: string): Promise<void> {
  await page.goto(`/admin/approval?q=${value}&locale=en`);
  await row(page, value)
    .getByRole('link', { name: `Edit ${value}` })
    .click();
  await page.getByLabel(`To confirm, type ${value}`).fill(value);
  await button(page, 'Delete rule').click();
  await page.getByText(`Deleted: ${value}`).waitFor();
}

describe('auto-approval', () => {
  it.each([true, false])(
    'creates, warns about, changes and deletes rules, with JavaScript: %s',
    { timeout: 180_000 },
    async (script) => {
      const { page, context, faults } = await visitAs('admin', { javaScriptEnabled: script });
      const town = `town-${script ? 'a' : 'b'}.example`;
      await page.goto('/admin/approval?locale=en');
      await add(page, 'Domain and its subdomains', 'co.uk');
      await page.getByText(/^This approves everyone with an address under co\.uk/).waitFor();
      await button(page, 'Save anyway').waitFor();

      // `example` also gets a warning, because no such domain exists.
      await page.goto('/admin/approval?locale=en');
      await add(page, 'Domain and its subdomains', town);
      await page.getByText(/has an ending that does not exist/).waitFor();
      await button(page, 'Save anyway').click();
      await page.getByText(`Added: ${town}`).waitFor();
      await add(page, 'Exact domain', `roads.${town}`);
      await page.getByText(`The rule ${town} already approves the same people`, { exact: false }).waitFor();
      await button(page, 'Save anyway').click();
      await page.getByText(`Added: roads.${town}`).waitFor();
      await page.goto(`/admin/approval?warned=true&q=roads.${town}&locale=en`);
      await row(page, `roads.${town}`).getByText('already approves the same people', { exact: false }).waitFor();

      await page.getByRole('link', { name: `Edit roads.${town}` }).click();
      await page.getByRole('heading', { name: `Edit roads.${town}` }).waitFor();
      await page.getByLabel('Value', { exact: true }).fill(`roads.x${town}`);
      await button(page, 'Save').first().click();
      await button(page, 'Save anyway').click();
      await page.getByText(`Saved: roads.x${town}`).waitFor();

      await page.goto(`/admin/approval?q=roads.x${town}&locale=en`);
      await page.getByRole('link', { name: `Edit roads.x${town}` }).click();
      await page.getByLabel(/^To confirm, type/).fill('something else');
      await button(page, 'Delete rule').click();
      await page.getByRole('alert').waitFor();
      await remove(page, `roads.x${town}`);
      await remove(page, town);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it.each([true, false])('tests addresses, with JavaScript: %s', { timeout: 120_000 }, async (script) => {
    const { page, context } = await visitAs('admin', { javaScriptEnabled: script });
    await page.goto('/admin/approval?locale=en');
    await page.getByRole('navigation', { name: 'Auto-approval' }).getByRole('link', { name: 'Test addresses' }).click();
    await page
      .getByLabel('Addresses')
      .fill('Ana Lima <ana@health.example.gov>, bo@notexample.gov\ncy@example.org; nobody');
    await button(page, 'Test').click();
    await page.getByRole('heading', { name: '1 of 4 addresses would be approved' }).waitFor();
    await row(page, 'ana@health.example.gov')
      .getByText('By the rule example.gov (Domain and its subdomains)')
      .waitFor();
    await row(page, 'bo@notexample.gov')
      .getByText(/only ends with the same letters as the rule example\.gov/)
      .waitFor();
    await row(page, 'cy@example.org').getByText('No rule matches it.').waitFor();
    await row(page, 'nobody').getByText('Not an address').waitFor();
    await context.close();
  });

  it('shows test results accessibly at 320 px and offers a download', { timeout: 120_000 }, async () => {
    const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 700 } });
    await page.goto('/admin/approval/test?locale=en');
    await page.getByLabel('Addresses').fill('ana@health.example.gov bo@notexample.gov');
    await button(page, 'Test').click();
    await page.getByRole('heading', { name: /would be approved/ }).waitFor();
    expect([await axeFaults(page), await isTooWide(page)]).toEqual([[], false]);
    const csv = await context.request.get('/admin/approval.csv');
    expect(await csv.text()).toContain('id,type,value,warnings');
    await context.close();
  });
});

it('shows on a waiting person why no rule approved them', async () => {
  const person = await visitAsNewcomer('Ines Duarte', { domain: 'myexample.gov' });
  const { page, context } = await visitAs('admin', { viewport: { width: 320, height: 900 } });
  for (const locale of ['en', 'ar']) {
    await page.goto(`/admin/people/${person.id}?locale=${locale}`);
    await page.locator('#why-title').scrollIntoViewIfNeeded();
    expect(await axeFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  }
  await page.goto(`/admin/people/${person.id}?locale=en`);
  const part = page.getByRole('region', { name: 'Why no rule approved it' });
  await part.getByText('No rule matches the address.').waitFor();
  await part.getByText('myexample.gov only ends with the same letters as the rule example.gov').waitFor();
  await part.getByRole('link', { name: /^example\.gov/ }).click();
  await page.getByRole('heading', { name: 'Edit example.gov' }).waitFor();
  await person.context.close();
  await context.close();
});
