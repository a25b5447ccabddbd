import { posix } from 'node:path';
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { prefixedId } from '#server/areas/catalogue/entry-ids.policy.ts';
import { findEditorialsOut } from './editorial-export.repository.ts';
import { toFolderEditorial } from './editorial-export.view.ts';
import { type ContactOut, findContactsOut } from './contact.repository.ts';
import * as out from './export.repository.ts';
import {
  type ContentFolder,
  defaultBodyFile,
  type FolderCommunity,
  type FolderContact,
  type FolderCourse,
  type FolderJourney,
} from './folder.format.ts';
import { writeContentFolder } from './folder-writer.format.ts';
import { type Assets, fileOf } from '#server/areas/catalogue/stored-asset.view.ts';

/** A picture or media file in storage. */
export type StoredPicture = { file: string; mime: string };

/** Reads a consistent snapshot of all published content, with pictures by path in the folder. */
export async function readForExport(
  ctx: Ctx,
): Promise<{ folder: ContentFolder; pictures: Map<string, StoredPicture> }> {
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => await readContent(db));
}

/** The same within a transaction with a stable snapshot. */
export async function readContent(db: Db): Promise<{ folder: ContentFolder; pictures: Map<string, StoredPicture> }> {
  const { folder, files } = await new Export(db).read();
  const pictures = new Map<string, StoredPicture>();
  for (const [path, { key, mime }] of files) {
    const stored = fileOf(key);
    if (stored) pictures.set(path, { file: stored.file, mime });
  }
  return { folder, pictures };
}

/**
 * Writes all published content as a content folder. Importing it into an empty installation recreates the catalogue.
 */
export async function exportFolder(ctx: Ctx, dir: string): Promise<{ folder: ContentFolder; assets: Assets }> {
  const { folder, pictures } = await readForExport(ctx);
  const assets: Assets = new Map();
  for (const [path, { file, mime }] of pictures)
    assets.set(path, { mime, open: async () => await ctx.files.stream(file) });
  await writeContentFolder(dir, folder, assets);
  return { folder, assets };
}

type File = { key: string; mime: string };

/** Maps the files of an entry to their own paths, or into a subfolder when another entry uses these paths. */
type Place = (path: string) => string;

class Export {
  readonly #db: Db;
  /** Pictures by path in the folder. */
  readonly #files = new Map<string, File>();
  /** Texts by path in the folder. */
  readonly #texts = new Map<string, string>();
  #bodies = new Map<string, out.BodyOut[]>();
  #assets = new Map<string, out.AssetOut[]>();

  constructor(db: Db) {
    this.#db = db;
  }

