import { recordAction } from '#server/audit/audit.ts';
import { editorialKindOf } from '#server/areas/catalogue/editorial.policy.ts';
import { linkedEntryIds } from './fetched-space.format.ts';
import { hyperlinkedIds } from './rich-text-markdown.format.ts';
import type { Assets } from '#server/areas/catalogue/stored-asset.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import type { ContentfulReading, ExportAsset, ExportEntry, ExportFinding } from './contentful-export.format.ts';
import { toCatalogue } from './export-catalogue.format.ts';
import { importFolder, type ImportSummary } from './import.service.ts';
import { findPages, findPartPaths } from './fetch.repository.ts';
import { putPlatformAssets, putPlatformEntries, type PlatformRow } from './platform.repository.ts';

/**
 * Stores every entry and asset of a Contentful export unchanged, with drafts hidden, and builds the catalogue from the
 * entries with the required fields. Atomic and idempotent.
 */
export async function importExport(
  ctx: Ctx,
  reading: ContentfulReading,
  { name, pictures = new Map() }: { name?: string; pictures?: Assets } = {},
): Promise<{ summary: ImportSummary; warnings: ExportFinding[] }> {
  const editorials = reading.entries.filter(({ productType }) => editorialKindOf(productType) !== undefined);
  const linked = [
    ...hyperlinkedIds(reading.entries.map(({ fields }) => fields)),
    ...editorials.flatMap(({ fields }) => linkedEntryIds(fields)),
  ];
  const { folder, entryIds, warnings } = toCatalogue(
    reading,
    await findPages(ctx.db, linked),
    await findPartPaths(ctx.db, linked),
  );
  const { fallbacks, sources } = reading.locales;
  const chain = Object.fromEntries([...sources.keys()].map((locale) => [locale, fallbacks[locale] ?? null]));
  const toRow = ({ id, status, version, fields }: ExportEntry | ExportAsset): PlatformRow => ({
    id,
    version,
    fields,
    fallbacks: chain,
    status: status === 'published' ? 'published' : 'draft',
  });
  const entries = reading.entries.map((entry) => ({
    ...toRow(entry),
    content_type: entry.productType ?? entry.contentType,
    slug: entry.slug ?? {},
  }));
  return await inTransaction(ctx.db, async (db) => {
    const changed = await putPlatformEntries(db, entries);
    const changedAssets = await putPlatformAssets(db, reading.assets.map(toRow));
    const made = await importFolder({ ...ctx, db }, folder, pictures, { keepEntries: entryIds });
    const all = [...changed, ...changedAssets];
    const added = all.filter((item) => item.isNew).length;
    const total = reading.entries.length + reading.assets.length;
    // An entry that became a course counts once, as an entry. The rows derived from it are not counted.
    const summary = { added, changed: all.length - added, unchanged: total - all.length, withdrawn: made.withdrawn };
    if (name !== undefined)
      await recordAction(db, 'system', { action: 'content.import', object: name, detail: summary });
    return { summary, warnings };
  });
}
