import type { BrowserContext } from 'playwright-core';

/** Lessons and articles are written as Markdown, as after choosing it in the editor. */
export async function inMarkdown(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => localStorage.setItem('document-editor', 'markdown'));
}
