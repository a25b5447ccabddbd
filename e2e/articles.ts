import type { Page } from 'playwright-core';

export const BODY = 'We wrote it **three** times.\n\n## What changed\n\nWe watched people read it.';
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Fills in the article form. */
export async function write(page: Page, title: string, subtitle = 'What we saw when people read it') {
  await field(page, 'Title').fill(title);
  await field(page, 'Subtitle').fill(subtitle);
  await field(page, 'Text').fill(BODY);
}
