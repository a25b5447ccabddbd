import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as contract from '@officium/contract/whole-exports';
import { BlobReader, ZipReader } from '@zip.js/zip.js';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sweepJob } from '#server/app/sweep.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { ageSignIn } from '#server/test/factories/factors.ts';
import { makeWholeExportJob } from './whole-export.jobs.ts';
import { wholeExportKey } from './whole-export.policy.ts';

const test = await createTestApp();
const { db } = test.ctx;
const administrator = () => makePerson(test, { role: 'administrator' });

const ask = (as?: As) => test.call(contract.requestWholeExport, as);
const list = async (as?: As) => (await test.call(contract.listWholeExports, as)).body;
const download = (as: As | undefined, exportId: string) =>
  test.call(contract.downloadWholeExport, as, { params: { exportId } });
const files = async () =>
  await readdir(join(test.ctx.config.dataDir, 'files/whole-exports')).catch(() => [] as string[]);

async function made(as: As): Promise<string> {
  const { status, body } = await ask(as);
  expect([status, body.status]).toEqual([202, 'pending']);
  await test.drain();
  return body.id;
}

const entriesOf = async (action: string, object: string) =>
  (await sql`select actor from audit_log where action = ${action} and object = ${object}`.execute(db)).rows;

describe('requestWholeExport', () => {
  it('makes the archive of the command line, and the download is recorded', async () => {
    const admin = await administrator();
    const id = await made(admin.as);
    const { exports, total } = contract.listWholeExports.replies[200].strict().parse(await list(admin.as));
    expect([total, exports[0]?.id, exports[0]?.status]).toEqual([1, id, 'ready']);
    const hours = (new Date(exports[0]?.expiresAt ?? '').getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(contract.WHOLE_EXPORT_HOURS, 1);
    const response = await test.app.inject({
      url: `/api/admin/whole-exports/${id}/file`,
      headers: { cookie: `session=${admin.as.token}` },
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="officium-export-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'no-store',
      'content-length': String(exports[0]?.bytes),
    });
    const zip = new ZipReader(new BlobReader(new Blob([response.rawPayload as Uint8Array<ArrayBuffer>]))); // Node's buffers have an ArrayBuffer
    const names = (await zip.getEntries()).map(({ filename }) => filename);
    expect(names).toEqual(expect.arrayContaining(['manifest.json', 'records/people.ndjson', 'content/content.yaml']));
    expect(await entriesOf('archive.request-export', id)).toEqual([{ actor: admin.id }]);
    expect(await entriesOf('archive.download-export', id)).toEqual([{ actor: admin.id }]);
  });

  it('returns the pending export when repeated, also at the same time', async () => {
    const admin = await administrator();
    const answers = await Promise.all([ask(admin.as), ask(admin.as), ask(admin.as)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await entriesOf('archive.request-export', answers[0]?.body.id)).toHaveLength(1);
  });

  it('needs an administrator with a recent sign-in', async () => {
    const member = await makePerson(test);
    const admin = await administrator();
    const id = await made(admin.as);
    await ageSignIn(test, admin);
    for (const call of [ask, (as?: As) => download(as, id)]) {
      expect((await call()).status).toBe(401);
      expect((await call({ serviceKey: SERVICE_KEY })).status).toBe(403);
      expect((await call(member.as)).status).toBe(403);
      const late = await call(admin.as);
      expect([late.status, late.body.code]).toEqual([403, 'auth.recent_sign_in_required']);
    }
    expect((await test.call(contract.listWholeExports, member.as)).status).toBe(403);
    expect((await test.call(contract.listWholeExports)).status).toBe(401);
  });
});

describe('an export of everything', () => {
  it('is available only to the administrator who requested it', async () => {
    const admin = await administrator();
    const other = await administrator();
    const id = await made(admin.as);
    expect((await download(other.as, id)).status).toBe(404);
    expect(await list(other.as)).toEqual({ exports: [], total: 0 });
    expect((await download(admin.as, newId())).status).toBe(404);
    expect((await download(admin.as, 'none')).status).toBe(400);
    expect((await test.send('GET', `/files/whole-exports/${id}.zip`)).status).toBe(404);
    await sql`update users set role = 'public-servant' where id = ${admin.id}`.execute(db);
    expect((await download(admin.as, id)).status).not.toBe(200);
  });

  it('cannot be downloaded before it is finished, or without its file', async () => {
    const admin = await administrator();
    const { body } = await ask(admin.as);
    const early = await download(admin.as, body.id);
    expect([early.status, early.body.code]).toEqual([409, 'account.export_not_ready']);
    await test.drain();
    await rm(join(test.ctx.config.dataDir, 'files', wholeExportKey(body.id)));
    expect((await download(admin.as, body.id)).status).toBe(404);
  });

  it('is deleted when it expires, and fails when it is not finished', async () => {
    const admin = await administrator();
    const id = await made(admin.as);
    await sql`update whole_exports set expires_at = now() - interval '1 second' where id = ${id}`.execute(db);
    expect((await download(admin.as, id)).status).toBe(404);
    await sweepJob.run(test.ctx, {});
    await test.drain();
    expect((await files()).filter((name) => name.includes(id))).toEqual([]);
    const { body } = await ask(admin.as);
    await sql`update whole_exports set created_at = now() - interval '21 hours' where id = ${body.id}`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect((await list(admin.as)).exports).toMatchObject([{ id: body.id, status: 'failed' }]);
    expect((await ask(admin.as)).body.id).not.toBe(body.id);
  });
});

describe('the job', () => {
  it('has its effect once when it runs twice, also at the same time', async () => {
    const admin = await administrator();
    const { body } = await ask(admin.as);
    const runs = [1, 2].map(() => makeWholeExportJob.run(test.ctx, { exportId: body.id }));
    expect((await Promise.allSettled(runs)).map(({ status }) => status)).toContain('fulfilled');
    await makeWholeExportJob.run(test.ctx, { exportId: body.id });
    expect((await list(admin.as)).exports).toMatchObject([{ id: body.id, status: 'ready' }]);
    expect((await files()).filter((name) => name.includes(body.id))).toHaveLength(1);
  });

  it('leaves no file for an account that is erased meanwhile', async () => {
    const admin = await administrator();
    const { body } = await ask(admin.as);
    const store = {
      ...test.ctx.files,
      async putStream(...given: Parameters<typeof test.ctx.files.putStream>) {
        await test.ctx.files.putStream(...given);
        await sql`delete from whole_exports where id = ${body.id}`.execute(db);
      },
    };
    await makeWholeExportJob.run({ ...test.ctx, files: store }, { exportId: body.id });
    expect((await files()).filter((name) => name.includes(body.id))).toEqual([]);
  });

  it('fails when the file cannot be stored, and is retried', async () => {
    const admin = await administrator();
    const { body } = await ask(admin.as);
    const store = { ...test.ctx.files, putStream: () => Promise.reject(new Error('disk full')) };
    const run = makeWholeExportJob.run({ ...test.ctx, files: store }, { exportId: body.id });
    await expect(run).rejects.toThrow('disk full');
    await makeWholeExportJob.run(test.ctx, { exportId: body.id });
    expect((await list(admin.as)).exports).toMatchObject([{ status: 'ready' }]);
  });
});
