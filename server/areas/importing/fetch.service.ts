import { readContentfulExport } from './contentful-export.format.ts';
import { toCatalogue } from './export-catalogue.format.ts';
import { importExport } from './export-import.service.ts';
import { fetchPictures } from './fetch-pictures.service.ts';
import type { Assets } from '#server/areas/catalogue/stored-asset.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import type { DeliveredAsset, DeliveredEntry, DeliveredLocale, DeliveredType } from './delivery-answers.format.ts';
import type { Delivery } from './delivery.service.ts';
import * as repository from './fetch.repository.ts';
import {
  assetIds,
  heldBy,
  heldIds,
  isEditorial,
  isRoot,
  type Kinds,
  kindOf,
  kindsOf,
  toExport,
  versionOf,
} from './fetched-space.format.ts';

/** The delivery API does not serve the published version yet. A later attempt will find it. */
export class NotDelivered extends Error {}

/** Levels from academies through courses, journeys, sections and lessons to modules. */
const MAX_LEVELS = 6;

type Fetched = {
  entries: DeliveredEntry[];
  assets: DeliveredAsset[];
  locales: DeliveredLocale[];
  types: DeliveredType[];
};

/**
 * Fetches a published entry with everything it contains, or the root that contains it, and publishes it like an import.
 * Safe to run twice or late: versions older than the stored ones are refused, and withdrawn entries stay withdrawn.
 */
export async function fetchEntry(ctx: Ctx, delivery: Delivery, entryId: string): Promise<void> {
  if (!(await repository.isPublished(ctx.db, entryId))) return;
  const fetched = await fetchAround(ctx, delivery, entryId);
  if (!fetched) throw new NotDelivered(`${entryId} is not delivered`);
  const shown = toCatalogue(readContentfulExport(toExport(fetched.entries, new Map(), fetched))).pictures;
  const { pictures, missing } = await fetchPictures(ctx, shown);
  await inTransaction(ctx.db, async (db) => await publish({ ...ctx, db }, entryId, fetched, pictures));
  if (missing.length > 0) ctx.log.warn({ entry: entryId, missing }, 'pictures of an entry not fetched');
}

async function fetchAround(ctx: Ctx, delivery: Delivery, entryId: string): Promise<Fetched | undefined> {
  const [entry] = await delivery.entriesById([entryId]);
  if (!entry) return undefined;
  const [locales, types] = [await delivery.locales(), await delivery.contentTypes()];
  const kinds = kindsOf(types);
  const roots = [
    ...(await rootsOf(ctx, delivery, entry, kinds)),
    ...(await editorialsLeadingTo(delivery, entry, kinds)),
  ];
  const found = new Map([entry, ...roots].map((one) => [one.sys.id, one]));
  let next = roots.length > 0 ? [entry, ...roots] : [];
  for (let level = 0; level < MAX_LEVELS && next.length > 0; level += 1) {
    const missing = new Set(next.flatMap((one) => heldBy(one, kinds)).filter((id) => !found.has(id)));
    next = await delivery.entriesById([...missing]);
    for (const one of next) found.set(one.sys.id, one);
  }
  const entries = [...found.values()];
  const assets = await delivery.assetsById([...new Set(entries.flatMap(assetIds))]);
  return { entries, assets, locales, types };
}

/** Returns the root entries to import when this entry changes. */
async function rootsOf(ctx: Ctx, delivery: Delivery, entry: DeliveredEntry, kinds: Kinds): Promise<DeliveredEntry[]> {
  if (kindOf(entry, kinds) === 'course') {
    const holders = await holdersOf(delivery, entry);
    const academies = holders.filter((holder) => kindOf(holder, kinds) === 'academy');
    const ids = academies.map(({ sys }) => sys.id);
    const lacking = await repository.findAcademiesWithout(ctx.db, entry.sys.id, ids);
    return [entry, ...academies.filter(({ sys }) => lacking.includes(sys.id))];
  }
  if (isRoot(entry, kinds)) return [entry];
  const roots = new Map<string, DeliveredEntry>();
  const seen = new Set([entry.sys.id]);
  let held = [entry];
  for (let level = 0; level < MAX_LEVELS && held.length > 0; level += 1) {
    const above: DeliveredEntry[] = [];
    for (const one of held)
      for (const holder of await holdersOf(delivery, one)) {
        if (seen.has(holder.sys.id)) continue;
        seen.add(holder.sys.id);
        if (isRoot(holder, kinds)) roots.set(holder.sys.id, holder);
        else above.push(holder);
      }
    held = above;
  }
  return [...roots.values()];
}

/** Editorials that link to the entry: they could not name it before it was published. */
async function editorialsLeadingTo(
  delivery: Delivery,
  { sys }: DeliveredEntry,
  kinds: Kinds,
): Promise<DeliveredEntry[]> {
  return (await delivery.entriesLinkingTo(sys.id)).filter((one) => one.sys.id !== sys.id && isEditorial(one, kinds));
}

async function holdersOf(delivery: Delivery, { sys }: DeliveredEntry): Promise<DeliveredEntry[]> {
  const linking = await delivery.entriesLinkingTo(sys.id);
  return linking.filter((holder) => heldIds(holder).includes(sys.id));
}

async function publish(ctx: Ctx, entryId: string, fetched: Fetched, pictures: Assets): Promise<void> {
  const { entries } = fetched;
  await repository.lockFetches(ctx.db);
  const ids = entries.map(({ sys }) => sys.id);
  const stored = await repository.lockEntries(ctx.db, ids);
  if (stored.get(entryId)?.status !== 'published') return;
  refuseOlder(entryId, entries, stored);
  const rows = entries.map((entry) => ({ entry_id: entry.sys.id, version: versionOf(entry) }));
  const newer = await repository.putFetched(ctx.db, rows);
  if (newer.length > 0) throw new NotDelivered(`an older version of ${newer.join(', ')} was delivered`);
  const shown = entries.filter(({ sys }) => stored.get(sys.id)?.status !== 'withdrawn');
  const versions = new Map([...stored].map(([id, { version }]) => [id, version]));
  const reading = readContentfulExport(toExport(shown, versions, fetched));
  const { summary, warnings } = await importExport(ctx, reading, { name: entryId, pictures });
  ctx.log.info({ entry: entryId, summary, warnings, faults: reading.faults }, 'entry fetched');
}

/** Allows a difference of one, because publishing increments the version in the event but not in the delivery API. */
function refuseOlder(
  entryId: string,
  entries: DeliveredEntry[],
  stored: ReadonlyMap<string, repository.StoredEntry>,
): void {
  const published = entries.find(({ sys }) => sys.id === entryId)?.sys.publishedVersion;
  if (published !== undefined && published + 1 < (stored.get(entryId)?.version ?? 0))
    throw new NotDelivered(`an older version of ${entryId} was delivered`);
}
