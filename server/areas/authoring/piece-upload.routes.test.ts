import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readPiece } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import {
  cancelPieceUpload,
  finishPieceUpload,
  openPieceUpload,
  PART_BYTES,
  sendPieceUploadPart,
} from '@officium/contract/piece-uploads';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimToFinish } from '#server/areas/assets/resumable-upload.repository.ts';
import { sweepResumableUploads } from '#server/areas/assets/resumable-upload.service.ts';
import { buildApp } from '#server/app/app.ts';
import { openCtx } from '#server/app/open.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { inTransaction } from '#server/db/client.ts';
import { createTestApp, itInProcess, type TestApp } from '#server/test/app.ts';
import { makeAcademy } from '#server/test/authority/things.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { fileForm, MEDIA_FILES, REFUSED_FILES } from '#server/test/factories/media.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';
import { startObjectStore } from '#server/test/object-store.ts';
import { portOf } from '#server/test/process.ts';

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest();
const hex = (content: Buffer) => sha256(content).toString('hex');
/** A film of two and a half parts, each with other bytes. */
const film = (letter = 'a') =>
  Buffer.concat([
    MEDIA_FILES['intro.mp4'],
    Buffer.alloc(PART_BYTES, letter),
    Buffer.alloc(PART_BYTES, 'b'),
    Buffer.alloc(PART_BYTES / 2, 'c'),
  ]);
