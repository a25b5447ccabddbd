import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as contract from '@officium/contract/content-folder';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#server/db/client.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp, SERVICE_KEY, type As, type TestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { ageSignIn } from '#server/test/factories/factors.ts';
import { CONTENT_YAML, hasSharedData, makeContentFolder, pixel, SHARED_DATA } from '#server/test/factories/content.ts';
import { makeZip, zipForm, zipOf, type ZipEntry } from '#server/test/factories/zips.ts';
import { runImportJob } from './folder-import.jobs.ts';
import { MAX_ENTRIES } from './folder-zip.policy.ts';

// Of its own, to see what is left in it.
const temporary = await mkdtemp(join(tmpdir(), 'officium-test-'));
vi.stubEnv('TMPDIR', temporary);
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(temporary, { recursive: true, force: true });
});
const test = await createTestApp();
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url));
const MINIMAL = 'format: 1\n';

async function send(zip: Uint8Array, { as = admin.as as As | undefined, on = test, name = 'content.zip' } = {}) {
  const { headers, payload } = zipForm(zip, name);
  return await on.send('POST', '/api/content/folder/imports', { as, headers, body: payload });
}
const read = async (importId: string, as: As | undefined = admin.as, on = test) =>
  await on.call(contract.readContentImport, as, { params: { importId } });
const begin = async (importId: string, as: As | undefined = admin.as, on = test) =>
  await on.call(contract.beginContentImport, as, { params: { importId } });

/** A ZIP that was sent and looked at. */
async function checked(zip: Uint8Array, on = test, as: As = admin.as): Promise<contract.ContentImport> {
  const { status, body } = await send(zip, { on, as });
  expect([status, body.code]).toEqual([202, undefined]);
  expect(body).toMatchObject({ state: 'checking', progress: { step: 'waiting', done: 0, total: 0 }, finishedAt: null });
  await on.drain();
  return contract.ContentImport.parse((await read(body.id, as, on)).body);
}

async function imported(zip: Uint8Array, on = test, as: As = admin.as): Promise<contract.ContentImport> {
  const { id } = await checked(zip, on, as);
  expect((await begin(id, as, on)).status).toBe(202);
  await on.drain();
  return (await read(id, as, on)).body;
}

async function exported(on: TestApp = test, as: As = admin.as): Promise<Buffer> {
  const response = await on.app.inject({ url: '/api/content/folder', headers: { cookie: `session=${as.token}` } });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
}

async function unzipped(zip: Uint8Array): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await new ZipReader(new Uint8ArrayReader(zip)).getEntries())
    files.set(
      entry.filename,
      Buffer.from(await (entry as FileEntry).getData(new Uint8ArrayWriter())).toString('base64'),
    );
  return files;
}

const kept = async () =>
  (await readdir(join(test.ctx.config.dataDir, 'files', 'content-imports')).catch(() => [])).toSorted();
const leftovers = async () => (await readdir(tmpdir())).filter((name) => /^officium-(zip|import)-/.test(name));

const withContent = (...entries: ZipEntry[]) => makeZip([{ name: 'content.yaml', content: MINIMAL }, ...entries]);

