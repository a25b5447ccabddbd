import { setTimeout } from 'node:timers/promises';
import * as contract from '@officium/contract/community';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;

const memberOf = membersIn(test);

const page = (community: TestCommunity, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.readCommunity, person?.as, { params: { slug: community.slug }, query });
const members = (community: TestCommunity, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.listMembers, person?.as, { params: { slug: community.slug }, query });
const join = (community: TestCommunity, person?: TestPerson) =>
  test.call(contract.joinCommunity, person?.as, { params: { slug: community.slug } });
const leave = (community: TestCommunity, person?: TestPerson) =>
  test.call(contract.leaveCommunity, person?.as, { params: { slug: community.slug } });
const set = (community: TestCommunity, userId: string, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.updateMember, person?.as, { params: { slug: community.slug, userId }, body });
const remove = (community: TestCommunity, userId: string, person?: TestPerson) =>
  test.call(contract.removeMember, person?.as, { params: { slug: community.slug, userId } });

async function counts(community: TestCommunity) {
  const { rows } = await sql<{ kept: number; real: number }>`
    select member_count as kept, (select count(*)::int from community_members where community_id = c.id and status = 'active') as real
    from communities c where id = ${community.id}`.execute(db);
  return rows[0];
}

describe('readCommunity', () => {
  it("shows the page with the viewer's permissions", async () => {
    const community = await makeCommunity(db, {
      categories: ['a', 'b'],
      title: { en: 'Makers', fr: 'Faiseurs' },
      description: { de: 'Worum es geht' },
      locale: 'de',
    });
    const owner = await memberOf(community, { role: 'owner', who: { name: 'Olga' } });
    const { status, body } = await page(community, owner);
    expect(status).toBe(200);
    expect(contract.readCommunity.replies[200].strict().parse(body)).toBeTruthy();
    expect(body).toEqual({
      slug: community.slug,
      title: 'Makers',
      description: 'Worum es geht',
      locale: 'de',
      privacy: 'open-visible',
      cover: null,
      categories: ['a', 'b'],
      owners: [{ id: owner.id, name: 'Olga', thumbnail: null }],
      moderators: [],
      memberCount: 1,
      activityCount: 0,
      membership: { role: 'owner', status: 'active', joinedAt: expect.any(String) },
      permissions: {
        level: 'full-control',
        canPost: true,
        canReply: true,
        canReact: true,
        canModerate: true,
        canManage: true,
        canJoin: false,
      },
      waiting: { requests: 0, reports: 0 },
    });
    expect((await page(community, owner, { locale: 'fr-CA' })).body.title).toBe('Faiseurs');
    expect((await page(community, owner, { locale: 'es-419' })).body.title).toBe('Makers');
    expect((await page(community, owner, { locale: 'tlh' })).status).toBe(400);
    expect((await page(community)).body).not.toHaveProperty('membership');
  });

  it('returns each viewer’s level', async () => {
    const community = await makeCommunity(db);
    const permissions = async (person?: TestPerson) => (await page(community, person)).body.permissions;
    const none = {
      level: 'none',
      canPost: false,
      canReply: false,
      canReact: false,
      canModerate: false,
      canManage: false,
    };
    expect(await permissions()).toEqual({ ...none, canJoin: false });
    expect(await permissions(await makePerson(test))).toEqual({ ...none, canJoin: true });
    expect(await permissions(await memberOf(community, { who: { role: 'non-public-servant' } }))).toMatchObject({
      level: 'reduced',
      canReact: true,
      canPost: false,
    });
    expect(await permissions(await memberOf(community))).toMatchObject({
      level: 'basic',
      canPost: true,
      canReply: true,
      canModerate: false,
    });
    expect(await permissions(await memberOf(community, { level: 3 }))).toMatchObject({
      level: 'full-control',
      canModerate: true,
      canManage: true,
    });
    expect(await permissions(await makePerson(test, { role: 'administrator' }))).toMatchObject({
      level: 'full-control',
      canJoin: true,
    });
  });

  it('names the moderators, and counts membership requests for moderators only', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-visible' });
    const owner = await memberOf(community, { role: 'owner', level: 3 });
    const moderator = await memberOf(community, { level: 3 });
    const member = await memberOf(community);
    await memberOf(community, { level: 3, status: 'invited' });
    for (let number = 0; number < 2; number += 1) await memberOf(community, { status: 'pending' });
    const waiting = { requests: 2, reports: 0 };
    for (const person of [owner, moderator, await makePerson(test, { role: 'administrator' })])
      expect((await page(community, person)).body).toMatchObject({ moderators: [moderator.id], waiting });
    const { body } = await page(community, member);
    expect(body.moderators).toEqual([moderator.id]);
    expect(body).not.toHaveProperty('waiting');
    expect((await page(community)).body).not.toHaveProperty('waiting');
  });

  it('shows a closed visible community within its scope, and a hidden one to invited people', async () => {
    const visible = await makeCommunity(db, {
      privacy: 'closed-visible',
      canView: 'authenticated',
      canJoin: 'verified',
    });
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const servant = await makePerson(test);
    expect((await page(visible)).status).toBe(404);
    expect((await page(visible, servant)).body.permissions).toMatchObject({ level: 'none', canJoin: true });
    expect((await page(visible, await makePerson(test, { role: 'non-public-servant' }))).body.permissions.canJoin).toBe(
      false,
    );
    expect((await page(hidden, servant)).status).toBe(404);
    const invited = await memberOf(hidden, { status: 'invited' });
    expect((await page(hidden, invited)).body).toMatchObject({
      membership: { status: 'invited' },
      permissions: { level: 'none', canJoin: true },
    });
    expect((await members(hidden, invited)).status).toBe(403);
  });
});

