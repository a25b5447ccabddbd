import { EDITORIAL_KINDS, type EditorialKind } from '@officium/contract/editorials';
import type { Db } from '#server/db/client.ts';
import { PAGE_BLOCKS } from '#server/text/blocks/registry.ts';
import { composeBody } from '#server/areas/catalogue/editorial.policy.ts';
import { findContentAt } from '#server/areas/catalogue/editorial.repository.ts';
import type { StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';
import { findMissingTarget, putSchedule } from './event-schedule.service.ts';
import * as rows from './editorial-import.repository.ts';
import { type RenderedItem, renderItem } from './folder-bodies.view.ts';
import type { FolderEditorial } from './folder.format.ts';
import * as store from './import.repository.ts';
import { ImportRefused, type ImportRun } from './import-run.service.ts';
import type { PlacedRow, Texts } from './import.repository.ts';

/** The pages of an editorial, one a language, made of its parts. */
export function renderEditorial(
  { kind, parts }: Pick<FolderEditorial, 'kind' | 'parts'>,
  assets: ReadonlyMap<string, StoredAsset>,
): RenderedItem {
  return renderItem({ body: composeBody(kind, parts), bodyFiles: {} }, assets, PAGE_BLOCKS);
}

export type KnownEditorials = Map<EditorialKind, PlacedRow[]>;

export async function findKnownEditorials(db: Db): Promise<KnownEditorials> {
  const known: KnownEditorials = new Map();
  for (const kind of EDITORIAL_KINDS) known.set(kind, await rows.findEditorials(db, kind));
  return known;
}

/** Runs last, so that every link target exists. */
export async function putEditorials(run: ImportRun): Promise<void> {
  const { editorials } = run.prepared.folder;
  if (editorials.length === 0) return;
  const ids = editorials.map((item) => run.idOf(item));
  run.tally.rows(
    await rows.putEditorials(
      run.db,
      editorials.map((item) => toRow(run, item)),
    ),
  );
  const bodies = editorials.flatMap((item) =>
    (run.prepared.editorials.get(item)?.bodies ?? []).map((body): store.BodyRow => ({
      lesson_key: null,
      microcourse_id: null,
      editorial_id: run.idOf(item),
      ...body,
    })),
  );
  run.tally.changed(await store.putBodies(run.db, 'editorial_id', ids, bodies));
  run.tally.changed(await rows.putEditorialItems(run.db, ids, await linksOf(run, editorials)));
  for (const item of editorials) await putEvent(run, item);
}

async function putEvent(run: ImportRun, item: FolderEditorial): Promise<void> {
  const { schedule, slug } = item;
  if (!schedule) return;
  const missing = await findMissingTarget(run.db, schedule);
  if (missing !== undefined)
    throw new ImportRefused(`events: ${slug} names the ${missing} ${schedule[missing]}, which is not there`);
  if (await putSchedule(run.db, run.idOf(item), schedule)) run.tally.changed([run.idOf(item)]);
}

function toRow(run: ImportRun, item: FolderEditorial): rows.EditorialRow {
  const { kind, slug, title, summary = {}, parts, humanTranslation } = item;
  return {
    id: run.idOf(item),
    kind,
    slug,
    title: title as Texts, // absent languages are absent keys
    summary: summary as Texts, // likewise
    parts: parts as Record<string, Texts>, // likewise
    ...run.cover(item),
    human_translation: humanTranslation,
    position: run.positionOf(item),
  };
}

/** Articles are not part of a content folder: missing ones are left out. Any other target must exist. */
async function linksOf(run: ImportRun, editorials: FolderEditorial[]): Promise<rows.EditorialLinkRow[]> {
  const found = await findContentAt(run.db, [...new Set(editorials.flatMap(({ items }) => items))]);
  return editorials.flatMap((item) => {
    const missing = item.items.find((path) => !found.has(path) && !path.startsWith('articles/'));
    if (missing !== undefined)
      throw new ImportRefused(`${item.kind}s: ${item.slug} names ${missing}, which is not there`);
    return item.items
      .flatMap((path) => found.get(path) ?? [])
      .map((target, position) => ({ editorial_id: run.idOf(item), position, ...target }));
  });
}
