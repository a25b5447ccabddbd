import type { Page } from 'playwright-core';

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
export const unique = (name: string) => `${name}-${process.pid}-${Date.now()}`;

/** Creates a cohort by its form and ends on its page. */
export async function createCohort(page: Page, name: string): Promise<void> {
  await page.goto('/admin/cohorts');
  await page.getByRole('link', { name: 'New cohort' }).click();
  await heading(page, 'New cohort');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Primary partner').fill('City of Example');
  await page.getByRole('button', { name: 'Create cohort', exact: true }).click();
  await heading(page, name);
}
