import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { previewPiece, readPiece, removePieceFile, savePiece, uploadPieceFile } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { takeLimit } from '#server/limits/limits.ts';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { fileForm, MEDIA_FILES, REFUSED_FILES } from '#server/test/factories/media.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
let admin: TestPerson;
let learner: TestPerson;
beforeAll(async () => {
  [admin, learner] = [await makePerson(test, { role: 'administrator' }), await makePerson(test)];
});

type Params = { kind: string; key: string };
const upload = async (params: Params, name: string, content: Buffer, as = admin.as) => {
  const { headers, payload } = fileForm(name, content);
  return await test.send('POST', addressOf(uploadPieceFile, { params }), { as, headers, body: payload });
};
const read = async (params: Params) => (await test.call(readPiece, admin.as, { params })).body;
const get = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  await test.app.inject({ method, url, headers });
/** Files that are still arriving, or were left behind. */
const unfinished = async () =>
  await readdir(join(test.ctx.config.dataDir, 'files', 'uploads')).catch((): string[] => []);

const headOf = (person: TestPerson, params: Params, bytes: number) =>
  [
    `POST ${addressOf(uploadPieceFile, { params })} HTTP/1.1`,
    'host: localhost',
    `cookie: session=${person.as.token}`,
    'sec-fetch-site: same-origin',
    'content-type: multipart/form-data; boundary=line',
    `content-length: ${bytes}`,
    '\r\n',
  ].join('\r\n');

