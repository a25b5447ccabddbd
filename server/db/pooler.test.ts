import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActivity, listActivities, createActivityReaction } from '@officium/contract/community';
import { addressOf } from '@officium/contract/client';
import type { Endpoint } from '@officium/contract/endpoint';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endSessions } from '../access/sessions.ts';
import { buildApp } from '#server/app/app.ts';
import { readConfig } from '../config.ts';
import { type OpenCtx, openCtx } from '#server/app/open.ts';
import { createTestApp, type Sent } from '../test/app.ts';
import type { TestPerson } from '../test/factories/accounts.ts';
import { makeCommunity } from '../test/factories/communities.ts';
import { membersIn } from '../test/factories/members.ts';
import { hasPgBouncer, type Pooler, startPgBouncer } from '../test/pooler.ts';
import { TIMEOUTS } from './client.ts';

// Needs a PgBouncer on this machine; client.test.ts covers the two settings without one.
describe.runIf(hasPgBouncer)('through PgBouncer in transaction mode', async () => {
  const test = await createTestApp();
  let pooler: Pooler;
  let folder: string;
  let open: OpenCtx;
  let app: Awaited<ReturnType<typeof buildApp>>;
  const logged: { msg: string }[] = [];

  const openThrough = async (url: string) =>
    await openCtx(
      readConfig({
        NODE_ENV: 'test',
        DATABASE_URL: url,
        DATABASE_DIRECT_URL: test.databaseUrl,
        DATA_DIR: folder,
        RATE_LIMITS: 'on',
      }),
      url,
      pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) }),
    );

  beforeAll(async () => {
    const connectQuery = Object.entries(TIMEOUTS).map(([name, ms]) => `set ${name} = ${ms}`);
    pooler = await startPgBouncer(test.databaseUrl, { connectQuery: connectQuery.join('; ') });
    folder = await mkdtemp(join(tmpdir(), 'officium-pooled-'));
    open = await openThrough(pooler.url);
    app = await buildApp(open.ctx);
  });
  afterAll(async () => {
    await app.close();
    await open.close();
    await pooler.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = async (person: TestPerson, endpoint: Endpoint, { body, headers, ...address }: Sent) => {
    const response = await app.inject({
      method: endpoint.method as 'GET', // any method; light-my-request takes them all
      url: addressOf(endpoint, address),
      headers: { cookie: `session=${person.as.token}`, 'sec-fetch-site': 'same-origin', ...headers },
      payload: body as object | undefined, // as the contract has it
    });
    return { status: response.statusCode, body: JSON.parse(response.body) };
  };

  it('many read and write at once, with keys and transactions, over fewer connections than requests', async () => {
    const community = await makeCommunity(test.ctx.db);
    const memberOf = membersIn(test);
    const people = await Promise.all(Array.from({ length: 8 }, () => memberOf(community)));
    const params = { slug: community.slug };
    const rounds = people.map(async (person, nth) => {
      const made = await call(person, createActivity, {
        params,
        body: { verb: 'post', title: `Post ${nth}` },
        headers: { 'idempotency-key': `post-${nth}` },
      });
      expect(made.status).toBe(201);
      const reply = { params: { ...params, id: made.body.id }, body: { kind: 'reply', body: 'A reply' } };
      expect((await call(person, createActivityReaction, reply)).status).toBe(201);
      for (let times = 0; times < 3; times++)
        expect((await call(person, listActivities, { params })).body.total).toBeGreaterThan(0);
    });
    await Promise.all(rounds);
    const { body } = await call(people[0]!, listActivities, { params }); // eight were created
    expect(body.results.map(({ title }: { title: string }) => title).sort()).toEqual(
      people.map((_, nth) => `Post ${nth}`),
    );
    expect(await open.ctx.jobs.drain(open.ctx)).toBeGreaterThanOrEqual(0);
  });

  it('a session that ended is dropped from the cache, as announced past the pooler', async () => {
    const community = await makeCommunity(test.ctx.db);
    const person = await membersIn(test)(community);
    const ask = async () => (await call(person, createActivity, { params: { slug: community.slug } })).status;
    expect(await ask()).toBe(400);
    await endSessions(open.ctx.db, person.id);
    await expect.poll(ask, { timeout: 3_000 }).toBe(401);
  });

  it('statements have their timeouts from the pooler, and a missing one is logged at the start', async () => {
    const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(open.ctx.db);
    expect(rows).toEqual([{ limit: '5s' }]);
    expect(logged).toEqual([]);
    const bare = await startPgBouncer(test.databaseUrl);
    const other = await openThrough(bare.url);
    await other.close();
    await bare.close();
    expect(logged.map(({ msg }) => msg)).toEqual([
      "the pooler sets no timeouts: give its database connect_query='set statement_timeout = 5000; set lock_timeout = 3000; set idle_in_transaction_session_timeout = 10000'",
    ]);
  });
});
