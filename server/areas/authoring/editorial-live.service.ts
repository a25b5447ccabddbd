import type { Db } from '#server/db/client.ts';
import type { EditorialDoc } from '@officium/contract/editorials';
import { invalid } from '#server/errors.ts';
import { partsOf } from '#server/areas/catalogue/editorial.policy.ts';
import { findContentAt } from '#server/areas/catalogue/editorial.repository.ts';
import type { RenderedItem } from '#server/areas/importing/folder-bodies.view.ts';
import * as store from '#server/areas/importing/import.repository.ts';
import type { Texts } from '#server/areas/importing/import.repository.ts';
import {
  findMissingTarget,
  putSchedule,
  recurrenceFault,
  type Schedule,
  scheduleFault,
} from '#server/areas/importing/event-schedule.service.ts';
import * as rows from '#server/areas/importing/editorial-import.repository.ts';

type Going = { key: string; rendered: RenderedItem; position: number; cover: string | null; coverAlt: Texts };

/** Publishes a question, solution article, hub, carousel, picture or event. */
export async function putEditorial(db: Db, doc: EditorialDoc, going: Going): Promise<void> {
  const { key, rendered, position, cover, coverAlt } = going;
  const row: rows.EditorialRow = {
    id: key,
    kind: doc.kind,
    slug: doc.slug,
    title: doc.title as Texts, // absent languages are absent keys
    summary: ('summary' in doc ? doc.summary : {}) as Texts, // likewise
    parts: partsOf(doc.kind, doc) as Record<string, Texts>, // likewise
    cover,
    cover_alt: coverAlt,
    human_translation: 'humanTranslation' in doc ? doc.humanTranslation : true,
    position,
  };
  await rows.putEditorials(db, [row]);
  const bodies = rendered.bodies.map((body) => ({
    lesson_key: null,
    microcourse_id: null,
    editorial_id: key,
    ...body,
  }));
  await store.putBodies(db, 'editorial_id', [key], bodies);
  await rows.putEditorialItems(db, [key], await linksOf(db, key, 'items' in doc ? doc.items : []));
  if (doc.kind === 'event') await putSchedule(db, key, doc);
}

/** Link targets deleted since the draft was saved are left out. */
async function linksOf(db: Db, key: string, items: string[]): Promise<rows.EditorialLinkRow[]> {
  const found = await findContentAt(db, items);
  const targets = items.flatMap((path) => found.get(path) ?? []);
  return targets.map((target, position) => ({ editorial_id: key, position, ...target }));
}

/** Throws when the recurrence of an event is no rule, or names a community or course that does not exist. */
export async function checkSchedule(db: Db, doc: Extract<EditorialDoc, { kind: 'event' }>): Promise<void> {
  const fault = doc.recurrence === null ? undefined : recurrenceFault(doc, doc.recurrence);
  if (fault) throw invalid(`doc.${fault.field}`, fault.message);
  const missing = await findMissingTarget(db, doc);
  if (missing !== undefined) throw invalid(`doc.${missing}`, `There is no ${missing} with this address`);
}

/** Throws when an event cannot be published yet. */
export function requireSchedule(doc: { kind: string }): void {
  if (doc.kind !== 'event') return;
  const fault = scheduleFault(doc as unknown as Schedule); // the document of an event has these fields
  if (fault) throw invalid(`doc.${fault.field}`, fault.message);
}

/** The index of the first link that leads nowhere. */
export async function findDeadLink(db: Db, items: string[]): Promise<number | undefined> {
  const found = await findContentAt(db, items);
  const at = items.findIndex((path) => !found.has(path));
  return at < 0 ? undefined : at;
}