const partsOf = (content: Buffer) =>
  Array.from({ length: Math.ceil(content.length / PART_BYTES) }, (_, index) =>
    content.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
const digestOf = (content: Buffer) => hex(Buffer.concat(partsOf(content).map(sha256)));

type Piece = { kind: string; key: string };

/** Uploads to one draft, as one person. */
function uploader(test: TestApp, params: Piece, { as }: TestPerson) {
  const ids = new Set<string>();
  const open = async (content: Buffer, name = 'long.mp4', modified = 7) => {
    const opened = await test.call(openPieceUpload, as, { params, body: { name, bytes: content.length, modified } });
    if (opened.status === 201) ids.add(opened.body.id);
    return opened;
  };
  /** The uploads that storage still holds. */
  const left = async () => {
    const names = await readdir(join(test.ctx.config.dataDir, 'files', 'uploads')).catch((): string[] => []);
    return names.filter((name) => ids.has(name.split('.')[0]!));
  };
  const send = async (upload: string, number: number, part: Buffer, digest = hex(part)) => {
    const { headers, payload } = fileForm('part', part);
    const at = { params: { ...params, upload, number: String(number) }, query: { sha256: digest } };
    return await test.send('POST', addressOf(sendPieceUploadPart, at), { as, headers, body: payload });
  };
  const finish = async (upload: string, digest: string) =>
    await test.call(finishPieceUpload, as, { params: { ...params, upload }, body: { sha256: digest } });
  const cancel = async (upload: string) => await test.call(cancelPieceUpload, as, { params: { ...params, upload } });
  const whole = async (content: Buffer, name?: string) => {
    const { id } = (await open(content, name)).body;
    for (const [index, part] of partsOf(content).entries()) expect((await send(id, index + 1, part)).status).toBe(200);
    return await finish(id, digestOf(content));
  };
  const files = async () => (await test.call(readPiece, as, { params })).body.files;
  return { open, send, finish, cancel, whole, files, left };
}

async function setUp(settings: Record<string, string> = {}, shared?: TestApp) {
  const test = shared ?? (await createTestApp(settings));
  const author = await makePerson(test, { role: 'administrator' });
  const { params } = await makeLessonPiece(test);
  return { test, author, params, ...uploader(test, params, author) };
}
const common = await createTestApp();
const usual = async () => await setUp({}, common);
const get = async ({ app }: TestApp, url: string) => await app.inject({ url });

describe('an upload in parts', () => {
  it('arrives in any order, twice, and becomes the file', async () => {
    const { test, open, send, finish, files, left } = await usual();
    const content = film();
    const [one, two, three] = partsOf(content) as [Buffer, Buffer, Buffer];
    const opened = await open(content);
    expect(opened).toMatchObject({ status: 201, body: { partBytes: PART_BYTES, parts: 3, received: [] } });
    const { id } = opened.body;
    expect((await send(id, 3, three)).body).toEqual({ received: 1 });
    const same = await Promise.all([send(id, 1, one), send(id, 1, one), send(id, 1, one)]);
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await finish(id, digestOf(content))).body.code).toBe('content.upload_incomplete');
    expect((await open(content)).body).toEqual({ ...opened.body, received: [1, 3] });
    expect((await send(id, 2, two)).body).toEqual({ received: 3 });
    const done = await finish(id, digestOf(content));
    expect(done).toMatchObject({ status: 201, body: { kind: 'video', bytes: content.length, version: 1 } });
    expect((await get(test, done.body.url)).rawPayload.equals(content)).toBe(true);
    expect(await files()).toMatchObject([{ path: done.body.path }]);
    const again = await finish(id, digestOf(content));
    expect([again.status, again.body.path]).toEqual([201, done.body.path]);
    expect(await files()).toHaveLength(1);
    expect(await left()).toEqual([]);
  });

  it('is one when two tabs begin it at once', async () => {
    const { open } = await usual();
    const opened = await Promise.all([open(film('q')), open(film('q')), open(film('q'))]);
    expect(new Set(opened.map(({ body }) => body.id)).size).toBe(1);
  });

  itInProcess('continues in another process', async () => {
    const { test, author, params, open, send } = await usual();
    const content = film('x');
    const [one, two, three] = partsOf(content) as [Buffer, Buffer, Buffer];
    const { id } = (await open(content)).body;
    await send(id, 1, one);
    const second = await openCtx(test.ctx.config, test.databaseUrl, pino({ level: 'silent' }));
    const app = await buildApp(second.ctx);
    onTestFinished(async () => {
      await app.close();
      await second.close();
    });
    const there = async (method: 'POST', url: string, body: Buffer | object, headers: Record<string, string> = {}) =>
      await app.inject({
        method,
        url,
        payload: body,
        headers: { cookie: `session=${author.as.token}`, 'sec-fetch-site': 'same-origin', ...headers },
      });
    const file = { name: 'long.mp4', bytes: content.length, modified: 7 };
    expect((await there('POST', addressOf(openPieceUpload, { params }), file)).json()).toMatchObject({
      id,
      received: [1],
    });
    for (const [number, part] of [
      [2, two],
      [3, three],
    ] as const) {
      const { headers, payload } = fileForm('part', part);
      const at = { params: { ...params, upload: id, number: String(number) }, query: { sha256: hex(part) } };
      expect((await there('POST', addressOf(sendPieceUploadPart, at), payload, headers)).statusCode).toBe(200);
    }
    const address = addressOf(finishPieceUpload, { params: { ...params, upload: id } });
    const both = await Promise.all([
      there('POST', address, { sha256: digestOf(content) }),
      test.call(finishPieceUpload, author.as, {
        params: { ...params, upload: id },
        body: { sha256: digestOf(content) },
      }),
    ]);
    const statuses = [both[0].statusCode, both[1].status].toSorted();
    expect([
      [201, 201],
      [201, 429],
    ]).toContainEqual(statuses);
  });

  itInProcess('is stored in a bucket', async () => {
    const store = await startObjectStore('officium');
    onTestFinished(() => store.stop());
    const { test, whole, open, send, cancel } = await setUp({ STORAGE_URL: store.storageUrl });
    const done = await whole(film('s'));
    expect(done.status).toBe(201);
    expect((await get(test, done.body.url)).rawPayload.equals(film('s'))).toBe(true);
    const other = film('t');
    const { id } = (await open(other)).body;
    await send(id, 1, partsOf(other)[0]!);
    expect((await cancel(id)).status).toBe(204);
    expect((await send(id, 2, partsOf(other)[1]!)).status).toBe(404);
  });

  it('refuses parts of another size, another digest, beyond the end, and other bodies', async () => {
    const { test, author, params, open, send } = await usual();
    const content = film();
    const [one, , three] = partsOf(content) as [Buffer, Buffer, Buffer];
    const { id } = (await open(content)).body;
    const codes = async (...answers: ReturnType<typeof send>[]) =>
      (await Promise.all(answers)).map(({ status, body }) => [status, body.code]);
    expect(
      await codes(
        send(id, 1, one.subarray(1)),
        send(id, 3, Buffer.concat([three, Buffer.alloc(1)])),
        send(id, 2, one, hex(three)),
        send(id, 1, Buffer.alloc(PART_BYTES + 1)),
        send(id, 1, Buffer.alloc(0)),
      ),
    ).toEqual(Array.from({ length: 5 }, () => [400, 'content.part_damaged']));
    expect(await codes(send(id, 4, three), send(id, 0, one), send(id, 1001, one), send(id, 1, one, 'x'))).toEqual(
      Array.from({ length: 4 }, () => [400, 'request.invalid']),
    );
    const at = { params: { ...params, upload: id, number: '1' }, query: { sha256: hex(one) } };
    const bare = await test.send('POST', addressOf(sendPieceUploadPart, at), { as: author.as, body: {} });
    expect([bare.status, bare.body.code]).toEqual([400, 'content.file_missing']);
    expect((await open(content)).body.received).toEqual([]);
  });

  it('is looked up before the content of a part is read', async () => {
    const { test, author, params, open } = await usual();
    const { id } = (await open(film())).body;
    const thief = await makePerson(test, { role: 'administrator' });
    const { headers, payload } = fileForm('part', Buffer.alloc(1000, 'a'));
    const sendCutOff = async ({ as }: TestPerson, number: number) => {
      const at = { params: { ...params, upload: id, number: String(number) }, query: { sha256: '0'.repeat(64) } };
      const cutOff = { as, headers, body: payload.subarray(0, -30) };
      return (await test.send('POST', addressOf(sendPieceUploadPart, at), cutOff)).body.code;
    };
    expect(await sendCutOff(thief, 1)).toBe('request.not_found');
    expect(await sendCutOff(author, 4)).toBe('request.invalid');
    expect(await sendCutOff(author, 1)).toBe('content.part_damaged');
  });

  itInProcess('receives four parts of a person at once; others wait', async () => {
    const { test, author, params, open, send } = await setUp();
    const content = film();
    const { id } = (await open(content)).body;
    const part = partsOf(content)[0]!;
    const { payload } = fileForm('part', part);
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const at = { params: { ...params, upload: id, number: '1' }, query: { sha256: hex(part) } };
    const head =
      `POST ${addressOf(sendPieceUploadPart, at)} HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\n` +
      `cookie: session=${author.as.token}\r\ncontent-type: multipart/form-data; boundary=line\r\n` +
      `content-length: ${payload.length}\r\n\r\n`;
    const arriving = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const socket = connect(portOf(test.app.server), '127.0.0.1').on('error', () => {});
        onTestFinished(() => void socket.destroy());
        await once(socket, 'connect');
        socket.write(head);
        socket.write(payload.subarray(0, 100_000));
        return socket;
      }),
    );
    await setTimeout(1000);
    let isAnswered = false;
    const fifth = send(id, 1, part).finally(() => (isAnswered = true));
    const another = await makePerson(test, { role: 'administrator' });
    expect((await uploader(test, params, another).whole(film('p'))).status).toBe(201);
    expect(isAnswered).toBe(false);
    arriving[0]!.destroy();
    expect((await fifth).status).toBe(200);
  });

  it('is nobody else’s, and of one draft', async () => {
    const { test, params, open, send } = await usual();
    const content = film();
    const [one] = partsOf(content) as [Buffer];
    const { id } = (await open(content)).body;
    const thief = uploader(test, params, await makePerson(test, { role: 'administrator' }));
    expect((await thief.open(content)).body.id).not.toBe(id);
    expect((await thief.send(id, 1, one)).status).toBe(404);
    expect((await thief.finish(id, digestOf(content))).status).toBe(404);
    expect((await thief.cancel(id)).status).toBe(404);
    const learner = uploader(test, params, await makePerson(test));
    expect((await learner.open(content)).status).toBe(403);
    expect((await learner.send(id, 1, one)).status).toBe(403);
    expect((await send(id, 1, one)).status).toBe(200);
  });

  it('is for drafts with a text, and for files below the limit', async () => {
    const test = common;
    const author = await makePerson(test, { role: 'administrator' });
    const params = { kind: 'academy', key: `academy-${await makeAcademy(test)}` };
    expect((await uploader(test, params, author).open(film())).status).toBe(404);
    const { params: lesson } = await makeLessonPiece(test);
    const body = { name: 'a.mp4', bytes: 2049 * 1024 * 1024 };
    const refused = await test.call(openPieceUpload, author.as, { params: lesson, body });
    expect([refused.status, refused.body.code]).toEqual([400, 'content.file_too_large']);
    for (const bad of [{ name: '', bytes: 1 }, { name: 'a', bytes: 0 }, { name: 'a', bytes: 1.5 }, { bytes: 1 }])
      expect((await test.call(openPieceUpload, author.as, { params: lesson, body: bad })).status).toBe(400);
  });

  it('that changed while it was sent is deleted, and begins again', async () => {
    const { open, send, finish, left } = await usual();
    const content = film();
    const { id } = (await open(content)).body;
    for (const [index, part] of partsOf(content).entries()) await send(id, index + 1, part);
    const refused = await finish(id, digestOf(film('z')));
    expect([refused.status, refused.body.code]).toEqual([409, 'content.upload_damaged']);
    expect(await left()).toEqual([]);
    expect((await open(content)).body).toMatchObject({ received: [] });
  });

  it('that was changed in the store is refused', async () => {
    const { test, open, send, finish } = await usual();
    const content = film();
    const { id } = (await open(content)).body;
    for (const [index, part] of partsOf(content).entries()) await send(id, index + 1, part);
    await test.ctx.files.parts.put(
      { key: `uploads/${id}`, token: '' },
      { number: 2, bytes: Buffer.alloc(PART_BYTES, 'y') },
    );
    expect((await finish(id, digestOf(content))).body.code).toBe('content.upload_damaged');
  });

  it.each(Object.entries(REFUSED_FILES).slice(0, 8))('refuses %s by its content', async (_, { name, content }) => {
    const { whole, files, left } = await usual();
    const refused = await whole(content, name);
    expect([refused.status, refused.body.code]).toEqual([400, 'content.file_type']);
    expect([await files(), await left()]).toEqual([[], []]);
  });

  it('keeps names harmless', async () => {
    const { whole } = await usual();
    const hash = hex(film('n')).slice(0, 8);
    expect((await whole(film('n'), '../../Formulář č. 7.exe')).body.path).toBe(`media/formular-c-7-${hash}.mp4`);
  });
});