describe('uploadPieceFile', () => {
  it.each(Object.entries(MEDIA_FILES))('stores %s', async (name, content) => {
    const { params } = await makeLessonPiece(test);
    const sent = await upload(params, name, content);
    expect(sent).toMatchObject({ status: 201, body: { version: 1, bytes: content.length } });
    const { files, pictures, hasDraft } = await read(params);
    expect({ files, pictures, hasDraft }).toMatchObject({
      files: [{ path: sent.body.path, kind: sent.body.kind, bytes: content.length }],
      pictures: [],
      hasDraft: true,
    });
    expect((await get(sent.body.url)).rawPayload.equals(content)).toBe(true);
    expect(await unfinished()).toEqual([]);
  });

  it('names the file by its own name, in ASCII, and its content', async () => {
    const { params } = await makeLessonPiece(test);
    const hash = createHash('sha256').update(MEDIA_FILES['form.pdf']).digest('hex').slice(0, 8);
    const path = async (name: string) => (await upload(params, name, MEDIA_FILES['form.pdf'])).body.path;
    expect(await path('../../Formulář č. 7.exe')).toBe(`media/formular-c-7-${hash}.pdf`);
    expect(await path('.pdf')).toBe(`media/file-${hash}.pdf`);
  });

  it('keeps two files of one name apart, and one file once', async () => {
    const { params } = await makeLessonPiece(test);
    const one = await upload(params, 'notes.txt', Buffer.from('one'));
    const other = await upload(params, 'notes.txt', Buffer.from('two'));
    const again = await upload(params, 'notes.txt', Buffer.from('one'));
    expect(again.body.path).toBe(one.body.path);
    expect((await read(params)).files.map(({ path }: { path: string }) => path)).toEqual([
      other.body.path,
      one.body.path,
    ]);
  });

  it.each(Object.entries(REFUSED_FILES))('refuses %s and keeps nothing of it', async (_, { name, content }) => {
    const { params } = await makeLessonPiece(test);
    const sent = await upload(params, name, content);
    expect([sent.status, sent.body.code]).toEqual([400, 'content.file_type']);
    expect(await read(params)).toMatchObject({ version: 0, files: [] });
    expect(await unfinished()).toEqual([]);
  });

  itInProcess('refuses a file beyond the limit while it arrives, and keeps nothing of it', async () => {
    const small = await createTestApp({ MAX_MEDIA_MB: '1' });
    const { as } = await makePerson(small, { role: 'administrator' });
    const { params } = await makeLessonPiece(small);
    const { headers, payload } = fileForm(
      'intro.mp4',
      Buffer.concat([MEDIA_FILES['intro.mp4'], Buffer.alloc(1_048_576)]),
    );
    const sent = await small.send('POST', addressOf(uploadPieceFile, { params }), { as, headers, body: payload });
    expect([sent.status, sent.body.code]).toEqual([400, 'content.file_too_large']);
    const { body } = await small.call(readPiece, as, { params });
    expect([body.files, body.maxFileBytes]).toEqual([[], 1_048_576]);
    expect(await readdir(join(small.ctx.config.dataDir, 'files', 'uploads')).catch(() => [])).toEqual([]);
  });

  it('refuses requests without a file', async () => {
    const { params } = await makeLessonPiece(test);
    const url = addressOf(uploadPieceFile, { params });
    const { headers, payload } = fileForm('a.txt', Buffer.from('a'));
    const otherName = Buffer.from(payload.toString().replace('name="file"', 'name="other"'));
    const tries = [
      await test.send('POST', url, { as: admin.as, body: {} }),
      await test.send('POST', url, { as: admin.as, headers, body: otherName }),
      await test.send('POST', url, { as: admin.as, headers, body: Buffer.from('--line--\r\n') }),
    ];
    expect(tries.map(({ status, body }) => [status, body.code])).toEqual(
      tries.map(() => [400, 'content.file_missing']),
    );
  });

  it('refuses a form that is cut off, without an error in the log', async () => {
    const { params } = await makeLessonPiece(test);
    const { headers, payload } = fileForm('form.pdf', MEDIA_FILES['form.pdf']);
    const logged = vi.spyOn(test.ctx.log, 'error');
    for (const cut of [3, 4, 10, 12, 20]) {
      const body = payload.subarray(0, -cut);
      const url = addressOf(uploadPieceFile, { params });
      const sent = await test.send('POST', url, { as: admin.as, headers, body });
      expect([cut, sent.status, sent.body.code]).toEqual([cut, 400, 'content.file_missing']);
    }
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
    expect(await unfinished()).toEqual([]);
  });

  it('refuses files for content without a text that could show them', async () => {
    const { journey } = await makeCourse(test);
    const params = { kind: 'journey', key: journey.key } as const;
    expect((await upload(params, 'form.pdf', MEDIA_FILES['form.pdf'])).status).toBe(404);
    expect(await unfinished()).toEqual([]);
  });

  it('refuses learners and strangers, and pieces that do not exist', async () => {
    const { params } = await makeLessonPiece(test);
    const content = MEDIA_FILES['form.pdf'];
    expect((await upload(params, 'form.pdf', content, learner.as)).status).toBe(403);
    expect((await upload(params, 'form.pdf', content, {} as typeof admin.as)).status).toBe(401);
    expect((await upload({ ...params, key: 'none' }, 'form.pdf', content)).status).toBe(404);
    expect((await upload({ ...params, kind: 'none' }, 'form.pdf', content)).status).toBe(400);
    expect(await unfinished()).toEqual([]);
  });

  itInProcess('receives four files of an account at once, and some hundreds an hour', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const author = await makePerson(limited, { role: 'administrator' });
    const { params } = await makeLessonPiece(limited);
    await limited.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = limited.app.server.address() as AddressInfo; // it listens on TCP
    const film = Buffer.concat([MEDIA_FILES['intro.mp4'], Buffer.alloc(300_000, 7)]);
    const { payload } = fileForm('intro.mp4', film);
    const begin = async (person: TestPerson, isWhole = false) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      let answer = '';
      socket.on('data', (part: Buffer) => (answer += part.toString()));
      await once(socket, 'connect');
      socket.write(headOf(person, params, payload.length));
      socket.write(isWhole ? payload : payload.subarray(0, 200_000));
      return { socket, status: () => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0) };
    };
    const open = [await begin(author), await begin(author), await begin(author), await begin(author)];
    const files = join(limited.ctx.config.dataDir, 'files', 'uploads');
    const arriving = async () => await readdir(files).catch((): string[] => []);
    await vi.waitFor(async () => expect(await arriving()).toHaveLength(4), 5_000);
    const fifth = await begin(author, true);
    await vi.waitFor(() => expect(fifth.status()).toBe(429), 5_000);
    const another = await begin(await makePerson(limited, { role: 'administrator' }), true);
    await vi.waitFor(() => expect(another.status()).toBe(201), 5_000);

    open[0]?.socket.write(payload.subarray(200_000));
    await vi.waitFor(() => expect(open[0]?.status()).toBe(201), 5_000);
    const next = await begin(author, true);
    await vi.waitFor(() => expect(next.status()).toBe(201), 5_000);
    for (const { socket } of [...open, fifth, another, next]) socket.destroy();
    await vi.waitFor(async () => expect(await arriving()).toEqual([]), 5_000);

    await takeLimit(limited.ctx, `upload-file:${author.id}`, { max: 1000, windowSeconds: 3600 }, 300);
    const late = await begin(author, true);
    await vi.waitFor(() => expect(late.status()).toBe(429), 5_000);
    late.socket.destroy();
  });

  itInProcess('keeps nothing of an upload that breaks off', async () => {
    const { params } = await makeLessonPiece(test);
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo; // it listens on TCP
    const { payload } = fileForm('intro.mp4', Buffer.alloc(300_000, 7));
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(headOf(admin, params, payload.length));
    socket.write(payload.subarray(0, 200_000));
    await vi.waitFor(async () => expect(await unfinished()).toHaveLength(1), 5_000);
    socket.destroy();
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), 5_000);
    expect((await read(params)).files).toEqual([]);
  });
});

