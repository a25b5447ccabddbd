import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteAccount } from '@officium/contract/auth';
import * as contract from '@officium/contract/personal-data';
import { BlobReader, BlobWriter, ZipReader } from '@zip.js/zip.js';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';
import { startObjectStore } from '#server/test/object-store.ts';

const store = await startObjectStore('officium');
afterAll(() => store.stop());
const test = await createTestApp({ STORAGE_URL: store.storageUrl });

it('pictures and exports are kept in the bucket, and go with their person', async () => {
  const maya = await makePerson(test);
  const headers = { cookie: `session=${maya.as.token}`, 'sec-fetch-site': 'same-origin' };
  const form = await pictureForm();
  const stored = await test.app.inject({
    method: 'POST',
    url: '/api/assets/users/me/profile-images',
    headers: { ...headers, ...form.headers },
    payload: form.payload,
  });
  expect(stored.statusCode).toBe(201);
  const { pathname } = new URL(stored.json().originalURL);
  const shown = await test.app.inject({ url: pathname });
  expect([shown.statusCode, (await sharp(shown.rawPayload).metadata()).format]).toEqual([200, 'webp']);

  const { body } = await test.call(contract.requestDataExport, maya.as);
  await test.drain();
  const file = await test.app.inject({ url: `/api/account/accounts/me/exports/${body.id}/file`, headers });
  const entries = await new ZipReader(
    new BlobReader(new Blob([file.rawPayload as Uint8Array<ArrayBuffer>])),
  ).getEntries();
  const own = entries.find(({ filename }) => filename.startsWith('pictures/'));
  expect(own?.directory).toBe(false);
  if (own && !own.directory) expect((await own.getData(new BlobWriter())).size).toBeGreaterThan(0);

  await test.call(deleteAccount, maya.as, { params: { email: maya.email } });
  await test.drain();
  expect((await test.app.inject({ url: pathname })).statusCode).toBe(404);
  expect(await readdir(join(test.ctx.config.dataDir, 'files')).catch(() => [])).toEqual([]);
});
