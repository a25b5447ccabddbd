import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from '../scratch.ts';

/** Optional sample data beside the checkout. Tests that need it are skipped without it. */
export const SHARED_DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url));
export const hasSharedData = existsSync(SHARED_DATA);

/** A PNG of one pixel; `shade` makes its bytes differ. */
export function pixel(shade = 0): Uint8Array {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  return Buffer.concat([png, Buffer.from([shade])]); // decoders ignore bytes after the end
}

const folders: string[] = [];

/** Creates a folder with these files; `createTestApp` removes it after the test file. */
export async function makeFolder(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await scratchFolder('officium-content-');
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

export async function removeContentFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

export const CONTENT_YAML = `format: 1
academies:
  - slug: digital
    title: {en: Digital government, fr: Administration numérique}
    description: {en: For everyone}
    scopes: {can_view: public, can_join: authenticated}
    courses: [letters]
courses:
  - slug: letters
    type: Public
    title: {en: Clear letters, fr: Des lettres claires}
    summary: {en: Write so that people can act}
    cover: images/cover.png
    coverAlt: {en: A letter}
    scopes: {can_view: public, can_join: authenticated}
    journeys:
      - slug: basics
        title: {en: Basics}
        privacy: open-public
        sections:
          - heading: {en: Begin}
            lessons:
              - slug: first
                title: {en: The first, fr: Le premier}
                minutes: 8
                body: {en: lessons/first.en.md, fr: lessons/first.fr.md}
                discussion: {en: What do you think?}
              - slug: second
                title: {en: The second}
                minutes: 10
                mandatory: false
                body: {en: lessons/second.en.md}
          - heading: {en: Go on}
            lessons:
              - slug: third
                title: {en: The third}
                minutes: 12
                body: {en: lessons/third.en.md}
  - slug: hidden
    type: Public
    title: {en: Hidden course}
    journeys:
      - slug: basics
        title: {en: Basics}
        privacy: open-public
        sections: []
microcourses:
  - slug: letters
    title: {en: A short letter}
    summary: {en: In ten minutes}
    minutes: 10
    scopes: {can_view: public, can_join: authenticated}
    body: {en: micro/letters.md}
communities:
  - slug: writers
    title: {en: Writers}
    privacy: open-visible
    categories: [questions, ideas]
    scopes: {can_view: public, can_join: authenticated}
    owners: [owner@example.gov, later@example.gov]
  - slug: quiet
    title: {en: Quiet room}
    privacy: closed-hidden
    scopes: {can_view: public, can_join: authenticated}
`;

/**
 * A small content folder: an academy, two courses, a microcourse that shares its slug with a course, two communities.
 */
export async function makeContentFolder(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  return await makeFolder({
    'content.yaml': CONTENT_YAML,
    'images/cover.png': pixel(1),
    'images/in-text.png': pixel(2),
    'lessons/first.en.md':
      '# The first\n\nHello.\n\n![A picture](../images/in-text.png)\n\n![Missing](nowhere.png)\n\n<!-- a note -->\n\n## Part\n\nMore.\n',
    'lessons/first.fr.md': '# Le premier\n\nBonjour.\n',
    'lessons/second.en.md': 'No heading here.\n',
    'lessons/third.en.md': '# The third\n\n# Another\n\nText.\n',
    'micro/letters.md': '# A short letter\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
    ...files,
  });
}
