import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as contract from '@officium/contract/personal-data';
import { ZipReader, BlobReader, TextWriter } from '@zip.js/zip.js';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeExportJob } from './export.jobs.ts';
import { exportKey } from './export.policy.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });
const { db } = test.ctx;

const ask = (as?: As) => test.call(contract.requestDataExport, as);
const list = async (as: As) => (await test.call(contract.listDataExports, as)).body;
const read = (as: As | undefined, id: string) => test.call(contract.readDataExport, as, { params: { id } });
const download = (as: As | undefined, id: string) => test.call(contract.downloadDataExport, as, { params: { id } });
const files = async () =>
  (await readdir(join(test.ctx.config.dataDir, 'files'), { recursive: true })).filter((name) => /zip/.test(name));

async function unzip(as: As, id: string): Promise<Map<string, string>> {
  const response = await test.app.inject({
    url: `/api/account/accounts/me/exports/${id}/file`,
    headers: { cookie: `session=${as.token}` },
  });
  const reader = new ZipReader(new BlobReader(new Blob([response.rawPayload as Uint8Array<ArrayBuffer>])));
  const texts = new Map<string, string>();
  for (const entry of await reader.getEntries())
    if (!entry.directory) texts.set(entry.filename, await entry.getData(new TextWriter()));
  return texts;
}

/** Requests an export and waits until it is finished. */
async function made(as: As): Promise<string> {
  const { body } = await ask(as);
  await test.drain();
  return body.id;
}

describe('requestDataExport', () => {
  it('creates a file and mails when it is ready', async () => {
    const maya = await makePerson(test, { name: 'Maya' });
    const { status, body } = await ask(maya.as);
    expect(status).toBe(202);
    expect(contract.requestDataExport.replies[202].strict().parse(body)).toMatchObject({
      status: 'pending',
      bytes: null,
      readyAt: null,
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(7 * 86_400_000);
    await test.drain();
    const ready = (await read(maya.as, body.id)).body;
    expect(ready).toMatchObject({ id: body.id, status: 'ready', bytes: expect.any(Number) });
    const [mail] = await test.mails(maya.email);
    expect(mail).toMatchObject({ kind: 'data_export', subject: 'Your data is ready' });
    expect(mail?.body_text).toContain('http://localhost:3000/me/settings');
    expect(mail?.body_text).not.toContain(body.id);
  });

  it('uses the language of the account, including right-to-left', async () => {
    const maya = await makePerson(test, { name: 'مايا & <i>', locale: 'ar' });
    const texts = await unzip(maya.as, await made(maya.as));
    expect(texts.get('index.html')).toContain('<html lang="ar" dir="rtl">');
    expect(texts.get('account.html')).toContain('<html lang="ar" dir="rtl">');
    expect(texts.get('index.html')).toContain('مايا &amp; &lt;i&gt;');
    expect((await test.mails(maya.email))[0]?.locale).toBe('ar');
  });

  it('returns the pending export, also for parallel requests', async () => {
    const maya = await makePerson(test);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(maya.as)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await list(maya.as)).total).toBe(1);
  });

  it('is limited to three a day', async () => {
    const maya = await makePerson(test);
    for (let nth = 0; nth < 3; nth++) await made(maya.as);
    const refused = await ask(maya.as);
    expect([refused.status, refused.body.code]).toEqual([429, 'request.too_many']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    await sql`update data_exports set created_at = created_at - interval '1 day' where user_id = ${maya.id}`.execute(
      db,
    );
    expect((await ask(maya.as)).status).toBe(202);
  });

  it('requires a proven address and includes inactive accounts', async () => {
    const inactive = await makePerson(test, { role: 'inactive' });
    const id = await made(inactive.as);
    expect((await unzip(inactive.as, id)).has('account.json')).toBe(true);
    const unproven = await makePerson(test, { isProven: false });
    for (const answer of [
      await ask(unproven.as),
      await test.call(contract.listDataExports, unproven.as),
      await read(unproven.as, id),
      await download(unproven.as, id),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'auth.not_proven']);
    expect((await ask()).status).toBe(401);
    expect((await ask({ serviceKey: SERVICE_KEY })).status).toBe(403);
  });
});

describe('the content of an export', () => {
  it('is complete for a user with very many rows', async () => {
    const maya = await makePerson(test);
    await sql`
      insert into mails (id, user_id, recipient, kind, locale, subject, body_text, body_html, status)
      select gen_random_uuid(), ${maya.id}, ${maya.email}, 'test', 'en', 'Subject ' || n, '', '', 'sent'
      from generate_series(1, 2001) n`.execute(db);
    const texts = await unzip(maya.as, await made(maya.as));
    const { mails } = JSON.parse(texts.get('mails.json') ?? '') as { mails: { title: string }[] };
    expect(mails.length).toBe(2001);
    expect(new Set(mails.map(({ title }) => title)).size).toBe(2001);
    expect(texts.get('mails.html')?.match(/<li>/g)?.length).toBe(2001);
  });
});

describe('listDataExports', () => {
  it('lists the viewer’s exports, newest first', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    const first = await made(maya.as);
    const second = (await ask(maya.as)).body.id;
    const { exports, total } = contract.listDataExports.replies[200].strict().parse(await list(maya.as));
    expect(exports.map(({ id, status }) => [id, status])).toEqual([
      [second, 'pending'],
      [first, 'ready'],
    ]);
    expect(total).toBe(2);
    expect(await list(noor.as)).toEqual({ exports: [], total: 0 });
    expect((await test.call(contract.listDataExports)).status).toBe(401);
  });
});

