import { shareArticle } from '@officium/contract/shares';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { endSessions } from '#server/access/sessions.ts';
import { readConfig } from '#server/config.ts';
import { announce, notify } from '#server/db/announce.ts';
import { createAllowances } from '#server/limits/allowances.ts';
import { countElsewhereWhenAway, countInDatabase, countInRedis } from '#server/limits/counts.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { hasRedis, startRedis } from '#server/test/redis-server.ts';
import type { RedisAddress } from '#server/config-values.ts';
import { openRedis, type Redis } from './redis.ts';

const silent = pino({ level: 'silent' });
const limit = { max: 10, windowSeconds: 60 };
const addressOf = (url: string): RedisAddress => readConfig({ REDIS_URL: url }).redis!; // given above

describe('an address without Redis', () => {
  it('does not prevent the start; counters and announcements use the database', async () => {
    const test = await createTestApp({ RATE_LIMITS: 'on', REDIS_URL: 'redis://:hidden@127.0.0.1:1' });
    const received = vi.fn();
    test.ctx.fanOut.subscribe('officium_news', received);
    expect(await takeLimit(test.ctx, 'nobody', limit)).toMatchObject({ remaining: 9 });
    await vi.waitFor(async () => {
      await announce(test.ctx.db, 'officium_news', 'still');
      expect(received).toHaveBeenCalledWith('still');
    });
    expect((await test.send('GET', '/readyz')).body).toEqual({ status: 'ready', redis: 'away' });
  });
});

