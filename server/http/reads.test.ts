import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActivity, listActivities, readActivity } from '@officium/contract/community';
import type { Endpoint } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { addressOf } from '@officium/contract/client';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSession } from '../access/sessions.ts';
import { ANONYMOUS } from '../access/viewer.ts';
import { buildApp } from '#server/app/app.ts';
import { readConfig } from '../config.ts';
import { newId } from '../db/client.ts';
import { openReplica, type Replica } from '../db/replica.ts';
import { AppError } from '../errors.ts';
import { openCtx } from '#server/app/open.ts';
import { SERVICE_KEY, type Sent } from '../test/app.ts';
import { makeCommunity, makeMember, type TestCommunity } from '../test/factories/communities.ts';
import { startStandby, type Standby } from '../test/standby.ts';
import { answerRead, isForReplica, HAS_SIDE_EFFECTS } from './reads.ts';

type Node = Awaited<ReturnType<typeof startNode>>;
/** The credentials of a client: its cookies, or a key. */
type Client = { cookies: Record<string, string>; key?: string };

let standby: Standby;
let folder: string;
let one: Node;
let two: Node;
let community: TestCommunity;
/** The clock of both nodes' replicas; it stands still, so that nothing ages by itself. */
let clockMs = 0;

function configOf(given: Record<string, string> = {}) {
  return readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: standby.primaryUrl,
    DATA_DIR: folder,
    RATE_LIMITS: 'off',
    SERVICE_API_KEYS: `tests:${SERVICE_KEY}`,
    ...given,
  });
}

/** A web process of its own, as far as databases are concerned. */
async function startNode() {
  const { ctx, close } = await openCtx(configOf(), standby.primaryUrl, pino({ level: 'silent' }));
  const logged: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const replica = openReplica(standby.proxy.url, { primary: ctx.lastingDb, log, max: 5, now: () => clockMs });
  ctx.replica = replica;
  const app = await buildApp(ctx);
  return {
    ctx,
    app,
    replica,
    /** Its log lines about the replica. */
    logged,
    async stop() {
      await app.close();
      await replica.close();
      await close();
    },
  };
}

