import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import type { LocalizedText } from '@officium/contract/common';
import type { MediaSource } from '#server/outside/media-source.ts';
import { mediaType } from '#server/outside/media-type.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { findMedia } from '#server/text/media-sources.ts';
import type { Assets } from '#server/areas/catalogue/stored-asset.view.ts';
import { bodyReferences, checkReferences, checkShape, coverReferences, inlineTexts } from './folder-checks.policy.ts';
import { toEditorials } from './editorial-folder.view.ts';
import type { ContentFile, ContentFolder, FolderFinding } from './folder.format.ts';
import { imageCandidates, isInside } from '#server/areas/catalogue/image-path.policy.ts';
import { imageType } from './image-type.format.ts';
import { isPictureName } from './file-name.policy.ts';
import { textWarnings } from './text-warnings.policy.ts';
import { type FieldPath, fieldName, parseYaml } from './yaml-source.format.ts';

export const CONTENT_FILE = 'content.yaml';
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Total size of images, because all are in memory until they are stored. */
export const MAX_TOTAL_BYTES = 512 * 1024 * 1024;

/** `folder` is set when there are no faults. */
export type FolderReading = {
  folder: ContentFolder | undefined;
  assets: Assets;
  warnings: FolderFinding[];
  faults: FolderFinding[];
};

/**
 * Reads a content folder (see docs: the content folder) with the images of its bodies and covers. Never follows a path
 * or link out of the folder. Collects all faults. `knownCourses` are slugs outside the folder that an academy may name.
 */
export async function readContentFolder(
  dir: string,
  options: { knownCourses?: ReadonlySet<string> } = {},
): Promise<FolderReading> {
  const reading: FolderReading = { folder: undefined, assets: new Map(), warnings: [], faults: [] };
  const files = new FolderFiles(dir);
  const content = await files.readText(CONTENT_FILE);
  if ('problem' in content) {
    reading.faults.push({ file: CONTENT_FILE, line: 1, field: '', message: content.problem });
    return reading;
  }
  const source = parseYaml(CONTENT_FILE, content.text);
  reading.faults.push(...source.findings);
  reading.warnings.push(...source.warnings);
  if (source.findings.length > 0) return reading;

  const finding = (path: FieldPath, message: string): FolderFinding => ({
    file: CONTENT_FILE,
    line: source.lineOf(path),
    field: fieldName(path),
    message,
  });
  const fault = (path: FieldPath, message: string) => void reading.faults.push(finding(path, message));
  const warn = (path: FieldPath, message: string) => void reading.warnings.push(finding(path, message));

  const shape = checkShape(source, fault);
  checkReferences(source.value, options.knownCourses ?? new Set(), fault, warn);

  const bodies = new Map<string, string>();
  for (const { path, file } of bodyReferences(source.value)) {
    const place = posix.normalize(file);
    if (bodies.has(place)) continue;
    const body = isInside(file) ? await files.readText(place) : { problem: OUTSIDE };
    if ('problem' in body) {
      fault(path, `${file}: ${body.problem}`);
      continue;
    }
    bodies.set(place, body.text);
    await collectBodyImages(files, place, body.text, reading);
  }
  for (const { text } of inlineTexts(source.value)) await collectBodyImages(files, CONTENT_FILE, text, reading);
  for (const { path, file } of coverReferences(source.value)) {
    if (!isInside(file) || (await files.leaves(file))) fault(path, `${file}: ${OUTSIDE}`);
    else await collectImage(files, [posix.normalize(file)], reading, finding(path, ''), file);
  }
  reading.faults.sort(byPlace);
  if (shape && reading.faults.length === 0) reading.folder = buildFolder(shape, bodies);
  if (reading.folder)
    for (const { file, line, locale, message } of textWarnings(reading.folder))
      reading.warnings.push({ file, line, field: `body.${locale}`, message });
  reading.warnings.sort(byPlace);
  return reading;
}

const OUTSIDE = 'leaves the folder';

function byPlace(a: FolderFinding, b: FolderFinding): number {
  if (a.file === b.file) return a.line - b.line;
  if (a.file === CONTENT_FILE || b.file === CONTENT_FILE) return a.file === CONTENT_FILE ? -1 : 1;
  return a.file < b.file ? -1 : 1;
}

async function collectBodyImages(
  files: FolderFiles,
  file: string,
  body: string,
  reading: FolderReading,
): Promise<void> {
  const sources = new Set<string>();
  renderMarkdown(body, { resolveImage: (src) => void sources.add(src) });
  for (const src of sources) {
    const at = { file, line: lineOfImage(body, src), field: src, message: '' };
    if (/^[a-z][a-z0-9+.-]*:/i.test(src))
      reading.warnings.push({ ...at, message: 'Image outside the folder: its alternative text is shown' });
    else await collectImage(files, imageCandidates(src, file), reading, at, src);
  }
  for (const { sources, line } of findMedia(body))
    for (const src of sources)
      await collectMedia(files, imageCandidates(src, file), reading, { file, line, field: src, message: '' });
}

/** Finds a recording, captions or a document where a body names it. */
async function collectMedia(files: FolderFiles, places: string[], reading: FolderReading, at: FolderFinding) {
  let message = places.length === 0 ? `${OUTSIDE}; the title is shown` : 'no such file';
  for (const place of places) {
    if (reading.assets.has(place)) return;
    const found = await files.openMedia(place);
    if ('problem' in found) {
      message = found.problem;
      continue;
    }
    const type = await mediaType({ ...found, name: posix.basename(place) });
    if (type) return void reading.assets.set(place, { mime: type.mime, open: async () => await found.read() });
    // A poster is a picture.
    if (isPictureName(place)) return await collectImage(files, [place], reading, at, at.field);
    message = 'not a recording or document that lessons may contain';
    break;
  }
  reading.warnings.push({ ...at, message });
}