describe('the space of uploads in parts', () => {
  itInProcess('is reserved when they are opened, in parallel too, and free when they are given up', async () => {
    const { open, cancel, left } = await setUp({ MEDIA_MB_A_PERSON: '20' });
    const both = await Promise.all([open(film(), 'a.mp4'), open(film(), 'b.mp4')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 413]);
    const { id } = both.find(({ status }) => status === 201)!.body;
    expect((await open(film(), 'c.mp4')).body.code).toBe('content.quota_reached');
    expect((await cancel(id)).status).toBe(204);
    expect((await cancel(id)).status).toBe(404);
    expect((await open(film(), 'c.mp4')).status).toBe(201);
    expect(await left()).toHaveLength(1);
  });

  itInProcess('is refused to everybody when that of the installation is used up', async () => {
    const { open } = await setUp({ MEDIA_MB_TOTAL: '1' });
    const refused = await open(film(), 'a.mp4');
    expect([refused.status, refused.body.code]).toEqual([413, 'content.storage_full']);
  });

  itInProcess('counts a finished file once', async () => {
    const { test, whole, open } = await setUp({ MEDIA_MB_A_PERSON: '26' });
    expect((await whole(film(), 'a.mp4')).status).toBe(201);
    expect((await open(film(), 'b.mp4')).status).toBe(201);
    const { rows } = await sql<{ bytes: number }>`
      select sum(bytes)::int as bytes from stored_files`.execute(test.ctx.db);
    expect(rows[0]?.bytes).toBe(film().length);
  });
});

