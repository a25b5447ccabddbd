import type { AddressInfo } from 'node:net';
import { createActivity, createActivityReaction, removeMember } from '@officium/contract/community';
import { deleteSession, listSessions, setPassword, signOut } from '@officium/contract/auth';
import { endPersonSessions } from '@officium/contract/admin-people';
import { eraseUser, updateUserRecord } from '@officium/contract/people';
import * as contract from '@officium/contract/notifications';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANONYMOUS } from '#server/access/viewer.ts';
import { buildApp } from '#server/app/app.ts';
import { openCtx } from '#server/app/open.ts';
import { noteAnswer } from '#server/test/answers.ts';
import { type As, createTestApp, itInProcess, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { createStreams } from './stream.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
/** A second node on the same database, to which the clients connect. */
const other = await openCtx(test.ctx.config, test.databaseUrl, pino({ level: 'silent' }));
let node: FastifyInstance;
let origin = '';

beforeAll(async () => {
  node = await buildApp(other.ctx);
  await node.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}`; // listening on TCP
});
afterAll(async () => {
  await node.close();
  await other.close();
});

const open: AbortController[] = [];
afterAll(() => open.forEach((each) => each.abort()));

/** Listens to the other node. `events` grows as they come; `ended` once the answer is over. */
async function listen(as: As | undefined, query = '', headers: Record<string, string> = {}) {
  const stop = new AbortController();
  open.push(stop);
  const url = `/api/notifications/stream${query}`;
  const answer = await fetch(`${origin}${url}`, {
    headers: { ...(as?.token ? { cookie: `session=${as.token}` } : {}), ...headers },
    signal: stop.signal,
  });
  if (answer.ok) noteAnswer('GET', url, answer.status, ''); // refusals are tested without HTTP, below
  const client = { status: answer.status, answer, events: [] as [string, unknown][], ended: false, stop };
  void (async () => {
    let rest = '';
    try {
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + part).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, event] = /^event: (.*)$/m.exec(block) ?? [];
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (event && data) client.events.push([event, JSON.parse(data)]);
        }
      }
    } catch {
      // the client disconnected
    }
    client.ended = true;
  })();
  return client;
}
const PASSWORD = 'the first one of hers';
const SOON = { timeout: 2_000, interval: 20 };

let ada: TestPerson;
let bo: TestPerson;
let community: TestCommunity;

beforeEach(async () => {
  ada = await makePerson(test, { name: 'Ada' });
  bo = await makePerson(test, { name: 'Bo' });
  community = await makeCommunity(db);
  for (const person of [ada, bo]) await makeMember(db, community, person, { joinedAt: new Date(0) });
});

const post = async (person: TestPerson) =>
  (
    await test.call(createActivity, person.as, {
      params: { slug: community.slug },
      body: { verb: 'post', body: 'News' },
    })
  ).body.id as string;
const reply = (person: TestPerson, id: string) =>
  test.call(createActivityReaction, person.as, {
    params: { slug: community.slug, id },
    body: { kind: 'reply', body: 'Yes' },
  });

describe('the stream', () => {
  it('sends a client of one node what is written through another', async () => {
    const activity = await post(ada);
    const client = await listen(ada.as);
    expect(client.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await expect.poll(() => client.events, SOON).toEqual([['unread', { unread: 0 }]]);
    await reply(bo, activity);
    await expect.poll(() => client.events.at(-1), SOON).toEqual(['unread', { unread: 1 }]);
    await test.call(contract.readAllNotifications, ada.as);
    await expect.poll(() => client.events.at(-1), SOON).toEqual(['unread', { unread: 0 }]);
  });

  it('counts posts by others, for anonymous viewers too, and resumes after a reconnect', async () => {
    const first = await post(ada);
    const visitor = await listen(undefined, `?community=${community.slug}`);
    const author = await listen(bo.as, `?community=${community.slug}&since=${first}`);
    await post(bo);
    await expect.poll(() => visitor.events, SOON).toEqual([['posts', { count: 1, since: first }]]);
    const last = await post(ada);
    await expect.poll(() => visitor.events.at(-1), SOON).toEqual(['posts', { count: 2, since: first }]);
    await expect.poll(() => author.events.at(-1), SOON).toEqual(['posts', { count: 1, since: first }]);
    const again = await listen(undefined, `?community=${community.slug}&since=${last}`, { 'last-event-id': first });
    await expect.poll(() => again.events, SOON).toEqual([['posts', { count: 2, since: first }]]);
  });

  it('ends when its user signs out', async () => {
    const client = await listen(ada.as);
    const kept = await listen(bo.as);
    await test.call(signOut, ada.as);
    await expect.poll(() => client.ended, SOON).toBe(true);
    expect(kept.ended).toBe(false);
  });

  it.each<[string, (person: TestPerson, admin: TestPerson) => Promise<{ status: number }>]>([
    [
      'is deactivated',
      (person, admin) =>
        test.call(updateUserRecord, admin.as, {
          params: { id: person.id },
          body: { name: person.name, email: person.email, role: 'inactive' },
        }),
    ],
    ['is erased', (person, admin) => test.call(eraseUser, admin.as, { params: { id: person.id } })],
    [
      'changes the password on another device',
      async (person) => {
        const elsewhere = await test.signIn(person.id);
        const body = { password: 'another one of hers', oldPassword: PASSWORD };
        return await test.call(setPassword, elsewhere, { body });
      },
    ],
    [
      'is signed out by an administrator',
      (person, admin) => test.call(endPersonSessions, admin.as, { params: { id: person.id } }),
    ],
    [
      'ends the session on another device',
      async (person) => {
        const elsewhere = await test.signIn(person.id);
        const { id } = (await test.call(listSessions, person.as)).body.sessions.find(
          (one: { current: boolean }) => one.current,
        );
        return await test.call(deleteSession, elsewhere, { params: { id } });
      },
    ],
  ])('ends when its user %s', async (_, act) => {
    const person = await makePerson(test, { password: PASSWORD });
    const client = await listen(person.as);
    const kept = await listen(bo.as);
    expect([client.status, client.ended]).toEqual([200, false]);
    const { status } = await act(person, await makePerson(test, { role: 'administrator' }));
    expect(status).toBeLessThan(300);
    await expect.poll(() => client.ended, SOON).toBe(true);
    expect(kept.ended).toBe(false);
    expect([401, 403]).toContain((await listen(person.as)).status);
  });

  it('is limited per user', async () => {
    const streams = await Promise.all(Array.from({ length: 6 }, () => listen(ada.as)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await listen(ada.as)).status).toBe(429);
    expect((await listen(bo.as)).status).toBe(200);
    streams[0]!.stop.abort();
    await expect.poll(async () => (await listen(ada.as)).status, SOON).toBe(200);
  });

  it('refuses viewers without access', async () => {
    const unproven = await makePerson(test, { isProven: false });
    const inactive = await makePerson(test, { role: 'inactive' });
    const closed = await makeCommunity(db, { privacy: 'closed-visible' });
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const ask = (as?: As, slug?: string) => test.call(contract.streamNotifications, as, { query: { community: slug } });
    const answers = [
      await ask(),
      await ask(undefined, closed.slug),
      await ask({ serviceKey: SERVICE_KEY }),
      await ask(ada.as, closed.slug),
      await ask(ada.as, hidden.slug),
      await ask(unproven.as),
      await ask(inactive.as),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'auth.required'],
      [401, 'auth.required'],
      [403, 'auth.forbidden'],
      [403, 'auth.forbidden'],
      [404, 'request.not_found'],
      [403, 'auth.not_proven'],
      [403, 'auth.inactive'],
    ]);
  });
});

describe('a node', () => {
  const request = (community?: string) => ({
    authenticate: async () => ANONYMOUS,
    address: '192.0.2.1',
    community,
    since: undefined,
  });

  it('ends a stream whose community closes to its viewer', async () => {
    const streams = createStreams(other.ctx, { recheckMs: 20, tickMs: 10 });
    const owner = await makePerson(test);
    await makeMember(db, community, owner, { role: 'owner' });
    const viewer = await other.ctx.sessions.find(ada.as.token!);
    const stream = await streams.open({ ...request(community.slug), authenticate: async () => viewer! });
    let isOver = false;
    stream.on('end', () => (isOver = true)).resume();
    await test.call(removeMember, owner.as, { params: { slug: community.slug, userId: ada.id } });
    await db.updateTable('communities').set({ privacy: 'closed-hidden' }).where('id', '=', community.id).execute();
    await expect.poll(() => isOver, SOON).toBe(true);
    streams.close();
  });

  it('disconnects a client that never reads', async () => {
    const streams = createStreams(other.ctx, { heartbeatMs: 5, tickMs: 5 });
    const stream = await streams.open(request(community.slug));
    await expect.poll(() => stream.destroyed, SOON).toBe(true);
    streams.close();
  });

  it('allows ten times as many for an IPv6 site, whatever its number of subnets', async () => {
    const streams = createStreams(other.ctx);
    const from = (n: number) => ({ ...request(community.slug), address: `2001:db8:1:${n.toString(16)}::1` });
    for (let n = 0; n < 300; n += 1) await streams.open(from(n));
    await expect(streams.open(from(300))).rejects.toMatchObject({ code: 'request.too_many' });
    expect(await streams.open({ ...from(0), address: '2001:db8:2::1' })).toBeDefined();
    streams.close();
  });

  it('limits streams per anonymous address, and ends all when it stops', async () => {
    const streams = createStreams(other.ctx);
    const held = await Promise.all(Array.from({ length: 30 }, () => streams.open(request(community.slug))));
    await expect(streams.open(request(community.slug))).rejects.toMatchObject({ code: 'request.too_many' });
    let ended = 0;
    for (const stream of held) stream.on('end', () => (ended += 1)).resume();
    await new Promise(setImmediate);
    streams.close();
    await expect.poll(() => ended, SOON).toBe(30);
    await expect(streams.open(request(community.slug))).rejects.toMatchObject({ code: 'server.unavailable' });
  });

  it('ends the streams of its clients when it stops', async () => {
    const leaving = await openCtx(test.ctx.config, test.databaseUrl, pino({ level: 'silent' }));
    const app = await buildApp(leaving.ctx);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo; // listening on TCP
    const answer = await fetch(`http://127.0.0.1:${port}/api/notifications/stream?community=${community.slug}`);
    const whole = answer.text();
    await app.close();
    expect(await whole).toContain('retry: ');
    await leaving.close();
  });
});

