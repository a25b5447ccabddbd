import { posix } from 'node:path';
import type { Db } from '#server/db/client.ts';
import { fitsEntry, prefixedId } from '#server/areas/catalogue/entry-ids.policy.ts';
import type { RenderedItem } from './folder-bodies.view.ts';
import type { ContentFolder, FolderCourse, FolderJourney, FolderLesson, FolderMicrocourse } from './folder.format.ts';
import type { Texts } from './import.repository.ts';
import type { EntryRow, ImportedProductRow } from './import-entry.repository.ts';
import { ImportTally } from './import-tally.policy.ts';
import type { NamedItem } from './match.policy.ts';
import type { StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';

/** A folder that does not fit what is stored; nothing was changed. */
export class ImportRefused extends Error {}

export type ImportOptions = {
  /** Entries that stand already as an export gave them: their type and fields are left alone. */
  keepEntries?: ReadonlySet<string>;
  /** What the audit log calls it; left out, it is not noted. */
  name?: string;
};

/** The pure part, done before the transaction: pictures stored under names made of their bytes, texts made into pages. */
export type Prepared = {
  folder: ContentFolder;
  assets: Map<string, StoredAsset>;
  lessons: Map<FolderLesson, RenderedItem>;
  microcourses: Map<FolderMicrocourse, RenderedItem>;
};

export type CatalogueItem = NamedItem & { title: Texts; summary?: Texts | undefined; description?: Texts | undefined };
export type ImportScopes = { can_view: string; can_join: string };

/** One import under way, in its transaction: what its steps share. */
export class ImportRun {
  readonly db: Db;
  readonly prepared: Prepared;
  readonly keepEntries: ReadonlySet<string>;
  readonly tally = new ImportTally();
  readonly entries: EntryRow[] = [];
  readonly products: ImportedProductRow[] = [];
  /** The entry id of every item. */
  readonly ids = new Map<object, string>();
  /** The place in the catalogue of every item but journeys. */
  readonly positions = new Map<object, number>();

  constructor(db: Db, prepared: Prepared, options: ImportOptions) {
    this.db = db;
    this.prepared = prepared;
    this.keepEntries = options.keepEntries ?? new Set();
  }

  /** Gives an item its entry id, and remembers the entry and product it needs. */
  note(
    item: object,
    id: string,
    contentType: string,
    { slug, title, summary, description }: CatalogueItem,
    scopes: ImportScopes,
  ): void {
    this.ids.set(item, id);
    this.products.push({ entry_id: id, content_type: contentType, ...scopes });
    if (this.keepEntries.has(id)) return;
    const fields = { title, ...(summary ? { summary } : {}), ...(description ? { description } : {}) };
    this.entries.push({
      id,
      content_type: contentType,
      status: 'published',
      source: 'folder',
      slug: { en: slug },
      fields,
    });
  }

  idOf(item: object): string {
    const id = this.ids.get(item);
    if (id === undefined) throw new Error('An item was not claimed');
    return id;
  }

  positionOf(item: object): number {
    return this.positions.get(item) ?? 0;
  }

  /** The row a cover points to; null for a picture that could not be read. */
  cover(item: { cover?: string | undefined; coverAlt?: Texts | undefined }): {
    cover: string | null;
    cover_alt: Texts;
  } {
    const path = item.cover === undefined ? '' : posix.normalize(item.cover);
    return {
      cover: this.prepared.assets.has(path) ? `${this.idOf(item)}/${path}` : null,
      cover_alt: item.coverAlt ?? {},
    };
  }
}

/** The entry ids something may get, the likeliest first. */
export function wantedIds(contentType: string, id: string): string[] {
  return [id, prefixedId(contentType, id)].filter(fitsEntry);
}

export function journeyIds(course: FolderCourse, journey: FolderJourney): string[] {
  const inCourse = prefixedId(course.id, journey.id);
  return [journey.id, inCourse, prefixedId('courseJourney', inCourse)].filter(fitsEntry);
}

export const lessonsOf = (course: FolderCourse): FolderLesson[] =>
  course.journeys.flatMap((journey) => journey.sections.flatMap((section) => section.lessons));
