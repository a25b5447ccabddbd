import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { type Locale, LOCALES, type LocalizedText } from '@officium/contract/common';
import { stringify } from 'yaml';
import type { Assets } from '#server/areas/catalogue/stored-asset.view.ts';
import { type ContentFolder, defaultBodyFile, type FolderCourse, type FolderJourney } from './folder.format.ts';
import { CONTENT_FILE } from './folder-reader.format.ts';
import { isInside } from '#server/areas/catalogue/image-path.policy.ts';

type Body = { body: LocalizedText; bodyFiles: LocalizedText };

/**
 * The texts of a content folder that reads back as the same one, by their path: the content file last, so that a folder
 * that was not written to its end has none. The same content gives the same texts. `pictures` are the paths that are taken.
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
  };
  return files.texts.set(CONTENT_FILE, stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }));
}

/** Writes a content folder. Files that are already there and not part of the content stay. */
export async function writeContentFolder(dir: string, folder: ContentFolder, assets: Assets): Promise<void> {
  const pictures = [...assets].map(([path, asset]) => [path, asset.bytes] as const);
  for (const [path, content] of [...pictures, ...layOutFolder(folder, assets.keys())]) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

function writeCourse(course: FolderCourse, files: BodyFiles): object {
  return { ...plain(course), journeys: course.journeys.map((journey) => writeJourney(course, journey, files)) };
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

const ORDER =
  'slug id type title summary description cover coverAlt humanTranslation minutes mandatory privacy locale categories scopes owners courses body discussion journeys sections'.split(
    ' ',
  );
const TEXTS = new Set(['title', 'summary', 'description', 'coverAlt', 'discussion']);

/** The fields in one order; an id that is the slug goes without saying. */
function plain(item: { slug: string; id: string }): Record<string, unknown> {
  const fields = Object.entries(item).filter(
    ([key, value]) => value !== undefined && !(key === 'id' && value === item.slug),
  );
  return Object.fromEntries(
    fields
      .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
      .map(([key, value]) => [key, TEXTS.has(key) ? texts(value as LocalizedText) : value]), // so named in the format
  );
}

function texts(map: LocalizedText): LocalizedText {
  const ordered: LocalizedText = {};
  for (const locale of LOCALES) if (map[locale] !== undefined) ordered[locale] = map[locale];
  return ordered;
}

function some<T>(key: string, items: T[]): Record<string, T[]> {
  return items.length > 0 ? { [key]: items } : {};
}

/** Gives every body a file, its own name first; two different texts never share one. */
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
