import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, test } from 'vitest';
import { UNSTORABLE } from '#server/text/storable.ts';
import { type FolderReading, MAX_FILE_BYTES, readContentFolder } from './folder-reader.format.ts';
import { writeContentFolder } from './folder-writer.format.ts';
import { imageCandidates, isInside, resolveImagePath } from '#server/areas/catalogue/image-path.policy.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function makeFolder(files: Record<string, string | Buffer> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'officium-content-'));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

const read = async (yaml: string, files: Record<string, string | Buffer> = {}) =>
  readContentFolder(await makeFolder({ 'content.yaml': yaml, ...files }));

const placed = (reading: FolderReading) => reading.faults.map(({ file, line, field }) => `${file}:${line} ${field}`);

const small = `format: 1
academies:
  - slug: digital
    title: {en: Digital, fr: Numérique}
    courses: [course-1]
courses:
  - slug: course-1
    type: Public
    title: {en: One}
    cover: images/a.png
    coverAlt: {en: A}
    journeys:
      - slug: j
        id: J.1
        title: {en: Journey}
        sections:
          - heading: {en: First}
            lessons:
              - {slug: l-1, title: {en: L1}, minutes: 5, body: {en: "lessons/en/1.md", ar: lessons/ar/1.md}, discussion: {en: "Why?"}}
              - {slug: l-2, id: X_2, title: {en: L2}, mandatory: false, body: {en: lessons/en/1.md}}
microcourses:
  - {slug: micro, title: {en: M}, minutes: 10, body: {en: micro/m.md}}
communities:
  - {slug: makers, title: {en: Makers}, categories: [ideas], owners: [Owner@Example.gov]}
`;
const smallFiles = {
  'images/a.png': PNG,
  'images/b.png': PNG,
  'lessons/en/1.md': '# L\n\n![b](/images/b.png) ![c](c%20d.png) ![m](images/none.png) ![x](https://a.example/x.png)\n',
  'lessons/en/c d.png': PNG,
  'lessons/ar/1.md': '# ل\n\n<img src="../../images/a.png"> ![t](s.svg)\r\n',
  'lessons/ar/s.svg': '<svg onload="alert(1)"/>',
  'micro/m.md': '\ufeffText `![](no.png)`',
};