describe('an export', () => {
  it('is available only to its owner', async () => {
    const maya = await makePerson(test);
    const id = await made(maya.as);
    const admin = await makePerson(test, { role: 'administrator' });
    for (const as of [admin.as, (await makePerson(test)).as])
      for (const answer of [await read(as, id), await download(as, id)])
        expect([answer.status, answer.body.code]).toEqual([404, 'request.not_found']);
    expect((await download(undefined, id)).status).toBe(401);
    expect((await read(undefined, id)).status).toBe(401);
    expect((await read(maya.as, newId())).status).toBe(404);
    expect((await read(maya.as, 'none')).status).toBe(400);
    expect((await test.send('GET', `/files/exports/${id}.zip`)).status).toBe(404);
  });

  it('is downloaded as a ZIP attachment', async () => {
    const maya = await makePerson(test);
    const id = await made(maya.as);
    const { status, headers } = await download(maya.as, id);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="export-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(Number(headers['content-length'])).toBe((await read(maya.as, id)).body.bytes);
  });

  it('cannot be downloaded before it is finished', async () => {
    const maya = await makePerson(test);
    const { body } = await ask(maya.as);
    const early = await download(maya.as, body.id);
    expect([early.status, early.body.code]).toEqual([409, 'account.export_not_ready']);
  });

  it('returns 404 when its file is missing', async () => {
    const maya = await makePerson(test);
    const id = await made(maya.as);
    await test.ctx.files.delete(exportKey(id));
    expect((await download(maya.as, id)).status).toBe(404);
  });

  it('is deleted when it expires', async () => {
    const maya = await makePerson(test);
    const id = await made(maya.as);
    await sql`update data_exports set expires_at = now() - interval '1 second' where id = ${id}`.execute(db);
    expect((await download(maya.as, id)).status).toBe(404);
    await sweepJob.run(test.ctx, {});
    await test.drain();
    expect((await files()).filter((name) => name.includes(id))).toEqual([]);
  });

  it('fails when it is not finished within a day', async () => {
    const maya = await makePerson(test);
    const { body } = await ask(maya.as);
    await sql`update data_exports set created_at = now() - interval '25 hours' where id = ${body.id}`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect((await read(maya.as, body.id)).body.status).toBe('failed');
    expect((await ask(maya.as)).body.id).not.toBe(body.id);
  });
});

describe('the export job', () => {
  it('has its effect once when it runs twice', async () => {
    const maya = await makePerson(test);
    const id = await made(maya.as);
    await makeExportJob.run(test.ctx, { exportId: id });
    expect((await test.mails(maya.email)).map(({ kind }) => kind)).toEqual(['data_export']);
    expect((await files()).filter((name) => name.includes(id)).length).toBe(1);
  });

  it('leaves an export to the worker that holds its lock', async () => {
    const maya = await makePerson(test);
    const { body } = await ask(maya.as);
    const runs = [1, 2].map(() => makeExportJob.run(test.ctx, { exportId: body.id }));
    const done = (await Promise.allSettled(runs)).map(({ status }) => status);
    expect(done).toContain('fulfilled');
    expect((await test.mails(maya.email)).length).toBe(1);
    expect((await read(maya.as, body.id)).body.status).toBe('ready');
  });

  it('leaves no file for a user who is erased meanwhile', async () => {
    const maya = await makePerson(test);
    const { body } = await ask(maya.as);
    const store = {
      ...test.ctx.files,
      async putStream(...given: Parameters<typeof test.ctx.files.putStream>) {
        await test.ctx.files.putStream(...given);
        await test.send('DELETE', '/api/people/users/me', { as: maya.as });
      },
    };
    await makeExportJob.run({ ...test.ctx, files: store }, { exportId: body.id });
    expect(await files().then((names) => names.filter((name) => name.includes(body.id)))).toEqual([]);
    expect(await test.mails(maya.email)).toEqual([]);
  });

  it('fails when the data cannot be read, and leaves no partial file', async () => {
    const maya = await makePerson(test);
    const { body } = await ask(maya.as);
    const store = { ...test.ctx.files, exists: () => Promise.reject(new Error('unreachable')) };
    await sql`insert into profile_images (id, user_id) values (${newId()}, ${maya.id})`.execute(db);
    const run = makeExportJob.run({ ...test.ctx, files: store }, { exportId: body.id });
    await expect(run).rejects.toThrow('unreachable');
    expect((await files()).filter((name) => name.includes(body.id))).toEqual([]);
  });

  it('fails when the file cannot be stored, and is retried', async () => {
    const maya = await makePerson(test);
    const { body } = await ask(maya.as);
    const store = { ...test.ctx.files, putStream: () => Promise.reject(new Error('disk full')) };
    const run = makeExportJob.run({ ...test.ctx, files: store }, { exportId: body.id });
    await expect(run).rejects.toThrow('disk full');
    expect((await read(maya.as, body.id)).body.status).toBe('pending');
    await makeExportJob.run(test.ctx, { exportId: body.id });
    expect((await read(maya.as, body.id)).body.status).toBe('ready');
  });
});