// Debian's redis-server or valkey-server.
describe.runIf(hasRedis)('with Redis', async () => {
  if (!hasRedis) return;
  const server = await startRedis();
  const test = await createTestApp({ RATE_LIMITS: 'on', REDIS_URL: server.url });
  const redis = await openRedis(addressOf(server.url), silent);
  afterAll(async () => {
    await redis.close();
    await server.kill();
  });
  const inDatabase = async (key: string) =>
    (await sql<{ used: number }>`select used from rate_limits where key = ${key}`.execute(test.ctx.db)).rows[0]?.used;
  const isUp = async (up: boolean, client: Redis = test.ctx.redis!) =>
    await vi.waitFor(() => expect(client.isUp()).toBe(up), { timeout: 20_000, interval: 50 });
  beforeEach(() => isUp(true));

  describe.each([
    ['in the database', () => countInDatabase(test.ctx.db)],
    ['in Redis', () => countInRedis(redis)],
  ])('counting %s', (where, make) => {
    const counts = make();

    it('adds up 50 concurrent uses exactly, and returns the time to wait', async () => {
      const all = await Promise.all(Array.from({ length: 50 }, () => counts.take(`many ${where}`, 2, 60)));
      expect(all.map(({ used }) => used).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, n) => 2 * n + 2),
      );
      for (const { wait } of all) {
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(60);
      }
    });

    it('restarts when the window is over, and never becomes negative', async () => {
      const key = `again ${where}`;
      await counts.giveBack(key);
      await counts.take(key, 3, 0.2);
      await counts.giveBack(key);
      expect((await counts.take(key, 1, 0.2)).used).toBe(3);
      await vi.waitFor(async () => expect((await counts.take(key, 1, 0.2)).used).toBe(1), { interval: 300 });
      for (let n = 0; n < 3; n += 1) await counts.giveBack(key);
      expect((await counts.take(key, 1, 60)).used).toBe(1);
    });

    it('adds up a minute over all nodes', async () => {
      const now = 90_000;
      const nodes = [1, 2].map(() => createAllowances(counts, silent, () => now));
      onTestFinished(() => nodes.forEach((node) => node.close()));
      const caller = `maya ${where}`;
      for (const node of nodes) for (let n = 0; n < 300; n += 1) node.take(caller, 1000);
      for (const node of nodes) await node.share();
      expect(nodes[1]!.take(caller, 1000)).toMatchObject({ limit: 1000, remaining: 399, resetSeconds: 30 });
    });
  });

  it('reports limits as without Redis, and stores no names in Redis', async () => {
    const maya = await makePerson(test);
    const share = () =>
      test.call(shareArticle, maya.as, {
        params: { slug: 'none' },
        body: { title: 'Read this', communities: ['none'] },
      });
    const first = await share();
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '59' });
    for (let n = 1; n < 60; n += 1) await share();
    const refused = await share();
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
    expect(await inDatabase(`shareArticle:${maya.id}`)).toBeUndefined();
    const keys = (await redis.run("return redis.call('KEYS', 'officium:3:*')", [], [])) as string[];
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toContain(maya.id);
  });

  it('delivers announcements to every node, after the commit', async () => {
    const [received, hint] = [vi.fn(), vi.fn()];
    const subscription = redis.listen(['officium_sessions', 'officium_news'], {
      message: received,
      reconnected: () => {},
    });
    await vi.waitFor(() => expect(subscription.isUp()).toBe(true));
    const maya = await makePerson(test);
    onTestFinished(test.ctx.news.subscribe(hint));
    await endSessions(test.ctx.db, maya.id);
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith('officium_sessions', maya.id));
    await vi.waitFor(() => expect(hint).toHaveBeenCalledWith({ people: [maya.id], communities: [] }));
    test.ctx.news.tell(maya.id);
    const announced = JSON.stringify({ people: [maya.id], communities: [] });
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith('officium_news', announced));
  });

  it.each([
    ['is killed', () => server.kill(), () => server.start()],
    ['freezes', async () => server.freeze(), async () => server.thaw()],
  ])('that %s, falls back to the database until it returns', async (what, away, back) => {
    const key = `away ${what}`;
    await takeLimit(test.ctx, key, limit);
    expect(await inDatabase(key)).toBeUndefined();
    const received = vi.fn();
    onTestFinished(test.ctx.fanOut.subscribe('officium_news', received));
    await away();
    try {
      const tries = await Promise.allSettled(Array.from({ length: 12 }, () => takeLimit(test.ctx, key, limit)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      expect(tries.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({ status: 429 });
      expect(await inDatabase(key)).toBe(12);
      await announce(test.ctx.db, 'officium_news', 'by the database');
      await vi.waitFor(() => expect(received).toHaveBeenCalledWith('by the database'));
      await isUp(false);
      expect(await test.send('GET', '/readyz')).toMatchObject({ status: 200, body: { redis: 'away' } });
      expect((await test.send('GET', '/metrics')).body).toMatch(/^officium_redis_up 0$/m);
      await vi.waitFor(() => expect(test.ctx.fanOut.isReceiving()).toBe(false), { timeout: 20_000 });
    } finally {
      await back();
    }
    await isUp(true);
    await takeLimit(test.ctx, `${key} and back`, limit);
    expect(await inDatabase(`${key} and back`)).toBeUndefined();
    await vi.waitFor(() => expect(test.ctx.fanOut.isReceiving()).toBe(true), { timeout: 20_000 });
    await announce(test.ctx.db, 'officium_news', 'by Redis again');
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith('by Redis again'));
    expect(await test.send('GET', '/readyz')).toMatchObject({ status: 200, body: { redis: 'up' } });
    expect((await test.send('GET', '/metrics')).body).toMatch(/^officium_redis_up 1$/m);
  });

  it('receives announcements of a process that lost only Redis', async () => {
    const received = vi.fn();
    onTestFinished(test.ctx.fanOut.subscribe('officium_news', received));
    await notify(test.ctx.db, { channel: 'officium_news', payload: 'from a lonely process' });
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith('from a lonely process'));
  });

  it('that refuses our credentials leaves everything to the database, and its password out of the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const stranger = await openRedis({ ...addressOf(server.url), password: 'not the secret one' }, log);
    const counts = countElsewhereWhenAway(countInRedis(stranger), countInDatabase(test.ctx.db));
    expect(await counts.take('stranger', 1, 60)).toMatchObject({ used: 1 });
    expect(await inDatabase('stranger')).toBe(1);
    expect(stranger.isUp()).toBe(false);
    await stranger.close();
    expect(lines.filter((line) => line.includes('Redis down'))).toHaveLength(1);
    expect(lines.join('')).not.toContain('not the secret one');
  });
});
