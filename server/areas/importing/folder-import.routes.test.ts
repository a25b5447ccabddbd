import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as contract from '@officium/contract/content-folder';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#server/db/client.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp, SERVICE_KEY, type As, type TestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { ageSignIn } from '#server/test/factories/factors.ts';
import { CONTENT_YAML, makeContentFolder, pixel } from '#server/test/factories/content.ts';
import { checkZip, expectRoundTrip, exportZip, importZip } from '#server/test/factories/content-zips.ts';
import { makeZip, zipForm, zipOf, type ZipEntry } from '#server/test/factories/zips.ts';
import { runImportJob } from './folder-import.jobs.ts';
import { MAX_ENTRIES } from './folder-zip.policy.ts';

// A separate temporary directory, to check that nothing is left in it.
const temporary = await mkdtemp(join(tmpdir(), 'officium-test-'));
vi.stubEnv('TMPDIR', temporary);
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(temporary, { recursive: true, force: true });
});
const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const MINIMAL = 'format: 1\n';

async function send(zip: Uint8Array, { as = admin.as as As | undefined, on = test, name = 'content.zip' } = {}) {
  const { headers, payload } = zipForm(zip, name);
  return await on.send('POST', '/api/content/folder/imports', { as, headers, body: payload });
}
const read = async (importId: string, as: As | undefined = admin.as, on = test) =>
  await on.call(contract.readContentImport, as, { params: { importId } });
const begin = async (importId: string, as: As | undefined = admin.as, on = test) =>
  await on.call(contract.beginContentImport, as, { params: { importId } });

const checked = (zip: Uint8Array, on = test, as: As = admin.as) => checkZip(on, as, zip);
const imported = (zip: Uint8Array, on = test, as: As = admin.as) => importZip(on, as, zip);
const exported = (on: TestApp = test, as: As = admin.as) => exportZip(on, as);

const kept = async () =>
  (await readdir(join(test.ctx.config.dataDir, 'files', 'content-imports')).catch(() => [])).toSorted();
const leftovers = async () => (await readdir(tmpdir())).filter((name) => /^officium-(zip|import)-/.test(name));

const withContent = (...entries: ZipEntry[]) => makeZip([{ name: 'content.yaml', content: MINIMAL }, ...entries]);

describe('checkContentZip', () => {
  it('reports what an import would change, without changing anything', async () => {
    const sent = await checked(await zipOf(await makeContentFolder()));
    expect(sent).toMatchObject({
      name: 'content.zip',
      files: 8,
      state: 'checked',
      summary: { added: 11, changed: 0, unchanged: 0, withdrawn: 0 },
      by: expect.any(String),
      faultCount: 0,
      warningCount: 4,
      warnings: [
        { field: 'microcourses[0]' },
        { file: 'lessons/first.en.md', line: 7, field: 'nowhere.png' },
        { file: 'lessons/first.fr.md', field: 'body.fr', message: 'Headings differ from the source language: 2 → 1' },
        { file: 'lessons/first.fr.md', field: 'body.fr', message: 'Pictures differ from the source language: 2 → 0' },
      ],
      finishedAt: null,
    });
    expect(sent.items.map(({ kind, title, outcome }) => [kind, title['en'], outcome])).toContainEqual([
      'lesson',
      'The first',
      'added',
    ]);
    const { rows } = await sql`select id from courses`.execute(db);
    expect(rows).toEqual([]);
    expect(await readdir(join(test.ctx.config.dataDir, 'files'))).not.toContain('content-assets');
    expect(await leftovers()).toEqual([]);
  });

  it('reports faults with file, line and field, and imports nothing', async () => {
    const yaml = CONTENT_YAML.replace('minutes: 8', 'minutes: many').replace('lessons/third.en.md', 'lessons/4.md');
    const refused = await checked(await zipOf(await makeContentFolder({ 'content.yaml': yaml })));
    expect(refused).toMatchObject({ state: 'refused', summary: null, items: [], faultCount: 2 });
    expect(refused.faults).toMatchObject([
      { file: 'content.yaml', line: 25, field: 'courses[0].journeys[0].sections[0].lessons[0].minutes' },
      { file: 'content.yaml', field: 'courses[0].journeys[0].sections[1].lessons[0].body.en' },
    ]);
    expect((await begin(refused.id)).body.code).toBe('content.import_not_ready');
    expect(await kept()).not.toContain(`${refused.id}.zip`);
  });

  it('accepts a ZIP with one top-level folder and macOS metadata', async () => {
    const folder = await zipOf(await makeContentFolder(), 'my content/');
    expect((await checked(folder)).state).toBe('checked');
    const { state, files } = await checked(
      makeZip([
        { name: 'mine/', unixMode: 0o040755 },
        { name: 'mine/content.yaml', content: MINIMAL },
        { name: 'mine/.DS_Store', content: 'x' },
        { name: '__MACOSX/mine/._content.yaml', content: 'x' },
      ]),
    );
    expect([state, files]).toEqual(['checked', 1]);
  });

  it('shows the file name on one line', async () => {
    const { body } = await send(withContent(), { name: `\u202ea${'b'.repeat(300)}.zip` });
    expect(body.name).toMatch(/^ab{119}$/);
    await test.drain();
  });
});

