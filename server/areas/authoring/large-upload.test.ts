import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readPiece, uploadPieceFile } from '@officium/contract/authoring';
import { addressOf } from '@officium/contract/client';
import { finishPieceUpload, openPieceUpload, PART_BYTES, sendPieceUploadPart } from '@officium/contract/piece-uploads';
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

const GIGABYTES = 2;

it('stores a recording of 2 GiB in parts with little memory', { timeout: 600_000 }, async () => {
  const test = await createTestApp();
  const admin = await makePerson(test, { role: 'administrator' });
  const { params } = await makeLessonPiece(test);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.app.server.address() as AddressInfo; // it listens on TCP

  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest();
  const rest = Buffer.alloc(PART_BYTES, 7);
  const first = Buffer.from(rest);
  MEDIA_FILES['intro.mp4'].copy(first);
  const bytes = GIGABYTES * 1024 * MIB;
  const { body } = await test.call(openPieceUpload, admin.as, { params, body: { name: 'long.mp4', bytes } });
  const digests: Buffer[] = [];
  const send = async (number: number) => {
    const content = (number === 1 ? first : rest).subarray(0, bytes - (number - 1) * PART_BYTES);
    const digest = sha256(content);
    digests.push(digest);
    const at = {
      params: { ...params, upload: body.id, number: String(number) },
      query: { sha256: digest.toString('hex') },
    };
    const sending = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: addressOf(sendPieceUploadPart, at),
      headers: {
        cookie: `session=${admin.as.token}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=line',
      },
    });
    const answered = once(sending, 'response');
    const form = [
      Buffer.from('--line\r\ncontent-disposition: form-data; name="file"; filename="part"\r\n\r\n'),
      content,
      Buffer.from('\r\n--line--\r\n'),
    ];
    await pipeline(Readable.from(form), sending);
    const [response] = await answered;
    response.resume();
    expect([number, response.statusCode]).toEqual([number, 200]);
  };
  await send(1); // what is loaded with the first part is not part of the growth
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  for (let number = 2; number <= body.parts; number++) await send(number);
  const whole = sha256(Buffer.concat(digests)).toString('hex');
  const done = await test.call(finishPieceUpload, admin.as, {
    params: { ...params, upload: body.id },
    body: { sha256: whole },
  });
  clearInterval(watching);
  expect(done).toMatchObject({ status: 201, body: { kind: 'video', bytes } });
  expect((peak - before) / MIB).toBeLessThan(50);
});