describe('unfinished uploads', () => {
  it('are at most ten of a person, opened in parallel too', async () => {
    const { test, params, open, cancel } = await usual();
    const small = Buffer.alloc(10, 'a');
    const opened = await Promise.all(Array.from({ length: 11 }, async (_, index) => await open(small, `${index}.txt`)));
    const { true: begun = [], false: refused = [] } = Object.groupBy(opened, ({ status }) => `${status === 201}`);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([[429, 'request.too_many']]);
    const other = uploader(test, params, await makePerson(test, { role: 'administrator' }));
    expect((await other.open(small)).status).toBe(201);
    expect((await cancel(begun[0]!.body.id)).status).toBe(204);
    expect((await open(small, 'next.txt')).status).toBe(201);
  });

  it('are not counted once finished', async () => {
    const { whole, open } = await usual();
    expect((await whole(MEDIA_FILES['form.pdf'], 'form.pdf')).status).toBe(201);
    for (let number = 1; number <= 10; number++)
      expect((await open(Buffer.alloc(10), `${number}.txt`)).status).toBe(201);
  });

  it('without any part are swept after an hour', async () => {
    const { test, open, send } = await usual();
    const content = film();
    const [empty, begun, fresh] = [await open(content, '1'), await open(content, '2'), await open(content, '3')];
    await send(begun.body.id, 1, partsOf(content)[0]!);
    await sql`update resumable_uploads set seen_at = now() - interval '61 minutes'
      where id in (${empty.body.id}, ${begun.body.id})`.execute(test.ctx.db);
    await sweepJob.run(test.ctx, {});
    const part = partsOf(content)[1]!;
    const sent = [empty, begun, fresh].map(async ({ body }) => (await send(body.id, 2, part)).status);
    expect(await Promise.all(sent)).toEqual([404, 200, 200]);
  });

  itInProcess('that cannot be deleted do not keep the others, and are tried again', async () => {
    const { test, open } = await setUp();
    const [stuck, other] = [await open(film(), 'a.mp4'), await open(film(), 'b.mp4')];
    const rows = async () =>
      (await test.ctx.db.selectFrom('resumable_uploads').select('id').execute()).map((row) => row.id);
    const { parts } = test.ctx.files;
    const files = {
      ...test.ctx.files,
      parts: {
        ...parts,
        discard: async (file: Parameters<typeof parts.discard>[0]) => {
          if (file.key === `uploads/${stuck.body.id}`) throw new Error('the store is away');
          await parts.discard(file);
        },
      },
    };
    await sql`update resumable_uploads set seen_at = now() - interval '25 hours'
      - case when id = ${stuck.body.id} then interval '1 hour' else interval '0' end`.execute(test.ctx.db);
    await expect(sweepResumableUploads({ ...test.ctx, files })).rejects.toThrow('uploads not deleted: 1');
    expect(await rows()).toEqual([stuck.body.id]);
    expect(other.status).toBe(201);
    await sql`update resumable_uploads set claimed_at = now() - interval '4 minutes'`.execute(test.ctx.db);
    await sweepResumableUploads(test.ctx);
    expect(await rows()).toEqual([]);
  });

  itInProcess('that continue while the sweep deletes others stay', async () => {
    const { test, open, send } = await setUp();
    const content = film();
    const [first, second] = [await open(content, 'a.mp4'), await open(content, 'b.mp4')];
    await sql`update resumable_uploads set seen_at = now() - interval '25 hours'
      - case when id = ${first.body.id} then interval '1 hour' else interval '0' end`.execute(test.ctx.db);
    const { parts } = test.ctx.files;
    const discard = async (file: Parameters<typeof parts.discard>[0]) => {
      expect((await send(second.body.id, 1, partsOf(content)[0]!)).status).toBe(200);
      await parts.discard(file);
    };
    await sweepResumableUploads({ ...test.ctx, files: { ...test.ctx.files, parts: { ...parts, discard } } });
    expect((await send(first.body.id, 1, partsOf(content)[0]!)).status).toBe(404);
    expect((await send(second.body.id, 2, partsOf(content)[1]!)).body).toEqual({ received: 2 });
  });

  itInProcess('are finished one at a time by a person, because joining needs the space twice', async () => {
    const { test, author, params, open, send, finish } = await setUp();
    const sendAll = async (content: Buffer, by: { open: typeof open; send: typeof send }) => {
      const { id } = (await by.open(content, `${content[6000]}.mp4`)).body;
      for (const [index, part] of partsOf(content).entries()) await by.send(id, index + 1, part);
      return id as string;
    };
    const other = uploader(test, params, await makePerson(test, { role: 'administrator' }));
    const [one, two] = [film('k'), film('l')];
    const [first, second] = [await sendAll(one, { open, send }), await sendAll(two, { open, send })];
    const theirs = await sendAll(one, other);
    await sql`update resumable_uploads set claimed_at = now() where id = ${first}`.execute(test.ctx.db);
    expect((await finish(second, digestOf(two))).status).toBe(429);
    expect((await other.finish(theirs, digestOf(one))).status).toBe(201);
    await sql`update resumable_uploads set claimed_at = null`.execute(test.ctx.db);
    const claim = async (id: string) =>
      await inTransaction(test.ctx.db, async (db) => await claimToFinish(db, id, author.id));
    expect((await Promise.all([claim(first), claim(second)])).toSorted()).toEqual([false, true]);
    await sql`update resumable_uploads set claimed_at = null`.execute(test.ctx.db);
    const again = [await finish(first, digestOf(one)), await finish(second, digestOf(two))];
    expect(again.map(({ status }) => status)).toEqual([201, 201]);
  });
});

it('uploads that nobody continues are swept after a day', async () => {
  const { test, open, send, left } = await usual();
  const content = film();
  const { id } = (await open(content, 'old.mp4')).body;
  await send(id, 1, partsOf(content)[0]!);
  await sweepJob.run(test.ctx, {});
  expect((await open(content, 'old.mp4')).body.received).toEqual([1]);
  await sql`update resumable_uploads set seen_at = now() - interval '25 hours'`.execute(test.ctx.db);
  await sweepJob.run(test.ctx, {});
  expect((await send(id, 2, partsOf(content)[1]!)).status).toBe(404);
  expect(await left()).toEqual([]);
});
