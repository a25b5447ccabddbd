import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction, newId } from '#server/db/client.ts';
import { EntryIds, prefixedId } from './entry-ids.ts';
import type {
  Assets,
  ContentFolder,
  FolderCommunity,
  FolderCourse,
  FolderJourney,
  FolderLesson,
  FolderMicrocourse,
} from './folder-format.ts';
import { type RenderedItem, renderItem } from './folder-bodies.ts';
import * as store from './import.repository.ts';
import type { EntryRow, PlacedRow, ProductRow, Texts } from './import.repository.ts';
import { type ImportSummary, ImportTally } from './import-tally.ts';
import { type KnownRow, type Match, matchRows, type Named, placeItems } from './match.ts';
import { nameOwners } from './owner.service.ts';
import { type StoredAsset, storeAssets } from './stored-assets.ts';

export type { ImportSummary } from './import-tally.ts';

/** A folder that does not fit what is stored; nothing was changed. */
export class ImportRefused extends Error {}

export type ImportOptions = {
  /** Entries that stand already as an export gave them: their type and fields are left alone. */
  keepEntries?: ReadonlySet<string>;
};

/** The pure part, done before the transaction: pictures stored under names made of their bytes, texts made into pages. */
type Prepared = {
  folder: ContentFolder;
  assets: Map<string, StoredAsset>;
  lessons: Map<FolderLesson, RenderedItem>;
  microcourses: Map<FolderMicrocourse, RenderedItem>;
};

/**
 * Stores a content folder, all or nothing. What is so already is not touched; journeys and lessons keep their keys and are
 * withdrawn, never deleted, when their course no longer has them. Courses the folder does not name stay as they are.
 */
export async function importFolder(
  ctx: Ctx,
  folder: ContentFolder,
  assets: Assets,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const stored = await storeAssets(ctx.files, assets);
  const prepared: Prepared = { folder, assets: stored, lessons: new Map(), microcourses: new Map() };
  for (const lesson of folder.courses.flatMap(lessonsOf)) prepared.lessons.set(lesson, renderItem(lesson, stored));
  for (const item of folder.microcourses) prepared.microcourses.set(item, renderItem(item, stored));
  return await inTransaction(ctx.db, async (db) => {
    await store.lockImport(db);
    return await new Import(db, prepared, options).run();
  });
}

const lessonsOf = (course: FolderCourse): FolderLesson[] =>
  course.journeys.flatMap((journey) => journey.sections.flatMap((section) => section.lessons));

type CatalogueItem = Named & { title: Texts; summary?: Texts | undefined; description?: Texts | undefined };
type Scopes = { can_view: string; can_join: string };

/** One import under way, in its transaction. */
class Import {
  readonly #db: Db;
  readonly #prepared: Prepared;
  readonly #keepEntries: ReadonlySet<string>;
  readonly #tally = new ImportTally();
  readonly #entries: EntryRow[] = [];
  readonly #products: ProductRow[] = [];
  /** The entry id of every item. */
  readonly #ids = new Map<object, string>();
  /** The place in the catalogue of every item but journeys. */
  readonly #positions = new Map<object, number>();

  constructor(db: Db, prepared: Prepared, options: ImportOptions) {
    this.#db = db;
    this.#prepared = prepared;
    this.#keepEntries = options.keepEntries ?? new Set();
  }