/** Sends a request and stores the returned cookies, as a browser does. */
async function call({ app }: Pick<Node, 'app'>, client: Client, endpoint: Endpoint, { body, ...address }: Sent = {}) {
  const cookie = Object.entries(client.cookies).map(([name, value]) => `${name}=${value}`);
  const response = await app.inject({
    method: endpoint.method as 'GET', // any method; light-my-request takes them all
    url: addressOf(endpoint, address),
    headers: {
      ...(cookie.length > 0 && { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' }),
      ...(client.key && { authorization: `Bearer ${client.key}` }),
    },
    payload: body as object | undefined, // as the contract has it
  });
  for (const { name, value } of response.cookies) client.cookies[name] = value;
  return { status: response.statusCode, body: JSON.parse(response.body) };
}

const post = (node: Node, client: Client, title: string) =>
  call(node, client, createActivity, { params: { slug: community.slug }, body: { verb: 'post', title } });
async function titles(node: Pick<Node, 'app'>, client: Client): Promise<string[]> {
  const { status, body } = await call(node, client, listActivities, { params: { slug: community.slug } });
  expect(status).toBe(200);
  return body.results.map(({ title }: { title: string }) => title);
}

async function makeMemberWithSession(): Promise<Client> {
  const id = newId();
  const { db } = one.ctx;
  const proven = { name: 'Maya', locale: 'en', email_proven_at: new Date() } as const;
  await db
    .insertInto('users')
    .values({ id, email: `${id}@example.gov`, role: 'public-servant', ...proven })
    .execute();
  await makeMember(db, community, { id });
  return { cookies: { session: await openSession(db, { userId: id }) } };
}

async function onStandby(text: string) {
  await sql.raw(text).execute(one.replica.reader.db);
}

const untilRead = (replica: Replica) =>
  vi.waitFor(() => replica.look().then(() => expect(replica.status().fault).toBeUndefined()), 20_000);

/** Waits until every commit is replayed and both nodes know. */
async function settle() {
  for (const { replica } of [one, two]) {
    await untilRead(replica);
    await replica.caughtUp();
  }
}

beforeAll(async () => {
  standby = await startStandby();
  folder = await mkdtemp(join(tmpdir(), 'officium-reads-'));
  one = await startNode();
  two = await startNode();
  community = await makeCommunity(one.ctx.db);
  await settle();
}, 180_000);

afterAll(async () => {
  await one.stop();
  await two.stop();
  await standby.close();
  await rm(folder, { recursive: true, force: true });
});

describe('reads with a replica', () => {
  it('show a writer their own write at once on another node, and others the replayed state', async () => {
    const maya = await makeMemberWithSession();
    expect((await post(one, maya, 'Before')).status).toBe(201);
    await settle();
    await onStandby('select pg_wal_replay_pause()');
    const { status, body } = await post(one, maya, 'After');
    expect(status).toBe(201);

    const stranger = { cookies: {} };
    const before = two.replica.status().reads;
    expect(await titles(two, maya)).toEqual(['After', 'Before']);
    expect(two.replica.status().reads).toEqual({ ...before, primary: before.primary + 1 });
    expect(await titles(two, stranger)).toEqual(['Before']);
    expect(two.replica.status().reads.replica).toBe(before.replica + 1);
    // A session without a mark may have written, so it reads from the primary.
    const { session = '' } = maya.cookies;
    expect(await titles(two, { cookies: { session } })).toEqual(['After', 'Before']);
    expect(await titles(two, { cookies: { session, written: 'nonsense' } })).toEqual(['After', 'Before']);
    expect(await titles(two, { cookies: {}, key: SERVICE_KEY })).toEqual(['After', 'Before']);
    // A new object is found although the replica does not have it yet.
    const fresh = await call(two, stranger, readActivity, { params: { slug: community.slug, id: body.id } });
    expect(fresh).toMatchObject({ status: 200, body: { title: 'After' } });

    await onStandby('select pg_wal_replay_resume()');
    await settle();
    const caughtUp = two.replica.status().reads;
    expect(await titles(two, maya)).toEqual(['After', 'Before']);
    expect(two.replica.status().reads.replica).toBe(caughtUp.replica + 1);
    // Answers to anonymous viewers are cached for a second.
    await expect.poll(() => titles(two, stranger)).toEqual(['After', 'Before']);
  });

  it('come from the primary while the replica is too old, and it catches up by itself', async () => {
    const maya = await makeMemberWithSession();
    await settle();
    await onStandby('select pg_wal_replay_pause()');
    await post(one, maya, 'Older than four seconds');
    await two.replica.look();
    expect(two.replica.status()).toMatchObject({ fault: undefined });
    expect(two.replica.status().lagBytes).toBeGreaterThan(0);
    clockMs += 4_001;
    expect(two.replica.status().fault).toBe('it lags behind');
    expect(await titles(two, { cookies: {} })).toContain('Older than four seconds');
    const metrics = (await two.app.inject('/metrics')).body;
    expect(metrics).toMatch(/^officium_replica_read 0$/m);
    expect(metrics).toMatch(/^officium_replica_lag_bytes [1-9]\d*$/m);
    expect((await two.app.inject('/readyz')).json()).toEqual({ status: 'ready', replica: 'it lags behind' });

    await onStandby('select pg_wal_replay_resume()');
    await untilRead(two.replica);
    expect((await two.app.inject('/metrics')).body).toMatch(/^officium_replica_read 1$/m);
  });

  it('delay announcements until subscribers can read the change', async () => {
    const maya = await makeMemberWithSession();
    await settle();
    await onStandby('select pg_wal_replay_pause()');
    await post(one, maya, 'Announced');
    let isDelivered = false;
    const delivered = two.replica.caughtUp().then(() => (isDelivered = true));
    for (let look = 0; look < 3; look++) await two.replica.look();
    expect(isDelivered).toBe(false);
    await onStandby('select pg_wal_replay_resume()');
    await delivered;
    expect(await titles(two, { cookies: {} })).toContain('Announced');
  });

  it('go to the primary when the replica is unreachable, silent or promoted, which is logged once', async () => {
    const stranger = { cookies: {} };
    await settle();
    const all = await titles(one, stranger);
    one.logged.length = 0;

    standby.proxy.connectTo(undefined);
    expect(await titles(one, stranger)).toEqual(all);
    for (let look = 0; look < 3; look++) await one.replica.look();
    expect(one.replica.status().fault).toBeTruthy();
    expect(await titles(one, stranger)).toEqual(all);

    standby.proxy.connectTo(Number(new URL(standby.standbyUrl).port));
    await untilRead(one.replica);
    const { reads } = one.replica.status();
    expect(await titles(one, stranger)).toEqual(all);
    expect(one.replica.status().reads.replica).toBe(reads.replica + 1);
    const said = one.logged.map(({ msg }) => msg);
    expect(said).toEqual(['replica skipped', 'replica in use again']);

    standby.proxy.dropData();
    const asked = titles(one, stranger);
    await one.replica.look();
    expect(await asked).toEqual(all);
    expect(one.replica.status().fault).toBe('no answer in 2000 ms');
    standby.proxy.connectTo(Number(new URL(standby.standbyUrl).port));
    await untilRead(one.replica);
  });

  it('are repeated on the primary after a conflict with replay, and after a write, which is a bug', async () => {
    await settle();
    const asking = { viewer: ANONYMOUS, request: { cookies: {}, headers: {} } as never }; // only these fields are read
    const failing = (fault: string) =>
      answerRead(one.ctx, listActivities, asking, async ({ db }) => {
        if (db === one.ctx.db) return 'primary';
        await sql.raw(fault).execute(db);
        return 'replica';
      });
    one.logged.length = 0;
    expect(await failing('select 1')).toBe('replica');
    expect(await failing(`do $$ begin raise exception using errcode = '40001'; end $$`)).toBe('primary');
    expect(one.logged).toEqual([]);
    expect(await failing(`delete from migrations`)).toBe('primary');
    expect(one.logged).toMatchObject([{ level: 50, msg: 'read-only request attempted a write' }]);
    await expect(failing(`do $$ begin raise exception using errcode = '57014'; end $$`)).rejects.toThrow();
    const tooMany = answerRead(one.ctx, listActivities, asking, async () => {
      throw new AppError('request.too_many');
    });
    await expect(tooMany).rejects.toThrow();
    expect(one.replica.status().fault).toBeUndefined();
  });

  it('are set up by the settings, and end with a promoted replica', async () => {
    const config = configOf({ DATABASE_REPLICA_URL: standby.proxy.url });
    const { ctx, close } = await openCtx(config, standby.primaryUrl, pino({ level: 'silent' }));
    const app = await buildApp(ctx);
    try {
      const replica = ctx.replica!; // configured above
      await untilRead(replica);
      await replica.caughtUp();
      const all = await titles({ app }, { cookies: {} });
      expect(replica.status().reads.replica).toBeGreaterThan(0);
      await onStandby('select pg_promote()');
      await replica.look();
      expect(replica.status().fault).toBe('it is not a replica (any more)');
      expect(await titles({ app }, { cookies: {} })).toEqual(all);
      await standby.stop();
      expect(await titles({ app }, { cookies: {} })).toEqual(all);
      expect(await titles(one, { cookies: {} })).toEqual(all);
    } finally {
      await app.close();
      await close();
    }
  });
});

describe('operations that a replica may answer', () => {
  it('only read', () => {
    const names = ENDPOINTS.filter(isForReplica).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['listActivities', 'readLesson', 'readMyLearning', 'search']));
    for (const name of ['readSession', 'exchangeToken', 'checkEmail', 'createActivity', 'streamNotifications'])
      expect(names).not.toContain(name);
    for (const name of HAS_SIDE_EFFECTS)
      expect(ENDPOINTS.find((endpoint) => endpoint.name === name)).toMatchObject({ method: 'GET' });
  });
});
