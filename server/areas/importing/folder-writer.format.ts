import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Locale, LOCALES, type LocalizedText } from '@officium/contract/common';
import { EDITORIAL_PARTS } from '@officium/contract/editorials';
import { stringify } from 'yaml';
import type { Assets } from '#server/areas/catalogue/stored-asset.view.ts';
import { type ContentFolder, defaultBodyFile, type FolderCourse, type FolderJourney } from './folder.format.ts';
import { CONTENT_FILE } from './folder-reader.format.ts';
import { writeEditorials } from './editorial-folder.view.ts';
import { isInside } from '#server/areas/catalogue/image-path.policy.ts';

type Body = { body: LocalizedText; bodyFiles: LocalizedText };

/**
 * Returns the text files of a content folder by path, deterministically. The content file is last, so that an
 * incompletely written folder has none. `pictures` are paths already in use.
 */
export function layOutFolder(folder: ContentFolder, pictures: Iterable<string>): Map<string, string> {
  const files = new BodyFiles(new Set(pictures));
  const content = {
    format: 1,
    ...some('academies', folder.academies.map(plain)),
    ...some(
      'courses',
      folder.courses.map((course) => writeCourse(course, files)),
    ),
    ...some(
      'microcourses',
      folder.microcourses.map(({ bodyFiles, ...microcourse }) => ({
        ...plain(microcourse),
        body: files.place({ body: microcourse.body, bodyFiles }, ['micro', microcourse.slug]),
      })),
    ),
    ...some('communities', folder.communities.map(plain)),
    ...writeEditorials(folder.editorials, plain),
  };
  return files.texts.set(CONTENT_FILE, stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }));
}

/** Writes a content folder. Other files in the directory stay. */
export async function writeContentFolder(dir: string, folder: ContentFolder, assets: Assets): Promise<void> {
  const texts = layOutFolder(folder, assets.keys());
  for (const [path, asset] of assets) await write(join(dir, path), asset.open ? await asset.open() : asset.bytes);
  for (const [path, text] of texts) await write(join(dir, path), text);
}

async function write(path: string, content: string | Uint8Array | Readable): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function writeCourse(course: FolderCourse, files: BodyFiles): object {
  const { bank, ...own } = course;
  const questions = bank ? files.place(bank, ['questions', course.slug]) : {};
  return {
    ...plain({ ...own, ...(Object.keys(questions).length > 0 ? { questions } : {}) }),
    journeys: course.journeys.map((journey) => writeJourney(course, journey, files)),
  };
}

function writeJourney(course: FolderCourse, journey: FolderJourney, files: BodyFiles): object {
  return {
    ...plain(journey),
    sections: journey.sections.map((section) => ({
      heading: texts(section.heading),
      lessons: section.lessons.map(({ bodyFiles, ...lesson }) => ({
        ...plain(lesson),
        body: files.place({ body: lesson.body, bodyFiles }, ['lessons', course.slug, journey.slug, lesson.slug]),
      })),
    })),
  };
}

const PARTS = Object.values(EDITORIAL_PARTS).flat();
const ORDER =
  'slug id type title summary description starts ends timeZone recurrence place link capacity recording community course answer problem tried result cost transfer evidence about cover coverAlt topics contacts humanTranslation minutes mandatory privacy price certificateMonths evaluation locale categories scopes owners courses items questions body discussion assessment journeys sections'.split(
    ' ',
  );
const TEXTS = new Set<string>(['title', 'summary', 'description', 'coverAlt', 'discussion', ...PARTS]);

/** Orders the fields and omits an id equal to the slug. */
function plain(item: { slug: string; id: string }): Record<string, unknown> {
  const fields = Object.entries(item).filter(
    ([key, value]) => value !== undefined && !(key === 'id' && value === item.slug) && !isEmptyList(key, value),
  );
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
      .map(([key, value]) => [key, TEXTS.has(key) ? texts(value as LocalizedText) : value]), // the format guarantees this for these names
  );
}

/** Folders written before topics and contacts existed have neither, and stay as they are when exported again. */
function isEmptyList(key: string, value: unknown): boolean {
  return (key === 'topics' || key === 'contacts') && Array.isArray(value) && value.length === 0;
}

function texts(map: LocalizedText): LocalizedText {
  const ordered: LocalizedText = {};
  for (const locale of LOCALES) if (map[locale] !== undefined) ordered[locale] = map[locale];
  return ordered;
}

function some<T>(key: string, items: T[]): Record<string, T[]> {
  return items.length > 0 ? { [key]: items } : {};
}

/** Assigns a file to every body, preferably the original one. Different texts never share a file. */
class BodyFiles {
  readonly texts = new Map<string, string>();
  readonly #assets: ReadonlySet<string>;

  constructor(assets: ReadonlySet<string>) {
    this.#assets = assets;
    for (const path of assets) if (!this.#isFree(path)) throw new Error(`Not a path inside the folder: ${path}`);
  }

  place({ body, bodyFiles }: Body, parts: string[]): LocalizedText {
    const paths: LocalizedText = {};
    for (const locale of LOCALES) {
      const text = body[locale];
      if (text === undefined) continue;
      const path = this.#choose(text, bodyFiles[locale], parts, locale);
      this.texts.set(path, text);
      paths[locale] = path;
    }
    return paths;
  }

  #choose(text: string, wanted: string | undefined, parts: string[], locale: Locale): string {
    const fits = (path: string) =>
      this.#isFree(path) && !this.#assets.has(path) && (this.texts.get(path) ?? text) === text;
    if (wanted !== undefined && fits(posix.normalize(wanted))) return posix.normalize(wanted);
    let path = defaultBodyFile(parts, locale);
    for (let number = 2; !fits(path); number++)
      path = defaultBodyFile([...parts.slice(0, -1), `${parts.at(-1)}-${number}`], locale);
    return path;
  }

  #isFree(path: string): boolean {
    return isInside(path) && path !== CONTENT_FILE;
  }
}