describe('listCommunities', () => {
  it('lists the communities a viewer may find, and their own', async () => {
    const made = {
      open: await makeCommunity(db, { position: -9 }),
      unlisted: await makeCommunity(db, { position: -8, privacy: 'open-hidden' }),
      closed: await makeCommunity(db, { position: -7, privacy: 'closed-visible', canView: 'verified' }),
      hidden: await makeCommunity(db, { position: -6, privacy: 'closed-hidden' }),
      granted: await makeCommunity(db, { position: -5, canView: 'private' }),
    };
    const slugs = new Map(Object.entries(made).map(([name, { slug }]) => [slug, name]));
    const found = async (person?: TestPerson) => {
      const { body } = await test.call(contract.listCommunities, person?.as);
      expect(contract.listCommunities.replies[200].strict().parse(body)).toBeTruthy();
      expect(body.total).toBe(body.communities.length);
      return body.communities.flatMap(({ slug }: { slug: string }) => slugs.get(slug) ?? []);
    };
    expect(await found()).toEqual(['open']);
    expect(await found(await makePerson(test, { role: 'non-public-servant' }))).toEqual(['open']);
    const servant = await makePerson(test);
    expect(await found(servant)).toEqual(['open', 'closed']);
    expect(await found(await makePerson(test, { role: 'administrator' }))).toEqual([
      'open',
      'unlisted',
      'closed',
      'hidden',
      'granted',
    ]);
    expect(await found(await makePerson(test, { role: 'inactive' }))).toEqual([]);
    await makeMember(db, made.hidden, servant, { status: 'invited' });
    await makeMember(db, made.unlisted, servant);
    await makeMember(db, made.granted, servant, { status: 'pending' });
    expect(await found(servant)).toEqual(['open', 'unlisted', 'closed', 'hidden']);
    const { body } = await test.call(contract.listCommunities, servant.as, { query: { limit: 1, offset: 1 } });
    expect(body.communities).toMatchObject([
      { slug: made.unlisted.slug, memberCount: 1, membership: { role: 'member', status: 'active' }, canJoin: false },
    ]);
  });
});