async function collectImage(
  files: FolderFiles,
  places: string[],
  reading: FolderReading,
  at: FolderFinding,
  name: string,
) {
  let problem = places.length === 0 ? OUTSIDE : 'no such file';
  // In a body, the URL is reported as the field, so the message omits it.
  const finding = (message: string): FolderFinding => ({
    ...at,
    message: at.field === name ? message : `${name}: ${message}`,
  });
  for (const place of places) {
    if (reading.assets.has(place)) return;
    const found = await files.readBytes(place);
    if ('problem' in found) {
      if (found.isFault) return void reading.faults.push(finding(found.problem));
      problem = found.problem;
      continue;
    }
    const mime = await imageType(found.bytes);
    if (mime) reading.assets.set(place, { bytes: found.bytes, mime });
    else reading.warnings.push(finding('not a PNG, JPEG, WebP, GIF or AVIF image, left out'));
    return;
  }
  reading.warnings.push(finding(`${problem}; the alternative text is shown`));
}

function lineOfImage(body: string, src: string): number {
  const name = posix.basename(src.replace(/%../g, ' ')).split(' ').at(-1) ?? src;
  const whole = body.indexOf(src);
  // The source may encode the URL differently than the parser, so search for its last unencoded part.
  const at = whole >= 0 ? whole : body.indexOf(name);
  return at < 0 ? 1 : body.slice(0, at).split('\n').length;
}

function buildFolder(file: ContentFile, bodies: Map<string, string>): ContentFolder {
  const identified = <T extends { slug: string; id?: string | undefined }>(item: T) => ({
    ...item,
    id: item.id ?? item.slug,
  });
  const withPaths = (paths: LocalizedText) => {
    const bodyFiles: LocalizedText = {};
    const body: LocalizedText = {};
    for (const [locale, path] of Object.entries(paths) as [keyof LocalizedText, string][]) {
      const place = posix.normalize(path.trim());
      bodyFiles[locale] = place;
      body[locale] = bodies.get(place) ?? '';
    }
    return { body, bodyFiles };
  };
  const withBody = <T extends { slug: string; id?: string | undefined; body: LocalizedText }>(item: T) => ({
    ...identified(item),
    ...withPaths(item.body),
  });
  return {
    academies: file.academies.map(identified),
    courses: file.courses.map(({ questions = {}, ...course }) => ({
      ...identified(course),
      bank: withPaths(questions),
      journeys: course.journeys.map((journey) => ({
        ...identified(journey),
        sections: journey.sections.map((section) => ({ ...section, lessons: section.lessons.map(withBody) })),
      })),
    })),
    microcourses: file.microcourses.map(withBody),
    communities: file.communities.map(identified),
    editorials: toEditorials(file),
  };
}

type Problem = { problem: string; isFault?: boolean };

function problemOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code; // errors of fs have this type
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'no such file' : `cannot be read (${code ?? 'error'})`;
}

/** Reads files inside one folder only. Paths are relative, use `/` and have passed `isInside`. */
class FolderFiles {
  readonly #root: Promise<string>;
  #total = 0;

  constructor(dir: string) {
    this.#root = realpath(dir);
    // The first read reports the failure. Until then the rejection must not count as unhandled.
    this.#root.catch(() => {});
  }

  /** Checks whether symbolic links lead out of the folder. */
  async leaves(path: string): Promise<boolean> {
    const real = await this.#resolve(path).catch(() => undefined);
    return real !== undefined && !real.isInside;
  }

  async #resolve(path: string): Promise<{ real: string; isInside: boolean }> {
    const root = await this.#root;
    const real = await realpath(join(root, path));
    return { real, isInside: real.startsWith(root.endsWith(sep) ? root : root + sep) };
  }

  async readBytes(path: string): Promise<{ bytes: Buffer } | Problem> {
    try {
      const { real, isInside } = await this.#resolve(path);
      if (!isInside) return { problem: OUTSIDE };
      // Check before opening, because opening a named pipe would wait for a writer.
      const info = await stat(real);
      if (!info.isFile()) return { problem: 'not a file' };
      if (info.size > MAX_FILE_BYTES) return { problem: 'larger than 10 MiB', isFault: true };
      this.#total += info.size;
      if (this.#total > MAX_TOTAL_BYTES) return { problem: 'the folder holds more than 512 MiB', isFault: true };
      return { bytes: await readFile(real) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  async openMedia(path: string): Promise<{ bytes: number; read: MediaSource['read'] } | Problem> {
    try {
      const { real, isInside } = await this.#resolve(path);
      if (!isInside) return { problem: OUTSIDE };
      const info = await stat(real);
      if (!info.isFile()) return { problem: 'not a file' };
      return { bytes: info.size, read: async (range) => createReadStream(real, range) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  async readText(path: string): Promise<{ text: string } | Problem> {
    const found = await this.readBytes(path);
    if ('problem' in found) return found;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
      return text.includes('\0') ? { problem: 'holds a null character' } : { text };
    } catch {
      return { problem: 'not UTF-8 text' };
    }
  }
}
