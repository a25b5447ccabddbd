import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadPiecePicture } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { deleteAccount } from '@officium/contract/auth';
import * as contract from '@officium/contract/personal-data';
import { BlobReader, BlobWriter, ZipReader } from '@zip.js/zip.js';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makePiece, pictureForm } from '#server/test/factories/pieces.ts';
import { startObjectStore, type StoreFailure } from '#server/test/object-store.ts';

const store = await startObjectStore('officium');
afterAll(() => store.stop());
const test = await createTestApp({ STORAGE_URL: store.storageUrl });

it('pictures and exports are stored in the bucket and deleted with their account', async () => {
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

describe('while the bucket is unavailable', async () => {
  const admin = await makePerson(test, { role: 'administrator' });
  const { params } = await makePiece(test);
  const form = await pictureForm();
  const upload = async () =>
    await test.app.inject({
      method: 'POST',
      url: addressOf(uploadPiecePicture, { params }),
      headers: { cookie: `session=${admin.as.token}`, 'sec-fetch-site': 'same-origin', ...form.headers },
      payload: form.payload,
    });
  const picture: string = (await upload()).json().url;
  const { body } = await test.call(contract.requestDataExport, admin.as);
  await test.drain();
  const shown = async () => await test.app.inject({ url: picture });
  const exported = async () =>
    await test.app.inject({
      url: `/api/account/accounts/me/exports/${body.id}/file`,
      headers: { cookie: `session=${admin.as.token}` },
    });

  it.each<StoreFailure>([500, 503, 'cut', 'silent'])('returns 503 within five seconds: %s', async (how) => {
    store.fail(how);
    const begun = performance.now();
    const answers = await Promise.all([shown(), exported(), upload()]);
    expect(performance.now() - begun).toBeLessThan(5000);
    store.fail(undefined);
    for (const answer of answers) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30']);
      expect(answer.json().code).toBe('server.unavailable');
    }
  });

  it('does not wait longer for two slow responses', async () => {
    store.fail('slow');
    const begun = performance.now();
    const answers = await Promise.all([shown(), exported()]);
    expect(performance.now() - begun).toBeLessThan(5000);
    store.fail(undefined);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
  });

  it('serves stored files again afterwards, and 404 for unknown ones', async () => {
    expect([(await shown()).statusCode, (await exported()).statusCode]).toEqual([200, 200]);
    const other = picture.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    expect((await test.app.inject({ url: other })).statusCode).toBe(404);
  });
});