  async read(): Promise<{ folder: ContentFolder; files: Map<string, File> }> {
    this.#bodies = Map.groupBy(await out.findBodiesOut(this.#db), (row) => row.owner);
    this.#assets = Map.groupBy(await out.findAssetsOut(this.#db), (row) => row.entry_id);
    const folder: ContentFolder = {
      courses: await this.#courses(),
      microcourses: (await out.findMicrocoursesOut(this.#db)).map((row) => {
        const place = this.#place(row, [row.id]);
        const { slug, title, minutes } = row;
        const summary = present('summary', row.summary);
        const { topics } = row;
        const common = {
          id: ownId('microcourse', row),
          slug,
          title,
          ...summary,
          ...cover(row, place),
          topics,
          minutes,
        };
        return {
          ...common,
          humanTranslation: row.human_translation,
          scopes: scopes(row),
          ...this.#body(row.id, place, ['micro', slug]),
        };
      }),
      academies: (await out.findAcademiesOut(this.#db)).map((row) => {
        const place = this.#place(row, []);
        const { slug, title, courses } = row;
        const description = present('description', row.description);
        return {
          id: ownId('academy', row),
          slug,
          title,
          ...description,
          ...cover(row, place),
          topics: row.topics,
          scopes: scopes(row),
          courses,
        };
      }),
      communities: (await out.findCommunitiesOut(this.#db)).map((row) => this.#community(row)),
      editorials: (await findEditorialsOut(this.#db)).map((row) => toFolderEditorial(row, this.#place(row, []))),
    };
    return { folder, files: this.#files };
  }

  async #courses(): Promise<FolderCourse[]> {
    const journeys = Map.groupBy(await out.findJourneysOut(this.#db), (row) => row.course_id);
    const sections = Map.groupBy(await out.findSectionsOut(this.#db), (row) => row.journey_key);
    const lessons = Map.groupBy(await out.findLessonsOut(this.#db), (row) => row.section_key);
    const contacts = Map.groupBy(await findContactsOut(this.#db), (row) => row.course_id);
    return (await out.findCoursesOut(this.#db)).map((row) => {
      const own = journeys.get(row.id) ?? [];
      const sectionsOf = (journey: out.JourneyOut) => sections.get(journey.key) ?? [];
      const keys = own
        .flatMap(sectionsOf)
        .flatMap((section) => (lessons.get(section.key) ?? []).map((lesson) => lesson.key));
      const place = this.#place(row, [row.id, ...keys]);
      return {
        id: ownId('course', row),
        slug: row.slug,
        type: row.type as FolderCourse['type'],
        title: row.title,
        ...present('summary', row.summary),
        ...cover(row, place),
        topics: row.topics,
        contacts: (contacts.get(row.id) ?? []).map(toContact),
        humanTranslation: row.human_translation,
        scopes: scopes(row),
        bank: this.#body(row.id, place, ['questions', row.slug]),
        journeys: own.map((journey) => ({
          id: journey.id,
          slug: journey.slug,
          title: journey.title,
          ...present('description', journey.description),
          privacy: journey.privacy as FolderJourney['privacy'],
          ...(journey.price === null ? {} : { price: journey.price }),
          ...(journey.certificate_months === null ? {} : { certificateMonths: journey.certificate_months }),
          ...(journey.evaluation.length === 0 ? {} : { evaluation: journey.evaluation }),
          sections: sectionsOf(journey).map((section) => ({
            heading: section.heading,
            lessons: (lessons.get(section.key) ?? []).map(
              ({ key, id, slug, title, minutes, mandatory, discussion, assessment }) => ({
                id,
                slug,
                title,
                minutes,
                mandatory,
                ...present('discussion', discussion),
                ...(assessment === null ? {} : { assessment }),
                ...this.#body(key, place, ['lessons', row.slug, journey.slug, slug]),
              }),
            ),
          })),
        })),
      };
    });
  }

  #community(row: out.CommunityOut): FolderCommunity {
    const place = this.#place(row, []);
    return {
      id: ownId('communityPage', row),
      slug: row.slug,
      title: row.title,
      ...present('description', row.description),
      ...cover(row, place),
      privacy: row.privacy as FolderCommunity['privacy'],
      locale: row.locale as Locale,
      categories: row.categories,
      scopes: scopes(row),
      owners: row.owners,
    };
  }

  /** Chooses paths for an entry's pictures and texts together, so that relative image links stay valid. */
  #place({ id, slug }: { id: string; slug: string }, bodyOwners: string[]): Place {
    const assets = (this.#assets.get(id) ?? []).map((asset) => ({ ...asset, path: asset.path.slice(id.length + 1) }));
    const texts = bodyOwners.flatMap((owner) => this.#bodies.get(owner) ?? []);
    const isFree = (place: Place) =>
      assets.every(
        ({ path, key }) => (this.#files.get(place(path))?.key ?? key) === key && !this.#texts.has(place(path)),
      ) &&
      texts.every(
        ({ file, source }) =>
          file === null || ((this.#texts.get(place(file)) ?? source) === source && !this.#files.has(place(file))),
      );
    let place: Place = (path) => path;
    for (let nth = 1; !isFree(place); nth++) {
      const folder = nth === 1 ? slug : `${slug}-${nth}`;
      place = (path) => posix.join(folder, path);
    }
    for (const { path, key, mime } of assets) this.#files.set(place(path), { key, mime });
    for (const { file, source } of texts) if (file !== null) this.#texts.set(place(file), source);
    return place;
  }

  #body(owner: string, place: Place, parts: string[]): { body: LocalizedText; bodyFiles: LocalizedText } {
    const rows = this.#bodies.get(owner) ?? [];
    return {
      body: Object.fromEntries(rows.map(({ locale, source }) => [locale, source])),
      bodyFiles: Object.fromEntries(
        rows.map(({ locale, file }) => [locale, file === null ? defaultBodyFile(parts, locale) : place(file)]),
      ),
    };
  }
}

type Row = {
  id: string;
  slug: string;
  cover: string | null;
  cover_alt: LocalizedText;
  can_view: string;
  can_join: string;
};

/** Returns the id to write. An id we prefixed because another kind uses the slug as id is omitted. */
function ownId(contentType: string, { id, slug }: Row): string {
  return id === prefixedId(contentType, slug) ? slug : id;
}

function scopes({ can_view, can_join }: Row): FolderCourse['scopes'] {
  return { can_view, can_join } as FolderCourse['scopes']; // enforced by check constraints
}

function toContact({ name, role, email, profile_id }: ContactOut): FolderContact {
  return {
    name,
    ...present('role', role),
    ...(email === null ? {} : { email }),
    ...(profile_id === null ? {} : { profile: `/people/${profile_id}` }),
  };
}

function cover({ id, cover, cover_alt }: Row, place: Place): { cover?: string; coverAlt?: LocalizedText } {
  return { ...(cover === null ? {} : { cover: place(cover.slice(id.length + 1)) }), ...present('coverAlt', cover_alt) };
}

/** Omits a text that is empty in all languages. */
function present<Name extends string>(name: Name, text: LocalizedText): { [Key in Name]?: LocalizedText } {
  return Object.keys(text).length > 0 ? ({ [name]: text } as { [Key in Name]?: LocalizedText }) : {}; // a computed key widens
}
