import { setTimeout } from 'node:timers/promises';
import * as contract from '@officium/contract/community';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { openSession } from '#server/access/sessions.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { membersIn } from '#server/test/factories/members.ts';

const test = await createTestApp();
const { db } = test.ctx;

const memberOf = membersIn(test);

const post = (community: TestCommunity, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.createActivity, person?.as, { params: { slug: community.slug }, body });
const feed = (community: TestCommunity, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.listActivities, person?.as, { params: { slug: community.slug }, query });
const read = (community: TestCommunity, id: string, person?: TestPerson, query: Record<string, unknown> = {}) =>
  test.call(contract.readActivity, person?.as, { params: { slug: community.slug, id }, query });
const edit = (community: TestCommunity, id: string, person: TestPerson | undefined, body: unknown) =>
  test.call(contract.updateActivity, person?.as, { params: { slug: community.slug, id }, body });
const remove = (community: TestCommunity, id: string, person?: TestPerson) =>
  test.call(contract.deleteActivity, person?.as, { params: { slug: community.slug, id } });

async function counts(community: TestCommunity) {
  const { rows } = await sql<{ kept: number; real: number }>`
    select activity_count(c.id) as kept, (select count(*)::int from activities where community_id = c.id and deleted_at is null) as real
    from communities c where id = ${community.id}`.execute(db);
  return rows[0];
}