const BOMB = Buffer.alloc(9 * 1024 * 1024);

describe('a hostile or invalid ZIP', () => {
  it.each<[string, string, () => Buffer]>([
    ['leaves the folder', 'content.zip_unsafe_name', () => withContent({ name: '../evil.md' })],
    ['leaves the folder from a subfolder', 'content.zip_unsafe_name', () => withContent({ name: 'a/../../evil.md' })],
    ['contains an absolute path', 'content.zip_unsafe_name', () => withContent({ name: '/etc/evil.md' })],
    ['contains a drive letter', 'content.zip_unsafe_name', () => withContent({ name: 'C:/evil.md' })],
    ['contains backslashes', 'content.zip_unsafe_name', () => withContent({ name: '..\\evil.md' })],
    ['contains a colon', 'content.zip_unsafe_name', () => withContent({ name: 'a.md:evil.md' })],
    ['contains a null character', 'content.zip_unsafe_name', () => withContent({ name: 'a\0.md' })],
    ['contains an empty path component', 'content.zip_unsafe_name', () => withContent({ name: 'a//b.md' })],
    ['contains a dot as path component', 'content.zip_unsafe_name', () => withContent({ name: './a.md' })],
    ['contains an overlong name', 'content.zip_unsafe_name', () => withContent({ name: `${'é'.repeat(130)}.md` })],
    [
      'contains a symbolic link',
      'content.zip_unsafe_name',
      () => withContent({ name: 'a.md', content: '/etc/passwd', unixMode: 0o120777 }),
    ],
    ['contains a device', 'content.zip_unsafe_name', () => withContent({ name: 'a.md', unixMode: 0o020666 })],
    ['contains a name twice', 'content.zip_repeated_name', () => withContent({ name: 'a.md' }, { name: 'a.md' })],
    [
      'contains names that differ only in case',
      'content.zip_repeated_name',
      () => withContent({ name: 'a.md' }, { name: 'A.MD' }),
    ],
    [
      'contains names that differ only in Unicode normalisation',
      'content.zip_repeated_name',
      () => withContent({ name: 'caf\u00e9.md' }, { name: 'cafe\u0301.md' }),
    ],
    [
      'contains a file that is also a folder',
      'content.zip_repeated_name',
      () => withContent({ name: 'a.md' }, { name: 'A.md/b.md' }),
    ],
    ['is encrypted', 'content.zip_encrypted', () => withContent({ name: 'a.md', isEncrypted: true })],
    ['contains a program', 'content.zip_wrong_file', () => withContent({ name: 'run.exe', content: 'MZ' })],
    ['contains an HTML page', 'content.zip_wrong_file', () => withContent({ name: 'a.html', content: '<script>' })],
    ['contains an SVG', 'content.zip_wrong_file', () => withContent({ name: 'a.svg', content: '<svg/>' })],
    [
      'contains HTML with the name of a picture',
      'content.zip_bad_picture',
      () => withContent({ name: 'a.png', content: '<html><script>alert(1)</script>' }),
    ],
    [
      'contains a truncated picture',
      'content.zip_bad_picture',
      () => withContent({ name: 'a.png', content: pixel().slice(0, 12) }),
    ],
    [
      'contains a picture with too many pixels',
      'content.zip_bad_picture',
      () => {
        const huge = Buffer.from(pixel());
        huge.writeUInt32BE(100_000, 16);
        huge.writeUInt32BE(100_000, 20);
        return withContent({ name: 'a.png', content: huge });
      },
    ],
    ['is a ZIP bomb with honest sizes', 'content.zip_too_large', () => withContent({ name: 'a.md', content: BOMB })],
    [
      'is a ZIP bomb with false sizes',
      'content.zip_unreadable',
      () => withContent({ name: 'a.md', content: BOMB, claims: 100 }),
    ],
    [
      'contains a file over the size limit',
      'content.zip_too_large',
      () => withContent({ name: 'a.md', content: Buffer.alloc(10 * 1024 * 1024 + 1, 'ab'), method: 0 }),
    ],
    [
      'exceeds the total unpacked size',
      'content.zip_too_large',
      () => withContent({ name: 'a.md', claims: 300 * 1024 * 1024 }),
    ],
    [
      'contains too many files',
      'content.zip_too_large',
      () => withContent(...Array.from({ length: MAX_ENTRIES }, (_, nth) => ({ name: `${nth}.md` }))),
    ],
    ['exceeds the upload size', 'content.zip_too_large', () => Buffer.alloc(contract.MAX_ZIP_BYTES + 1)],
    ['has no content file', 'content.zip_no_content', () => makeZip([{ name: 'a.md' }])],
    [
      'has its content file in a nested folder',
      'content.zip_no_content',
      () => makeZip([{ name: 'a/b/content.yaml' }]),
    ],
    ['is empty', 'content.zip_no_content', () => makeZip([])],
    ['is not a ZIP', 'content.zip_unreadable', () => Buffer.from('a,b\n1,2\n')],
    ['is truncated', 'content.zip_unreadable', () => withContent({ name: 'a.md' }).subarray(0, -30)],
    [
      'has a wrong checksum',
      'content.zip_unreadable',
      () => {
        const zip = withContent({ name: 'a.md', content: 'hello', method: 0 });
        zip[zip.indexOf('hello')] = 0x6a;
        return zip;
      },
    ],
    [
      'uses an unsupported compression method',
      'content.zip_unreadable',
      () => withContent({ name: 'a.md', method: 97 }),
    ],
  ])('is refused when it %s', async (_title, code, zip) => {
    const before = await kept();
    const { status, body } = await send(zip());
    expect([status, body.code]).toEqual([contract.contentFolderErrors[code as 'content.zip_unreadable'].status, code]); // one of them
    expect(await kept()).toEqual(before);
    expect(await leftovers()).toEqual([]);
  });

  it('is refused when its entries overlap', async () => {
    const zip = withContent({ name: 'a.md', content: 'a'.repeat(100) }, { name: 'b.md', content: 'a'.repeat(100) });
    const end = zip.subarray(-22);
    const directory = end.readUInt32LE(16);
    const third = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    const second = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'), third - 1);
    expect(second).toBeGreaterThan(directory);
    zip.copy(zip, third + 42, second + 42, second + 46); // where its bytes begin
    expect((await send(zip)).body.code).toBe('content.zip_unreadable');
  });

  it('is refused with the name of the offending file', async () => {
    const { body } = await send(withContent({ name: 'pictures/a\u202egnp.png', content: 'no' }));
    expect(body.file).toBe('pictures/a·gnp.png');
  });

  it('is refused in any other request format', async () => {
    for (const [type, body] of [
      ['application/json', '{}'],
      ['application/zip', 'PK'],
      ['multipart/form-data; boundary=line', '--line\r\n'],
      [
        'multipart/form-data; boundary=line',
        '--line\r\ncontent-disposition: form-data; name="file"\r\n\r\nx\r\n--line--\r\n',
      ],
      [
        'multipart/form-data; boundary=line',
        `--line\r\ncontent-disposition: form-data; name="zip"; filename="a.zip"\r\n\r\nx\r\n--line--\r\n`,
      ],
    ] as const) {
      const answer = await test.send('POST', '/api/content/folder/imports', {
        as: admin.as,
        headers: { 'content-type': type },
        body,
      });
      expect([type, answer.status, answer.body.code]).toEqual([type, 400, 'content.zip_unreadable']);
    }
  });
});