describe('listMembers', () => {
  it('pages through the members and finds a part of a name', async () => {
    const community = await makeCommunity(db);
    const owner = await memberOf(community, { role: 'owner', who: { name: 'Zoë Owner' } });
    const others = [];
    for (const name of ['100% Ana', 'under_score', 'Back\\slash', 'Plain ana'])
      others.push(await memberOf(community, { who: { name } }));
    await memberOf(community, { status: 'pending' });
    const { status, body } = await members(community, owner);
    expect(status).toBe(200);
    expect(contract.listMembers.replies[200].strict().parse(body)).toBeTruthy();
    expect(body.total).toBe(5);
    expect(body.members.map(({ id }: { id: string }) => id)).toEqual([owner.id, ...others.map(({ id }) => id)]);
    expect(body.members[0]).toEqual({
      id: owner.id,
      name: 'Zoë Owner',
      thumbnail: null,
      jobTitle: null,
      organization: null,
      role: 'owner',
      level: null,
      joinedAt: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain('@');
    const found = async (name: string) =>
      (await members(community, owner, { 'user.name': name })).body.members.map(
        (member: { name: string }) => member.name,
      );
    expect(await found('ANA')).toEqual(['100% Ana', 'Plain ana']);
    expect(await found('%')).toEqual(['100% Ana']);
    expect(await found('_')).toEqual(['under_score']);
    expect(await found('\\')).toEqual(['Back\\slash']);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found('zoë')).toEqual(['Zoë Owner']);
    expect((await members(community, owner, { offset: 1, count: 2 })).body).toMatchObject({
      total: 5,
      members: [{ name: '100% Ana' }, { name: 'under_score' }],
    });
    for (const query of [
      { count: 0 },
      { count: 101 },
      { offset: -1 },
      { offset: 10_001 },
      { 'user.name': 'x'.repeat(257) },
      { status: 'x' },
    ])
      expect([query, (await members(community, owner, query)).status]).toEqual([query, 400]);
  });

  it('is allowed to members; the pending ones are listed for moderators only', async () => {
    const community = await makeCommunity(db);
    const member = await memberOf(community, { who: { role: 'non-public-servant' } });
    const waiting = await memberOf(community, { status: 'pending' });
    const moderator = await memberOf(community, { level: 3 });
    const statuses = async (query: Record<string, unknown>) =>
      await Promise.all(
        [undefined, await makePerson(test), waiting, member, moderator].map(
          async (person) => (await members(community, person, query)).status,
        ),
      );
    expect(await statuses({})).toEqual([401, 403, 403, 200, 200]);
    expect(await statuses({ status: 'pending' })).toEqual([401, 403, 403, 403, 200]);
    expect((await members(community, moderator, { status: 'pending' })).body).toMatchObject({
      total: 1,
      members: [{ id: waiting.id }],
    });
  });
});

describe('joinCommunity', () => {
  it('admits, queues or refuses people depending on the privacy', async () => {
    const open = await makeCommunity(db, { privacy: 'open-visible', canView: 'public', canJoin: 'verified' });
    const unlisted = await makeCommunity(db, { privacy: 'open-hidden', canView: 'authenticated' });
    const closed = await makeCommunity(db, { privacy: 'closed-visible', canView: 'public', canJoin: 'authenticated' });
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const [citizen, servant] = [await makePerson(test, { role: 'non-public-servant' }), await makePerson(test)];
    expect((await join(open)).status).toBe(401);
    expect((await join(open, citizen)).status).toBe(403);
    const joined = await join(open, servant);
    expect([joined.status, joined.body]).toEqual([201, { role: 'member', status: 'active' }]);
    expect((await join(unlisted, citizen)).body).toEqual({ role: 'member', status: 'active' });
    expect((await join(closed, servant)).body).toEqual({ role: 'member', status: 'pending' });
    expect((await join(closed, servant)).body).toEqual({ role: 'member', status: 'pending' });
    expect((await join(hidden, servant)).status).toBe(404);
    await makeMember(db, hidden, servant, { status: 'invited' });
    expect((await join(hidden, servant)).body).toEqual({ role: 'member', status: 'active' });
    expect((await join(hidden, await makePerson(test, { role: 'administrator' }))).body).toEqual({
      role: 'member',
      status: 'active',
    });
    expect(await counts(open)).toEqual({ kept: 1, real: 1 });
    expect(await counts(closed)).toEqual({ kept: 0, real: 0 });
    expect(await counts(hidden)).toEqual({ kept: 2, real: 2 });
  });

  it('counts a person once however often they join at once', async () => {
    const community = await makeCommunity(db);
    const [maya, ana] = [await makePerson(test), await makePerson(test)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => join(community, index % 2 ? maya : ana)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await counts(community)).toEqual({ kept: 2, real: 2 });
  });

  it('counts exactly while people join and leave at once', async () => {
    const community = await makeCommunity(db);
    const people = await Promise.all(Array.from({ length: 30 }, () => makePerson(test)));
    const answers = await Promise.all(
      people.flatMap((person) => [join(community, person), leave(community, person), join(community, person)]),
    );
    for (const { status } of answers) expect([201, 204, 404]).toContain(status);
    const { kept, real } = (await counts(community))!; // the community exists
    expect(kept).toBe(real);
  });

  it('never undoes a concurrent approval by an owner', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-visible' });
    const owner = await memberOf(community, { role: 'owner' });
    for (let round = 0; round < 10; round++) {
      const person = await memberOf(community, { status: 'pending' });
      await Promise.all([
        join(community, person),
        set(community, person.id, owner, { status: 'active' }),
        join(community, person),
      ]);
      expect((await page(community, person)).body.membership.status).toBe('active');
    }
  });

  it('keeps an owner an owner', async () => {
    const community = await makeCommunity(db);
    expect((await join(community, await memberOf(community, { role: 'owner' }))).body).toEqual({
      role: 'owner',
      status: 'active',
    });
  });
});