itInProcess('announces posts made before the client connected only once', async () => {
  const hints: string[] = [];
  const stop = test.ctx.news.subscribe(({ communities }) => hints.push(...communities));
  await makeActivity(db, community, ada);
  test.ctx.news.touch();
  await expect.poll(() => hints, SOON).toEqual([community.id]);
  test.ctx.news.touch();
  const fresh = await makeCommunity(db);
  await makeActivity(db, fresh, ada);
  await expect.poll(() => hints, SOON).toEqual([community.id, fresh.id]);
  stop();
});

it('an open stream does not keep its session active', async () => {
  const streams = createStreams(other.ctx, { recheckMs: 20, tickMs: 10 });
  const { token = '' } = ada.as;
  let asked = 0;
  const stream = await streams.open({
    authenticate: async () => {
      asked += 1;
      other.ctx.sessions.forget(ada.id);
      return (await other.ctx.sessions.find(token, { isAsked: false })) ?? ANONYMOUS;
    },
    address: '192.0.2.1',
    community: undefined,
    since: undefined,
  });
  let isOver = false;
  stream.on('end', () => (isOver = true)).resume();
  const seenAt = (hours: number) =>
    db
      .updateTable('sessions')
      .set({ last_seen_at: new Date(Date.now() - hours * 3_600_000) })
      .where('user_id', '=', ada.id)
      .execute();
  await seenAt(11);
  const before = asked;
  await expect.poll(() => asked, SOON).toBeGreaterThan(before + 3);
  const { last_seen_at: seen } = await db
    .selectFrom('sessions')
    .select('last_seen_at')
    .where('user_id', '=', ada.id)
    .executeTakeFirstOrThrow();
  expect([isOver, seen.getTime() < Date.now() - 10 * 3_600_000]).toEqual([false, true]);
  await seenAt(13);
  await expect.poll(() => isOver, SOON).toBe(true);
  streams.close();
});
