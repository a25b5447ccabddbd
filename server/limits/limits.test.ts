import { createActivity } from '@officium/contract/community';
import { checkEmail, readSession } from '@officium/contract/auth';
import { shareArticle } from '@officium/contract/shares';
import { sql } from 'kysely';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { createAllowances } from './allowances.ts';
import { countInDatabase } from './counts.ts';
import { addressKey, siteKey, takeLimit } from './limits.ts';

const test = await createTestApp({ RATE_LIMITS: 'on' });

/** The RateLimit-* headers of an answer as numbers. */
const standing = (headers: Record<string, unknown>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`ratelimit-${name}`]));

describe('a limit', () => {
  it('is shared, returns the time to wait, and counts 50 parallel requests exactly', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () => takeLimit(test.ctx, 'test', { max: 10, windowSeconds: 60 })),
    );
    expect(tries.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10);
    const refused = tries.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toMatchObject({ status: 429, details: { retryAfterSeconds: expect.any(Number) } });
  });

  it('stays a refusal however much is asked of it', async () => {
    const ask = async () => await takeLimit(test.ctx, 'greedy', { max: 10, windowSeconds: 60 }, 2_000_000_000);
    for (const _ of [1, 2, 3]) await expect(ask()).rejects.toMatchObject({ status: 429 });
  });

  it('asks to wait at most its window, also in a transaction that began before the window did', async () => {
    await test.ctx.db.transaction().execute(async (trx) => {
      await sql`select now()`.execute(trx);
      await countInDatabase(test.ctx.db).take('overtaken', 1, 60);
      expect(await countInDatabase(trx).take('overtaken', 1, 60)).toEqual({ used: 2, wait: 60 });
    });
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    [undefined, 'gone'],
  ])('counts %s as %s', (address, key) => expect(addressKey(address)).toBe(key));

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001:ffff::9', '2001:db8:1::/48'],
    ['2001:db8:2::9', '2001:db8:2::/48'],
    ['no address', 'unreadable'],
    [undefined, 'gone'],
  ])('counts the site of %s as %s', (address, key) => expect(siteKey(address)).toBe(key));

  itInProcess('of an address allows a /48 ten times as much, however many subnets it uses', async () => {
    const at = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' });
    const ask = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await at.call(checkEmail, undefined, { params: { email: 'a@example.gov' }, headers })).status;
    };
    // A subnet over its own limit takes nothing from its site's.
    for (let n = 0; n < 30; n += 1) expect(await ask('2001:db8:7:1::1')).toBe(n < 10 ? 200 : 429);
    for (let line = 2; line <= 10; line += 1)
      for (let n = 0; n < 10; n += 1) expect(await ask(`2001:db8:7:${line}::${n}`)).toBe(200);
    expect(await ask('2001:db8:7:99::1')).toBe(429);
    expect(await ask('2001:db8:8:99::1')).toBe(200);
    expect(await ask('203.0.113.7')).toBe(200);
  });

  it('is reported with each answer, with the time to wait once it is used up', async () => {
    const ask = (n: number) => test.call(checkEmail, undefined, { params: { email: `a${n}@example.gov` } });
    const [limit, remaining, reset] = standing((await ask(0)).headers);
    expect([limit, remaining]).toEqual([10, 9]);
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
    for (let n = 1; n < 10; n += 1) await ask(n);
    const refused = await ask(10);
    expect(refused.status).toBe(429);
    expect(standing(refused.headers).slice(0, 2)).toEqual([10, 0]);
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
  });

  it('of an account does not affect others', async () => {
    const [maya, noor] = [await makePerson(test), await makePerson(test)];
    const share = ({ as }: typeof maya) =>
      test.call(shareArticle, as, { params: { slug: 'none' }, body: { title: 'Read this', communities: ['none'] } });
    const statuses = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await share(maya)).status);
    expect(statuses).toEqual([...Array<number>(60).fill(404), 429]);
    expect((await share(noor)).status).toBe(404);
  });

  it("limits a user's mentions, in new texts and in edits", async () => {
    const maya = await makePerson(test);
    const community = await makeCommunity(test.ctx.db);
    await makeMember(test.ctx.db, community, maya);
    const ten = async () => (await Promise.all(Array.from({ length: 10 }, () => makePerson(test)))).map(({ id }) => id);
    const post = (ids: string[]) =>
      test.call(createActivity, maya.as, {
        params: { slug: community.slug },
        body: { verb: 'post', body: `Look ${ids.map((id) => `{{${id}}}`).join(' ')}` },
      });
    for (let n = 0; n < 5; n += 1) expect((await post(await ten())).status).toBe(201);
    expect((await post((await ten()).slice(0, 1))).status).toBe(429);
    expect((await post([])).status).toBe(201);
  });
});

