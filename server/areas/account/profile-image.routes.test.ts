import { globSync, readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { readProfile, updateProfile } from '@officium/contract/account';
import { uploadProfileImage } from '@officium/contract/assets';
import { deleteAccount } from '@officium/contract/auth';
import { updateUser } from '@officium/contract/people';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '#server/db/client.ts';
import { noteAnswer } from '#server/test/answers.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';

const test = await createTestApp();

const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
  .png()
  .toBuffer();

type Part = { name: string; filename?: string; type?: string; bytes: Buffer | string };

/** Sends a raw form. */
async function send(as: As | undefined, form: Buffer, { userId = 'me', headers = {} } = {}) {
  const url = `/api/assets/users/${userId}/profile-images`;
  const response = await test.app.inject({
    method: 'POST',
    url,
    headers: {
      ...(as?.token ? { cookie: `session=${as.token}`, 'sec-fetch-site': 'same-origin' } : {}),
      'content-type': 'multipart/form-data; boundary=line',
      ...headers,
    },
    payload: form,
  });
  noteAnswer('POST', url, response.statusCode, response.body);
  return { status: response.statusCode, body: response.json() };
}

async function post(as: As | undefined, parts: Part[], options = {}) {
  const chunks = parts.flatMap(({ name, filename, type, bytes }) => [
    `--line\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    type === undefined ? '\r\n' : `content-type: ${type}\r\n\r\n`,
    bytes,
    '\r\n',
  ]);
  return await send(as, Buffer.concat([...chunks, '--line--\r\n'].map((part) => Buffer.from(part))), options);
}

const aFile = (bytes: Buffer | string = picture, filename = 'me.png'): Part => ({
  name: 'file',
  filename,
  type: 'image/png',
  bytes,
});
const PART = '--line\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
const pathOf = (address: string) => new URL(address).pathname;
/** Speeds up timeouts of up to five seconds by a factor of twenty. */
async function withFastTimeouts<T>(work: () => Promise<T>): Promise<T> {
  const { timeout } = AbortSignal;
  using limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
  const result = await work();
  expect(limits).toHaveBeenCalled();
  for (const [ms] of limits.mock.calls) expect(ms).toBeLessThanOrEqual(5_000);
  return result;
}

const fetched = async (address: string) => await test.app.inject({ method: 'GET', url: pathOf(address) });

describe('uploadProfileImage', () => {
  it('sets the picture of the profile', async () => {
    const maya = await makePerson(test);
    const { status, body } = await post(maya.as, [aFile()]);
    expect(status).toBe(201);
    const { originalURL, thumbnailURL } = uploadProfileImage.replies[201].strict().parse(body);
    const profile = await test.call(readProfile, maya.as, { params: { id: 'me' } });
    expect(profile.body.image).toEqual({ full: originalURL, thumbnail: thumbnailURL });
    expect((await post(maya.as, [aFile()], { userId: maya.id })).status).toBe(201);
  });

  it('serves the picture to everyone, cacheable forever and with safe headers', async () => {
    const maya = await makePerson(test);
    const { body } = await post(maya.as, [aFile()]);
    for (const [address, width] of [
      [body.originalURL, 512],
      [body.thumbnailURL, 128],
    ]) {
      const served = await fetched(address);
      expect(served.statusCode).toBe(200);
      expect(served.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(served.headers['content-security-policy']).toContain('sandbox');
      expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width, height: width });
    }
    for (const name of ['x', `${newId()}-512.webp`, '..%2f..%2fpackage.json', `${newId()}-513.webp`])
      expect((await test.app.inject({ method: 'GET', url: `/files/profiles/${name}` })).statusCode).toBe(404);
  });

  it('deletes the previous picture', async () => {
    const maya = await makePerson(test);
    const first = (await post(maya.as, [aFile()])).body;
    const second = (await post(maya.as, [aFile()])).body;
    await test.drain();
    expect((await fetched(first.originalURL)).statusCode).toBe(404);
    expect((await fetched(first.thumbnailURL)).statusCode).toBe(404);
    expect((await fetched(second.originalURL)).statusCode).toBe(200);
    await test.call(updateProfile, maya.as, {
      body: { image: { full: second.originalURL, thumbnail: second.thumbnailURL } },
    });
    await test.drain();
    expect((await fetched(second.thumbnailURL)).statusCode).toBe(200);
    await test.call(updateProfile, maya.as, { body: { image: null } });
    await test.drain();
    expect((await fetched(second.thumbnailURL)).statusCode).toBe(404);
  });

  it('deletes the picture when the account is replaced without it', async () => {
    const maya = await makePerson(test);
    const replace = (thumbnail?: string) =>
      test.call(updateUser, maya.as, { params: { id: 'me' }, body: { name: 'Maya', thumbnail } });
    for (const other of [undefined, 'https://pictures.example/a.png']) {
      const { originalURL, thumbnailURL } = (await post(maya.as, [aFile()])).body;
      expect((await replace(thumbnailURL)).status).toBe(200);
      await test.drain();
      expect((await fetched(originalURL)).statusCode).toBe(200);
      expect((await replace(other)).status).toBe(200);
      await test.drain();
      for (const address of [originalURL, thumbnailURL]) expect((await fetched(address)).statusCode).toBe(404);
    }
  });

  it('keeps a picture whose address another account shows', async () => {
    const maya = await makePerson(test);
    const noor = await makePerson(test);
    const { originalURL, thumbnailURL } = (await post(maya.as, [aFile()])).body;
    await test.call(updateProfile, noor.as, { body: { image: { full: originalURL, thumbnail: thumbnailURL } } });
    await post(noor.as, [aFile()]);
    await test.drain();
    expect((await fetched(originalURL)).statusCode).toBe(200);
  });

  it('is deleted with the account', async () => {
    const maya = await makePerson(test);
    const { originalURL } = (await post(maya.as, [aFile()])).body;
    await test.call(deleteAccount, maya.as, { params: { email: maya.email } });
    await test.drain();
    expect((await fetched(originalURL)).statusCode).toBe(404);
  });

  it('keeps one of many parallel uploads', async () => {
    const maya = await makePerson(test);
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(maya.as, [aFile()])));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    await test.drain();
    const served = await Promise.all(answers.map(async ({ body }) => (await fetched(body.originalURL)).statusCode));
    expect(served.sort()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('is allowed only for the viewer’s own account', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await post(admin.as, [aFile()], { userId: maya.id })).status).toBe(403);
    expect((await post(maya.as, [aFile()], { userId: newId() })).status).toBe(403);
    expect((await post(maya.as, [aFile()], { userId: 'you' })).status).toBe(400);
    expect((await post(undefined, [aFile()])).status).toBe(401);
    const unproven = await makePerson(test, { isProven: false });
    expect((await post(unproven.as, [aFile()])).status).toBe(403);
    const crossSite = await post(maya.as, [aFile()], { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(crossSite.status).toBe(403);
  });

  it('accepts 5 MiB and not a byte more', async () => {
    const maya = await makePerson(test);
    const padded = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)]);
    expect((await post(maya.as, [aFile(padded(5 * 1024 * 1024))])).status).toBe(201);
    expect((await post(maya.as, [aFile(padded(5 * 1024 * 1024 + 1))])).status).toBe(400);
  });

  it.each<[string, Part[]]>([
    ['no part', []],
    ['a field', [{ name: 'file', bytes: 'x' }]],
    ['another name', [{ ...aFile(), name: 'picture' }]],
    ['two files', [aFile(), aFile()]],
    ['a field beside it', [aFile(), { name: 'note', bytes: 'x' }]],
    ['an empty file', [aFile('')]],
    ['a drawing', [aFile('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'a.svg')]],
    ['a page that says it is a picture', [aFile('<html><script>alert(1)</script>')]],
    ['more than 5 MiB', [aFile(Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024)]))]],
    ['half a picture', [aFile(picture.subarray(0, 50))]],
  ])('refuses %s', async (_, parts) => {
    const maya = await makePerson(test);
    const { status, body } = await post(maya.as, parts);
    expect([status, body.statusCode, body.error, body.code]).toEqual([400, 400, 'Bad Request', 'assets.bad_image']);
    expect(typeof body.message).toBe('string');
    expect((await test.call(readProfile, maya.as, { params: { id: 'me' } })).body.image).toBeNull();
  });

  it.each([
    ['application/json', '{}'],
    ['image/png', 'x'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=other', '--line'],
    ['text/plain', 'x'],
    ['nonsense', 'x'],
  ])('refuses %s', async (type, payload) => {
    const maya = await makePerson(test);
    const answer = await test.send('POST', '/api/assets/users/me/profile-images', {
      as: maya.as,
      body: payload,
      headers: { 'content-type': type },
    });
    expect([type, answer.status]).toEqual([type, 400]);
    expect(answer.body).toMatchObject({ statusCode: 400, error: 'Bad Request' });
  });

  it.each([
    ['in the middle of the file', `${PART}${picture.subarray(0, 30).toString('latin1')}`],
    ['in the head of the part', '--line\r\ncontent-disposition: form-da'],
    ['before the end of the form', `${PART}${picture.toString('latin1')}\r\n--li`],
    ['at once', ''],
    ['after a boundary', '--line\r\n'],
  ])('refuses a form that ends %s', async (_, form) => {
    const maya = await makePerson(test);
    const { status, body } = await send(maya.as, Buffer.from(form, 'latin1'));
    expect([status, body.code]).toEqual([400, 'assets.bad_image']);
  });

  it.each([
    ['a part without a name', 400, 'content-disposition: form-data; filename="a.png"'],
    ['a part without a disposition', 400, 'content-type: image/png'],
    ['a file without a file name', 400, 'content-disposition: form-data; name="file"\r\ncontent-type: image/png'],
    [
      'forty header lines',
      201,
      `content-disposition: form-data; name="file"; filename="a.png"${'\r\nx-a: b'.repeat(40)}`,
    ],
  ])('for %s returns %i', async (_, expected, head) => {
    const maya = await makePerson(test);
    const form = Buffer.concat([Buffer.from(`--line\r\n${head}\r\n\r\n`), picture, Buffer.from('\r\n--line--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary="line"' };
    expect((await send(maya.as, form, { headers })).status).toBe(expected);
  });

  it('refuses a request without a body', async () => {
    const maya = await makePerson(test);
    const answer = await test.send('POST', '/api/assets/users/me/profile-images', { as: maya.as });
    expect(answer.status).toBe(400);
  });

  it('returns the first picture for a repeated Idempotency-Key', async () => {
    const maya = await makePerson(test);
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = [await post(maya.as, [aFile()], { headers }), await post(maya.as, [aFile()], { headers })];
    expect([first.status, second]).toEqual([201, first]);
    await test.drain();
    expect((await fetched(first.body.originalURL)).statusCode).toBe(200);
  });

  it('returns 503 after a short timeout while the file store hangs, and leaves no files behind', async () => {
    const maya = await makePerson(test);
    const { put, get } = test.ctx.files;
    const stored: string[] = [];
    // Stores the file but never responds.
    test.ctx.files.put = async (key, bytes, mime, signal) => {
      await put(key, bytes, mime);
      stored.push(key);
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const refused = await withFastTimeouts(() => post(maya.as, [aFile()]));
    test.ctx.files.put = put;
    expect([refused.status, refused.body.code]).toEqual([503, 'server.unavailable']);
    const { body } = await post(maya.as, [aFile()]);
    await sql`update jobs.job set start_after = now() where name = 'account.remove-pictures'`.execute(test.ctx.db);
    await test.drain();
    expect(stored).toHaveLength(2);
    for (const key of stored) expect(await test.ctx.files.exists(key)).toBe(false);
    expect((await fetched(body.originalURL)).statusCode).toBe(200);

    test.ctx.files.get = async () => await Promise.reject(new Error('connect ECONNREFUSED'));
    const unread = await fetched(body.originalURL);
    test.ctx.files.get = get;
    expect([unread.statusCode, unread.json().code]).toEqual([503, 'server.unavailable']);
  });

  it('returns 503 while the file store is down', async () => {
    const maya = await makePerson(test);
    const { put } = test.ctx.files;
    test.ctx.files.put = async () => await Promise.reject(new Error('ENOSPC: no space left on device'));
    const refused = await post(maya.as, [aFile()]);
    test.ctx.files.put = put;
    expect([refused.status, refused.body.code]).toEqual([503, 'server.unavailable']);
    expect((await test.call(readProfile, maya.as, { params: { id: 'me' } })).body.image).toBeNull();
    expect((await post(maya.as, [aFile()])).status).toBe(201);
  });
});

describe('uploads over slow and broken connections', () => {
  /** Sends only the beginning of an upload. */
  async function begin(as: As, headers: string[] = []) {
    const { port } = test.app.server.address() as AddressInfo; // a TCP server has an AddressInfo
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const head = [
      'POST /api/assets/users/me/profile-images HTTP/1.1',
      'host: localhost',
      `cookie: session=${as.token}`,
      'sec-fetch-site: same-origin',
      'content-type: multipart/form-data; boundary=line',
      'content-length: 100000',
      ...headers,
    ];
    await new Promise<void>((sent) => socket.write(`${head.join('\r\n')}\r\n\r\n${PART}`, () => sent()));
    socket.write(picture.subarray(0, 40));
    return socket;
  }

  it('do not block other requests, with or without a key', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const peers: Socket[] = [];
    test.app.server.on('connection', (peer) => peers.push(peer));
    const maya = await makePerson(test);
    const sockets = await Promise.all(
      Array.from({ length: 24 }, (_, n) => begin(maya.as, n % 2 ? [] : [`idempotency-key: slow-${n}`])),
    );
    const bytes = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
    const sent = bytes(sockets.map(({ bytesWritten }) => bytesWritten));
    await expect.poll(() => bytes(peers.map(({ bytesRead }) => bytesRead)), { timeout: 5_000 }).toBe(sent);
    const others = await Promise.all(
      Array.from({ length: 12 }, () => test.call(readProfile, maya.as, { params: { id: 'me' } })),
    );
    expect(others.map(({ status }) => status)).toEqual(Array<number>(12).fill(200));
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => peers.every(({ closed }) => closed), { timeout: 5_000 }).toBe(true);
    expect((await test.call(readProfile, maya.as, { params: { id: 'me' } })).body.image).toBeNull();
    expect((await post(maya.as, [aFile()])).status).toBe(201);
  });
});

// Runs only where Pillow's test pictures are installed.
describe.runIf(hasSharedData)('pictures of all kinds', () => {
  const root = join(SHARED_DATA, 'images-pillow');
  const files = hasSharedData ? globSync('valid*/*', { cwd: root }).sort() : [];

  it('are accepted and served as squares without metadata', async () => {
    expect(files).toHaveLength(47);
    const maya = await makePerson(test);
    for (const file of files) {
      const { status, body } = await post(maya.as, [aFile(readFileSync(join(root, file)), file)]);
      expect([file, status]).toEqual([file, 201]);
      for (const [address, edge] of [
        [body.originalURL, 512],
        [body.thumbnailURL, 128],
      ]) {
        const served = (await fetched(address)).rawPayload;
        const { exif, xmp, iptc, icc, comments, ...shown } = await sharp(served).metadata();
        expect(shown).toMatchObject({ format: 'webp', width: edge, height: edge, space: 'srgb' });
        expect([exif, xmp, iptc, icc, comments]).toEqual(Array<undefined>(5).fill(undefined));
        expect((await sharp(served).raw().toBuffer()).length).toBeGreaterThan(0);
      }
    }
  });
});
