import * as contract from '@officium/contract/community';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import {
  makeActivity,
  makeCommunity,
  makeMember,
  makeReaction,
  type TestCommunity,
} from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;

const memberOf = membersIn(test);

/** A community with a post, its author, a member and an owner. */
async function scene() {
  const community = await makeCommunity(db);
  const [author, member, owner] = [
    await memberOf(community),
    await memberOf(community),
    await memberOf(community, { role: 'owner' }),
  ];
  return { community, author, member, owner, id: await makeActivity(db, community, author) };
}

const react = (community: TestCommunity, id: string, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.createActivityReaction, person?.as, { params: { slug: community.slug, id }, body });
const reactTo = (community: TestCommunity, id: string, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.createChildReaction, person?.as, { params: { slug: community.slug, id }, body });
const list = (community: TestCommunity, id: string, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.listActivityReactions, person?.as, { params: { slug: community.slug, id }, query });
const children = (community: TestCommunity, id: string, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.listChildReactions, person?.as, { params: { slug: community.slug, id }, query });
const edit = (community: TestCommunity, id: string, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.updateReaction, person?.as, { params: { slug: community.slug, id }, body });
const remove = (community: TestCommunity, id: string, person?: TestPerson) =>
  test.call(contract.deleteReaction, person?.as, { params: { slug: community.slug, id } });
const read = async (community: TestCommunity, id: string, person: TestPerson) =>
  (await test.call(contract.readActivity, person.as, { params: { slug: community.slug, id } })).body;
const reply = (body: string) => ({ kind: 'reply', body });

async function score(id: string) {
  const { rows } = await sql<{ points: number; people: number; isRight: boolean }>`
    select people_points as points, (select count(*)::int from activity_people where activity_id = a.id) as people,
      abs(hot - (ln(1 + people_points) + extract(epoch from created_at) / 75000)) < 1e-6 as "isRight"
    from activities a where id = ${id}`.execute(db);
  return rows[0];
}