describe('createActivity', () => {
  it('returns the whole activity, sanitised, with the mentioned people', async () => {
    const community = await makeCommunity(db, {
      categories: ['ideas', 'events'],
      title: { en: 'Makers', fr: 'Faiseurs' },
    });
    const maya = await memberOf(community, { who: { name: 'Maya' } });
    const ana = await makePerson(test, { name: 'Ana' });
    const nobody = newId();
    const { status, body } = await post(community, maya, {
      verb: 'post',
      title: ' <b>Hello</b> <script>alert(1)</script>world ',
      body: `Dear **{{${ana.id.toUpperCase()}}}** and {{${nobody}}} <script>alert(1)</script><img src=x onerror=alert(1)>`,
      categories: ['ideas', 'ideas'],
      additional_data: { colour: 'red', deep: [{ a: 1 }] },
      mentioned_users: { [maya.id]: 'forged' },
      locale: 'fr',
    });
    expect(status).toBe(201);
    expect(contract.createActivity.replies[201].strict().parse(body)).toBeTruthy();
    expect(body).toMatchObject({
      verb: 'post',
      title: 'Hello world',
      locale: 'fr',
      categories: ['ideas'],
      additional_data: { colour: 'red', deep: [{ a: 1 }] },
      mentioned_users: { [ana.id]: { id: ana.id, name: 'Ana' } },
      actor: { id: maya.id, name: 'Maya', thumbnail: null, jobTitle: null, organization: null, badges: {} },
      community: { slug: community.slug, title: 'Faiseurs' },
      pinned: false,
      reaction_counts: { like: 0, reply: 0 },
      own_reactions: {},
    });
    expect(Object.keys(body.mentioned_users)).toEqual([ana.id]);
    expect(body.body + body.bodyHtml).not.toMatch(/<script|onerror/);
    expect(body.bodyHtml).toContain('<strong>{{');
    expect(body).not.toHaveProperty('editedAt');
    expect(body).not.toHaveProperty('poll');
    expect((await read(community, body.id, maya, { locale: 'fr' })).body).toEqual(body);
    expect(await counts(community)).toEqual({ kept: 1, real: 1 });
  });

  it('resolves mentions of people whom an invitation or a cohort admits', async () => {
    const community = await makeCommunity(db, { canView: 'private' });
    const maya = await memberOf(community);
    const invited = await memberOf(community, { status: 'invited' });
    const granted = await makePerson(test);
    await putInCohort(test, await makeCohort(test, { products: [community.entryId] }), granted);
    const others = [await makePerson(test), await memberOf(community, { status: 'pending' })];
    const body = [invited, granted, ...others].map(({ id }) => `{{${id}}}`).join(' ');
    const posted = await post(community, maya, { verb: 'post', body });
    for (const person of [invited, granted]) expect((await read(community, posted.body.id, person)).status).toBe(200);
    expect(Object.keys(posted.body.mentioned_users).toSorted()).toEqual([invited.id, granted.id].toSorted());
  });

  it('needs a title or a body with visible content', async () => {
    const community = await makeCommunity(db);
    const maya = await memberOf(community);
    for (const body of [
      {},
      { title: '  ' },
      { body: ' \n' },
      { title: '', body: '' },
      { body: '<script>x</script>' },
      { title: '<i></i>' },
      { body: '<b></b>' },
      { body: '<p>&nbsp;</p>' },
      { body: '[](https://example.org)' },
      { body: '&#8203;' },
      { body: '#' },
    ]) {
      const answer = await post(community, maya, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe("Either 'body' or 'title' must be provided.");
    }
    for (const body of ['---', '0', '![A map](https://example.org/a.png)'])
      expect([body, (await post(community, maya, { body })).status]).toEqual([body, 201]);
    expect((await post(community, maya, { title: 'T', body: '<b></b>' })).body).toMatchObject({
      title: 'T',
      body: null,
      bodyHtml: null,
      locale: 'en',
    });
  });

  it('refuses bodies that are too long, too deep, of the wrong type, or not for posts', async () => {
    const community = await makeCommunity(db, { categories: ['ideas'] });
    const maya = await memberOf(community);
    let deep: unknown = 1;
    for (let level = 0; level < 50; level++) deep = [deep];
    const eleven = Array.from({ length: 11 }, () => `{{${newId()}}}`).join(' ');
    for (const [given, message] of [
      [{ body: 7 }, /text/],
      [{ body: null }, /text/],
      [{ title: ['x'] }, /text/],
      [{ title: '😀'.repeat(301) }, 'Title must have at most 300 characters'],
      [{ body: 'é'.repeat(33_000) }, 'Body must have at most 65536 bytes'],
      [{ title: 'x', verb: 'poll' }, /verb must be post/],
      [{ title: 'x', verb: 'lesson' }, /verb must be post/],
      [{ title: 'x', locale: 'xx' }, /./],
      [{ title: 'x', categories: ['others'] }, "Unknown category 'others'. The categories of this community are ideas"],
      [{ title: 'x', categories: 'ideas' }, /list/],
      [{ title: 'x', additional_data: [] }, /record|object/],
      [
        { title: 'x', additional_data: { a: 'x'.repeat(17_000) } },
        'additional_data must have at most 16384 bytes of JSON',
      ],
      [{ title: 'x', additional_data: { deep } }, /nested at most/],
      [{ body: eleven }, 'At most 10 different people can be mentioned'],
      [{ title: 'a\0b' }, /null/],
      [{ title: 'x', additional_data: { a: '\0' } }, /null/],
    ] as const) {
      const answer = await post(community, maya, given);
      expect([given, answer.status]).toEqual([given, 400]);
      if (typeof message === 'string') expect(answer.body.message).toBe(message);
      else expect(answer.body.message).toMatch(message);
    }
    expect((await post(community, maya, { title: '😀'.repeat(300) })).status).toBe(201);
    expect(
      (
        await test.send('POST', `/api/community/communities/${community.slug}/activities`, {
          as: maya.as,
          body: '{"title":',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await post(community, maya, {
          title: 'x',
          additional_data: JSON.parse('{"__proto__x": 1, "a": {"constructor": 2}}'),
        })
      ).status,
    ).toBe(201);
  });

  it('requires the level basic', async () => {
    const community = await makeCommunity(db);
    const closed = await makeCommunity(db, { privacy: 'closed-visible' });
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const stranger = await makePerson(test);
    const reduced = await memberOf(community, { who: { role: 'non-public-servant' } });
    const admin = await makePerson(test, { role: 'administrator' });
    const say = { title: 'Hello' };
    expect((await post(community, undefined, say)).status).toBe(401);
    expect((await post(community, stranger, say)).status).toBe(403);
    expect((await post(community, reduced, say)).status).toBe(403);
    expect((await post(closed, stranger, say)).status).toBe(403);
    expect((await post(hidden, stranger, say)).status).toBe(404);
    expect((await post(hidden, admin, say)).status).toBe(201);
    expect((await post(community, await memberOf(community, { level: 0 }), say)).status).toBe(403);
    expect((await post(community, await memberOf(community, { status: 'pending' }), say)).status).toBe(403);
    expect((await post(community, await memberOf(community, { who: { role: 'inactive' } }), say)).status).toBe(403);
    expect(
      (await post(community, await memberOf(community, { who: { role: 'non-public-servant' }, level: 2 }), say)).status,
    ).toBe(201);
  });

  it("is narrowed by the session's token", async () => {
    const community = await makeCommunity(db);
    const maya = await memberOf(community);
    const as = async (communities: Record<string, number | string>) => ({
      ...maya,
      as: { token: await openSession(db, { userId: maya.id, permissions: { communities } }) },
    });
    expect((await post(community, await as({ [community.slug]: 1 }), { title: 'x' })).status).toBe(403);
    expect((await post(community, await as({ [community.slug]: 'reduced' }), { title: 'x' })).status).toBe(403);
    expect((await post(community, await as({}), { title: 'x' })).status).toBe(403);
    expect((await post(community, await as({ [community.slug]: 'full-control' }), { title: 'x' })).status).toBe(201);
  });

  it('posts once for an Idempotency-Key and repeats the answer', async () => {
    const community = await makeCommunity(db);
    const maya = await memberOf(community);
    const send = () =>
      test.call(contract.createActivity, maya.as, {
        params: { slug: community.slug },
        body: { title: 'Once', additional_data: { a: [1] } },
        headers: { 'idempotency-key': 'k1' },
      });
    const [one, two] = [await send(), await send()];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body).toEqual(one.body);
    expect(one.body).toMatchObject({
      title: 'Once',
      additional_data: { a: [1] },
      mentioned_users: {},
      own_reactions: {},
    });
    expect(await counts(community)).toEqual({ kept: 1, real: 1 });
  });
});

it('takes no card of an article from the author of a post, which only a share has', async () => {
  const community = await makeCommunity(db);
  const maya = await memberOf(community);
  const additional_data = { a: 1, article: { slug: 'x', title: 'Forged', subtitle: null } };
  const { body: made } = await post(community, maya, { title: 'x', additional_data });
  expect(made.additional_data).toEqual({ a: 1 });
  const params = { slug: community.slug, id: made.id };
  const { body: edited } = await test.call(contract.updateActivity, maya.as, {
    params,
    body: { title: 'y', additional_data },
  });
  expect(edited.additional_data).toEqual({ a: 1 });
});

describe('updateActivity', () => {
  it('is allowed to the author only, replaces everything and sets editedAt', async () => {
    const community = await makeCommunity(db, { categories: ['a', 'b', 'c'] });
    const author = await memberOf(community);
    const owner = await memberOf(community, { role: 'owner' });
    const admin = await makePerson(test, { role: 'administrator' });
    const { body: made } = await post(community, author, {
      title: 'Old',
      body: 'old',
      categories: ['a', 'b'],
      additional_data: { x: 1 },
    });
    for (const [who, status] of [
      [undefined, 401],
      [owner, 403],
      [admin, 403],
      [await makePerson(test), 403],
    ] as const)
      expect((await edit(community, made.id, who, { title: 'New' })).status).toBe(status);
    expect((await edit(community, made.id, author, {})).body.message).toBe(
      "Either 'body' or 'title' must be provided.",
    );
    const { status, body } = await edit(community, made.id, author, { body: 'new', categories: ['b', 'c'] });
    expect(status).toBe(200);
    expect(contract.updateActivity.replies[200].strict().parse(body)).toBeTruthy();
    expect(body).toMatchObject({
      title: null,
      body: 'new',
      categories: ['b', 'c'],
      additional_data: {},
      createdAt: made.createdAt,
    });
    expect(body.editedAt).toBe(body.updatedAt);
    const totals = await Promise.all(
      ['a', 'b', 'c'].map(async (category) => (await feed(community, author, { category })).body.total),
    );
    expect(totals).toEqual([0, 1, 1]);
  });

  it('returns 404 for an activity of another community, a deleted one, or an unknown id', async () => {
    const [here, there] = [await makeCommunity(db), await makeCommunity(db)];
    const author = await memberOf(here);
    await makeMember(db, there, author);
    const id = await makeActivity(db, here, author);
    expect((await edit(there, id, author, { title: 'x' })).status).toBe(404);
    expect((await read(there, id, author)).status).toBe(404);
    expect((await remove(there, id, author)).status).toBe(404);
    expect((await edit(here, newId(), author, { title: 'x' })).status).toBe(404);
    expect((await edit(here, 'nonsense', author, { title: 'x' })).status).toBe(400);
    expect((await remove(here, id, author)).status).toBe(204);
    expect((await edit(here, id, author, { title: 'x' })).status).toBe(404);
    expect((await read(here, id, author)).status).toBe(404);
    expect((await remove(here, id, author)).status).toBe(404);
  });
});

/** The stored count in all (an empty category) and in each category, beside the real count. */
async function categoryCounts(community: TestCommunity) {
  const { rows } = await sql<{ category: string; kept: number; real: number }>`
    select category, activity_count(${community.id}, category) as kept, (
      select count(*)::int from activities
      where community_id = ${community.id} and deleted_at is null and (category = '' or category = any(categories))) as real
    from unnest(array['', 'events', 'ideas']) category order by category`.execute(db);
  return rows;
}

describe('the counts of a community', () => {
  it('are exact after two hundred people have posted, moved or deleted at once', async () => {
    const community = await makeCommunity(db, { categories: ['ideas', 'events'] });
    const people = await Promise.all(Array.from({ length: 5 }, () => memberOf(community)));
    const there = await Promise.all(
      Array.from({ length: 80 }, (_, n) => makeActivity(db, community, people[n % 5]!, { categories: ['ideas'] })),
    );
    const writes = Array.from({ length: 200 }, async (_, n) => {
      const person = people[n % 5]!;
      if (n < 40) return (await remove(community, there[n]!, person)).status;
      if (n < 80) return (await edit(community, there[n]!, person, { body: 'Moved', categories: ['events'] })).status;
      const categories = [['ideas', 'events'], ['events', 'ideas'], ['events'], []][n % 4];
      return (await post(community, person, { body: 'New', categories })).status;
    });
    expect(new Set(await Promise.all(writes))).toEqual(new Set([204, 200, 201]));
    expect(await categoryCounts(community)).toEqual([
      { category: '', kept: 160, real: 160 },
      { category: 'events', kept: 40 + 90, real: 40 + 90 },
      { category: 'ideas', kept: 60, real: 60 },
    ]);
    expect((await feed(community, people[0], { category: 'events' })).body.total).toBe(130);
  });

  it('are deleted with the community', async () => {
    const community = await makeCommunity(db, { categories: ['ideas'] });
    const maya = await memberOf(community);
    await makeActivity(db, community, maya, { categories: ['ideas'] });
    await sql`delete from communities where id = ${community.id}`.execute(db);
    expect(await categoryCounts(community)).toMatchObject([{ kept: 0 }, { kept: 0 }, { kept: 0 }]);
  });
});

describe('deleteActivity', () => {
  it('is allowed to the author and to moderators, except for posts of owners and administrators', async () => {
    const community = await makeCommunity(db);
    const [author, other] = [await memberOf(community), await memberOf(community)];
    const moderator = await memberOf(community, { level: 3 });
    const [owner, secondOwner] = [
      await memberOf(community, { role: 'owner' }),
      await memberOf(community, { role: 'owner' }),
    ];
    const admin = await memberOf(community, { who: { role: 'administrator' } });
    const by = (person: TestPerson) => makeActivity(db, community, person);
    const outcome = async (author: TestPerson, deleter: TestPerson | undefined) =>
      (await remove(community, await by(author), deleter)).status;
    expect(await outcome(author, undefined)).toBe(401);
    expect(await outcome(author, other)).toBe(403);
    expect(await outcome(author, author)).toBe(204);
    expect(await outcome(author, moderator)).toBe(204);
    expect(await outcome(owner, moderator)).toBe(403);
    expect(await outcome(admin, moderator)).toBe(403);
    expect(await outcome(owner, secondOwner)).toBe(204);
    expect(await outcome(moderator, owner)).toBe(204);
    expect(await outcome(owner, await makePerson(test, { role: 'administrator' }))).toBe(204);
    const { kept, real } = (await counts(community))!;
    expect(kept).toBe(real);
  });

  it('refuses a moderator who is demoted while the request waits for the lock', async () => {
    const community = await makeCommunity(db);
    const [author, moderator] = [await memberOf(community), await memberOf(community, { level: 3 })];
    const id = await makeActivity(db, community, author);
    const waiting: Promise<{ status: number }>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`select 1 from activities where id = ${id} for no key update`.execute(trx);
      await sql`update community_members set level = 1 where user_id = ${moderator.id}`.execute(trx);
      waiting.push(remove(community, id, moderator));
      await setTimeout(300); // the request has checked the moderator's rights and waits for the lock
    });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([403]);
    expect((await read(community, id, author)).status).toBe(200);
  });

  it('counts once however many delete at once', async () => {
    const community = await makeCommunity(db, { categories: ['x'] });
    const author = await memberOf(community);
    await makeActivity(db, community, author, { categories: ['x'] });
    const id = await makeActivity(db, community, author, { categories: ['x'] });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await remove(community, id, author)).status),
    );
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
    expect(await counts(community)).toEqual({ kept: 1, real: 1 });
    expect((await feed(community, author, { category: 'x' })).body.total).toBe(1);
  });
});
