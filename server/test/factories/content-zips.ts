import { beginContentImport, ContentImport, readContentImport } from '@officium/contract/content-folder';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { expect } from 'vitest';
import type { As, TestApp } from '#server/test/app.ts';
import { zipForm } from './zips.ts';

/** Uploads a content folder and waits for its check. */
export async function checkZip(on: TestApp, as: As, zip: Uint8Array): Promise<ContentImport> {
  const { headers, payload } = zipForm(zip, 'content.zip');
  const { status, body } = await on.send('POST', '/api/content/folder/imports', { as, headers, body: payload });
  expect([status, body.code]).toEqual([202, undefined]);
  expect(body).toMatchObject({ state: 'checking', progress: { step: 'waiting', done: 0, total: 0 }, finishedAt: null });
  await on.drain();
  return ContentImport.parse((await on.call(readContentImport, as, { params: { importId: body.id } })).body);
}

/** Uploads a content folder, waits for its check and imports it. */
export async function importZip(on: TestApp, as: As, zip: Uint8Array): Promise<ContentImport> {
  const params = { importId: (await checkZip(on, as, zip)).id };
  expect((await on.call(beginContentImport, as, { params })).status).toBe(202);
  await on.drain();
  return (await on.call(readContentImport, as, { params })).body;
}

export async function exportZip(on: TestApp, as: As): Promise<Buffer> {
  const response = await on.app.inject({ url: '/api/content/folder', headers: { cookie: `session=${as.token}` } });
  expect(response.statusCode).toBe(200);
  return response.rawPayload;
}

/** The files of a ZIP in base64, by path. */
export async function unzip(zip: Uint8Array): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await new ZipReader(new Uint8ArrayReader(zip)).getEntries())
    files.set(
      entry.filename,
      Buffer.from(await (entry as FileEntry).getData(new Uint8ArrayWriter())).toString('base64'), // exports hold files only
    );
  return files;
}

/** Expects two installations to export the same bytes of a content folder, and nothing to change when it comes back. */
export async function expectRoundTrip(zip: Uint8Array, one: [TestApp, As], other: [TestApp, As]): Promise<void> {
  expect((await importZip(...one, zip)).state).toBe('done');
  const first = await exportZip(...one);
  expect((await importZip(...other, first)).state).toBe('done');
  const second = await exportZip(...other);
  expect([...(await unzip(second))]).toEqual([...(await unzip(first))]);
  expect(second.equals(first)).toBe(true);
  const again = await checkZip(...one, second);
  expect(again).toMatchObject({ state: 'checked', items: [], summary: { added: 0, changed: 0, withdrawn: 0 } });
}
