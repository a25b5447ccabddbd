import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { LESSON_BLOCKS, PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { EDITORIAL_TYPES } from '#server/areas/catalogue/editorial.policy.ts';
import { EntryIds } from '#server/areas/catalogue/entry-ids.policy.ts';
import { type RenderedItem, renderItem } from './folder-bodies.view.ts';
import type { ContentFolder } from './folder.format.ts';
import * as store from './import.repository.ts';
import * as entryStore from './import-entry.repository.ts';
import type { PlacedRow } from './import.repository.ts';
import { findKnownEditorials, putEditorials, renderEditorial } from './editorial-import.service.ts';
import { type JourneyPlan, matchJourneys, putCourses, putJourneys } from './import-courses.service.ts';
import { putAcademies, putCommunities, putMicrocourses } from './import-items.service.ts';
import {
  type CatalogueItem,
  type ImportOptions,
  ImportRefused,
  ImportRun,
  journeyIds,
  lessonsOf,
  type Prepared,
  type ImportScopes,
  wantedIds,
} from './import-run.service.ts';
import type { ImportSummary } from './import-tally.policy.ts';
import type { Progress } from './progress.policy.ts';
import { matchRows, placeItems } from './match.policy.ts';
import { storeAssets } from '#server/areas/catalogue/stored-asset.service.ts';
import type { Assets } from '#server/areas/catalogue/stored-asset.view.ts';

export { ImportRefused, type ImportSummary };

/**
 * Imports a content folder atomically and leaves unchanged rows alone. Journeys and lessons keep their keys; those
 * missing from their course are withdrawn, never deleted. Courses that are not in the folder stay unchanged.
 */
export async function importFolder(
  ctx: Ctx,
  folder: ContentFolder,
  assets: Assets,
  { tell, ...options }: ImportOptions & { tell?: Progress | undefined } = {},
): Promise<ImportSummary> {
  // Both halves of the work count as half.
  const prepared = await prepareImport(folder, await storeAssets(ctx, assets), async (done, total) =>
    tell?.(done, 2 * total, 'texts'),
  );
  return await inTransaction(ctx.db, async (db) => {
    const { tally } = await writeImport(db, prepared, {
      ...options,
      tell: async (done, total) => tell?.(total + done, 2 * total, 'database'),
    });
    const summary = tally.summary();
    if (options.name !== undefined)
      await recordAction(db, 'system', { action: 'content.import', object: options.name, detail: summary });
    return summary;
  });
}

/** Renders the texts one by one, yielding to the event loop in between. */
export async function prepareImport(
  folder: ContentFolder,
  assets: Prepared['assets'],
  tell: (done: number, total: number) => Promise<void> = async () => {},
): Promise<Prepared> {
  const prepared: Prepared = {
    folder,
    assets,
    lessons: new Map(),
    courses: new Map(),
    microcourses: new Map(),
    editorials: new Map(),
  };
  const lessons = folder.courses.flatMap(lessonsOf);
  const total = folder.courses.length + lessons.length + folder.microcourses.length + folder.editorials.length;
  let done = 0;
  for (const course of folder.courses) {
    if (course.bank) prepared.courses.set(course, renderItem({ ...course.bank, isApart: true }, assets, LESSON_BLOCKS));
    await tell((done += 1), total);
    await setImmediate();
  }
  for (const lesson of lessons) {
    prepared.lessons.set(lesson, renderItem(lesson, assets, LESSON_BLOCKS));
    await tell((done += 1), total);
    await setImmediate();
  }
  for (const item of folder.microcourses) {
    prepared.microcourses.set(item, renderItem(item, assets, PAGE_BLOCKS));
    await tell((done += 1), total);
    await setImmediate();
  }
  for (const item of folder.editorials) {
    prepared.editorials.set(item, renderEditorial(item, assets));
    await tell((done += 1), total);
    await setImmediate();
  }
  return prepared;
}

/** Writes a prepared import in the caller's transaction. Imports are serialised. */
export async function writeImport(
  db: Db,
  prepared: Prepared,
  options: ImportOptions & { tell?: (done: number, total: number) => Promise<void> } = {},
): Promise<ImportRun> {
  await store.lockImport(db);
  const run = new ImportRun(db, prepared, options);
  await runImport(run, options.tell);
  return run;
}

/** Number of progress reports while writing. */
const STEPS = 6;

async function runImport(
  run: ImportRun,
  tell: (done: number, total: number) => Promise<void> = async () => {},
): Promise<void> {
  const { folder } = run.prepared;
  const known = {
    academies: await store.findItems(run.db, 'academies'),
    courses: await store.findItems(run.db, 'courses'),
    microcourses: await store.findItems(run.db, 'microcourses'),
    communities: await store.findCommunities(run.db),
  };
  const ids = new EntryIds(await entryStore.findEntryTypes(run.db, allIds(run)));
  await claim(run, 'academies', 'academy', folder.academies, known.academies, ids);
  await claim(run, 'courses', 'course', folder.courses, known.courses, ids);
  await claim(run, 'microcourses', 'microcourse', folder.microcourses, known.microcourses, ids);
  await claim(run, 'communities', 'communityPage', folder.communities, known.communities, ids);
  for (const [kind, rows] of await findKnownEditorials(run.db)) {
    const own = folder.editorials.filter((item) => item.kind === kind);
    await claim(run, 'editorials', EDITORIAL_TYPES[kind], own, rows, ids);
  }
  const journeys = await matchJourneys(run, ids);

  await tell(1, STEPS);
  const entries = await entryStore.putEntries(run.db, run.entries);
  await entryStore.publishEntries(
    run.db,
    [...run.ids.values()].filter((id) => run.keepEntries.has(id)),
  );
  const products = await entryStore.putProducts(run.db, run.products);
  const assets = await putAssets(run);
  await tell(2, STEPS);
  await putCourses(run);
  await tell(3, STEPS);
  await putJourneys(run, journeys);
  await tell(4, STEPS);
  await putAcademies(run);
  await putMicrocourses(run);
  await putCommunities(run, known.communities);
  await putEditorials(run);
  await tell(5, STEPS);
  const entryIds = [...run.ids.values()];
  const gone = await entryStore.deleteOtherAssets(run.db, entryIds, assets.paths);
  // A changed entry, product or picture counts as a change of its item, even if the item's row is unchanged.
  markEntries(
    run,
    [...entries, ...products].map(({ key }) => String(key[0])),
    journeys,
  );
  markEntries(run, [...assets.changed, ...gone], journeys);
  await tell(STEPS, STEPS);
}

function allIds(run: ImportRun): string[] {
  const { academies, courses, microcourses, communities, editorials } = run.prepared.folder;
  return [
    ...academies.flatMap((item) => wantedIds('academy', item.id)),
    ...courses.flatMap((item) => [
      ...wantedIds('course', item.id),
      ...item.journeys.flatMap((journey) => journeyIds(item, journey)),
    ]),
    ...microcourses.flatMap((item) => wantedIds('microcourse', item.id)),
    ...communities.flatMap((item) => wantedIds('communityPage', item.id)),
    ...editorials.flatMap((item) => wantedIds(EDITORIAL_TYPES[item.kind], item.id)),
  ];
}

/** Finds or assigns the entry id of each item and records the entry and product to write. */
async function claim<Item extends CatalogueItem & { scopes: ImportScopes }>(
  run: ImportRun,
  table: 'academies' | 'courses' | 'microcourses' | 'communities' | 'editorials',
  contentType: string,
  items: Item[],
  known: PlacedRow[],
  ids: EntryIds,
): Promise<void> {
  const match = matchRows(items, known, (item) => wantedIds(contentType, item.id));
  for (const row of known) ids.reserve(row.key);
  for (const [item, position] of placeItems(items, match.rows, known)) run.positions.set(item, position);
  const taken = match.blocking.find((row) => match.left.includes(row));
  if (taken) throw new ImportRefused(`${table}: the slug ${taken.slug} belongs to the entry ${taken.id}`);
  await entryStore.freeSlugs(
    run.db,
    table,
    match.blocking.map((row) => row.key),
  );
  for (const item of items) {
    const id =
      match.rows.get(item)?.key ??
      (run.keepEntries.has(item.id) ? item.id : ids.give(contentType, wantedIds(contentType, item.id)));
    run.note(item, id, contentType, item, item.scopes);
  }
  run.tally.expect(items.map((item) => run.idOf(item)));
}

async function putAssets(run: ImportRun): Promise<{ paths: string[]; changed: string[] }> {
  const { folder, lessons, courses, microcourses, editorials } = run.prepared;
  const rows: entryStore.AssetRow[] = [];
  const add = (item: { cover?: string | undefined }, bodies: RenderedItem[]) => {
    const entryId = run.idOf(item);
    const paths = new Set(bodies.flatMap((body) => [...body.assetPaths]));
    if (item.cover !== undefined) paths.add(posix.normalize(item.cover));
    for (const path of paths) {
      const asset = run.prepared.assets.get(path);
      if (!asset) continue;
      const { key, mime, bytes, hash } = asset;
      rows.push({ path: `${entryId}/${path}`, entry_id: entryId, key, mime, bytes, hash });
    }
  };
  const rendered = <Item>(of: Map<Item, RenderedItem>, item: Item) =>
    [of.get(item)].filter((body) => body !== undefined);
  for (const item of folder.academies) add(item, []);
  for (const item of folder.courses)
    add(item, [...rendered(courses, item), ...lessonsOf(item).flatMap((lesson) => rendered(lessons, lesson))]);
  for (const item of folder.microcourses) add(item, rendered(microcourses, item));
  for (const item of folder.communities) add(item, []);
  for (const item of folder.editorials) add(item, rendered(editorials, item));
  const changed = await entryStore.putAssets(run.db, rows);
  return { paths: rows.map((row) => row.path), changed };
}

function markEntries(run: ImportRun, entryIds: string[], journeys: JourneyPlan[]): void {
  const keyOf = new Map(journeys.map((plan) => [run.idOf(plan.journey), plan.key]));
  run.tally.changed(entryIds.map((id) => keyOf.get(id) ?? id));
}
