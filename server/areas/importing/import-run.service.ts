import { posix } from 'node:path';
import type { Db } from '#server/db/client.ts';
import { editorialKindOf, hasPage } from '#server/areas/catalogue/editorial.policy.ts';
import { fitsEntry, prefixedId } from '#server/areas/catalogue/entry-ids.policy.ts';
import type { RenderedItem } from './folder-bodies.view.ts';
import type {
  ContentFolder,
  FolderCourse,
  FolderEditorial,
  FolderJourney,
  FolderLesson,
  FolderMicrocourse,
} from './folder.format.ts';
import type { Texts } from './import.repository.ts';
import type { EntryRow, ImportedProductRow } from './import-entry.repository.ts';
import { ImportTally } from './import-tally.policy.ts';
import type { NamedItem } from './match.policy.ts';
import type { StoredAsset } from '#server/areas/catalogue/stored-asset.view.ts';

/** The folder conflicts with stored content. Nothing was changed. */
export class ImportRefused extends Error {}

export type ImportOptions = {
  /** Entries already stored from an export. Their type and fields stay unchanged. */
  keepEntries?: ReadonlySet<string>;
  /** Name in the audit log; without it, the import is not logged. */
  name?: string;
};

/** Results of the work before the transaction: stored pictures and rendered texts. */
export type Prepared = {
  folder: ContentFolder;
  assets: Map<string, StoredAsset>;
  lessons: Map<FolderLesson, RenderedItem>;
  /** Question banks. */
  courses: Map<FolderCourse, RenderedItem>;
  microcourses: Map<FolderMicrocourse, RenderedItem>;
  editorials: Map<FolderEditorial, RenderedItem>;
};

export type CatalogueItem = NamedItem & { title: Texts; summary?: Texts | undefined; description?: Texts | undefined };
export type ImportScopes = { can_view: string; can_join: string };

/** Shared state of the steps of one import in its transaction. */
export class ImportRun {
  readonly db: Db;
  readonly prepared: Prepared;
  readonly keepEntries: ReadonlySet<string>;
  readonly tally = new ImportTally();
  readonly entries: EntryRow[] = [];
  readonly products: ImportedProductRow[] = [];
  /** The entry id of every item. */
  readonly ids = new Map<object, string>();
  /** The position in the catalogue of every item except journeys. */
  readonly positions = new Map<object, number>();

  constructor(db: Db, prepared: Prepared, options: ImportOptions) {
    this.db = db;
    this.prepared = prepared;
    this.keepEntries = options.keepEntries ?? new Set();
  }

  /** Sets the entry id of an item and records the entry and product to write. */
  note(
    item: object,
    id: string,
    contentType: string,
    { slug, title, summary, description }: CatalogueItem,
    scopes: ImportScopes,
  ): void {
    this.ids.set(item, id);
    const kind = editorialKindOf(contentType);
    if (kind === undefined || hasPage(kind)) this.products.push({ entry_id: id, content_type: contentType, ...scopes });
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
    if (id === undefined) throw new Error('An item has no entry id');
    return id;
  }

  positionOf(item: object): number {
    return this.positions.get(item) ?? 0;
  }

  /** Returns the cover columns of an item; null for an unreadable picture. */
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

/** Returns the entry id candidates of an item, preferred first. */
export function wantedIds(contentType: string, id: string): string[] {
  return [id, prefixedId(contentType, id)].filter(fitsEntry);
}

export function journeyIds(course: FolderCourse, journey: FolderJourney): string[] {
  const inCourse = prefixedId(course.id, journey.id);
  return [journey.id, inCourse, prefixedId('courseJourney', inCourse)].filter(fitsEntry);
}

export const lessonsOf = (course: FolderCourse): FolderLesson[] =>
  course.journeys.flatMap((journey) => journey.sections.flatMap((section) => section.lessons));
