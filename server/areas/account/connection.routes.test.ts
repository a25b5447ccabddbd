import {
  askToConnect,
  CONNECTION_STATUSES,
  listConnections,
  moveConnection,
  readConnection,
  readProfile,
  setVisibility,
  updateProfile,
} from '@officium/contract/account';
import { deleteAccount } from '@officium/contract/auth';
import { listMembers } from '@officium/contract/community';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';

const test = await createTestApp();

const ask = async (from: TestPerson, to: { id: string }) =>
  await test.call(askToConnect, from.as, { body: { peerId: to.id } });
const move = async (by: TestPerson, peer: { id: string }, status: string) =>
  await test.call(moveConnection, by.as, { params: { peerId: peer.id }, body: { status } });
const list = async (by: TestPerson, query = {}, id = 'me') =>
  await test.call(listConnections, by.as, { params: { id }, query });
const rowsOf = async (one: TestPerson) =>
  await test.ctx.db
    .selectFrom('connections')
    .selectAll()
    .where((where) => where.or([where('low_id', '=', one.id), where('high_id', '=', one.id)]))
    .execute();

async function two(): Promise<[TestPerson, TestPerson]> {
  return [await makePerson(test), await makePerson(test)];
}

/** Two people with a connection in this status, requested by the first. */
async function twoAt(status: string): Promise<[TestPerson, TestPerson]> {
  const [maya, noor] = await two();
  await ask(maya, noor);
  if (status === 'cancelled') await move(maya, noor, 'cancelled');
  if (status === 'declined') await move(noor, maya, 'declined');
  if (status === 'accepted' || status === 'removed') await move(noor, maya, 'accepted');
  if (status === 'removed') await move(maya, noor, 'removed');
  return [maya, noor];
}

