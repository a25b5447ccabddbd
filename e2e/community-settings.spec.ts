import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, SAME_SITE, visitAsNewcomer } from './newcomer.ts';
import { isTooWide, visitAs } from './visitor.ts';

it.each([true, false])(
  'an owner changes title, description and categories of the community, with JavaScript: %s',
  { timeout: 120_000 },
  async (javaScriptEnabled) => {
    const admin = await visitAs('admin');
    const title = `Quiet streets ${javaScriptEnabled ? 'one' : 'two'}`;
    const { key } = await callApi(admin.context, 'POST', '/api/content/authoring', { kind: 'community', title });
    const at = `/api/content/authoring/community/pieces/${key}`;
    const { doc, version } = await callApi(admin.context, 'GET', at);
    await callApi(admin.context, 'PUT', at, { version, doc: { ...doc, privacy: 'open-visible' } });
    await callApi(admin.context, 'POST', `${at}/publish`, { version: version + 1 });
    const access = { can_view: 'authenticated', can_join: 'authenticated' };
    const opened = await admin.context.request.put(`/api/admin/products/${key}/access`, {
      data: access,
      headers: SAME_SITE,
    });
    expect(opened.status()).toBe(204);
    const owner = await visitAsNewcomer('Olga Owner', { javaScriptEnabled });
    await callApi(admin.context, 'POST', `${at}/owners`, { email: owner.email });

    const { page, faults } = owner;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/communities/${doc.slug}/settings`);
    await page.getByRole('heading', { level: 1, name: 'Community settings' }).waitFor();
    await page.getByLabel('Title').fill(' ');
    await page.getByLabel('Description').fill('Streets where one hears the birds.');
    await page.getByLabel('Categories').fill('Trials, Noise, Trials');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Title').fill(`${title} and squares`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.goto(`/communities/${doc.slug}`);
    await page.getByRole('heading', { level: 1, name: `${title} and squares` }).waitFor();
    await page.getByText('Streets where one hears the birds.').first().waitFor();
    expect((await callApi(admin.context, 'GET', at)).doc).toMatchObject({
      title: { en: `${title} and squares` },
      categories: ['Trials', 'Noise'],
    });
    expect(faults).toEqual([]);
    await admin.context.close();
    await owner.context.close();
  },
);