describe('createActivityReaction', () => {
  it('adds a reply with a sanitised body and the mentioned people', async () => {
    const { community, id, author, member } = await scene();
    const { status, body } = await react(community, id, member, {
      kind: 'reply',
      body: ` *Yes* {{${author.id}}}<script>alert(1)</script> `,
      locale: 'pt-BR',
      additional_data: { a: 1 },
      mentioned_users: { x: 1 },
    });
    expect(status).toBe(201);
    expect(contract.Reaction.strict().parse(body)).toBeTruthy();
    expect(body).toMatchObject({
      kind: 'reply',
      activity_id: id,
      user_id: member.id,
      actor: { id: member.id, name: member.name },
      body: `*Yes* {{${author.id}}}`,
      locale: 'pt-BR',
      additional_data: { a: 1 },
      mentioned_users: { [author.id]: { id: author.id, name: author.name } },
      children_counts: { like: 0, reply: 0 },
      own_reactions: {},
    });
    expect(body).not.toHaveProperty('parent_id');
    expect((await read(community, id, member)).reaction_counts).toEqual({ like: 0, reply: 1 });
    expect((await react(community, id, member, reply('x'))).body).toMatchObject({
      locale: 'en',
      additional_data: {},
      mentioned_users: {},
    });
  });

  it('requires a body for a reply, and a kind', async () => {
    const { community, id, member } = await scene();
    for (const body of [{ kind: 'reply' }, reply(''), reply('  '), reply('<script>x</script>')]) {
      const answer = await react(community, id, member, body);
      expect([answer.status, answer.body.message]).toEqual([400, "Body is required when kind is 'reply'"]);
    }
    for (const body of [
      {},
      { kind: 'love' },
      { kind: 'reply', body: 5 },
      { kind: 'like', locale: 'xx' },
      { ...reply('x'), additional_data: 'x' },
      reply('a\0b'),
      reply(Array.from({ length: 11 }, () => `{{${newId()}}}`).join('')),
      reply('x'.repeat(65_537)),
      [],
    ])
      expect([body, (await react(community, id, member, body)).status]).toEqual([body, 400]);
    expect((await react(community, 'x', member, reply('x'))).status).toBe(400);
  });

  it('refuses votes and poll options', async () => {
    const { community, id, owner } = await scene();
    const admin = await makePerson(test, { role: 'administrator' });
    for (const person of [owner, admin])
      for (const kind of ['poll-option', 'poll-vote']) {
        expect((await react(community, id, person, { kind, body: 'x' })).status).toBe(403);
        expect((await list(community, id, person, { kind })).status).toBe(403);
      }
  });

  it('resolves mentions of people who can read it', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-hidden' });
    const member = await memberOf(community);
    const others = {
      peer: await memberOf(community),
      administrator: await makePerson(test, { role: 'administrator' }),
      stranger: await makePerson(test),
      invited: await memberOf(community, { status: 'invited' }),
      inactive: await memberOf(community, { who: { role: 'inactive' } }),
      unproven: await memberOf(community, { who: { isProven: false } }),
      shutOut: await memberOf(community, { level: 0 }),
    };
    const text = Object.values(others).map(({ id }) => `{{${id}}}`);
    const { body } = await react(community, await makeActivity(db, community, member), member, reply(text.join(' ')));
    expect(Object.keys(body.mentioned_users).toSorted()).toEqual([others.peer.id, others.administrator.id].toSorted());
    // Everybody reads the posts of an open community; only its members read the replies.
    const open = await makeCommunity(db);
    const [author, citizen] = [await memberOf(open), await memberOf(open, { who: { role: 'non-public-servant' } })];
    const id = await makeActivity(db, open, author);
    const mentions = `{{${others.stranger.id}}} {{${citizen.id}}}`;
    const shown = await react(open, id, author, reply(mentions));
    expect(Object.keys(shown.body.mentioned_users)).toEqual([citizen.id]);
    const child = await reactTo(open, shown.body.id, author, reply(mentions));
    expect(Object.keys(child.body.mentioned_users)).toEqual([citizen.id]);
    const edited = await edit(open, shown.body.id, author, { kind: 'reply', body: `Again ${mentions}` });
    expect(Object.keys(edited.body.mentioned_users)).toEqual([citizen.id]);
  });

  it('requires a level for each kind', async () => {
    const { community, id, member, owner } = await scene();
    const reduced = await memberOf(community, { who: { role: 'non-public-servant' } });
    const moderator = await memberOf(community, { level: 3 });
    const stranger = await makePerson(test);
    const statuses = async (person?: TestPerson) =>
      await Promise.all(
        [{ kind: 'like' }, reply('x'), { kind: 'pin' }].map(
          async (body) => (await react(community, id, person, body)).status,
        ),
      );
    expect(await statuses()).toEqual([401, 401, 401]);
    expect(await statuses(stranger)).toEqual([403, 403, 403]);
    expect(await statuses(reduced)).toEqual([201, 403, 403]);
    expect(await statuses(member)).toEqual([201, 201, 403]);
    expect(await statuses(moderator)).toEqual([201, 201, 201]);
    expect(await statuses(owner)).toEqual([201, 201, 201]);
    expect(await statuses(await makePerson(test, { role: 'administrator' }))).toEqual([201, 201, 201]);
    expect(await read(community, id, owner)).toMatchObject({ pinned: true, reaction_counts: { like: 5, reply: 4 } });
  });

  it('returns the first like again, also to fifty at once', async () => {
    const { community, id, member } = await scene();
    const answers = await Promise.all(Array.from({ length: 50 }, () => react(community, id, member, { kind: 'like' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await read(community, id, member)).toMatchObject({
      reaction_counts: { like: 1 },
      own_reactions: { like: answers[0]!.body.id },
    });
    expect(await score(id)).toEqual({ points: 1, people: 1, isRight: true });
  });

  it('counts two hundred replies of twenty people, fifty of them at once', async () => {
    const { community, id, owner } = await scene();
    const crowd = await Promise.all(Array.from({ length: 20 }, () => memberOf(community)));
    for (let wave = 0; wave < 4; wave++) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => react(community, id, crowd[n % 20]!, reply(`The ${n}.`))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    }
    expect((await read(community, id, owner)).reaction_counts).toEqual({ like: 0, reply: 200 });
    expect(await score(id)).toEqual({ points: 20 * 2, people: 20, isRight: true });
  });

  it('keeps counts and score exact while a hundred people like and unlike at once', async () => {
    const { community, id, owner } = await scene();
    const crowd = await Promise.all(Array.from({ length: 100 }, () => memberOf(community)));
    await Promise.all(
      crowd.map(async (person, index) => {
        const { body } = await react(community, id, person, { kind: 'like' });
        if (index % 3 !== 0) return;
        expect((await remove(community, body.id, person)).status).toBe(204);
        if (index % 2 === 0) await react(community, id, person, reply('again'));
      }),
    );
    const { reaction_counts } = await read(community, id, owner);
    const { rows } = await sql<{
      kind: string;
      n: number;
    }>`select kind, count(*)::int as n from reactions where activity_id = ${id} group by kind order by kind`.execute(
      db,
    );
    expect(rows).toEqual([
      { kind: 'like', n: 66 },
      { kind: 'reply', n: 17 },
    ]);
    expect(reaction_counts).toEqual({ like: 66, reply: 17 });
    expect(await score(id)).toEqual({ points: 66 + 17 * 2, people: 66 + 17, isRight: true });
  });

  it('returns 404 for targets that are deleted or elsewhere', async () => {
    const { community, id, author, member } = await scene();
    const other = await makeCommunity(db);
    await makeMember(db, other, member);
    const made = (await react(community, id, member, reply('x'))).body.id;
    expect((await react(other, id, member, reply('x'))).status).toBe(404);
    expect((await list(other, id, member)).status).toBe(404);
    expect((await reactTo(other, made, member, reply('x'))).status).toBe(404);
    expect((await children(other, made, member)).status).toBe(404);
    expect((await edit(other, made, member, reply('x'))).status).toBe(404);
    expect((await remove(other, made, member)).status).toBe(404);
    await test.call(contract.deleteActivity, author.as, { params: { slug: community.slug, id } });
    expect((await react(community, id, member, reply('x'))).status).toBe(404);
    expect((await list(community, id, member)).status).toBe(404);
    expect((await reactTo(community, made, member, { kind: 'like' })).status).toBe(404);
    expect((await children(community, made, member)).status).toBe(404);
    expect((await edit(community, made, member, { body: 'y' })).status).toBe(404);
    expect((await remove(community, made, member)).status).toBe(404);
  });
});

describe('createChildReaction', () => {
  it('allows three levels of replies and refuses a fourth', async () => {
    const { community, id, author, member } = await scene();
    const one = (await react(community, id, member, reply('1'))).body;
    const two = (await reactTo(community, one.id, author, reply('2'))).body;
    const three = (await reactTo(community, two.id, member, reply('3'))).body;
    expect(contract.Reaction.strict().parse(three)).toMatchObject({ parent_id: two.id, activity_id: id });
    expect((await reactTo(community, three.id, author, reply('4'))).status).toBe(400);
    expect((await reactTo(community, three.id, author, { kind: 'like' })).status).toBe(201);
    expect((await reactTo(community, newId(), author, reply('x'))).status).toBe(404);
    expect((await children(community, one.id, author)).body.results).toMatchObject([
      { id: two.id, children_counts: { reply: 1, like: 0 } },
    ]);
    expect((await read(community, id, author)).reaction_counts.reply).toBe(1);
    // The score counts everybody who replies except the author of the post.
    expect(await score(id)).toEqual({ points: 2, people: 1, isRight: true });
  });

  it('refuses reactions to likes, so that a like can be withdrawn completely', async () => {
    const { community, id, author, member } = await scene();
    const like = (await react(community, id, member, { kind: 'like' })).body;
    for (const body of [reply('x'), { kind: 'like' }]) {
      const answer = await reactTo(community, like.id, author, body);
      expect([answer.status, answer.body.message]).toEqual([400, 'Only a reply can be reacted to']);
    }
    expect((await remove(community, like.id, member)).status).toBe(204);
    const again = await react(community, id, member, { kind: 'like' });
    expect(contract.Reaction.parse(again.body).id).not.toBe(like.id);
    expect((await read(community, id, member)).reaction_counts).toEqual({ like: 1, reply: 0 });
  });

  it("likes a reply once and returns the viewer's own like", async () => {
    const { community, id, author, member } = await scene();
    const one = (await react(community, id, member, reply('1'))).body;
    const likes = await Promise.all(
      Array.from({ length: 10 }, () => reactTo(community, one.id, author, { kind: 'like' })),
    );
    expect(new Set(likes.map(({ body }) => body.id)).size).toBe(1);
    const like = likes[0]!.body.id;
    expect((await list(community, id, author)).body.results).toMatchObject([
      { children_counts: { like: 1 }, own_reactions: { like } },
    ]);
    expect((await list(community, id, member)).body.results[0].own_reactions).toEqual({});
    expect(await score(id)).toMatchObject({ points: 2 });
    expect((await remove(community, like, author)).status).toBe(204);
    expect((await list(community, id, author)).body.results).toMatchObject([
      { children_counts: { like: 0 }, own_reactions: {} },
    ]);
    expect((await reactTo(community, one.id, author, { kind: 'like' })).body.id).not.toBe(like);
  });
});

describe('lists of reactions', () => {
  it('page downwards from the newest and upwards from a cursor', async () => {
    const { community, id, member } = await scene();
    const ids: string[] = [];
    for (let n = 0; n < 7; n++)
      ids.unshift(await makeReaction(db, community, { activityId: id }, member, { body: `${n}` }));
    await makeReaction(db, community, { activityId: id }, member, { kind: 'like' });
    const idsOf = (body: { results: { id: string }[] }) => body.results.map((reaction) => reaction.id);
    const first = await list(community, id, member, { limit: 3 });
    expect(contract.listActivityReactions.replies[200].strict().parse(first.body)).toBeTruthy();
    expect(idsOf(first.body)).toEqual(ids.slice(0, 3));
    expect(first.body.next).toBe(`id_lt=${ids[2]}&limit=3&kind=reply`);
    const address = `/api/community/communities/${community.slug}/activities/${id}/reactions`;
    const second = await test.send('GET', `${address}?${first.body.next}`, { as: member.as });
    expect(idsOf(second.body)).toEqual(ids.slice(3, 6));
    const third = await test.send('GET', `${address}?${second.body.next}`, { as: member.as });
    expect(third.body).toEqual({ results: [expect.objectContaining({ id: ids[6] })] });
    const up = await list(community, id, member, { id_gt: ids[6], limit: 4 });
    expect(idsOf(up.body)).toEqual(ids.slice(2, 6).toReversed());
    const rest = await test.send('GET', `${address}?${up.body.next}`, { as: member.as });
    expect(idsOf(rest.body)).toEqual(ids.slice(0, 2).toReversed());
    expect(rest.body).not.toHaveProperty('next');
    expect((await list(community, id, member, { kind: 'like' })).body.results).toMatchObject([
      { kind: 'like', body: null },
    ]);
    expect((await list(community, id, member, { limit: 7 })).body).not.toHaveProperty('next');
    // A cursor is compared, not looked up.
    expect((await remove(community, ids[3]!, member)).status).toBe(204);
    expect(idsOf((await list(community, id, member, { id_lt: ids[3] })).body)).toEqual(ids.slice(4));
    expect((await list(community, id, member, { id_gt: newId() })).body).toEqual({ results: [] });
    expect(idsOf((await list(community, id, member, { id_lt: newId().toUpperCase() })).body)).toHaveLength(6);
  });

  it('return 25 by default, at most 100, and refuse malformed queries', async () => {
    const { community, id, member } = await scene();
    const parent = await makeReaction(db, community, { activityId: id }, member);
    for (let n = 0; n < 26; n++) await makeReaction(db, community, { reactionId: parent }, member);
    const { body } = await children(community, parent, member);
    expect(contract.listChildReactions.replies[200].strict().parse(body)).toBeTruthy();
    expect(body.results).toHaveLength(25);
    expect(body.next).toMatch(/^id_lt=[0-9a-f-]{36}&limit=25&kind=reply$/);
    expect((await children(community, parent, member, { limit: 100 })).body.results).toHaveLength(26);
    for (const query of [
      { limit: 101 },
      { limit: 0 },
      { limit: -1 },
      { id_lt: 'x' },
      { id_gt: newId(), id_lt: newId() },
      { kind: 'x' },
    ])
      expect([query, (await children(community, parent, member, query)).status]).toEqual([query, 400]);
  });

  it('require membership', async () => {
    const { community, id, member } = await scene();
    const made = (await react(community, id, member, reply('x'))).body.id;
    const stranger = await makePerson(test);
    expect((await list(community, id)).status).toBe(401);
    expect((await list(community, id, stranger)).status).toBe(403);
    expect((await children(community, made)).status).toBe(401);
    expect((await children(community, made, stranger)).status).toBe(403);
    expect((await list(community, newId(), member)).status).toBe(404);
    expect((await children(community, newId(), member)).status).toBe(404);
  });

  it('omit the names of erased people', async () => {
    const { community, id, member, author } = await scene();
    await react(community, id, member, reply('x'));
    await sql`update users set erased_at = now(), email = null where id = ${member.id}`.execute(db);
    const zero = '00000000-0000-0000-0000-000000000000';
    expect((await list(community, id, author)).body.results).toMatchObject([
      { user_id: zero, actor: { id: zero, name: 'Deleted user', isDeleted: true } },
    ]);
  });
});

describe('locateReaction', () => {
  const locate = (community: TestCommunity, id: string, person?: TestPerson) =>
    test.call(contract.locateReaction, person?.as, { params: { slug: community.slug, id } });

  it('returns the ancestors of a reply, including deleted ones', async () => {
    const { community, id, author, member } = await scene();
    const one = (await react(community, id, author, reply('One'))).body.id;
    const two = (await reactTo(community, one, author, reply('Two'))).body.id;
    const three = (await reactTo(community, two, member, reply('Three'))).body.id;
    expect((await locate(community, one, member)).body).toEqual({ activityId: id, path: [one] });
    await remove(community, two, author);
    expect((await locate(community, three, member)).body).toEqual({ activityId: id, path: [one, two, three] });
    expect((await locate(community, two, member)).status).toBe(404);
  });

  it('requires membership, and a reaction of that community', async () => {
    const { community, id, member } = await scene();
    const { id: replyId } = (await react(community, id, member, reply('Here'))).body;
    const other = await scene();
    expect((await locate(community, replyId)).status).toBe(401);
    expect((await locate(community, replyId, await makePerson(test))).status).toBe(403);
    expect((await locate(other.community, replyId, other.member)).status).toBe(404);
    expect((await locate(community, newId(), member)).status).toBe(404);
    expect((await locate(community, 'x', member)).status).toBe(400);
  });
});

describe('updateReaction', () => {
  it('is allowed to the author of the reply only', async () => {
    const { community, id, author, member, owner } = await scene();
    const made = (await react(community, id, member, { ...reply('old'), locale: 'fr', additional_data: { a: 1 } }))
      .body;
    const admin = await makePerson(test, { role: 'administrator' });
    for (const [person, status] of [
      [undefined, 401],
      [author, 403],
      [owner, 403],
      [admin, 403],
      [await makePerson(test), 403],
    ] as const)
      expect((await edit(community, made.id, person, { body: 'mine' })).status).toBe(status);
    const { status, body } = await edit(community, made.id, member, { body: `new {{${author.id}}}` });
    expect(status).toBe(200);
    expect(contract.updateReaction.replies[200].strict().parse(body)).toBeTruthy();
    expect(body).toMatchObject({
      id: made.id,
      locale: 'fr',
      additional_data: {},
      mentioned_users: { [author.id]: {} },
      createdAt: made.createdAt,
    });
    expect(body.editedAt).toBe(body.updatedAt);
    for (const nothing of [{}, { body: ' ' }, { body: '<b></b>' }])
      expect((await edit(community, made.id, member, nothing)).body.message).toBe(
        "Body is required when kind is 'reply'",
      );
    expect((await edit(community, made.id, member, { body: 3 })).status).toBe(400);
    const like = (await react(community, id, member, { kind: 'like' })).body.id;
    expect((await edit(community, like, member, { body: 'x' })).status).toBe(400);
    expect((await edit(community, newId(), member, { body: 'x' })).status).toBe(404);
  });
});

describe('deleteReaction', () => {
  it('is allowed to the author and to moderators, except for reactions of owners and administrators', async () => {
    const { community, id, author, member, owner } = await scene();
    const moderator = await memberOf(community, { level: 3 });
    const admin = await memberOf(community, { who: { role: 'administrator' } });
    const outcome = async (by: TestPerson, deleter: TestPerson | undefined) =>
      (await remove(community, (await react(community, id, by, reply('x'))).body.id, deleter)).status;
    expect(await outcome(member, undefined)).toBe(401);
    expect(await outcome(member, author)).toBe(403);
    expect(await outcome(member, await makePerson(test))).toBe(403);
    expect(await outcome(member, member)).toBe(204);
    expect(await outcome(member, moderator)).toBe(204);
    expect(await outcome(owner, moderator)).toBe(403);
    expect(await outcome(admin, moderator)).toBe(403);
    expect(await outcome(admin, owner)).toBe(204);
    expect(await outcome(owner, admin)).toBe(204);
    expect((await remove(community, newId(), owner)).status).toBe(404);
  });

  it('keeps a placeholder for a deleted reply until its last reply is deleted', async () => {
    const { community, id, author, member } = await scene();
    const one = (await react(community, id, member, reply('secret'))).body.id;
    await reactTo(community, one, author, { kind: 'like' });
    const two = (await reactTo(community, one, author, reply('2'))).body.id;
    const three = (await reactTo(community, two, member, reply('3'))).body.id;
    expect(await score(id)).toEqual({ points: 2, people: 1, isRight: true });
    expect((await remove(community, one, member)).status).toBe(204);
    expect((await remove(community, one, member)).status).toBe(404);
    const { body } = await list(community, id, member);
    expect(contract.listActivityReactions.replies[200].parse(body)).toBeTruthy();
    expect(body).toEqual({ results: [{ id: one, deleted: true, children_counts: { like: 1, reply: 1 } }] });
    expect((await read(community, id, author)).reaction_counts.reply).toBe(0);
    // The reply on the third level counts too.
    expect(await score(id)).toEqual({ points: 2, people: 1, isRight: true });
    expect((await children(community, one, member)).body.results).toMatchObject([{ id: two }]);
    expect((await edit(community, one, member, { body: 'x' })).status).toBe(404);
    expect((await reactTo(community, one, member, reply('x'))).status).toBe(404);
    expect((await reactTo(community, one, member, { kind: 'like' })).status).toBe(404);
    expect((await remove(community, two, author)).status).toBe(204);
    expect((await children(community, one, member)).body.results).toEqual([
      { id: two, deleted: true, children_counts: { like: 0, reply: 1 } },
    ]);
    expect((await remove(community, three, member)).status).toBe(204);
    expect((await list(community, id, member)).body).toEqual({ results: [] });
    expect(await score(id)).toEqual({ points: 0, people: 0, isRight: true });
  });

  it('removes a pin', async () => {
    const { community, id, owner } = await scene();
    const other = await memberOf(community, { role: 'owner' });
    const pin = (await react(community, id, owner, { kind: 'pin' })).body.id;
    expect((await react(community, id, owner, { kind: 'pin' })).body.id).toBe(pin);
    await react(community, id, other, { kind: 'pin' });
    expect((await remove(community, pin, other)).status).toBe(204);
    expect(await read(community, id, owner)).toMatchObject({ pinned: true, own_reactions: {} });
    const { own_reactions } = await read(community, id, other);
    expect((await remove(community, own_reactions.pin, other)).status).toBe(204);
    expect((await read(community, id, other)).pinned).toBe(false);
  });

  it('counts once however many delete at once', async () => {
    const { community, id, member } = await scene();
    await react(community, id, member, reply('stays'));
    const made = (await react(community, id, member, reply('goes'))).body.id;
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await remove(community, made, member)).status),
    );
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
    expect((await read(community, id, member)).reaction_counts.reply).toBe(1);
    expect(await score(id)).toEqual({ points: 2, people: 1, isRight: true });
  });
});
