import {
  createActivity,
  createActivityReaction,
  createChildReaction,
  deleteActivity,
  deleteReaction,
  joinCommunity,
  leaveCommunity,
  readActivity,
  updateMember,
} from '@officium/contract/community';
import { createArticle } from '@officium/contract/content';
import { updateUserCommunity } from '@officium/contract/people-records';
import { shareArticle } from '@officium/contract/shares';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { SERVICE_KEY } from '../app.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction, type TestCommunity } from '../factories/communities.ts';
import { type Answer, type Nodes, type Request, tally, times } from './nodes.ts';

const SERVICE = { serviceKey: SERVICE_KEY };

export function communityRaces({ test, ask, storm }: Nodes): void {
  const { db } = test.ctx;
  const makePeople = (count: number) => Promise.all(Array.from({ length: count }, () => makePerson(test)));
  const makeMembers = async (community: TestCommunity, count: number) => {
    const people = await makePeople(count);
    await Promise.all(people.map((person) => makeMember(db, community, person)));
    return people;
  };

  /** Likes, removes the like on both nodes at once and, two times of three, likes again. */
  const toggle = async (person: TestPerson, nth: number, slug: string, like: () => Request) => {
    const node = nth % 2 === 0 ? 0 : 1;
    const first = await ask(node, ...like());
    expect(first.status).toBe(201);
    const back: Request = [deleteReaction, person.as, { params: { slug, id: first.body.id } }];
    const answers = nth % 10 === 0 ? await storm([back, back]) : [await ask(node === 0 ? 1 : 0, ...back)];
    expect(answers.map(({ status }) => status).sort()).toEqual(nth % 10 === 0 ? [204, 404] : [204]);
    if (nth % 3 === 0) return;
    const again = await storm([like(), like()]);
    expect(again.map(({ status, body }) => [status, body.id])).toEqual([
      [201, again[0]?.body.id],
      [201, again[0]?.body.id],
    ]);
  };

  it('500 people who like and unlike one post are counted correctly, and so is its score', async () => {
    const community = await makeCommunity(db);
    const [author, ...people] = await makeMembers(community, 501);
    const { slug } = community;
    const id = await makeActivity(db, community, author!);
    await Promise.all(
      people.map((person, nth) =>
        toggle(person, nth, slug, () => [
          createActivityReaction,
          person.as,
          { params: { slug, id }, body: { kind: 'like' } },
        ]),
      ),
    );
    const expected = people.filter((_, nth) => nth % 3 !== 0).length;
    const { body } = await ask(0, readActivity, people[0]!.as, { params: { slug, id } });
    expect(body.reaction_counts).toEqual({ like: expected, reply: 0 });
    const { rows } = await sql`
      select (select count(*) from reactions where activity_id = a.id) as likes, a.people_points,
        abs(a.hot - (ln(1 + ${expected}::int) + extract(epoch from a.created_at) / 75000)) < 1e-9 as is_hot
      from activities a where a.id = ${id}`.execute(db);
    expect(rows).toEqual([{ likes: expected, people_points: expected, is_hot: true }]);
  });

  it('likes of a reply count only there', async () => {
    const community = await makeCommunity(db);
    const [author, ...people] = await makeMembers(community, 91);
    const { slug } = community;
    const activityId = await makeActivity(db, community, author!);
    const id = await makeReaction(db, community, { activityId }, author!);
    await Promise.all(
      people.map((person, nth) =>
        toggle(person, nth, slug, () => [
          createChildReaction,
          person.as,
          { params: { slug, id }, body: { kind: 'like' } },
        ]),
      ),
    );
    const { rows } = await sql`
      select r.like_count, (select count(*) from reactions l where l.parent_id = r.id) as likes, a.like_count as direct,
        a.people_points
      from reactions r join activities a on a.id = r.activity_id where r.id = ${id}`.execute(db);
    expect(rows).toEqual([{ like_count: 60, likes: 60, direct: 0, people_points: 0 }]);
  });

  it('a reply is stored before its post is deleted, or finds no post', async () => {
    const community = await makeCommunity(db);
    const people = await makeMembers(community, 60);
    const { slug } = community;
    const id = await makeActivity(db, community, people[0]!);
    const replies = people.map((person): Request => [
      createActivityReaction,
      person.as,
      { params: { slug, id }, body: { kind: 'reply', body: 'What I think of it' } },
    ]);
    const remove: Request = [deleteActivity, people[0]!.as, { params: { slug, id } }];
    const answers = await storm([...replies.slice(0, 20), remove, remove, ...replies.slice(20)]);
    expect(tally(answers.splice(20, 2))).toEqual({ 204: 1, '404 request.not_found': 1 });
    const { 201: said = 0, '404 request.not_found': missed = 0, ...others } = tally(answers);
    expect([said + missed, others]).toEqual([60, {}]);
    const { rows } = await sql`
      select a.reply_count, activity_count(c.id) from activities a join communities c on c.id = a.community_id
      where a.id = ${id}`.execute(db);
    expect(rows).toEqual([{ reply_count: said, activity_count: 0 }]);
    expect(tally(await storm(replies))).toEqual({ '404 request.not_found': 60 });
  });

  it('replies to a reply under deletion are all stored or refused', async () => {
    const community = await makeCommunity(db);
    const people = await makeMembers(community, 40);
    const { slug } = community;
    const activityId = await makeActivity(db, community, people[0]!);
    const id = await makeReaction(db, community, { activityId }, people[0]!);
    const replies = people.map((person): Request => [
      createChildReaction,
      person.as,
      { params: { slug, id }, body: { kind: 'reply', body: 'What I think of that' } },
    ]);
    const remove: Request = [deleteReaction, people[0]!.as, { params: { slug, id } }];
    const answers = await storm([...replies.slice(0, 15), remove, ...replies.slice(15)]);
    expect(answers.splice(15, 1)[0]?.status).toBe(204);
    const { 201: said = 0, '404 request.not_found': missed = 0, ...others } = tally(answers);
    expect([said + missed, others]).toEqual([40, {}]);
    const { rows } = await sql`
      select r.kind, r.parent_id is null as is_direct, r.deleted_at is not null as is_deleted, r.reply_count
      from reactions r where r.activity_id = ${activityId} and (r.id = ${id} or r.parent_id = ${id})`.execute(db);
    const parent = { kind: 'reply', is_direct: true, is_deleted: true, reply_count: said };
    const child = { kind: 'reply', is_direct: false, is_deleted: false, reply_count: 0 };
    expect(rows).toHaveLength(said === 0 ? 0 : said + 1);
    for (const row of rows) expect((row as { is_direct: boolean }).is_direct ? parent : child).toEqual(row);
  });

  const membersOf = async ({ id }: { id: string }) => {
    const { rows } = await sql<{ counted: number; active: number; owners: number }>`
      select c.member_count as counted,
        (select count(*) from community_members m where m.community_id = c.id and m.status = 'active') as active,
        (select count(*) from community_members m where m.community_id = c.id and m.role = 'owner') as owners
      from communities c where c.id = ${id}`.execute(db);
    return rows[0]!; // the community exists
  };

  it('people who join and leave on both nodes are counted as members', async () => {
    const community = await makeCommunity(db);
    const { slug } = community;
    const people = await makePeople(100);
    const join = people.flatMap((person) => times(2, joinCommunity, person.as, { params: { slug } }));
    expect(tally(await storm(join))).toEqual({ 201: 200 });
    expect(await membersOf(community)).toMatchObject({ counted: 100, active: 100 });
    const leave = people.slice(0, 50).flatMap((person) => times(2, leaveCommunity, person.as, { params: { slug } }));
    const { 204: left = 0, '404 request.not_found': late = 0, ...others } = tally(await storm(leave));
    expect([left, late, others]).toEqual([50, 50, {}]);
    expect(await membersOf(community)).toMatchObject({ counted: 50, active: 50 });
    await storm(
      people.flatMap((person): Request[] => [
        [joinCommunity, person.as, { params: { slug } }],
        [leaveCommunity, person.as, { params: { slug } }],
      ]),
    );
    const { counted, active } = await membersOf(community);
    expect(counted).toBe(active);
  });

  it('an invitation accepted and a request approved many times make one member each', async () => {
    const community = await makeCommunity(db, { privacy: 'closed-visible' });
    const { slug } = community;
    const [owner, invited, asking] = await makePeople(3);
    await makeMember(db, community, owner!, { role: 'owner' });
    await makeMember(db, community, invited!, { status: 'invited' });
    await makeMember(db, community, asking!, { status: 'pending' });
    const params = { slug, userId: asking!.id };
    const answers = await storm([
      ...times(20, joinCommunity, invited!.as, { params: { slug } }),
      ...times(20, updateMember, owner!.as, { params, body: { status: 'active' } }),
    ]);
    expect(tally(answers)).toEqual({ 200: 20, 201: 20 });
    expect(await membersOf(community)).toEqual({ counted: 3, active: 3, owners: 1 });
  });

  it('when both owners leave or resign at once, one stays', async () => {
    for (let round = 0; round < 12; round++) {
      const community = await makeCommunity(db);
      const owners = await makePeople(2);
      for (const owner of owners) await makeMember(db, community, owner, { role: 'owner' });
      const { rows } = await sql<{ id: string; user_id: string }>`
        select id, user_id from community_members where community_id = ${community.id}`.execute(db);
      const requests = owners.map((owner, nth): Request => {
        const record = rows.find((row) => row.user_id === owner.id);
        return (round + nth) % 3 === 0
          ? [updateUserCommunity, SERVICE, { params: { id: record?.id }, body: { role: 'member' } }]
          : [leaveCommunity, owner.as, { params: { slug: community.slug } }];
      });
      const statuses = (await storm(requests)).map(({ status }) => status).sort();
      expect(statuses[1]).toBe(409);
      const { counted, active, owners: left } = await membersOf(community);
      expect([left, counted]).toEqual([1, active]);
    }
  });

  it('1 200 articles with one title get 1 200 slugs', async () => {
    const author = await makePerson(test);
    const body = {
      title: 'What we learned',
      subtitle: 'In twelve hundred offices',
      body: 'Every office wrote the same words.',
      tags: ['topic_Education'],
    };
    const answers = await storm(times(1200, createArticle, author.as, { body }));
    expect(tally(answers)).toEqual({ 201: 1200 });
    expect(new Set(answers.map((answer) => answer.body.slug)).size).toBe(1200);
  });

  it('an article shared by many to the same communities, in any order, counts every share', async () => {
    const communities = [await makeCommunity(db), await makeCommunity(db)];
    const people = await makePeople(20);
    for (const person of people) for (const community of communities) await makeMember(db, community, person);
    const { body } = await ask(0, createArticle, people[0]!.as, {
      body: { title: 'Shared by all', subtitle: 'And read by some', body: 'Ten characters and more.' },
    });
    const slugs = communities.map(({ slug }) => slug);
    const share = (person: TestPerson, order: string[]): Request => [
      shareArticle,
      person.as,
      { params: { slug: body.slug }, body: { title: 'Read this', communities: order } },
    ];
    await ask(0, ...share(people[0]!, slugs));
    const answers = await storm(
      people.slice(1).flatMap((person) => [share(person, slugs), share(person, slugs.toReversed())]),
    );
    expect(tally(answers)).toEqual({ 201: 38 });
    const { rows } = await sql`
      select max(people_points) as points, count(*) as posts, activity_count(c.id)
      from activities a join communities c on c.id = a.community_id
      where c.slug = any(${slugs}) group by c.id`.execute(db);
    expect(rows).toEqual(times(2, null as never).map(() => ({ points: 3 * 19, posts: 20, activity_count: 20 })));
  });

  it('repeated requests with one Idempotency-Key have one effect and one answer', async () => {
    const community = await makeCommunity(db);
    const [maya] = await makeMembers(community, 1);
    const post = (body: string): Request => [
      createActivity,
      maya!.as,
      { params: { slug: community.slug }, body: { body }, headers: { 'idempotency-key': 'one and the same' } },
    ];
    const answers = await storm(times(50, ...post('Said once')));
    expect(tally(answers)).toEqual({ 201: 50 });
    expect(new Set(answers.map((answer: Answer) => JSON.stringify(answer.body))).size).toBe(1);
    const { rows } = await sql`select 1 from activities where community_id = ${community.id}`.execute(db);
    expect(rows).toHaveLength(1);
    expect(tally(await storm(times(10, ...post('Something else'))))).toEqual({ '409 idempotency.reused': 10 });
  });
}
