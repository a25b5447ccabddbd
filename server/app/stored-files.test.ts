import { createHash, randomUUID } from 'node:crypto';
import { publishPiece, readPiece, removePieceFile, savePiece, uploadPieceFile } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readOverdue } from '#server/jobs/sweep.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { fileForm } from '#server/test/factories/media.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';
import { sweepJob } from './sweep.ts';

const test = await createTestApp();
const { db, files } = test.ctx;
let admin: TestPerson;
beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
});

type Piece = Awaited<ReturnType<typeof makeLessonPiece>>['params'];

const keyOf = (text: string) => `${createHash('sha256').update(text).digest('hex')}.txt`;
const isThere = async (text: string) => await files.exists(`content-assets/${keyOf(text)}`);
const upload = async (params: Piece, text: string) => {
  const { headers, payload } = fileForm('notes.txt', Buffer.from(text));
  const sent = await test.send('POST', addressOf(uploadPieceFile, { params }), {
    as: admin.as,
    headers,
    body: payload,
  });
  expect(sent.status).toBe(201);
  return sent.body as { path: string; version: number };
};
/** Uploads a text and takes it out of the draft again. */
const leave = async (text: string) => {
  const { params } = await makeLessonPiece(test);
  const { path, version } = await upload(params, text);
  expect((await test.call(removePieceFile, admin.as, { params, body: { version, path } })).status).toBe(200);
};
const age = async (days: number, text?: string) =>
  await sql`update stored_files set stored_at = now() - make_interval(days => ${days})
    where ${text === undefined} or key = ${keyOf(text ?? '')}`.execute(db);
const overdue = async () => (await readOverdue(db)).find(({ target }) => target === 'stored_files')?.overdue;

describe('sweeping files', () => {
  it('deletes those that nothing names after seven days, and no others', async () => {
    await leave('new');
    await leave('old');
    await age(6, 'new');
    await age(8, 'old');
    await sweepJob.run(test.ctx, {});
    expect([await isThere('new'), await isThere('old')]).toEqual([true, false]);
    expect(await overdue()).toBe(0);
    await age(8, 'new');
    await sweepJob.run(test.ctx, {});
    expect(await isThere('new')).toBe(false);
  });

  it('keeps those of drafts, of versions and of what is published', async () => {
    const { params } = await makeLessonPiece(test);
    const { path } = await upload(params, 'first');
    const { doc, version } = (await test.call(readPiece, admin.as, { params })).body;
    const withFile = { version, doc: { ...doc, body: { en: `::file[Notes]{src=${path}}` } } };
    const saved = await test.call(savePiece, admin.as, { params, body: withFile });
    const sweepOld = async () => {
      await age(400);
      await sweepJob.run(test.ctx, {});
      return await isThere('first');
    };
    expect(await sweepOld()).toBe(true);

    const publish = async (body: { version: number }) => {
      const published = await test.call(publishPiece, admin.as, { params, body });
      expect(published.status).toBe(200);
      return published.body;
    };
    await publish({ version: saved.body.version });
    expect(await sweepOld()).toBe(true);

    const now = (await test.call(readPiece, admin.as, { params })).body;
    const without = { version: now.version, doc: { ...now.doc, body: { en: 'Read this.' } } };
    const emptied = await test.call(savePiece, admin.as, { params, body: without });
    await publish({ version: emptied.body.version });
    await sql`delete from content_assets where key = ${keyOf('first')}`.execute(db);
    await sql`update content_pieces set draft = null where key = ${params.key}`.execute(db);
    expect(await sweepOld()).toBe(true);
    await sql`delete from content_versions where key = ${params.key}`.execute(db);
    expect(await sweepOld()).toBe(false);
  });

  it('keeps logos', async () => {
    const key = keyOf('logo');
    await files.put(`content-assets/${key}`, Buffer.from('logo'), 'text/plain');
    await sql`insert into stored_files (key, bytes, stored_at) values (${key}, 4, now() - interval '1 year')`.execute(
      db,
    );
    await sql`
      insert into site_versions (version, identity) values (1, ${JSON.stringify({ logoDark: { key } })})`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect(await isThere('logo')).toBe(true);
    await sql`delete from site_versions`.execute(db);
  });

  it('counts an upload of the same bytes as new', async () => {
    await leave('again');
    await age(30, 'again');
    await leave('again');
    await sweepJob.run(test.ctx, {});
    expect(await isThere('again')).toBe(true);
  });

  it('stores a file again that is uploaded while it is being deleted', async () => {
    await leave('meanwhile');
    await age(8, 'meanwhile');
    const { params } = await makeLessonPiece(test);
    let uploading: Promise<unknown> | undefined;
    const remove = files.delete.bind(files);
    const spied = vi.spyOn(files, 'delete').mockImplementation(async (key) => {
      if (key === `content-assets/${keyOf('meanwhile')}` && !uploading) {
        uploading = upload(params, 'meanwhile');
        await new Promise((done) => setTimeout(done, 300));
      }
      await remove(key);
    });
    await sweepJob.run(test.ctx, {});
    await uploading;
    spied.mockRestore();
    expect(uploading).toBeDefined();
    expect(await isThere('meanwhile')).toBe(true);
    const rows = await db.selectFrom('stored_files').select('key').where('key', '=', keyOf('meanwhile')).execute();
    expect(rows).toHaveLength(1);
  });

  it('goes on when one cannot be deleted, and counts it as overdue', async () => {
    for (const text of ['stuck', 'loose']) await leave(text);
    await age(8);
    const remove = files.delete.bind(files);
    const spied = vi.spyOn(files, 'delete').mockImplementation(async (key) => {
      if (key.endsWith(keyOf('stuck'))) throw new Error('the store refuses');
      await remove(key);
    });
    await expect(sweepJob.run(test.ctx, {})).rejects.toThrow('failed sweeps: 1');
    spied.mockRestore();
    expect([await isThere('stuck'), await isThere('loose'), await overdue()]).toEqual([true, false, 1]);
    await sweepJob.run(test.ctx, {});
    expect([await isThere('stuck'), await overdue()]).toEqual([false, 0]);
  });

  it('deletes what killed processes had received, after an hour', async () => {
    const ids = { old: randomUUID(), new: randomUUID() };
    for (const id of Object.values(ids)) await files.put(`uploads/${id}`, Buffer.from('half'), 'text/plain');
    await sql`
      insert into incoming_files (id, bytes, user_id, seen_at)
      values (${ids.old}, 10, ${admin.id}, now() - interval '61 minutes'), (${ids.new}, 10, ${admin.id}, now())`.execute(
      db,
    );
    await sweepJob.run(test.ctx, {});
    expect([await files.exists(`uploads/${ids.old}`), await files.exists(`uploads/${ids.new}`)]).toEqual([false, true]);
    expect(await db.selectFrom('incoming_files').select('id').execute()).toEqual([{ id: ids.new }]);
    await sql`delete from incoming_files`.execute(db);
  });
});
