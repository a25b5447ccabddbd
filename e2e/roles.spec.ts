import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults } from './axe.ts';
import { callApi, visitAsNewcomer } from './newcomer.ts';
import { visitAs } from './visitor.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name });
const sections = (page: Page) =>
  page.getByRole('navigation', { name: 'Administration sections' }).getByRole('link').allInnerTexts();

it.each([true, false])('an administrator gives and takes a role, with JavaScript: %s', async (javaScriptEnabled) => {
  const holder = await visitAsNewcomer(`Rosa Holder ${javaScriptEnabled ? 'A' : 'B'}`, { javaScriptEnabled });
  const { viewer } = await (await holder.context.request.get('/api/auth/session')).json();
  expect((await holder.page.goto('/admin'))?.status()).toBe(403);

  const admin = await visitAs('admin', { javaScriptEnabled });
  await admin.page.goto(`/admin/people/${viewer.id}`);
  await admin.page.getByText('No delegated roles.').waitFor();
  await admin.page.locator('#delegated-role').selectOption({ label: 'Auditor' });
  await button(admin.page, 'Continue').click();
  await admin.page.getByLabel('Whole platform').waitFor();
  await button(admin.page, 'Assign role').click();
  await admin.page.getByText('Saved.').first().waitFor();
  await admin.page.getByText('Reads the audit log and the moderation cases.').first().waitFor();
  if (javaScriptEnabled) expect(await axeFaults(admin.page)).toEqual([]);

  await holder.page.goto('/admin');
  await holder.page.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor();
  expect(await sections(holder.page)).toEqual(['Moderation', 'Audit log']);
  expect((await holder.page.goto('/admin/audit'))?.status()).toBe(200);
  await holder.page.getByRole('link', { name: 'Assigned a delegated role' }).first().waitFor();
  expect((await holder.page.goto('/admin/people'))?.status()).toBe(403);

  await admin.page.goto('/admin/roles');
  await admin.page.getByRole('link', { name: viewer.name }).click();
  await admin.page.locator('summary', { hasText: 'Remove role' }).click();
  await button(admin.page, 'Remove role').click();
  await admin.page.getByText('No delegated roles.').waitFor();
  expect((await holder.page.goto('/admin/audit'))?.status()).toBe(403);
  expect(admin.faults).toEqual([]);
  await Promise.all([admin.context.close(), holder.context.close()]);
});

it('a moderator by role opens the cases of a hidden community without being its member', async () => {
  const admin = await visitAs('admin');
  const call = async (path: string, data: object) => await callApi(admin.context, 'POST', path, data);
  const made = await call('/api/content/authoring', { kind: 'community', title: 'Hidden place' });
  await call(`/api/content/authoring/community/pieces/${made.key}/publish`, { version: made.version });
  const moderator = await visitAsNewcomer('Mona Moderator');
  const role = { role: 'moderator', kind: 'community' };
  const { places } = await callApi(admin.context, 'GET', '/api/admin/role-places?role=moderator&match=Hidden');
  await call(`/api/admin/people/${moderator.id}/roles`, { ...role, placeId: places[0].id });
  const { page } = moderator;
  await page.goto('/notifications');
  await page.getByText('You have a new delegated role in “Hidden place”').click();
  await page.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor();
  expect((await page.goto('/communities/hidden-place/reports'))?.status()).toBe(200);
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  expect((await page.goto('/communities/hidden-place/log'))?.status()).toBe(200);
  expect(moderator.faults).toEqual([]);
});