describe('askToConnect', () => {
  it('returns the pending connection, which both see from their side', async () => {
    const [maya, noor] = await two();
    await test.call(updateProfile, noor.as, { body: { jobTitle: 'Planner', organization: 'City' } });
    const { status, body } = await ask(maya, { id: noor.id.toUpperCase() });
    expect(status).toBe(201);
    expect(askToConnect.replies[201].strict().parse(body)).toMatchObject({
      peerId: noor.id,
      status: 'pending',
      direction: 'outgoing',
      peer: { id: noor.id, name: noor.name, jobTitle: 'Planner', organization: 'City', thumbnail: null },
    });
    expect((await list(noor)).body.connections).toMatchObject([
      { id: body.id, peerId: maya.id, direction: 'incoming', status: 'pending' },
    ]);
  });

  it('accepts the other user’s pending request and keeps its direction', async () => {
    const [maya, noor] = await twoAt('pending');
    const crossing = await ask(noor, maya);
    expect([crossing.status, crossing.body.status, crossing.body.direction]).toEqual([201, 'accepted', 'incoming']);
  });

  it('accepts two requests that cross', async () => {
    for (let round = 0; round < 10; round++) {
      const [maya, noor] = await two();
      const answers = await Promise.all([ask(maya, noor), ask(noor, maya)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(await rowsOf(maya)).toMatchObject([{ status: 'accepted' }]);
    }
  });

  it('creates one connection from many parallel requests', async () => {
    const [maya, noor] = await two();
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(maya, noor)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
    expect(await rowsOf(maya)).toHaveLength(1);
  });

  it.each(['cancelled', 'removed'])('can be repeated by either side after %s', async (status) => {
    for (const who of [0, 1] as const) {
      const pair = await twoAt(status);
      const again = await ask(pair[who], pair[who === 0 ? 1 : 0]);
      expect([again.status, again.body.status, again.body.direction]).toEqual([201, 'pending', 'outgoing']);
      expect(await rowsOf(pair[0])).toHaveLength(1);
    }
  });

  it('makes only the declined requester wait 30 days', async () => {
    const [maya, noor] = await twoAt('declined');
    const soon = await ask(maya, noor);
    expect([soon.status, soon.body.code]).toEqual([409, 'account.connection_wait']);
    await sql`update connections set updated_at = now() - interval '29 days 23 hours' where asker_id = ${maya.id}`.execute(
      test.ctx.db,
    );
    expect((await ask(maya, noor)).status).toBe(409);
    await sql`update connections set updated_at = now() - interval '30 days 1 minute' where asker_id = ${maya.id}`.execute(
      test.ctx.db,
    );
    expect((await ask(maya, noor)).status).toBe(201);

    const [one, other] = await twoAt('declined');
    expect((await ask(other, one)).body).toMatchObject({ status: 'pending', direction: 'outgoing' });
  });

  it.each(['pending', 'accepted'])('returns 409 for the requester when it is %s', async (status) => {
    const [maya, noor] = await twoAt(status);
    const again = await ask(maya, noor);
    expect([again.status, again.body.code]).toEqual([409, 'account.connection_move']);
  });

  it('refuses the viewer’s own id, and returns 404 for unknown, unproven, inactive and erased accounts', async () => {
    const maya = await makePerson(test);
    expect((await ask(maya, maya)).status).toBe(400);
    const gone = await makePerson(test);
    await test.call(deleteAccount, gone.as, { params: { email: gone.email } });
    const hidden = [
      gone,
      await makePerson(test, { isProven: false }),
      await makePerson(test, { role: 'inactive' }),
      { id: newId() },
      { id: '00000000-0000-0000-0000-000000000000' },
    ];
    const answers = await Promise.all(hidden.map((peer) => ask(maya, peer)));
    for (const { status, body } of answers)
      expect([status, { ...body, requestId: '' }]).toEqual([404, { ...answers[0]?.body, requestId: '' }]);
    expect(await rowsOf(maya)).toEqual([]);
  });

  it.each([[{}], [{ peerId: 'me' }], [{ peerId: 7 }], [{ peerId: null }], [{ peerId: 'a\0b' }], [{ peerId: ['x'] }]])(
    'refuses %j',
    async (body) => {
      const maya = await makePerson(test);
      expect((await test.call(askToConnect, maya.as, { body })).status).toBe(400);
    },
  );

  it('requires a proven address', async () => {
    const peer = await makePerson(test);
    const unproven = await makePerson(test, { isProven: false });
    expect((await ask(unproven, peer)).status).toBe(403);
    expect((await test.call(askToConnect, undefined, { body: { peerId: peer.id } })).status).toBe(401);
  });
});

describe('moveConnection', () => {
  const LEGAL: Record<string, readonly string[]> = {
    pending: ['0 cancelled', '1 accepted', '1 declined'],
    accepted: ['0 removed', '1 removed'],
  };

  it.each(CONNECTION_STATUSES)('allows only the defined moves from %s', async (from) => {
    for (const to of CONNECTION_STATUSES)
      for (const who of [0, 1] as const) {
        const pair = await twoAt(from);
        const answer = await move(pair[who], pair[who === 0 ? 1 : 0], to);
        const isLegal = LEGAL[from]?.includes(`${who} ${to}`) ?? false;
        expect([who, to, answer.status]).toEqual([who, to, isLegal ? 200 : 409]);
        if (isLegal) expect(moveConnection.replies[200].strict().parse(answer.body).status).toBe(to);
        else expect(answer.body.code).toBe('account.connection_move');
        expect((await rowsOf(pair[0]))[0]?.status).toBe(isLegal ? to : from);
      }
  });

  it('applies one of two parallel moves', async () => {
    const [maya, noor] = await twoAt('pending');
    const answers = await Promise.all([
      move(maya, noor, 'cancelled'),
      move(noor, maya, 'accepted'),
      move(noor, maya, 'declined'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('returns 409 without a request, and 404 for accounts that cannot be connected', async () => {
    const [maya, noor] = await two();
    for (const status of CONNECTION_STATUSES) {
      const answer = await move(maya, noor, status);
      expect([answer.status, answer.body.code]).toEqual([409, 'account.connection_move']);
    }
    expect(await rowsOf(maya)).toEqual([]);
    for (const hidden of [{ isProven: false }, { role: 'inactive' }] as const)
      expect((await move(maya, await makePerson(test, hidden), 'accepted')).status).toBe(404);
  });

  it('returns 404 for unknown people', async () => {
    const [maya, noor] = await twoAt('pending');
    expect((await move(maya, maya, 'accepted')).status).toBe(404);
    expect((await move(maya, { id: newId() }, 'removed')).status).toBe(404);
    expect((await move(maya, noor, 'blocked')).status).toBe(400);
    expect((await move(maya, { id: 'me' }, 'removed')).status).toBe(400);
    expect((await test.call(moveConnection, maya.as, { params: { peerId: noor.id }, body: {} })).status).toBe(400);
    const anonymous = { params: { peerId: noor.id }, body: { status: 'accepted' } };
    expect((await test.call(moveConnection, undefined, anonymous)).status).toBe(401);
  });
});

describe('listConnections', () => {
  it('pages the viewer’s connections, last changed first, by status or all', async () => {
    const maya = await makePerson(test);
    const peers = [await makePerson(test), await makePerson(test), await makePerson(test)] as const;
    for (const peer of peers) await ask(maya, peer);
    await move(peers[0], maya, 'accepted');
    const all = listConnections.replies[200].parse((await list(maya)).body);
    expect([all.total, all.connections.map(({ peerId }) => peerId)]).toEqual([
      3,
      [peers[0].id, peers[2].id, peers[1].id],
    ]);
    const page = await list(maya, { limit: 1, offset: 1 }, maya.id);
    expect([page.body.total, page.body.connections.length, page.body.connections[0].peerId]).toEqual([
      3,
      1,
      peers[2].id,
    ]);
    const accepted = await list(maya, { status: 'accepted' });
    expect([accepted.body.total, accepted.body.connections[0].peerId]).toEqual([1, peers[0].id]);
    expect((await list(peers[1], { status: 'accepted' })).body).toEqual({ connections: [], total: 0 });
  });

  it('shows the direction and finds people by part of their name', async () => {
    const maya = await makePerson(test);
    const [zoe, elise] = [
      await makePerson(test, { name: 'Zoë Åkesson' }),
      await makePerson(test, { name: 'Élise 100%' }),
    ];
    await ask(maya, zoe);
    await ask(elise, maya);
    const found = async (query: object) =>
      (await list(maya, query)).body.connections.map(({ peerId }: { peerId: string }) => peerId);
    expect(await found({ direction: 'outgoing' })).toEqual([zoe.id]);
    expect(await found({ status: 'pending', direction: 'incoming' })).toEqual([elise.id]);
    expect(await found({ name: 'AKES' })).toEqual([zoe.id]);
    expect(await found({ name: '%' })).toEqual([elise.id]);
    expect(await found({ name: 'e' })).toEqual([elise.id, zoe.id]);
    expect(await found({ name: 'e', direction: 'outgoing', status: 'accepted' })).toEqual([]);
    expect((await list(maya, { name: 'zoe' })).body.total).toBe(1);
  });

  it('is allowed only for the viewer’s own list', async () => {
    const [maya, noor] = await twoAt('accepted');
    const admin = await makePerson(test, { role: 'administrator' });
    expect((await list(noor, {}, maya.id)).status).toBe(403);
    expect((await list(admin, {}, maya.id)).status).toBe(403);
    expect((await list(admin, {}, newId())).status).toBe(403);
    expect((await test.call(listConnections, undefined, { params: { id: 'me' } })).status).toBe(401);
  });

  it.each([
    { limit: 0 },
    { limit: 101 },
    { limit: 'x' },
    { offset: -1 },
    { offset: 10_001 },
    { status: 'blocked' },
    { direction: 'both' },
    { name: 'x'.repeat(101) },
  ])('refuses %j', async (query) => {
    const maya = await makePerson(test);
    expect((await list(maya, query)).status).toBe(400);
    expect((await list(maya, {}, 'you')).status).toBe(400);
  });
});

describe('readConnection', () => {
  it('accepts its own id or the other user’s, from either side', async () => {
    const [maya, noor] = await twoAt('pending');
    const read = async (by: TestPerson, id: string) => await test.call(readConnection, by.as, { params: { id } });
    const byPeer = await read(maya, noor.id);
    expect(readConnection.replies[200].strict().parse(byPeer.body)).toMatchObject({ peerId: noor.id });
    expect((await read(maya, byPeer.body.id)).body).toEqual(byPeer.body);
    expect((await read(noor, byPeer.body.id)).body).toMatchObject({ id: byPeer.body.id, peerId: maya.id });
    const third = await makePerson(test);
    expect((await read(third, byPeer.body.id)).status).toBe(404);
    expect((await read(maya, maya.id)).status).toBe(404);
    expect((await read(maya, 'me')).status).toBe(400);
    expect((await test.call(readConnection, undefined, { params: { id: noor.id } })).status).toBe(401);
  });
});

describe('an accepted connection', () => {
  it('opens a private profile until it ends', async () => {
    const [maya, noor] = await two();
    await test.call(updateProfile, noor.as, { body: { jobTitle: 'Planner' } });
    await test.call(setVisibility, noor.as, { body: { visibility: 'private' } });
    const seen = async () => [
      (await test.call(readProfile, maya.as, { params: { id: noor.id } })).body.jobTitle,
      (await list(maya)).body.connections[0]?.peer.jobTitle,
    ];
    expect((await ask(maya, noor)).body.peer).toMatchObject({ name: noor.name, jobTitle: null });
    expect(await seen()).toEqual([null, null]);
    await move(noor, maya, 'accepted');
    expect(await seen()).toEqual(['Planner', 'Planner']);
    await move(noor, maya, 'removed');
    expect(await seen()).toEqual([null, null]);
  });

  it('opens the details shown beside a private user', async () => {
    const [maya, noor] = await twoAt('accepted');
    await test.call(updateProfile, noor.as, { body: { jobTitle: 'Planner' } });
    await test.call(setVisibility, noor.as, { body: { visibility: 'private' } });
    const third = await makePerson(test);
    const slug = `c-${newId()}`;
    await sql`insert into entries (id, content_type, source) values (${slug}, 'communityPage', 'folder')`.execute(
      test.ctx.db,
    );
    await sql`insert into products (entry_id, content_type, can_view, can_join) values (${slug}, 'communityPage', 'authenticated', 'authenticated')`.execute(
      test.ctx.db,
    );
    const id = newId();
    await sql`insert into communities (id, entry_id, slug, title, privacy) values (${id}, ${slug}, ${slug}, '{"en":"Data"}', 'open-visible')`.execute(
      test.ctx.db,
    );
    for (const { id: userId } of [maya, noor, third])
      await sql`insert into community_members (community_id, user_id) values (${id}, ${userId})`.execute(test.ctx.db);
    const titleFor = async (viewer: TestPerson) => {
      const { body } = await test.call(listMembers, viewer.as, { params: { slug } });
      return body.members.find((member: { id: string }) => member.id === noor.id).jobTitle;
    };
    expect([await titleFor(maya), await titleFor(third), await titleFor(noor)]).toEqual(['Planner', null, 'Planner']);
  });

  it('ends with the account', async () => {
    const [maya, noor] = await twoAt('accepted');
    await test.call(deleteAccount, noor.as, { params: { email: noor.email } });
    expect(await rowsOf(maya)).toEqual([]);
    expect((await list(maya)).body).toEqual({ connections: [], total: 0 });
  });
});
