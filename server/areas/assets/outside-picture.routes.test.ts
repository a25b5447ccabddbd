import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { sweepJob } from '#server/app/sweep.ts';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { fileKey, shownAddress } from './outside-picture.policy.ts';

const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c02020' } })
  .withExif({ IFD0: { Copyright: 'somebody' } })
  .jpeg()
  .toBuffer();

const asked: { path: string; headers: Record<string, unknown> }[] = [];
let isAway = false;
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  asked.push({ path, headers: request.headers });
  const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body);
  if (isAway) response.writeHead(500).end();
  else if (path.startsWith('/photo')) send('image/jpeg', photo);
  else if (path === '/lies') send('image/jpeg', '<script>alert(1)</script>');
  else if (path === '/page') send('text/html', photo);
  else if (path === '/drawing') send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  else if (path === '/large') send('image/jpeg', Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)]));
  else if (path === '/inwards') response.writeHead(302, { location: 'http://127.0.0.1:1/photo' }).end();
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has an AddressInfo
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const test = await createTestApp({ LINK_PREVIEW_ALLOW: host });
const { ctx } = test;
const pathOf = (address: string, use: 'face' | 'whole' = 'whole') =>
  shownAddress(ctx.seal.hash, ctx.config.publicUrl, address, use);
const nameIn = (path: string) => path.split('/')[3] ?? '';
const get = async (path: string) => await test.app.inject({ url: path });
const timesAsked = (path: string) => asked.filter((one) => one.path === path).length;

beforeEach(() => {
  asked.length = 0;
  isAway = false;
});

describe('a picture of another host', () => {
  itInProcess('is served from this site, re-encoded at the needed size', async () => {
    for (const [use, width] of [
      ['face', 256],
      ['whole', 400],
    ] as const) {
      const reply = await get(pathOf(`http://${host}/photo`, use));
      expect(reply.statusCode).toBe(200);
      expect(reply.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      const found = await sharp(reply.rawPayload).metadata();
      expect(found).toMatchObject({ format: 'webp', width });
      expect(found.exif).toBeUndefined();
    }
  });

  itInProcess('is fetched once for many requests, without client data, and kept for a week', async () => {
    const path = pathOf(`http://${host}/photo?once`);
    const replies = await Promise.all(Array.from({ length: 8 }, () => get(path)));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    isAway = true;
    expect((await get(path)).statusCode).toBe(200);
    expect(timesAsked('/photo?once')).toBe(1);
    expect(asked[0]?.headers).not.toHaveProperty('cookie');
    expect(asked[0]?.headers).not.toHaveProperty('referer');
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from good_until - now())::float8 / 86400 as days from outside_pictures
      where name = ${nameIn(path)}`.execute(ctx.db);
    expect(rows[0]?.days).toBeCloseTo(7, 1);
  });

  itInProcess('is fetched again when its file is missing', async () => {
    const path = pathOf(`http://${host}/photo?gone`);
    await get(path);
    await ctx.files.delete(fileKey(nameIn(path)));
    expect((await get(path)).statusCode).toBe(200);
    expect(timesAsked('/photo?gone')).toBe(2);
  });

  itInProcess('is deleted when it expires, and fetched again', async () => {
    const path = pathOf(`http://${host}/photo?old`);
    await get(path);
    await sql`update outside_pictures set good_until = now() - interval '1 second' where name = ${nameIn(path)}`.execute(
      ctx.db,
    );
    await sweepJob.run(ctx, {});
    await test.drain();
    expect(await ctx.files.exists(fileKey(nameIn(path)))).toBe(false);
    expect((await get(path)).statusCode).toBe(200);
    expect(timesAsked('/photo?old')).toBe(2);
  });

  itInProcess.each(['/missing', '/lies', '/page', '/drawing', '/large', '/inwards'])(
    'gives 404 when it is unavailable and is not requested again for ten minutes: %s',
    async (file) => {
      const path = pathOf(`http://${host}${file}`);
      const reply = await get(path);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect((await get(path)).statusCode).toBe(404);
      expect(timesAsked(file)).toBe(1);
      await sql`update outside_pictures set good_until = now() where name = ${nameIn(path)}`.execute(ctx.db);
      await get(path);
      expect(timesAsked(file)).toBe(2);
    },
  );

  itInProcess('is not fetched from a private address or from an address no page wrote', async () => {
    for (const address of [
      'http://127.0.0.1/photo',
      'http://10.0.0.1/a.png',
      'http://localhost:1/a.png',
      'https://u:p@example.org/a.png',
    ])
      expect([address, (await get(pathOf(address))).statusCode]).toEqual([address, 404]);
    const [, , , name, address] = pathOf(`http://${host}/photo?mine`).split('/');
    const other = Buffer.from(`http://${host}/photo?other`).toString('base64url');
    for (const path of [`${name}/${other}`, `face-${name?.slice(6)}/${address}`, `whole-/${address}`, `${name}/~`])
      expect([path, (await get(`/files/elsewhere/${path}`)).statusCode]).toEqual([path, 404]);
    expect(asked).toEqual([]);
  });

  itInProcess('gives 404 when the queue is full, and is fetched by the next request', async () => {
    const paths = Array.from({ length: 40 }, (_, n) => pathOf(`http://${host}/photo?crowd=${n}`));
    const statuses = (await Promise.all(paths.map(get))).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200, 404])); // per host two run and twenty wait
    expect((await get(paths.at(-1)!)).statusCode).toBe(200); // the list has forty entries
  });
});

describe('pictures that are not stored yet', () => {
  itInProcess('are limited to 600 in five minutes per client address', async () => {
    const limited = await createTestApp({ LINK_PREVIEW_ALLOW: host, RATE_LIMITS: 'on' });
    const path = (n: number) =>
      shownAddress(limited.ctx.seal.hash, limited.ctx.config.publicUrl, `http://${host}/photo?${n}`, 'face');
    expect((await limited.app.inject({ url: path(0) })).statusCode).toBe(200);
    await sql`update rate_limits set used = 600 where key like 'outside-picture:%'`.execute(limited.ctx.db);
    expect((await limited.app.inject({ url: path(1) })).statusCode).toBe(429);
    expect((await limited.app.inject({ url: path(0) })).statusCode).toBe(200);
    const from = (remoteAddress: string, n: number) => limited.app.inject({ url: path(n), remoteAddress });
    expect((await from('2001:db8:1::1', 2)).statusCode).toBe(200);
    await sql`update rate_limits set used = 6000 where key = 'outside-picture:2001:db8:1::/48'`.execute(limited.ctx.db);
    expect((await from('2001:db8:1:2::1', 3)).statusCode).toBe(429);
  });
});