describe('removePieceFile', () => {
  it('removes a file that no text contains, from the version that the author saw', async () => {
    const { params } = await makeLessonPiece(test);
    const { path, version } = (await upload(params, 'notes.txt', Buffer.from('one'))).body;
    const remove = async (body: object, as = admin.as) => await test.call(removePieceFile, as, { params, body });
    expect((await remove({ version, path: 'media/none.txt' })).status).toBe(404);
    expect((await remove({ version: version + 1, path })).body.code).toBe('content.changed_meanwhile');
    expect((await remove({ version, path }, learner.as)).status).toBe(403);
    expect((await remove({ version, path }, {})).status).toBe(401);
    expect((await remove({ version, path: 7 })).status).toBe(400);
    expect(await remove({ version, path })).toMatchObject({ status: 200, body: { version: version + 1 } });
    expect((await read(params)).files).toEqual([]);
  });
});

it('keeps a file that a text of the draft contains', async () => {
  const { params } = await makeLessonPiece(test);
  const { path } = (await upload(params, 'notes.txt', Buffer.from('one'))).body;
  const { doc, version } = await read(params);
  const body = { version, doc: { ...doc, body: { en: `::file[Notes]{src=${path}}` } } };
  const saved = await test.call(savePiece, admin.as, { params, body });
  const sent = { params, body: { version: saved.body.version, path } };
  expect((await test.call(removePieceFile, admin.as, sent)).body).toMatchObject({ code: 'content.file_used' });
  expect((await read(params)).files).toMatchObject([{ path }]);
});

