import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#server/test/process.ts';
import { startObjectStore, type StoreFailure } from '#server/test/object-store.ts';
import { openFolder } from './files-folder.ts';
import { openBucket } from './files-s3.ts';
import { openFiles } from './open-files.ts';

const log = pino({ level: 'silent' });
const folder = await mkdtemp(join(tmpdir(), 'officium-store-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const store = await startObjectStore('officium');
afterAll(() => store.stop());

/** Yields `size` bytes in chunks; each chunk contains its own number. */
function* chunks(size: number): Generator<Buffer> {
  for (let at = 0; at < size; at += 65_536) yield Buffer.alloc(Math.min(65_536, size - at), String(at / 65_536));
}
function* broken(size: number): Generator<Buffer> {
  yield* chunks(size);
  throw new Error('the sender disconnected');
}
const MIB = 1024 * 1024;

describe.each([
  ['a folder', await openFiles(join(folder, 'files'), undefined, log)],
  ['a bucket', await openFiles(folder, store.settings, log)],
])('files in %s', (_, files) => {
  it('are made of parts in any order, again if need be, and discarded', async () => {
    const key = 'uploads/parted';
    const file = { key, token: await files.parts.begin(key, 'text/plain') };
    const [one, two] = [Buffer.alloc(5 * MIB, 'a'), Buffer.from('the end')];
    const second = await files.parts.put(file, { number: 2, bytes: two });
    await files.parts.put(file, { number: 1, bytes: Buffer.alloc(5 * MIB, 'x') });
    const first = await files.parts.put(file, { number: 1, bytes: one });
    await files.parts.join(file, [first, second]);
    expect(Buffer.from(await files.get(key)).equals(Buffer.concat([one, two]))).toBe(true);
    await files.parts.discard(file);
    await files.parts.discard(file);
    expect(await files.exists(key)).toBe(false);
    const other = { key, token: await files.parts.begin(key, 'text/plain') };
    await files.parts.put(other, { number: 1, bytes: one });
    await files.parts.discard(other);
    expect(await files.exists(key)).toBe(false);
  });

  it('return what was stored last under a key', async () => {
    await files.put('profiles/one-128.webp', Buffer.from('first'), 'image/webp');
    await files.put('profiles/one-128.webp', Buffer.from('second'), 'image/webp');
    expect(Buffer.from(await files.get('profiles/one-128.webp')).toString()).toBe('second');
    expect((await buffer(await files.stream('profiles/one-128.webp'))).toString()).toBe('second');
    expect(await files.exists('profiles/one-128.webp')).toBe(true);
  });

  it('exist only between put and delete', async () => {
    expect(await files.exists('nothing.zip')).toBe(false);
    await expect(files.get('nothing.zip')).rejects.toThrow();
    await expect(files.stream('nothing.zip').then(buffer)).rejects.toThrow();
    await files.delete('nothing.zip');
    await files.put('something.zip', Buffer.from('x'), 'application/zip');
    await files.delete('something.zip');
    expect(await files.exists('something.zip')).toBe(false);
  });

  it.each([0, 5, 5 * MIB, 12 * MIB + 7])('are stored from a stream of %i bytes', async (size) => {
    await files.putStream('exports/all.zip', Readable.from(chunks(size)), 'application/zip');
    const expected = Buffer.concat([...chunks(size)]);
    expect((await buffer(await files.stream('exports/all.zip'))).equals(expected)).toBe(true);
  });

  it.each([1000, 11 * MIB])('are not replaced when the stream fails after %i bytes', async (size) => {
    await files.put('exports/before.zip', Buffer.from('before'), 'application/zip');
    const content = Readable.from(broken(size));
    await expect(files.putStream('exports/before.zip', content, 'application/zip')).rejects.toThrow();
    expect(Buffer.from(await files.get('exports/before.zip')).toString()).toBe('before');
  });

  it('are read in part, measured and moved', async () => {
    const content = Buffer.concat([...chunks(200_000)]);
    await files.put('parts/one.bin', content, 'application/octet-stream');
    const part = await buffer(await files.stream('parts/one.bin', undefined, { start: 65_530, end: 65_541 }));
    expect(part.equals(content.subarray(65_530, 65_542))).toBe(true);
    expect([await files.size('parts/one.bin'), await files.size('parts/none.bin')]).toEqual([200_000, undefined]);
    await files.put('parts/two.bin', Buffer.from('before'), 'application/octet-stream');
    await files.move('parts/one.bin', 'parts/two.bin');
    expect([await files.exists('parts/one.bin'), await files.size('parts/two.bin')]).toEqual([false, 200_000]);
  });

  it('are separate under similar keys', async () => {
    await Promise.all(
      ['a/b.png', 'a-b.png', 'a/b.png.part', 'A/b.png'].map((key) => files.put(key, Buffer.from(key), 'image/png')),
    );
    expect(Buffer.from(await files.get('a/b.png')).toString()).toBe('a/b.png');
    expect(Buffer.from(await files.get('A/b.png')).toString()).toBe('A/b.png');
  });
});

describe('openFolder', () => {
  it.each(['../outside.txt', 'a/../../outside.txt', 'a/\0b'])('refuses the key %j', async (key) => {
    await writeFile(join(folder, 'outside.txt'), 'outside');
    onTestFinished(() => rm(join(folder, 'outside.txt')));
    const files = await openFolder(join(folder, 'files'));
    const bytes = Buffer.from('x');
    const calls = [
      () => files.size(key),
      () => files.stream(key),
      () => files.stream(key, undefined, { start: 0, end: 3 }),
      () => files.putStream(key, Readable.from([bytes]), 'text/plain'),
      () => files.parts.begin(key, 'text/plain'),
      () => files.parts.put({ key, token: '' }, { number: 1, bytes }),
      () => files.parts.discard({ key, token: '' }),
      () => files.delete(key),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/key/);
    expect(await readFile(join(folder, 'outside.txt'), 'utf8')).toBe('outside');
  });
});

describe('openBucket', () => {
  it('stores nothing locally', async () => {
    expect(await readdir(folder)).toEqual(['files']);
  });

  it('fails at startup with a one-line error when the bucket does not exist', async () => {
    await expect(openFiles(folder, { ...store.settings, bucket: 'another' }, log)).rejects.toThrow(
      /^STORAGE_URL: the bucket another [^\n]+$/,
    );
  });

  it.each<StoreFailure>([500, 503, 'cut', 'silent'])(
    'throws server.unavailable quickly when the store fails (%s)',
    async (how) => {
      const files = await openBucket(store.settings, log, { answerMs: 1000 });
      await files.put('a.png', Buffer.from('x'), 'image/png');
      store.fail(how);
      const begun = performance.now();
      const calls = [
        files.put('a.png', Buffer.from('y'), 'image/png'),
        files.get('a.png'),
        files.stream('a.png'),
        files.exists('a.png'),
        files.delete('a.png'),
      ];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({ reason: { code: 'server.unavailable', details: { retryAfterSeconds: 30 } } });
      expect(performance.now() - begun).toBeLessThan(3000);
      store.fail(undefined);
      expect(Buffer.from(await files.get('a.png')).toString()).toMatch(/^[xy]$/);
    },
  );

  it('throws server.unavailable when the store fails during a stream', async () => {
    const files = await openFiles(folder, store.settings, log);
    store.fail(503);
    const stream = files.putStream('b.zip', Readable.from(chunks(1000)), 'application/zip');
    await expect(stream).rejects.toMatchObject({ code: 'server.unavailable' });
    store.fail(undefined);
  });

  it('does not time out after the response has begun', async () => {
    const files = await openBucket(store.settings, log, { answerMs: 1000 });
    await files.putStream('large.zip', Readable.from(chunks(12 * MIB)), 'application/zip');
    const content = await files.stream('large.zip', AbortSignal.timeout(1000));
    await setTimeout(1200);
    expect((await buffer(content)).length).toBe(12 * MIB);
  });

  it('rethrows the error of a failed source stream', async () => {
    const files = await openFiles(folder, store.settings, log);
    const stream = files.putStream('c.zip', Readable.from(broken(1000)), 'application/zip');
    await expect(stream).rejects.toThrow('the sender disconnected');
  });

  it('starts while the store is down, and storage calls fail', async () => {
    const port = await freePort();
    const files = await openFiles(folder, { ...store.settings, endpoint: `http://127.0.0.1:${port}` }, log);
    const unavailable = { code: 'server.unavailable' };
    await expect(files.put('a.png', Buffer.from('x'), 'image/png')).rejects.toMatchObject(unavailable);
    await expect(files.exists('a.png')).rejects.toMatchObject(unavailable);
  });
});