describe('leaveCommunity', () => {
  it('ends a membership, a request or an invitation, once', async () => {
    const community = await makeCommunity(db);
    for (const status of ['active', 'pending', 'invited'] as const) {
      const person = await memberOf(community, { status });
      expect((await leave(community, person)).status).toBe(204);
      expect((await leave(community, person)).status).toBe(404);
    }
    expect((await leave(community)).status).toBe(401);
    expect(await counts(community)).toEqual({ kept: 0, real: 0 });
  });

  it('keeps the last owner, also when the last two leave at once', async () => {
    const community = await makeCommunity(db);
    const owners = [await memberOf(community, { role: 'owner' }), await memberOf(community, { role: 'owner' })];
    const answers = await Promise.all(owners.map((owner) => leave(community, owner)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('community.last_owner');
    expect(await counts(community)).toEqual({ kept: 1, real: 1 });
  });

  it('hides a hidden community from people who left it', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-hidden' });
    const person = await memberOf(community);
    expect((await leave(community, person)).status).toBe(204);
    expect((await page(community, person)).status).toBe(404);
  });
});

describe('updateMember and removeMember', () => {
  it('lets moderators approve and decline', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-visible' });
    const [owner, moderator, member] = [
      await memberOf(community, { role: 'owner' }),
      await memberOf(community, { level: 3 }),
      await memberOf(community),
    ];
    const [one, two, invited] = [
      await memberOf(community, { status: 'pending' }),
      await memberOf(community, { status: 'pending' }),
      await memberOf(community, { status: 'invited' }),
    ];
    for (const [person, status] of [
      [undefined, 401],
      [member, 403],
      [one, 403],
    ] as const) {
      expect((await set(community, one.id, person, { status: 'active' })).status).toBe(status);
      expect((await remove(community, one.id, person)).status).toBe(status);
    }
    const approved = await set(community, one.id, moderator, { status: 'active' });
    expect(approved.status).toBe(200);
    expect(contract.updateMember.replies[200].strict().parse(approved.body)).toMatchObject({
      id: one.id,
      role: 'member',
    });
    expect((await set(community, one.id, owner, { status: 'active' })).status).toBe(200);
    expect((await remove(community, two.id, moderator)).status).toBe(204);
    expect((await page(community, two)).body).not.toHaveProperty('membership');
    expect((await set(community, invited.id, moderator, { status: 'active' })).status).toBe(409);
    expect((await set(community, newId(), owner, { status: 'active' })).status).toBe(404);
    expect((await remove(community, newId(), owner)).status).toBe(404);
    for (const body of [{}, { status: 'pending' }, { level: 'x' }])
      expect((await set(community, one.id, owner, body)).status).toBe(400);
    expect(await counts(community)).toEqual({ kept: 4, real: 4 });
  });

  it('refuses an owner who is demoted while the request waits for the lock', async () => {
    const community = await makeCommunity(db);
    const [owner, friend, other] = [
      await memberOf(community, { role: 'owner' }),
      await memberOf(community),
      await memberOf(community),
    ];
    const waiting: Promise<{ status: number }>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`select 1 from communities where id = ${community.id} for no key update`.execute(trx);
      await sql`update community_members set role = 'member' where user_id = ${owner.id}`.execute(trx);
      waiting.push(set(community, friend.id, owner, { role: 'owner' }), remove(community, other.id, owner));
      await setTimeout(300); // both have checked the owner's rights and wait for the lock
    });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([403, 403]);
    expect(await counts(community)).toEqual({ kept: 3, real: 3 });
  });

  it('lets owners appoint moderators, who cannot change owners, administrators or each other', async () => {
    const community = await makeCommunity(db);
    const [owner, member, target] = [
      await memberOf(community, { role: 'owner' }),
      await memberOf(community),
      await memberOf(community),
    ];
    const admin = await memberOf(community, { who: { role: 'administrator' } });
    expect((await set(community, member.id, owner, { level: 'full-control' })).body.level).toBe('full-control');
    const moderator = member;
    expect((await page(community, moderator)).body.permissions.canModerate).toBe(true);
    expect((await set(community, target.id, moderator, { level: 'full-control' })).status).toBe(403);
    expect((await set(community, target.id, moderator, { level: 'reduced' })).body.level).toBe('reduced');
    expect((await set(community, target.id, moderator, { level: null })).body.level).toBe(null);
    const second = await memberOf(community, { level: 3 });
    for (const spared of [owner, admin, second]) {
      expect((await remove(community, spared.id, moderator)).status).toBe(403);
      expect((await set(community, spared.id, moderator, { level: 'reduced' })).status).toBe(403);
    }
    expect((await set(community, moderator.id, moderator, { level: 'basic' })).status).toBe(403);
    expect((await remove(community, second.id, owner)).status).toBe(204);
    expect((await remove(community, target.id, moderator)).status).toBe(204);
    expect((await set(community, owner.id, owner, { level: 'basic' })).status).toBe(409);
    expect((await remove(community, owner.id, admin)).status).toBe(409);
    expect((await remove(community, moderator.id, moderator)).status).toBe(204);
    expect(await counts(community)).toEqual({ kept: 2, real: 2 });
  });

  it('lets owners appoint and dismiss owners, as long as one is left', async () => {
    const community = await makeCommunity(db);
    const [owner, moderator, member] = [
      await memberOf(community, { role: 'owner' }),
      await memberOf(community, { level: 3 }),
      await memberOf(community, { level: 1 }),
    ];
    const waiting = await memberOf(community, { status: 'pending' });
    expect((await set(community, member.id, moderator, { role: 'owner' })).status).toBe(403);
    expect((await set(community, owner.id, moderator, { role: 'member' })).status).toBe(403);
    expect((await set(community, waiting.id, owner, { role: 'owner' })).status).toBe(409);
    expect((await set(community, owner.id, owner, { role: 'member' })).body.code).toBe('community.last_owner');
    expect((await set(community, member.id, owner, { role: 'owner' })).body).toMatchObject({
      role: 'owner',
      level: null,
    });
    expect((await page(community, member)).body.permissions.canModerate).toBe(true);
    expect((await set(community, owner.id, owner, { role: 'owner' })).status).toBe(200);
    // Both step down at once; one of them stays.
    const both = await Promise.all([owner, member].map((one) => set(community, one.id, one, { role: 'member' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const left = both[0]?.status === 409 ? owner : member;
    const letIn = await set(community, waiting.id, left, { status: 'active', role: 'owner' });
    expect(letIn.body).toMatchObject({ role: 'owner' });
  });
});
