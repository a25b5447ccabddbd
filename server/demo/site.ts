import { insertPageVersion } from '#server/areas/site/site.repository.ts';
import { renderPage } from '#server/text/page.ts';
import type { Ctx } from '../ctx.ts';
import { readSitePages } from './read.ts';

/** Writes the pages of the demo's operator. A language that has a text, or had one, keeps it. */
export async function ensureSitePages(ctx: Ctx): Promise<void> {
  for (const { kind, locale, body } of await readSitePages())
    await insertPageVersion(ctx.db, { kind, locale, version: 1, body, html: renderPage(body, {}).html });
}
