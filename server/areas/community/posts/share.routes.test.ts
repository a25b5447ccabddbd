import { setTimeout } from 'node:timers/promises';
import { listActivities, updateActivity } from '@officium/contract/community';
import { createArticle, deleteArticle, restoreArticle, updateArticle } from '@officium/contract/content';
import { shareArticle } from '@officium/contract/shares';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

async function makeArticle(author: TestPerson): Promise<string> {
  const { body, status } = await test.call(createArticle, author.as, {
    body: { title: 'Letters people can act on', subtitle: 'What changed when we tried', body: 'We wrote it again.' },
  });
  expect(status).toBe(201);
  return body.slug;
}

async function memberOf(...communities: TestCommunity[]): Promise<TestPerson> {
  const person = await makePerson(test);
  for (const community of communities) await makeMember(db, community, person);
  return person;
}

const share = (slug: string, person: TestPerson | undefined, body: unknown) =>
  test.call(shareArticle, person?.as, { params: { slug }, body });
const feed = async (community: TestCommunity, person: TestPerson) =>
  (await test.call(listActivities, person.as, { params: { slug: community.slug } })).body;
const points = async (id: string) =>
  (
    await db
      .selectFrom('activities')
      .select(['people_points', 'hot', 'created_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).people_points;

const one = await makeCommunity(db);
const other = await makeCommunity(db);
const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
const closed = await makeCommunity(db, { privacy: 'closed-visible' });
const maya = await memberOf(one, other);
const article = await makeArticle(maya);

describe('shareArticle', () => {
  it('posts the article in each community with the message as title', async () => {
    const reply = await share(article, maya, {
      title: ' Read <b>this</b> ',
      communities: [one.slug, other.slug, one.slug],
      locale: 'fr',
    });
    expect(reply.status).toBe(201);
    expect(shareArticle.replies[201].strict().parse(reply.body)).toEqual({ successful: [one.slug, other.slug] });
    for (const community of [one, other]) {
      const { results, total } = await feed(community, maya);
      expect(total).toBe(1);
      expect(results[0]).toMatchObject({
        verb: 'post',
        title: 'Read this',
        body: null,
        locale: 'fr',
        actor: { id: maya.id },
        additional_data: {
          article: {
            slug: article,
            title: 'Letters people can act on',
            subtitle: 'What changed when we tried',
            url: `http://localhost:3000/articles/${article}`,
            image: null,
          },
        },
      });
    }
  });

  it('answers for a hidden community as for an unknown one, and posts to the others', async () => {
    const reply = await share(article, maya, { title: 'Read this', communities: [hidden.slug, 'No such!', one.slug] });
    expect(reply.status).toBe(207);
    expect(shareArticle.replies[207].strict().parse(reply.body)).toEqual({
      successful: [one.slug],
      failed: [
        { slug: hidden.slug, error: 'Not found.' },
        { slug: 'No such!', error: 'Not found.' },
      ],
    });
  });

  it('requires the level to post', async () => {
    const viewer = await makePerson(test, { role: 'non-public-servant' });
    await makeMember(db, one, viewer);
    const reply = await share(article, viewer, {
      title: 'Read this',
      communities: [one.slug, closed.slug, other.slug],
    });
    expect(reply.status).toBe(207);
    expect(reply.body.successful).toEqual([]);
    expect(reply.body.failed.map(({ error }: { error: string }) => error)).toEqual(
      Array(3).fill('You may not do this.'),
    );
  });

  it('counts a share for the first post of the article, once a person and never for its author', async () => {
    const community = await makeCommunity(db);
    const people = await Promise.all([1, 2, 3].map(() => memberOf(community)));
    await share(article, people[0], { title: 'First', communities: [community.slug] });
    const first = (await feed(community, maya)).results[0].id;
    await Promise.all(
      [...people, ...people].map((person) => share(article, person, { title: 'Again', communities: [community.slug] })),
    );
    expect(await points(first)).toBe(6);
    expect((await feed(community, maya)).total).toBe(4);
  });

  it('posts the same share once, and again with another message or later', async () => {
    const community = await makeCommunity(db);
    const person = await memberOf(community);
    const total = async () => (await feed(community, maya)).total;
    const send = (title: string) => share(article, person, { title, communities: [community.slug] });
    const replies = await Promise.all([1, 2, 3].map(() => send('Read this')));
    expect(replies.map(({ status, body }) => [status, body.successful])).toEqual(
      Array(3).fill([201, [community.slug]]),
    );
    expect(await total()).toBe(1);
    await send('And this');
    expect(await total()).toBe(2);
    await sql`update activities set created_at = created_at - interval '11 minutes' where title = 'Read this'`.execute(
      db,
    );
    await send('Read this');
    expect(await total()).toBe(3);
  });

  it('survives concurrent shares to the same communities in any order', async () => {
    const sharers = await Promise.all([1, 2, 3, 4].map(() => memberOf(one, other)));
    const replies = await Promise.all(
      sharers.map((person, index) =>
        share(article, person, {
          title: 'Read',
          communities: index % 2 ? [one.slug, other.slug] : [other.slug, one.slug],
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  it('accepts one to three communities and a message', async () => {
    const four = ['a', 'b', 'c', 'd'];
    for (const body of [
      {},
      { title: '', communities: [one.slug] },
      { title: '<b></b>', communities: [one.slug] },
      { title: '\u200b\u2060', communities: [one.slug] },
      { title: 'x'.repeat(301), communities: [one.slug] },
      { title: 'a\0b', communities: [one.slug] },
      { title: 'Read', communities: [] },
      { title: 'Read', communities: one.slug },
      { title: 'Read', communities: [1] },
      { title: 'Read', communities: [one.slug], locale: 'xx' },
    ])
      expect((await share(article, maya, body)).status).toBe(400);
    const reply = await share(article, maya, { title: 'Read', communities: four });
    expect([reply.status, reply.body.message]).toEqual([400, 'At most 3 communities']);
  });

  it('returns 404 for an unknown article and 401 to an anonymous viewer', async () => {
    expect((await share('none', maya, { title: 'Read', communities: [one.slug] })).status).toBe(404);
    expect((await share(article, undefined, { title: 'Read', communities: [one.slug] })).status).toBe(401);
  });

  it('shows the article as it is now, and nothing of it while it is deleted', async () => {
    const community = await makeCommunity(db);
    const member = await memberOf(community);
    const slug = await makeArticle(maya);
    await share(slug, member, { title: 'Read this', communities: [community.slug] });
    const card = async () => (await feed(community, maya)).results[0].additional_data.article;
    const before = await card();
    const changed = {
      title: 'Letters for everybody',
      subtitle: 'What changed when we tried',
      body: 'We wrote it again.',
    };
    expect((await test.call(updateArticle, maya.as, { params: { slug }, body: changed })).status).toBe(204);
    expect(await card()).toEqual({ ...before, title: changed.title });
    expect((await test.call(deleteArticle, maya.as, { params: { slug } })).status).toBe(204);
    expect((await feed(community, maya)).results[0]).toMatchObject({ title: 'Read this', additional_data: {} });
    expect(await card()).toBeUndefined();
    expect((await test.call(restoreArticle, maya.as, { params: { slug } })).status).toBe(204);
    expect(await card()).toEqual({ ...before, title: changed.title });
  });

  it('keeps the card as it is when its post is edited, whatever the edit says of it', async () => {
    const community = await makeCommunity(db);
    const member = await memberOf(community);
    const slug = await makeArticle(maya);
    await share(slug, member, { title: 'Read this', communities: [community.slug] });
    const shown = async () => (await feed(community, maya)).results[0];
    const { id, additional_data: before } = await shown();
    const edit = async (additional_data: object) =>
      (
        await test.call(updateActivity, member.as, {
          params: { slug: community.slug, id },
          body: { title: 'Do read this', additional_data },
        })
      ).status;
    expect(await edit({ article: { title: 'Another' }, colour: 'red' })).toBe(200);
    expect(await shown()).toMatchObject({ title: 'Do read this', additional_data: { ...before, colour: 'red' } });
    expect(await edit({})).toBe(200);
    expect((await shown()).additional_data).toEqual(before);
    await test.call(deleteArticle, maya.as, { params: { slug } });
    expect(await edit(before)).toBe(200);
    expect((await shown()).additional_data).toEqual({});
  });

  it('waits for a removal of the article that has begun', async () => {
    const community = await makeCommunity(db);
    const member = await memberOf(community);
    const slug = await makeArticle(maya);
    const removal = await db.startTransaction().execute();
    const withdrawn = { withdrawn_at: new Date(), withdrawn_by: maya.id };
    await removal.updateTable('articles').set(withdrawn).where('slug', '=', slug).execute();
    const sharing = share(slug, member, { title: 'Read this', communities: [community.slug] });
    await Promise.race([sharing, setTimeout(300)]);
    await removal.commit().execute();
    expect((await sharing).status).toBe(404);
    expect((await feed(community, maya)).total).toBe(0);
  });

  it('repeats its answer for an Idempotency-Key', async () => {
    const community = await makeCommunity(db);
    const person = await memberOf(community);
    const body = { title: 'Once', communities: [community.slug, 'none'] };
    const replies = [];
    for (const key of ['k', 'k'])
      replies.push(
        await test.call(shareArticle, person.as, {
          params: { slug: article },
          body,
          headers: { 'idempotency-key': key },
        }),
      );
    expect(replies.map(({ status }) => status)).toEqual([207, 207]);
    expect(replies[1]?.body).toEqual(replies[0]?.body);
    expect((await feed(community, person)).total).toBe(1);
  });
});