describe('the rate limit per minute', () => {
  it('is reported with every answer', async () => {
    const maya = await makePerson(test);
    const first = standing((await test.call(readSession, maya.as)).headers);
    const second = standing((await test.call(readSession, maya.as)).headers);
    expect(first[0]).toBe(6000);
    expect([first[1]! - 1, 5_999]).toContain(second[1]); // the latter when a minute has just begun
    expect(standing((await test.call(readSession)).headers)[0]).toBe(12_000);
  });

  it('of an address ignores the port that a proxy adds, and is shared by all unreadable addresses', () => {
    const allowances = createAllowances(countInDatabase(test.ctx.db), pino({ level: 'silent' }), () => 90_000);
    onTestFinished(() => allowances.close());
    for (const name of [
      (n: number) => `192.0.2.7:${n}`,
      (n: number) => `[2001:db8:9::1]:${n}`,
      (n: number) => `odd${n}`,
    ]) {
      allowances.takeByAddress(name(5_000), 2);
      allowances.takeByAddress(name(5_001), 2);
      expect(() => allowances.takeByAddress(name(5_002), 2)).toThrow(expect.objectContaining({ status: 429 }));
    }
    expect(() => allowances.takeByAddress('192.0.2.7', 2)).toThrow(expect.objectContaining({ status: 429 }));
  });

  it('is shared by all subnets of a /48', () => {
    const allowances = createAllowances(countInDatabase(test.ctx.db), pino({ level: 'silent' }), () => 90_000);
    onTestFinished(() => allowances.close());
    for (let line = 0; line < 20; line += 1) allowances.takeByAddress(`2001:db8:7:${line}::1`, 2);
    expect(() => allowances.takeByAddress('2001:db8:7:99::1', 2)).toThrow(expect.objectContaining({ status: 429 }));
    expect(allowances.takeByAddress('2001:db8:8::1', 2)).toMatchObject({ limit: 2, remaining: 1 });
  });

  it('is shared by all nodes', async () => {
    let now = 90_000;
    const nodes = [1, 2].map(() =>
      createAllowances(countInDatabase(test.ctx.db), pino({ level: 'silent' }), () => now),
    );
    onTestFinished(() => nodes.forEach((node) => node.close()));
    const [one, two] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    const max = 1000;
    for (let n = 0; n < 600; n += 1) one.take('maya', max);
    for (let n = 0; n < 300; n += 1) two.take('maya', max);
    await one.share();
    await two.share();
    await one.share(); // reads the shared count only when it has something to add
    one.take('maya', max);
    await one.share();
    expect(two.take('maya', max)).toMatchObject({ limit: max, remaining: 99, resetSeconds: 30 });
    expect(one.take('maya', max).remaining).toBe(98);
    for (let n = 0; n < 98; n += 1) one.take('maya', max);
    expect(() => one.take('maya', max)).toThrow(expect.objectContaining({ status: 429 }));
    expect(one.take('noor', max).remaining).toBe(999);
    now += 60_000;
    expect(one.take('maya', max).remaining).toBe(999);
  });
});