describe('beginContentImport', () => {
  it('requires a recent sign-in', async () => {
    const { id } = await checked(withContent());
    await ageSignIn(test, admin);
    const { status, body } = await begin(id);
    expect([status, body.code]).toEqual([403, 'auth.recent_sign_in_required']);
    expect((await read(id)).body.state).toBe('checked');
    admin.as = await test.signIn(admin.id);
    expect((await begin(id)).status).toBe(202);
  });

  it('imports once when requested concurrently', async () => {
    const { id } = await checked(await zipOf(await makeContentFolder()));
    const answers = await Promise.all([1, 2, 3].map(() => begin(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
    await test.drain();
    const done = (await read(id)).body;
    expect(done).toMatchObject({ state: 'done', summary: { added: 11 }, finishedAt: expect.any(String) });
    await runImportJob.run(test.ctx, { importId: id });
    expect((await read(id)).body).toEqual(done);
    expect(await kept()).not.toContain(`${id}.zip`);
    const { rows } = await sql<{ actor: string; action: string }>`
      select actor, action from audit_log where object = ${id} order by id`.execute(db);
    expect(rows).toEqual([
      { actor: admin.id, action: 'content.check-zip' },
      { actor: admin.id, action: 'content.begin-import' },
      { actor: 'system', action: 'content.import' },
    ]);
  });

  it('reports changed, added and withdrawn items', async () => {
    const yaml = CONTENT_YAML.replace('{en: The second}', '{en: The second lesson}').replace(
      /              - slug: third[^]*?third.en.md}\n/,
      '              - {slug: fourth, title: {en: The fourth}, body: {en: lessons/third.en.md}}\n',
    );
    const done = await imported(await zipOf(await makeContentFolder({ 'content.yaml': yaml })));
    expect(done.summary).toEqual({ added: 1, changed: 1, unchanged: 9, withdrawn: 1 });
    expect(done.items.map(({ kind, title, outcome }) => [kind, title['en'], outcome]).toSorted()).toEqual([
      ['lesson', 'The fourth', 'added'],
      ['lesson', 'The second lesson', 'changed'],
      ['lesson', 'The third', 'withdrawn'],
    ]);
  });

  it('fails without changes when stored content conflicts by then', async () => {
    const academy = `format: 1
academies: [{slug: later, title: {en: Later}, courses: [letters]}]
`;
    const { id } = await checked(makeZip([{ name: 'content.yaml', content: academy }]));
    await sql`update courses set slug = 'others' where slug = 'letters'`.execute(db);
    await begin(id);
    await test.drain();
    expect((await read(id)).body).toMatchObject({
      state: 'failed',
      summary: null,
      faults: [{ file: 'content.yaml', line: 2, message: 'No course has the slug letters' }],
    });
    await sql`update courses set slug = 'letters' where slug = 'others'`.execute(db);
    const { rows } = await sql`select id from academies where slug = 'later'`.execute(db);
    expect(rows).toEqual([]);
  });

  it('expires a check after a day and deletes the record after ninety', async () => {
    const { id } = await checked(withContent());
    expect(await kept()).toContain(`${id}.zip`);
    await sql`update content_imports set created_at = now() - interval '25 hours' where id = ${id}`.execute(db);
    expect((await begin(id)).body.code).toBe('content.import_not_ready');
    await sweepJob.run(test.ctx, {});
    await test.drain();
    expect((await read(id)).body.state).toBe('expired');
    expect(await kept()).not.toContain(`${id}.zip`);
    await sql`update content_imports set created_at = now() - interval '91 days' where id = ${id}`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect((await read(id)).status).toBe(404);
  });

  it('deletes the folders that killed workers left half a day ago', async () => {
    const [old, recent] = ['officium-import-old', 'officium-import-new'].map((name) => join(temporary, name));
    for (const folder of [old!, recent!]) await mkdir(join(folder, 'unpacked'), { recursive: true });
    const then = new Date(Date.now() - 13 * 3600 * 1000);
    await utimes(old!, then, then);
    await sweepJob.run(test.ctx, {});
    expect((await readdir(temporary)).filter((name) => name.startsWith('officium-import-'))).toEqual([
      'officium-import-new',
    ]);
    await rm(recent!, { recursive: true });
  });

  it('fails an import that no worker has finished in time', async () => {
    const { id } = await checked(withContent());
    await begin(id);
    await sql`update content_imports set begun_at = now() - interval '7 hours' where id = ${id}`.execute(db);
    await sweepJob.run(test.ctx, {});
    await test.drain();
    expect((await read(id)).body.state).toBe('failed');
  });

  it('replies 404 for an unknown id', async () => {
    expect((await begin(newId())).body.code).toBe('request.not_found');
    expect((await read(newId())).status).toBe(404);
  });
});

describe('listContentImports', () => {
  it('lists the newest first', async () => {
    const { id } = await checked(withContent());
    const { body } = await test.call(contract.listContentImports, admin.as, { query: { limit: '1' } });
    expect(body.imports.map((each: { id: string }) => each.id)).toEqual([id]);
    expect(body.total).toBeGreaterThan(1);
  });
});

describe('the content folder', () => {
  it('is limited to administrators', async () => {
    const maya = await makePerson(test);
    const importId = newId();
    for (const [as, status] of [
      [undefined, 401],
      [maya.as, 403],
      [{ serviceKey: SERVICE_KEY }, 403],
    ] as const) {
      expect((await send(withContent(), { as: as ?? ({} as As) })).status).toBe(status);
      expect((await test.call(contract.exportContent, as)).status).toBe(status);
      expect((await test.call(contract.listContentImports, as)).status).toBe(status);
      expect((await read(importId, as ?? {})).status).toBe(status);
      expect((await begin(importId, as ?? {})).status).toBe(status);
    }
  });

  it('is downloaded as a streamed ZIP', async () => {
    const { status, headers } = await test.call(contract.exportContent, admin.as);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="content-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-length']).toBeUndefined();
  });

  it('aborts the download instead of omitting a picture', async () => {
    const { rows } = await sql<{ key: string }>`select key from content_assets limit 1`.execute(db);
    const file = `content-assets/${rows[0]?.key}`;
    const bytes = await test.ctx.files.get(file);
    await test.ctx.files.delete(file);
    await expect(exported()).rejects.toThrow();
    await test.ctx.files.put(file, bytes, 'image/png');
    expect((await exported()).length).toBeGreaterThan(0);
  });

  // folder-round-trip.test.ts does the same with whole folders.
  it('is byte-identical after an export and import into another installation', async () => {
    const [one, other] = [await createTestApp(), await createTestApp()];
    const [here, there] = [
      await makePerson(one, { role: 'administrator' }),
      await makePerson(other, { role: 'administrator' }),
    ];
    await expectRoundTrip(await zipOf(await makeContentFolder()), [one, here.as], [other, there.as]);
  });
});
