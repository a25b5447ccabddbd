import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLesson } from '@officium/contract/learner';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeFolder } from '#server/test/factories/content.ts';
import { MEDIA_FILES, REFUSED_FILES } from '#server/test/factories/media.ts';
import { makeZip } from '#server/test/factories/zips.ts';
import { exportFolder } from './export.service.ts';
import { readContentFolder } from './folder-reader.format.ts';
import { unpackFolder } from './folder-zip.format.ts';
import { importPath } from './import-source.service.ts';

const test = await createTestApp();
const scratch = await mkdtemp(join(tmpdir(), 'officium-media-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const BODY = `# Welcome

::video[The archive]{src=../media/intro.mp4 captions-en=../media/intro.en.vtt}

- ::file[Form]{src=/media/form.pdf}

::audio[A talk]{src=media/talk.mp3 transcript=media/notes.txt}
`;
const CONTENT = `format: 1
courses:
  - slug: media
    type: Public
    title: { en: Media }
    scopes: { can_view: public, can_join: public }
    journeys:
      - slug: way
        title: { en: Way }
        privacy: open-public
        sections:
          - heading: { en: One }
            lessons:
              - slug: first
                title: { en: First }
                body: { en: lessons/first.md }
`;
const NAMES = ['intro.mp4', 'intro.en.vtt', 'form.pdf', 'talk.mp3', 'notes.txt'] as const;
const FILES: Record<string, string | Uint8Array> = {
  'content.yaml': CONTENT,
  'lessons/first.md': BODY,
  ...Object.fromEntries(NAMES.map((name) => [`media/${name}`, MEDIA_FILES[name]])),
};
const messages = (found: { field: string; message: string }[]) =>
  found.map(({ field, message }) => `${field}: ${message}`);

describe('media in a content folder', () => {
  it('are imported, shown to learners and exported unchanged', async () => {
    const { summary, faults, warnings } = await importPath(test.ctx, await makeFolder(FILES));
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(summary).toMatchObject({ withdrawn: 0 });

    const { as } = await makePerson(test);
    const params = { courseSlug: 'media', journeySlug: 'way', lessonSlug: 'first' };
    const { html } = (await test.call(readLesson, as, { params })).body.lesson;
    expect(html).toContain('>Welcome to the archive.</p>');
    expect(html).toContain('Bring your badge – and a pen.');
    const addresses = [...html.matchAll(/(?:src|href)="(\/content-assets\/[^"]+)"/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(4);
    for (const address of addresses) expect((await test.app.inject({ url: String(address) })).statusCode).toBe(200);
    const download = await test.app.inject({ url: String(addresses.find((address) => address?.includes('form.pdf'))) });
    expect(download.headers['content-disposition']).toBe('attachment; filename="form.pdf"');

    const out = join(scratch, 'out');
    await exportFolder(test.ctx, out);
    for (const [path, content] of Object.entries(FILES))
      if (path !== 'content.yaml')
        expect([path, (await readFile(join(out, path))).equals(Buffer.from(content))]).toEqual([path, true]);
    const again = await importPath(test.ctx, out);
    expect(again.summary).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
  });

  it('that are missing or of another type leave their title, with a warning', async () => {
    const { 'media/intro.en.vtt': _, ...some } = FILES;
    const dir = await makeFolder({ ...some, 'media/form.pdf': REFUSED_FILES['a page']!.content });
    const { assets, faults, warnings } = await readContentFolder(dir);
    expect([messages(faults), messages(warnings)]).toEqual([
      [],
      ['../media/intro.en.vtt: no such file', '/media/form.pdf: not a recording or document that lessons may contain'],
    ]);
    expect([...assets.keys()].sort()).toEqual(['media/intro.mp4', 'media/notes.txt', 'media/talk.mp3']);
  });

  it('are never read from outside the folder', async () => {
    const outside = await makeFolder({ 'secret.pdf': MEDIA_FILES['form.pdf'] });
    const dir = await makeFolder({
      'content.yaml': CONTENT,
      'lessons/first.md': '::file[A]{src=../../secret.pdf}\n\n::file[B]{src=media/link.pdf}\n',
    });
    await mkdir(join(dir, 'media'));
    await symlink(join(outside, 'secret.pdf'), join(dir, 'media/link.pdf'));
    const { assets, warnings } = await readContentFolder(dir);
    expect([assets.size, messages(warnings)]).toEqual([
      0,
      ['../../secret.pdf: leaves the folder; the title is shown', 'media/link.pdf: leaves the folder'],
    ]);
  });
});

describe('a ZIP with media', () => {
  const unpack = async (name: string, files: Record<string, string | Uint8Array>) => {
    const zip = await makeFolder({
      'a.zip': makeZip(Object.entries(files).map(([path, content]) => ({ name: path, content: Buffer.from(content) }))),
    });
    return await unpackFolder(join(zip, 'a.zip'), join(scratch, name));
  };

  it('is unpacked', async () => {
    expect(await unpack('good', FILES)).toBe(Object.keys(FILES).length);
    expect(await readFile(join(scratch, 'good/media/form.pdf'))).toEqual(MEDIA_FILES['form.pdf']);
  });

  it.each(['a page', 'a document that contains macros', 'a program'])('is refused with %s', async (what) => {
    const { content, name } = REFUSED_FILES[what]!;
    const files = { ...FILES, [`media/${name}`]: content };
    await expect(unpack(what, files)).rejects.toMatchObject({ code: 'content.zip_wrong_file' });
  });
});
