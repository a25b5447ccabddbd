import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readPiece, uploadPieceFile } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { MEDIA_FILES } from '#server/test/factories/media.ts';
import { makeLessonPiece } from '#server/test/factories/pieces.ts';

const MIB = 1024 * 1024;
const MEGABYTES = 500;

it('stores a recording of 500 MB with little memory, and serves it by parts', { timeout: 300_000 }, async () => {
  const test = await createTestApp();
  const admin = await makePerson(test, { role: 'administrator' });
  const { params } = await makeLessonPiece(test);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.app.server.address() as AddressInfo; // it listens on TCP

  const head = '--line\r\ncontent-disposition: form-data; name="file"; filename="long.mp4"\r\n\r\n';
  const block = Buffer.alloc(MIB, 7);
  let peak = 0;
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const form = function* () {
    yield Buffer.concat([Buffer.from(head), MEDIA_FILES['intro.mp4']]);
    for (let at = 0; at < MEGABYTES; at++) {
      peak = Math.max(peak, process.memoryUsage().rss);
      yield block;
    }
    yield Buffer.from('\r\n--line--\r\n');
  };
  const sending = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: addressOf(uploadPieceFile, { params }),
    headers: {
      cookie: `session=${admin.as.token}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=line',
    },
  });
  const answered = once(sending, 'response');
  await pipeline(Readable.from(form()), sending);
  const [response] = await answered;
  expect(response.statusCode).toBe(201);
  response.resume();
  // The client and the server share this process; both together hold a small part of the file.
  expect((peak - before) / MIB).toBeLessThan(150);

  const [file] = (await test.call(readPiece, admin.as, { params })).body.files;
  const bytes = MEGABYTES * MIB + MEDIA_FILES['intro.mp4'].length;
  expect(file.bytes).toBe(bytes);
  const end = await test.app.inject({ url: file.url, headers: { range: `bytes=${bytes - 3}-` } });
  expect([end.statusCode, end.rawPayload.length]).toEqual([206, 3]);
});