describe('readContentFolder', () => {
  it('reads the whole folder and applies the documented defaults', async () => {
    const { folder, assets, faults, warnings } = await read(small, smallFiles);
    expect(faults).toEqual([]);
    const course = folder!.courses[0]!;
    expect(course).toMatchObject({
      id: 'course-1',
      humanTranslation: true,
      scopes: { can_view: 'private', can_join: 'private' },
    });
    expect(course.journeys[0]).toMatchObject({ id: 'J.1', privacy: 'closed-private' });
    expect(course.journeys[0]!.sections[0]!.lessons).toMatchObject([
      {
        id: 'l-1',
        mandatory: true,
        body: { en: smallFiles['lessons/en/1.md'], ar: smallFiles['lessons/ar/1.md'] },
        bodyFiles: { en: 'lessons/en/1.md', ar: 'lessons/ar/1.md' },
      },
      { id: 'X_2', mandatory: false, minutes: 0 },
    ]);
    expect(folder!.microcourses[0]!.body.en).toBe('Text `![](no.png)`');
    expect(folder!.communities[0]).toMatchObject({
      privacy: 'closed-hidden',
      locale: 'en',
      owners: ['owner@example.gov'],
    });
    expect([...assets.keys()].sort()).toEqual(['images/a.png', 'images/b.png', 'lessons/en/c d.png']);
    expect(assets.get('images/a.png')?.mime).toBe('image/png');
    expect(warnings.map(({ file, line, field }) => `${file}:${line} ${field}`)).toEqual([
      'lessons/ar/1.md:1 body.ar',
      'lessons/ar/1.md:3 s.svg',
      'lessons/en/1.md:3 images/none.png',
      'lessons/en/1.md:3 https://a.example/x.png',
    ]);
  });

  it('names recordings, left-out elements and translations without content', async () => {
    const { folder, warnings } = await read(small, {
      ...smallFiles,
      'lessons/en/1.md': '# L\n\nText\n\n<video src="v.mp4"></video>\n\n<form><input></form>\n',
      'lessons/ar/1.md': '# ل\n\n<!-- later -->\n',
    });
    expect(folder).toBeDefined();
    expect(warnings.map(({ file, line, field, message }) => [file, line, field, message])).toEqual([
      ['lessons/ar/1.md', 1, 'body.ar', 'Has no content; readers see another language'],
      ['lessons/en/1.md', 5, 'body.en', 'Shown as a link: video: v.mp4'],
      ['lessons/en/1.md', 7, 'body.en', 'Left out: form'],
    ]);
  });

  it('reports all faults with line and field', async () => {
    const reading = await read(`format: 2
academies:
  - slug: a
    title: {}
    courses: [nowhere]
courses:
  - slug: Bad Slug
    type: Open
    title: {xx: T}
    colour: red
    scopes: {can_view: authenticated, can_join: public}
    journeys:
      - slug: j
        title: {en: J}
        privacy: secret
        sections:
          - heading: {en: S}
            lessons:
              - slug: l
                body: {en: missing.md}
              - {slug: l, title: {en: L}, mandatory: maybe, body: {en: ../../etc/passwd}}
          - {heading: {en: 2}, lessons: []}
communities:
  - {slug: c, title: {en: C}, locale: nl, owners: [nobody]}
  - {slug: c, id: "a b", title: {en: C}}
`);
    expect(reading.folder).toBeUndefined();
    expect(placed(reading).sort()).toEqual(
      [
        'content.yaml:1 format',
        'content.yaml:4 academies[0].title',
        'content.yaml:5 academies[0].courses[0]',
        'content.yaml:7 courses[0].slug',
        'content.yaml:8 courses[0].type',
        'content.yaml:9 courses[0].title.xx',
        'content.yaml:10 courses[0].colour',
        'content.yaml:11 courses[0].scopes.can_join',
        'content.yaml:15 courses[0].journeys[0].privacy',
        'content.yaml:19 courses[0].journeys[0].sections[0].lessons[0].title',
        'content.yaml:20 courses[0].journeys[0].sections[0].lessons[0].body.en',
        'content.yaml:21 courses[0].journeys[0].sections[0].lessons[1].slug',
        'content.yaml:21 courses[0].journeys[0].sections[0].lessons[1].mandatory',
        'content.yaml:21 courses[0].journeys[0].sections[0].lessons[1].body.en',
        'content.yaml:22 courses[0].journeys[0].sections[1].heading.en',
        'content.yaml:24 communities[0].locale',
        'content.yaml:24 communities[0].owners[0]',
        'content.yaml:25 communities[1].slug',
        'content.yaml:25 communities[1].id',
      ].sort(),
    );
    expect(reading.faults.find(({ field }) => field.endsWith('title.xx'))?.message).toMatch(
      /^Invalid locale provided. Valid locales are ar, /,
    );
    expect(reading.faults.find(({ field }) => field.endsWith('colour'))?.message).toBe('Unknown field');
    expect(reading.faults.find(({ field }) => field.endsWith('can_join'))?.message).toBe(
      'can_join must not be looser than can_view',
    );
  });

  it('refuses a ninth section', async () => {
    const section = (n: number) => `          - {heading: {en: "${n}"}, lessons: []}\n`;
    const head = `format: 1\ncourses:\n  - slug: c\n    title: {en: C}\n    journeys:\n      - slug: j\n        title: {en: J}\n        sections:\n`;
    const eight = head + Array.from({ length: 8 }, (_, n) => section(n)).join('');
    expect((await read(eight)).faults).toEqual([]);
    expect((await read(eight + section(9))).faults).toEqual([
      { file: 'content.yaml', line: 8, field: 'courses[0].journeys[0].sections', message: 'At most 8 sections' },
    ]);
  });

  it('rejects duplicate slugs and ids, but lets journeys of two courses share them', async () => {
    const course = (slug: string) =>
      `  - {slug: ${slug}, title: {en: C}, journeys: [{slug: j, title: {en: J}, sections: []}]}\n`;
    expect((await read(`format: 1\ncourses:\n${course('a')}${course('b')}`)).faults).toEqual([]);
    const reading = await read(
      `format: 1\ncourses:\n${course('a')}${course('a')}  - {slug: c, id: a, title: {en: C}}\n`,
    );
    expect(placed(reading)).toEqual(['content.yaml:4 courses[1].slug', 'content.yaml:5 courses[2].id']);
  });

  it('accepts known courses outside the folder for an academy', async () => {
    const dir = await makeFolder({
      'content.yaml': 'format: 1\nacademies: [{slug: a, title: {en: A}, courses: [known]}]\n',
    });
    expect((await readContentFolder(dir)).faults).toHaveLength(1);
    expect((await readContentFolder(dir, { knownCourses: new Set(['known']) })).faults).toEqual([]);
  });

  test.each([
    '../secret.md',
    '/etc/passwd',
    'a/../../secret.md',
    'C:\\x.md',
    'link.md',
    'linked/secret.md',
    '.',
    'micro',
  ])('does not read %s', async (path) => {
    const outside = await makeFolder({ 'secret.md': 'secret' });
    const dir = await makeFolder({
      'content.yaml': `format: 1\nmicrocourses:\n  - {slug: m, title: {en: M}, body: {en: '${path}'}}\n`,
      'micro/x.md': 'x',
    });
    await symlink(join(outside, 'secret.md'), join(dir, 'link.md'));
    await symlink(outside, join(dir, 'linked'));
    const reading = await readContentFolder(dir);
    expect(placed(reading)).toEqual(['content.yaml:3 microcourses[0].body.en']);
  });

  it('follows links inside the folder and warns of images outside it', async () => {
    const outside = await makeFolder({ 'a.png': PNG });
    const dir = await makeFolder({
      'content.yaml': 'format: 1\nmicrocourses:\n  - {slug: m, title: {en: M}, body: {en: m.md}}\n',
      'real.md': '![a](out.png) ![b](../../../etc/x.png) ![c](%2e%2e/a.png)',
    });
    await symlink(join(dir, 'real.md'), join(dir, 'm.md'));
    await symlink(join(outside, 'a.png'), join(dir, 'out.png'));
    const { assets, faults, warnings } = await readContentFolder(dir);
    expect(faults).toEqual([]);
    expect(assets.size).toBe(0);
    expect(warnings.map(({ message }) => message.includes('leaves the folder'))).toEqual([true, true, true]);
  });

  it('refuses covers outside the folder, oversized files and files that are not text', async () => {
    const item = (slug: string, rest: string) => `  - {slug: ${slug}, title: {en: M}, ${rest}}\n`;
    const reading = await read(
      `format: 1\nmicrocourses:\n${item('a', 'cover: ../a.png, body: {en: a.md}')}${item('b', 'cover: big.png, body: {en: b.md}')}${item('c', 'cover: none.png, body: {en: ok.md}')}`,
      {
        'a.md': Buffer.from([0xff, 0xfe, 0x00]),
        'b.md': 'a\0b',
        'ok.md': 'ok',
        'big.png': Buffer.alloc(MAX_FILE_BYTES + 1),
      },
    );
    expect(placed(reading)).toEqual([
      'content.yaml:3 microcourses[0].body.en',
      'content.yaml:3 microcourses[0].cover',
      'content.yaml:4 microcourses[1].body.en',
      'content.yaml:4 microcourses[1].cover',
    ]);
    expect(reading.warnings).toMatchObject([{ line: 5, field: 'microcourses[2].cover' }]);
  });

  const level = (name: string) =>
    `${name}: &${name} [${Array(9).fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)}]\n`;
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map(level).join('')}`;

  test.each([
    ['malformed', 'a: [1,\nb: }'],
    ['a map with a duplicate key', 'format: 1\nformat: 1\n'],
    ['a list', '- 1\n- 2\n'],
    ['empty', ''],
    ['two documents', 'format: 1\n---\nformat: 1\n'],
    ['an alias bomb', bomb],
    ['nested too deeply', '['.repeat(100_000)],
    ['circular', 'a: &a [*a]'],
  ])('reports a fault for a content file that is %s', async (_, yaml) => {
    const { faults, folder } = await read(yaml);
    expect(folder).toBeUndefined();
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]!.line).toBeGreaterThan(0);
  });

  it('refuses a cover behind a link out of the folder and a body that is not a regular file', async () => {
    const outside = await makeFolder({ 'secret.png': PNG });
    const root = await makeFolder({ ...smallFiles, 'content.yaml': small });
    await rm(join(root, 'images/a.png'));
    await symlink(join(outside, 'secret.png'), join(root, 'images/a.png'));
    await rm(join(root, 'micro/m.md'));
    // Opening a named pipe would block forever.
    execFileSync('mkfifo', [join(root, 'micro/m.md')]);
    const { faults } = await readContentFolder(root);
    expect(faults.map(({ field, message }) => `${field} ${message}`)).toEqual([
      'courses[0].cover images/a.png: leaves the folder',
      'microcourses[0].body.en micro/m.md: not a file',
    ]);
  });

  it('refuses text that PostgreSQL cannot store', async () => {
    const yaml = small
      .replace('{en: One}', String.raw`{en: "a\0b", fr: "\uD800"}`)
      .replace('[ideas]', String.raw`["a\0"]`);
    const { faults } = await read(yaml, smallFiles);
    expect(faults.map(({ line, field, message }) => [line, field, message])).toEqual([
      [9, 'courses[0].title.en', UNSTORABLE],
      [9, 'courses[0].title.fr', UNSTORABLE],
      [24, 'communities[0].categories[0]', UNSTORABLE],
    ]);
  });

  it('reports one fault per position, in words for authors', async () => {
    expect((await read('['.repeat(100_000))).faults.length).toBeLessThan(10);
    const { faults } = await read(small.replace('{en: One}', 'One').replace('format: 1', 'format: 2'), smallFiles);
    expect(faults.map(({ message }) => message)).toEqual([
      'Must be 1, the format this release reads',
      'Must be a map of locale to text',
    ]);
  });

  it('reports a fault when the folder does not exist', async () => {
    expect((await readContentFolder('/nowhere/at/all')).faults).toMatchObject([
      { file: 'content.yaml', message: 'no such file' },
    ]);
  });
});

describe('writeContentFolder', () => {
  it('writes a folder that reads back the same, deterministically', async () => {
    const first = await read(small, smallFiles);
    const dir = await makeFolder();
    await writeContentFolder(dir, first.folder!, first.assets);
    const second = await readContentFolder(dir);
    expect(second.faults).toEqual([]);
    expect(second.folder).toEqual(first.folder);
    expect(second.assets).toEqual(first.assets);
    const again = await makeFolder();
    await writeContentFolder(again, second.folder!, second.assets);
    expect(await readFile(join(again, 'content.yaml'), 'utf8')).toBe(await readFile(join(dir, 'content.yaml'), 'utf8'));
  });

  it('gives every text its own file and never leaves the folder', async () => {
    const { folder } = await read(small, smallFiles);
    const lessons = folder!.courses[0]!.journeys[0]!.sections[0]!.lessons;
    lessons[1]!.body.en = 'Another text';
    folder!.microcourses[0]!.bodyFiles.en = '../../escaped.md';
    const dir = await makeFolder();
    await writeContentFolder(dir, folder!, new Map());
    const back = await readContentFolder(dir);
    expect(back.folder!.courses[0]!.journeys[0]!.sections[0]!.lessons[1]).toMatchObject({
      body: { en: 'Another text' },
      bodyFiles: { en: 'lessons/course-1/j/l-2.en.md' },
    });
    expect(back.folder!.microcourses[0]!.bodyFiles.en).toBe('micro/micro.en.md');
    await expect(
      writeContentFolder(dir, folder!, new Map([['../x.png', { bytes: PNG, mime: 'image/png' }]])),
    ).rejects.toThrow(/inside/);
  });
});

describe('image paths', () => {
  test.each([
    ['images/x.png', ['lessons/en/images/x.png', 'images/x.png']],
    ['/images/x.png', ['images/x.png']],
    ['../../t/x%20y.png?a=1#b', ['t/x y.png']],
    ['../../../x.png', []],
    ['https://a.example/x.png', []],
    ['//a.example/x.png', []],
    ['..\\x.png', []],
    ['%00', []],
  ])('resolve %s to the candidates %j', (src, candidates) =>
    expect(imageCandidates(src, 'lessons/en/1.md')).toEqual(candidates),
  );

  it('picks the first path that exists', () => {
    expect(resolveImagePath('images/x.png', 'lessons/en/1.md', (path) => path === 'images/x.png')).toBe('images/x.png');
    expect(resolveImagePath('x.png', 'a.md', () => false)).toBeUndefined();
  });

  it('detects paths that leave the folder', () => {
    for (const path of ['a', 'a/../b', './a', '..a']) expect(isInside(path), path).toBe(true);
    for (const path of ['', '.', '..', '../a', 'a/../..', '/a', '\\a', 'c:/a', 'a\0'])
      expect(isInside(path), path).toBe(false);
  });
});

const course = fileURLToPath(new URL('../../../../shared/data/course-security-101', import.meta.url));

describe.runIf(existsSync(course))('the security course', () => {
  it('contains one course with eight sections and 32 lessons in four languages', async () => {
    const { folder, assets, faults, warnings } = await readContentFolder(course);
    expect(faults).toEqual([]);
    expect(folder!.courses).toHaveLength(1);
    const { journeys, humanTranslation } = folder!.courses[0]!;
    expect(humanTranslation).toBe(false);
    expect(journeys[0]!.sections.map(({ lessons }) => lessons.length)).toEqual([7, 4, 4, 4, 3, 3, 3, 4]);
    const lessons = journeys[0]!.sections.flatMap((section) => section.lessons);
    expect(lessons.filter(({ mandatory }) => mandatory)).toHaveLength(24);
    for (const { body } of lessons) expect(Object.keys(body).sort()).toEqual(['ar', 'en', 'fr', 'ja']);
    expect(assets.size).toBe(12);
    const english = warnings.filter(({ file, field }) => file.startsWith('lessons/en/') && !field.startsWith('http'));
    expect(english).toHaveLength(28 - 12);

    const dir = await makeFolder();
    await writeContentFolder(dir, folder!, assets);
    const back = await readContentFolder(dir);
    expect(back.folder).toEqual(folder);
    expect(back.assets).toEqual(assets);
  });
});