describe('serving a file', () => {
  const stored = async (name: keyof typeof MEDIA_FILES) => {
    const { params } = await makeLessonPiece(test);
    const { body } = await upload(params, name, MEDIA_FILES[name]);
    return { ...(body as { url: string; path: string }), content: MEDIA_FILES[name] };
  };

  it('plays recordings in the page, by parts', async () => {
    const { url, content } = await stored('intro.mp4');
    const whole = await get(url);
    expect(whole.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=86400',
    });
    expect(whole.headers['content-disposition']).toBeUndefined();
    const etag = String(whole.headers['etag']);

    const part = await get(url, { range: 'bytes=100-199', 'if-range': etag });
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 100-199/${content.length}`]);
    expect(part.rawPayload.equals(content.subarray(100, 200))).toBe(true);
    expect((await get(url, { range: 'bytes=-10' })).rawPayload.equals(content.subarray(-10))).toBe(true);
    expect((await get(url, { range: 'bytes=100-199', 'if-range': '"other"' })).statusCode).toBe(200);

    const beyond = await get(url, { range: `bytes=${content.length}-` });
    expect([beyond.statusCode, beyond.headers['content-range'], beyond.body]).toEqual([
      416,
      `bytes */${content.length}`,
      '',
    ]);
    const held = await get(url, { 'if-none-match': etag });
    expect([held.statusCode, held.body]).toEqual([304, '']);
    const head = await get(url, { range: 'bytes=0-1' }, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(content.length), '']);
  });

  it('downloads other files under the name at the end of the address, with the extension of their type', async () => {
    const { url } = await stored('form.pdf');
    const [path = '', query = ''] = url.split('?');
    const disposition = async (name: string) =>
      (await get(`${path}/${encodeURIComponent(name)}?${query}`)).headers['content-disposition'];
    expect((await get(url)).headers['content-disposition']).toBe('attachment; filename="file.pdf"');
    expect(await disposition('form 7.pdf')).toBe('attachment; filename="form-7.pdf"');
    expect(await disposition('form.exe')).toBe('attachment; filename="form.pdf"');
    expect(await disposition('a"\r\nx: y.pdf')).toBe('attachment; filename="a-x-y.pdf"');
    expect(await disposition('表.pdf')).toBe(`attachment; filename="_.pdf"; filename*=UTF-8''%E8%A1%A8.pdf`);
    expect((await stored('figures.csv').then(({ url }) => get(url))).headers['content-type']).toBe(
      'text/csv; charset=utf-8',
    );
  });

  it('is refused without an address of the last days', async () => {
    const { url } = await stored('form.pdf');
    const { url: another } = await stored('intro.mp4');
    const [path = '', access = ''] = url.split('?access=');
    const [until = '', signature = ''] = access.split('.');
    const far = '2099-01-01';
    for (const address of [
      path,
      `${path}?access=`,
      `${path}?access=${until}.${'0'.repeat(32)}`,
      `${path}?access=${far}.${signature}`,
      `${path}?access=${access}&access=${access}`,
      `${path}?access=${another.split('?access=')[1]}`,
      `/content-assets/${'a'.repeat(64)}.pdf?access=${access}`,
      '/content-assets/../uploads/a',
    ])
      expect([address, (await get(address)).statusCode]).toEqual([address, 404]);
    expect((await get(url)).statusCode).toBe(200);
  });

  it('is not given out with a link that somebody typed into a text', async () => {
    const { url } = await stored('form.pdf');
    const [foreign = ''] = url.split('?');
    const { params } = await makeLessonPiece(test);
    const own = (await upload(params, 'notes.txt', Buffer.from('own'))).body;
    const { doc, version } = await read(params);
    const body = {
      en: `[a](${foreign}) [b](/x "${foreign}") [c](${own.url.split('?')[0]})\n\n::file[d]{src=${own.path}}`,
    };
    const saved = await test.call(savePiece, admin.as, { params, body: { version, doc: { ...doc, body } } });
    expect(saved.status).toBe(200);
    const { html } = (await test.call(previewPiece, admin.as, { params, query: { locale: 'en' } })).body;
    expect(html).toContain(`href="${foreign}"`);
    expect(html.match(/\?access=/g)).toHaveLength(2);
    expect((await get(/href="([^"]*)" download/.exec(html)?.[1] ?? '')).statusCode).toBe(200);
  });

  itInProcess('stops working after two days', async () => {
    const { url } = await stored('form.pdf');
    const now = vi.spyOn(test.ctx.clock, 'now');
    const at = async (days: number) => {
      now.mockReturnValue(new Date(Date.now() + days * 86_400_000));
      return (await get(url)).statusCode;
    };
    expect([await at(1), await at(2), await at(3)]).toEqual([200, 200, 404]);
    now.mockRestore();
  });
});