describe('checkContentZip', () => {
  it('finds out what an import would do, and changes nothing', async () => {
    const sent = await checked(await zipOf(await makeContentFolder()));
    expect(sent).toMatchObject({
      name: 'content.zip',
      files: 8,
      state: 'checked',
      summary: { added: 11, changed: 0, unchanged: 0, withdrawn: 0 },
      by: expect.any(String),
      faultCount: 0,
      warningCount: 2,
      warnings: [{ field: 'microcourses[0]' }, { file: 'lessons/first.en.md', line: 7, field: 'nowhere.png' }],
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

  it('says what is wrong with file, line and field, and imports nothing of it', async () => {
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

  it('takes a folder that was packed as a whole, with what a Mac adds', async () => {
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

  it('shows a name on one line', async () => {
    const { body } = await send(withContent(), { name: `\u202ea${'b'.repeat(300)}.zip` });
    expect(body.name).toMatch(/^ab{119}$/);
    await test.drain();
  });
});

const BOMB = Buffer.alloc(9 * 1024 * 1024);

describe('a ZIP that is an attack', () => {
  it.each<[string, string, () => Buffer]>([
    ['leads out', 'content.zip_unsafe_name', () => withContent({ name: '../evil.md' })],
    ['leads out further down', 'content.zip_unsafe_name', () => withContent({ name: 'a/../../evil.md' })],
    ['is absolute', 'content.zip_unsafe_name', () => withContent({ name: '/etc/evil.md' })],
    ['names a drive', 'content.zip_unsafe_name', () => withContent({ name: 'C:/evil.md' })],
    ['has the slashes of Windows', 'content.zip_unsafe_name', () => withContent({ name: '..\\evil.md' })],
    ['names a stream', 'content.zip_unsafe_name', () => withContent({ name: 'a.md:evil.md' })],
    ['holds a null character', 'content.zip_unsafe_name', () => withContent({ name: 'a\0.md' })],
    ['has an empty part', 'content.zip_unsafe_name', () => withContent({ name: 'a//b.md' })],
    ['has a part that is a dot', 'content.zip_unsafe_name', () => withContent({ name: './a.md' })],
    ['has a name no disk takes', 'content.zip_unsafe_name', () => withContent({ name: `${'é'.repeat(130)}.md` })],
    [
      'holds a link',
      'content.zip_unsafe_name',
      () => withContent({ name: 'a.md', content: '/etc/passwd', unixMode: 0o120777 }),
    ],
    ['holds a device', 'content.zip_unsafe_name', () => withContent({ name: 'a.md', unixMode: 0o020666 })],
    ['holds a name twice', 'content.zip_repeated_name', () => withContent({ name: 'a.md' }, { name: 'a.md' })],
    [
      'holds a name in capitals too',
      'content.zip_repeated_name',
      () => withContent({ name: 'a.md' }, { name: 'A.MD' }),
    ],
    [
      'writes an accent in two ways',
      'content.zip_repeated_name',
      () => withContent({ name: 'caf\u00e9.md' }, { name: 'cafe\u0301.md' }),
    ],
    [
      'holds a file that is a folder',
      'content.zip_repeated_name',
      () => withContent({ name: 'a.md' }, { name: 'A.md/b.md' }),
    ],
    ['is encrypted', 'content.zip_encrypted', () => withContent({ name: 'a.md', isEncrypted: true })],
    ['holds a program', 'content.zip_wrong_file', () => withContent({ name: 'run.exe', content: 'MZ' })],
    ['holds a page', 'content.zip_wrong_file', () => withContent({ name: 'a.html', content: '<script>' })],
    ['holds a drawing with script', 'content.zip_wrong_file', () => withContent({ name: 'a.svg', content: '<svg/>' })],
    [
      'calls a page a picture',
      'content.zip_bad_picture',
      () => withContent({ name: 'a.png', content: '<html><script>alert(1)</script>' }),
    ],
    [
      'calls a cut picture one',
      'content.zip_bad_picture',
      () => withContent({ name: 'a.png', content: pixel().slice(0, 12) }),
    ],
    [
      'holds a picture too large to show',
      'content.zip_bad_picture',
      () => {
        const huge = Buffer.from(pixel());
        huge.writeUInt32BE(100_000, 16);
        huge.writeUInt32BE(100_000, 20);
        return withContent({ name: 'a.png', content: huge });
      },
    ],
    ['bursts, and says so', 'content.zip_too_large', () => withContent({ name: 'a.md', content: BOMB })],
    [
      'bursts, and does not say so',
      'content.zip_unreadable',
      () => withContent({ name: 'a.md', content: BOMB, claims: 100 }),
    ],
    [
      'holds a file that is too large',
      'content.zip_too_large',
      () => withContent({ name: 'a.md', content: Buffer.alloc(10 * 1024 * 1024 + 1, 'ab'), method: 0 }),
    ],
    [
      'unpacks to more than there may be',
      'content.zip_too_large',
      () => withContent({ name: 'a.md', claims: 300 * 1024 * 1024 }),
    ],
    [
      'holds very many files',
      'content.zip_too_large',
      () => withContent(...Array.from({ length: MAX_ENTRIES }, (_, nth) => ({ name: `${nth}.md` }))),
    ],
    ['is larger than may be sent', 'content.zip_too_large', () => Buffer.alloc(contract.MAX_ZIP_BYTES + 1)],
    ['has no content file', 'content.zip_no_content', () => makeZip([{ name: 'a.md' }])],
    ['has its content file too deep', 'content.zip_no_content', () => makeZip([{ name: 'a/b/content.yaml' }])],
    ['is empty', 'content.zip_no_content', () => makeZip([])],
    ['is no ZIP', 'content.zip_unreadable', () => Buffer.from('a,b\n1,2\n')],
    ['is cut', 'content.zip_unreadable', () => withContent({ name: 'a.md' }).subarray(0, -30)],
    [
      'was changed',
      'content.zip_unreadable',
      () => {
        const zip = withContent({ name: 'a.md', content: 'hello', method: 0 });
        zip[zip.indexOf('hello')] = 0x6a;
        return zip;
      },
    ],
    ['is packed in a way nobody reads', 'content.zip_unreadable', () => withContent({ name: 'a.md', method: 97 })],
  ])('%s: refused', async (_title, code, zip) => {
    const before = await kept();
    const { status, body } = await send(zip());
    expect([status, body.code]).toEqual([contract.contentFolderErrors[code as 'content.zip_unreadable'].status, code]); // one of them
    expect(await kept()).toEqual(before);
    expect(await leftovers()).toEqual([]);
  });

  it('whose entries share their bytes is refused', async () => {
    const zip = withContent({ name: 'a.md', content: 'a'.repeat(100) }, { name: 'b.md', content: 'a'.repeat(100) });
    const end = zip.subarray(-22);
    const directory = end.readUInt32LE(16);
    const third = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    const second = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'), third - 1);
    expect(second).toBeGreaterThan(directory);
    zip.copy(zip, third + 42, second + 42, second + 46); // where its bytes begin
    expect((await send(zip)).body.code).toBe('content.zip_unreadable');
  });

  it('is named by its file', async () => {
    const { body } = await send(withContent({ name: 'pictures/a\u202egnp.png', content: 'no' }));
    expect(body.file).toBe('pictures/a·gnp.png');
  });

  it('is refused by any other form too', async () => {
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
  it('asks for a recent sign-in', async () => {
    const { id } = await checked(withContent());
    await ageSignIn(test, admin);
    const { status, body } = await begin(id);
    expect([status, body.code]).toEqual([403, 'auth.recent_sign_in_required']);
    expect((await read(id)).body.state).toBe('checked');
    admin.as = await test.signIn(admin.id);
    expect((await begin(id)).status).toBe(202);
  });

  it('imports once, however often it is asked', async () => {
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

  it('tells what changed, came and went', async () => {
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

  it('fails as a whole where what is stored has come to stand against it', async () => {
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

  it('waits a day to be begun, and is told of for ninety', async () => {
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

  it('has failed when no worker could end it', async () => {
    const { id } = await checked(withContent());
    await begin(id);
    await sql`update content_imports set begun_at = now() - interval '7 hours' where id = ${id}`.execute(db);
    await sweepJob.run(test.ctx, {});
    await test.drain();
    expect((await read(id)).body.state).toBe('failed');
  });

  it('is not there under another id', async () => {
    expect((await begin(newId())).body.code).toBe('request.not_found');
    expect((await read(newId())).status).toBe(404);
  });
});

describe('listContentImports', () => {
  it('has the newest first', async () => {
    const { id } = await checked(withContent());
    const { body } = await test.call(contract.listContentImports, admin.as, { query: { limit: '1' } });
    expect(body.imports.map((each: { id: string }) => each.id)).toEqual([id]);
    expect(body.total).toBeGreaterThan(1);
  });
});

describe('the content folder', () => {
  it('is for administrators', async () => {
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

  it('comes as a ZIP to be saved, made while it is sent', async () => {
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

  it('breaks off rather than leave a picture out', async () => {
    const { rows } = await sql<{ key: string }>`select key from content_assets limit 1`.execute(db);
    const file = `content-assets/${rows[0]?.key}`;
    const bytes = await test.ctx.files.get(file);
    await test.ctx.files.delete(file);
    await expect(exported()).rejects.toThrow();
    await test.ctx.files.put(file, bytes, 'image/png');
    expect((await exported()).length).toBeGreaterThan(0);
  });

  it('is the same, byte for byte, after it went out of one product and into another', async () => {
    const folders = [DEMO, ...(hasSharedData ? [join(SHARED_DATA, 'course-security-101')] : [])];
    for (const folder of folders) {
      const [one, other] = [await createTestApp(), await createTestApp()];
      const [here, there] = [
        await makePerson(one, { role: 'administrator' }),
        await makePerson(other, { role: 'administrator' }),
      ];
      expect((await imported(await zipOf(folder), one, here.as)).state).toBe('done');
      const first = await exported(one, here.as);
      expect((await imported(first, other, there.as)).state).toBe('done');
      const second = await exported(other, there.as);
      expect([...(await unzipped(second))]).toEqual([...(await unzipped(first))]);
      expect(second.equals(first)).toBe(true);
      const again = await checked(second, one, here.as);
      expect(again).toMatchObject({ state: 'checked', items: [], summary: { added: 0, changed: 0, withdrawn: 0 } });
    }
  }, 120_000);
});