  async run(): Promise<ImportSummary> {
    const { folder } = this.#prepared;
    const known = {
      academies: await store.findItems(this.#db, 'academies'),
      courses: await store.findItems(this.#db, 'courses'),
      microcourses: await store.findItems(this.#db, 'microcourses'),
      communities: await store.findCommunities(this.#db),
    };
    const ids = new EntryIds(await store.findEntryTypes(this.#db, this.#wantedIds()));
    await this.#claim('academies', 'academy', folder.academies, known.academies, ids);
    await this.#claim('courses', 'course', folder.courses, known.courses, ids);
    await this.#claim('microcourses', 'microcourse', folder.microcourses, known.microcourses, ids);
    await this.#claim('communities', 'communityPage', folder.communities, known.communities, ids);
    const journeys = await this.#matchJourneys(ids);

    const entries = await store.putEntries(this.#db, this.#entries);
    await store.publishEntries(
      this.#db,
      [...this.#ids.values()].filter((id) => this.#keepEntries.has(id)),
    );
    const products = await store.putProducts(this.#db, this.#products);
    const assets = await this.#putAssets();
    await this.#putCourses();
    await this.#putJourneys(journeys);
    await this.#putAcademies();
    await this.#putMicrocourses();
    await this.#putCommunities(known.communities);
    const entryIds = [...this.#ids.values()];
    const gone = await store.deleteOtherAssets(this.#db, entryIds, assets.paths);
    // An entry, a product or a picture that changed is a change of its item, whatever its own row says.
    this.#markEntries(
      [...entries, ...products].map(({ key }) => String(key[0])),
      journeys,
    );
    this.#markEntries([...assets.changed, ...gone], journeys);
    return this.#tally.summary();
  }

  #wantedIds(): string[] {
    const { academies, courses, microcourses, communities } = this.#prepared.folder;
    return [
      ...academies.flatMap((item) => wantedIds('academy', item.id)),
      ...courses.flatMap((item) => [
        ...wantedIds('course', item.id),
        ...item.journeys.flatMap((journey) => journeyIds(item, journey)),
      ]),
      ...microcourses.flatMap((item) => wantedIds('microcourse', item.id)),
      ...communities.flatMap((item) => wantedIds('communityPage', item.id)),
    ];
  }

  /** Finds or gives each item its entry id, and notes the entry and product it needs. */
  async #claim<Item extends CatalogueItem & { scopes: Scopes }>(
    table: 'academies' | 'courses' | 'microcourses' | 'communities',
    contentType: string,
    items: Item[],
    known: PlacedRow[],
    ids: EntryIds,
  ): Promise<void> {
    const match = matchRows(items, known, (item) => wantedIds(contentType, item.id));
    for (const row of known) ids.reserve(row.key);
    for (const [item, position] of placeItems(items, match.rows, known)) this.#positions.set(item, position);
    this.#refuseTaken(table, match);
    await store.freeSlugs(
      this.#db,
      table,
      match.blocking.map((row) => row.key),
    );
    for (const item of items) {
      const id =
        match.rows.get(item)?.key ??
        (this.#keepEntries.has(item.id) ? item.id : ids.give(contentType, wantedIds(contentType, item.id)));
      this.#note(item, id, contentType, item, item.scopes);
    }
    this.#tally.expect(items.map((item) => this.#idOf(item)));
  }

  #refuseTaken<Item extends Named, Row extends KnownRow>(table: string, match: Match<Item, Row>): void {
    const taken = match.blocking.find((row) => match.left.includes(row));
    if (taken) throw new ImportRefused(`${table}: the slug ${taken.slug} belongs to the entry ${taken.id}`);
  }

  #note(
    item: object,
    id: string,
    contentType: string,
    { slug, title, summary, description }: CatalogueItem,
    scopes: Scopes,
  ): void {
    this.#ids.set(item, id);
    this.#products.push({ entry_id: id, content_type: contentType, ...scopes });
    if (this.#keepEntries.has(id)) return;
    const fields = { title, ...(summary ? { summary } : {}), ...(description ? { description } : {}) };
    this.#entries.push({
      id,
      content_type: contentType,
      status: 'published',
      source: 'folder',
      slug: { en: slug },
      fields,
    });
  }

  #idOf(item: object): string {
    const id = this.#ids.get(item);
    if (id === undefined) throw new Error('An item was not claimed');
    return id;
  }

  #positionOf(item: object): number {
    return this.#positions.get(item) ?? 0;
  }

  async #matchJourneys(ids: EntryIds): Promise<JourneyPlan[]> {
    const { courses } = this.#prepared.folder;
    const known = await store.findJourneys(
      this.#db,
      courses.map((course) => this.#idOf(course)),
    );
    // Journeys of other courses, too, hold entries that are not to be taken from them.
    for (const id of await store.findJourneyEntries(this.#db)) ids.reserve(id);
    const plans: JourneyPlan[] = [];
    for (const course of courses) {
      const courseId = this.#idOf(course);
      const match = matchRows(
        course.journeys,
        known.filter((row) => row.courseId === courseId),
      );
      const left = match.left.filter((row) => !row.isWithdrawn);
      await store.freeSlugs(
        this.#db,
        'journeys',
        match.blocking.map((row) => row.key),
      );
      await store.withdrawRows(
        this.#db,
        'journeys',
        left.map((row) => row.key),
      );
      await store.withdrawEntries(
        this.#db,
        left.flatMap((row) => row.entryId ?? []),
      );
      for (const row of left) this.#tally.mark(row.key, 'withdrawn');
      for (const [position, journey] of course.journeys.entries()) {
        const row = match.rows.get(journey);
        const entryId =
          row?.entryId ??
          (this.#keepEntries.has(journey.id) ? journey.id : ids.give('courseJourney', journeyIds(course, journey)));
        this.#note(journey, entryId, 'courseJourney', journey, course.scopes);
        plans.push({ journey, courseId, position, key: row?.key ?? newId() });
      }
    }
    this.#tally.expect(plans.map((plan) => plan.key));
    return plans;
  }

  async #putAssets(): Promise<{ paths: string[]; changed: string[] }> {
    const { folder, lessons, microcourses } = this.#prepared;
    const rows: store.AssetRow[] = [];
    const add = (item: { cover?: string | undefined }, bodies: RenderedItem[]) => {
      const entryId = this.#idOf(item);
      const paths = new Set(bodies.flatMap((body) => [...body.assetPaths]));
      if (item.cover !== undefined) paths.add(item.cover);
      for (const path of paths) {
        const asset = this.#prepared.assets.get(path);
        if (!asset) continue;
        const { key, mime, bytes, hash } = asset;
        rows.push({ path: `${entryId}/${path}`, entry_id: entryId, key, mime, bytes, hash });
      }
    };
    const rendered = <Item>(of: Map<Item, RenderedItem>, item: Item) =>
      [of.get(item)].filter((body) => body !== undefined);
    for (const item of folder.academies) add(item, []);
    for (const item of folder.courses)
      add(
        item,
        lessonsOf(item).flatMap((lesson) => rendered(lessons, lesson)),
      );
    for (const item of folder.microcourses) add(item, rendered(microcourses, item));
    for (const item of folder.communities) add(item, []);
    const changed = await store.putAssets(this.#db, rows);
    return { paths: rows.map((row) => row.path), changed };
  }

  /** The row a cover points to; null for a picture that could not be read. */
  #cover(item: { cover?: string | undefined; coverAlt?: Texts | undefined }): {
    cover: string | null;
    cover_alt: Texts;
  } {
    const isThere = item.cover !== undefined && this.#prepared.assets.has(item.cover);
    return { cover: isThere ? `${this.#idOf(item)}/${item.cover}` : null, cover_alt: item.coverAlt ?? {} };
  }

  async #putCourses(): Promise<void> {
    const rows = this.#prepared.folder.courses.map((item): store.CourseRow => {
      const { slug, type, title, summary = {}, humanTranslation } = item;
      return {
        id: this.#idOf(item),
        slug,
        type,
        title,
        summary,
        ...this.#cover(item),
        human_translation: humanTranslation,
        position: this.#positionOf(item),
      };
    });
    this.#tally.rows(await store.putCourses(this.#db, rows));
  }

  async #putJourneys(plans: JourneyPlan[]): Promise<void> {
    const rows = plans.map(({ journey, courseId, position, key }): store.JourneyRow => {
      const { id, slug, title, description = {}, privacy } = journey;
      return {
        key,
        course_id: courseId,
        entry_id: this.#idOf(journey),
        id,
        slug,
        title,
        description,
        privacy,
        position,
        withdrawn_at: null,
      };
    });
    this.#tally.rows(await store.putJourneys(this.#db, rows));
    const keys = plans.map((plan) => plan.key);
    const sections = plans.flatMap(({ journey, key }) =>
      journey.sections.map(({ heading }, position): store.SectionRow => ({
        key: newId(),
        journey_key: key,
        heading,
        position,
      })),
    );
    this.#tally.changed(await store.putSections(this.#db, keys, sections));
    await this.#putLessons(plans);
    this.#tally.changed(await store.deleteOtherSections(this.#db, keys, sections));
  }

  async #putLessons(plans: JourneyPlan[]): Promise<void> {
    const journeyKeys = plans.map((plan) => plan.key);
    const sectionKeys = await store.findSectionKeys(this.#db, journeyKeys);
    const known = await store.findLessons(this.#db, journeyKeys);
    const rows: store.LessonRow[] = [];
    const bodies: store.BodyRow[] = [];
    for (const { journey, key: journeyKey } of plans) {
      const lessons = journey.sections.flatMap((section, at) =>
        section.lessons.map((lesson) => ({ ...lesson, lesson, at })),
      );
      const match = matchRows(
        lessons,
        known.filter((row) => row.journeyKey === journeyKey),
      );
      const left = match.left.filter((row) => !row.isWithdrawn).map((row) => row.key);
      await store.freeSlugs(
        this.#db,
        'lessons',
        match.blocking.map((row) => row.key),
      );
      await store.withdrawRows(this.#db, 'lessons', left);
      for (const key of left) this.#tally.mark(key, 'withdrawn');
      for (const [position, item] of lessons.entries()) {
        const key = match.rows.get(item)?.key ?? newId();
        const { id, slug, title, minutes, mandatory, discussion = {} } = item;
        const section_key = sectionKeys.get(`${journeyKey}:${item.at}`) ?? '';
        rows.push({
          key,
          journey_key: journeyKey,
          section_key,
          id,
          slug,
          title,
          minutes,
          mandatory,
          discussion,
          position,
          withdrawn_at: null,
        });
        for (const body of this.#prepared.lessons.get(item.lesson)?.bodies ?? [])
          bodies.push({ lesson_key: key, microcourse_id: null, ...body });
      }
    }
    const keys = rows.map((row) => row.key);
    this.#tally.expect(keys);
    this.#tally.rows(await store.putLessons(this.#db, rows));
    this.#tally.changed(await store.putBodies(this.#db, 'lesson_key', keys, bodies));
  }

  async #putAcademies(): Promise<void> {
    const { academies } = this.#prepared.folder;
    const rows = academies.map((item): store.AcademyRow => {
      const { slug, title, description = {} } = item;
      return { id: this.#idOf(item), slug, title, description, ...this.#cover(item), position: this.#positionOf(item) };
    });
    this.#tally.rows(await store.putAcademies(this.#db, rows));
    const courseIds = await store.findCourseIds(
      this.#db,
      academies.flatMap((item) => item.courses),
    );
    const links = academies.flatMap((item) =>
      [...new Set(item.courses)].map((slug, position): store.AcademyCourseRow => {
        const courseId = courseIds.get(slug);
        if (courseId === undefined)
          throw new ImportRefused(`academies: ${item.slug} names the course ${slug}, which is not there`);
        return { academy_id: this.#idOf(item), course_id: courseId, position };
      }),
    );
    this.#tally.changed(
      await store.putAcademyCourses(
        this.#db,
        academies.map((item) => this.#idOf(item)),
        links,
      ),
    );
  }

  async #putMicrocourses(): Promise<void> {
    const { microcourses } = this.#prepared.folder;
    const rows = microcourses.map((item): store.MicrocourseRow => {
      const { slug, title, summary = {}, minutes, humanTranslation } = item;
      return {
        id: this.#idOf(item),
        slug,
        title,
        summary,
        minutes,
        ...this.#cover(item),
        human_translation: humanTranslation,
        position: this.#positionOf(item),
      };
    });
    this.#tally.rows(await store.putMicrocourses(this.#db, rows));
    const bodies = microcourses.flatMap((item) =>
      (this.#prepared.microcourses.get(item)?.bodies ?? []).map((body): store.BodyRow => ({
        lesson_key: null,
        microcourse_id: this.#idOf(item),
        ...body,
      })),
    );
    this.#tally.changed(
      await store.putBodies(
        this.#db,
        'microcourse_id',
        microcourses.map((item) => this.#idOf(item)),
        bodies,
      ),
    );
  }

  async #putCommunities(known: { key: string; communityId: string }[]): Promise<void> {
    const { communities } = this.#prepared.folder;
    const communityIds = new Map(known.map((row) => [row.key, row.communityId]));
    const idOf = (item: FolderCommunity) => {
      const id = communityIds.get(this.#idOf(item)) ?? newId();
      communityIds.set(this.#idOf(item), id);
      return id;
    };
    const rows = communities.map((item): store.CommunityRow => {
      const { slug, title, description = {}, privacy, locale, categories } = item;
      return {
        id: idOf(item),
        entry_id: this.#idOf(item),
        slug,
        title,
        description,
        privacy,
        locale,
        categories,
        ...this.#cover(item),
        position: this.#positionOf(item),
      };
    });
    this.#tally.rows(await store.putCommunities(this.#db, rows));
    const changed = await nameOwners(
      this.#db,
      communities.map((item) => ({ communityId: idOf(item), emails: item.owners })),
    );
    for (const item of communities) if (changed.has(idOf(item))) this.#tally.mark(this.#idOf(item), 'changed');
  }

  #markEntries(entryIds: string[], journeys: JourneyPlan[]): void {
    const keyOf = new Map(journeys.map((plan) => [this.#idOf(plan.journey), plan.key]));
    this.#tally.changed(entryIds.map((id) => keyOf.get(id) ?? id));
  }
}

type JourneyPlan = { journey: FolderJourney; courseId: string; position: number; key: string };

function wantedIds(contentType: string, id: string): string[] {
  return [id, prefixedId(contentType, id)];
}

function journeyIds(course: FolderCourse, journey: FolderJourney): string[] {
  return [
    journey.id,
    prefixedId(course.id, journey.id),
    prefixedId('courseJourney', prefixedId(course.id, journey.id)),
  ];
}
