import {
  type FollowLevel,
  listFollows,
  MAX_FOLLOWS,
  readCommunityFollow,
  readPersonFollow,
  readThreadFollow,
  setCommunityFollow,
  setPersonFollow,
  setThreadFollow,
  setTopicFollow,
} from '@officium/contract/follows';
import { askToConnect } from '@officium/contract/account';
import { createActivity, createActivityReaction, joinCommunity, leaveCommunity } from '@officium/contract/community';
import { createArticle, deleteArticle } from '@officium/contract/content';
import { listNotifications } from '@officium/contract/notifications';
import { eraseUser } from '@officium/contract/people';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { countQueries } from '#server/test/queries.ts';
import { createTestApp } from '#server/test/app.ts';
import { lastMail, makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import {
  makeActivity,
  makeCommunity,
  makeMember,
  makeReaction,
  type TestCommunity,
} from '#server/test/factories/communities.ts';
import { notifyFollowers } from './follower.repository.ts';
import { mailDigests } from './mail.service.ts';

const test = await createTestApp();
const { db } = test.ctx;
const countWhile = countQueries(test);

let ada: TestPerson;
let bo: TestPerson;
let community: TestCommunity;

beforeEach(async () => {
  await sql`delete from follow_news`.execute(db);
  ada = await makePerson(test, { name: 'Ada' });
  bo = await makePerson(test, { name: 'Bo' });
  community = await makeCommunity(db, { title: { en: 'City makers', fr: 'Faiseurs de ville' } });
  for (const person of [ada, bo]) await makeMember(db, community, person);
});

type Target = { kind: 'community' | 'thread'; id: string };
const ofCommunity = (): Target => ({ kind: 'community', id: community.slug });
const ofThread = (id: string): Target => ({ kind: 'thread', id });
const set = async ({ kind, id }: Target, level: FollowLevel, as = ada.as) =>
  kind === 'community'
    ? await test.call(setCommunityFollow, as, { params: { slug: id }, body: { level } })
    : await test.call(setThreadFollow, as, { params: { id }, body: { level } });
const read = async ({ kind, id }: Target, as = ada.as) =>
  kind === 'community'
    ? await test.call(readCommunityFollow, as, { params: { slug: id } })
    : await test.call(readThreadFollow, as, { params: { id } });
const levels = async (as = ada.as) =>
  (await test.call(listFollows, as)).body.follows.map(({ kind, id, level }: { [name: string]: string }) => [
    kind,
    id,
    level,
  ]);
/** The unread notifications, after the job has run. */
const told = async (person: TestPerson) => {
  await notifyFollowers(db);
  const { body } = await test.call(listNotifications, person.as);
  return body.notifications.filter(({ isRead }: { isRead: boolean }) => !isRead);
};
const events = async (person: TestPerson) => (await told(person)).map(({ event }: { event: string }) => event);
const post = async (as = bo.as, body = 'Hello') =>
  (await test.call(createActivity, as, { params: { slug: community.slug }, body: { title: 'A plan', body } })).body
    .id as string;
const reply = async (id: string, as = bo.as, body = 'Yes') =>
  (
    await test.call(createActivityReaction, as, {
      params: { slug: community.slug, id },
      body: { kind: 'reply', body },
    })
  ).status;

describe('setCommunityFollow and setThreadFollow', () => {
  it('sets the level of a community and of a thread, and lists both, newest first', async () => {
    const id = await makeActivity(db, community, bo, { title: 'A plan' });
    expect((await read(ofCommunity())).body).toMatchObject({ level: 'normal', since: null });
    const { status, body } = await set(ofCommunity(), 'watching');
    expect([status, body]).toEqual([
      200,
      {
        kind: 'community',
        id: community.slug,
        title: 'City makers',
        place: null,
        path: `/communities/${community.slug}`,
        level: 'watching',
        since: expect.any(String),
      },
    ]);
    expect((await set(ofThread(id.toUpperCase()), 'muted')).body).toMatchObject({
      kind: 'thread',
      id,
      title: 'A plan',
      place: 'City makers',
      path: `/communities/${community.slug}/activities/${id}`,
      level: 'muted',
    });
    expect((await read(ofCommunity())).body).toEqual({ ...body, mutedPeople: [] });
    expect(await levels()).toEqual([
      ['thread', id, 'muted'],
      ['community', community.slug, 'watching'],
    ]);
    const { body: french } = await test.call(listFollows, ada.as, { query: { locale: 'fr' } });
    expect(french.follows[1].title).toBe('Faiseurs de ville');
    await set(ofCommunity(), 'muted');
    await set(ofThread(id), 'normal');
    await set(ofThread(id), 'normal');
    expect(await levels()).toEqual([['community', community.slug, 'muted']]);
    expect(await levels(bo.as)).toEqual([]);
  });

  it('keeps the last of concurrent changes, in one row', async () => {
    const answers = await Promise.all(
      (['watching', 'muted', 'watching', 'muted', 'normal', 'watching'] as const).map((level) =>
        set(ofCommunity(), level),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = await db.selectFrom('follows').select('level').where('user_id', '=', ada.id).execute();
    expect(rows.length).toBeLessThanOrEqual(1);
    await set(ofCommunity(), 'muted');
    expect(await levels()).toEqual([['community', community.slug, 'muted']]);
  });

  it('refuses more than the limit, also concurrently', async () => {
    const others = await makeActivity(db, community, bo, { title: 'First' });
    await sql`
      with made as (
        insert into activities (id, community_id, author_id, verb, hot)
        select new_id(), ${community.id}, ${bo.id}, 'post', 0 from generate_series(1, ${MAX_FOLLOWS - 1}) returning id)
      insert into follows (user_id, activity_id, level) select ${ada.id}, id, 'muted' from made`.execute(db);
    const answers = await Promise.all([set(ofThread(others), 'watching'), set(ofCommunity(), 'watching')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('follows.too_many');
    expect(await levels()).toHaveLength(MAX_FOLLOWS);
    const topic = { params: { topic: 'topic_CitiesAndLocalGovernment' }, body: { level: 'watching' } };
    const another = await makeCommunity(db);
    const one = await makeActivity(db, community, bo, {});
    const more = [
      await set(ofThread(one), 'muted'),
      await set({ kind: 'community', id: another.slug }, 'muted'),
      await test.call(setPersonFollow, ada.as, { params: { id: bo.id }, body: { level: 'muted' } }),
      await test.call(setTopicFollow, ada.as, topic),
    ];
    expect(more.map(({ body }) => body.code)).toEqual(Array(4).fill('follows.too_many'));
  });

  it('makes room at the limit by deleting what is hidden by now', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    await sql`
      with made as (
        insert into activities (id, community_id, author_id, verb, hot)
        select new_id(), ${hidden.id}, ${bo.id}, 'post', 0 from generate_series(1, ${MAX_FOLLOWS}) returning id)
      insert into follows (user_id, activity_id, level) select ${ada.id}, id, 'muted' from made`.execute(db);
    expect(await set(ofCommunity(), 'watching')).toMatchObject({ status: 200 });
    expect(await levels()).toHaveLength(1);
  });

  it('answers for hidden and deleted things as for missing ones, at the same cost', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    await makeMember(db, hidden, bo);
    const secret = await makeActivity(db, hidden, bo, {});
    const gone = await makeActivity(db, community, bo, {});
    await db.updateTable('activities').set({ deleted_at: new Date() }).where('id', '=', gone).execute();
    const answer = async (params: Target, as = ada.as) => {
      const answers = [await read(params, as), await set(params, 'watching', as)];
      return answers.map(({ status, body }) => [status, body.code]);
    };
    const missing = [
      [404, 'request.not_found'],
      [404, 'request.not_found'],
    ];
    for (const target of [
      { kind: 'community', id: hidden.slug },
      { kind: 'community', id: 'no-such-community' },
      ofThread(secret),
      ofThread(gone),
      ofThread(newId()),
    ] as Target[])
      expect([target, await answer(target)]).toEqual([target, missing]);
    const cost = async (params: Target) => await countWhile(async () => await set(params, 'watching'));
    expect(await cost({ kind: 'community', id: hidden.slug })).toBe(await cost({ kind: 'community', id: 'nowhere' }));
    expect(await cost(ofThread(secret))).toBe(await cost(ofThread(newId())));
    expect((await set({ kind: 'thread', id: 'not-an-id' }, 'muted')).status).toBe(400);
    const narrowed = { token: await openSession(db, { userId: bo.id, permissions: { communities: {} } }) };
    expect(await answer({ kind: 'community', id: hidden.slug }, narrowed)).toEqual(missing);
    expect((await answer({ kind: 'community', id: hidden.slug }, bo.as)).map(([status]) => status)).toEqual([200, 200]);
  });

  it('is refused where the viewer sees only the page, and lists nothing that became hidden', async () => {
    const closed = await makeCommunity(db, { privacy: 'closed-visible' });
    const target: Target = { kind: 'community', id: closed.slug };
    expect([(await set(target, 'watching')).status, (await read(target)).status]).toEqual([403, 403]);
    await set(ofCommunity(), 'muted');
    await db.updateTable('communities').set({ privacy: 'closed-hidden' }).where('id', '=', community.id).execute();
    expect(await levels()).toHaveLength(1);
    await db.deleteFrom('community_members').where('user_id', '=', ada.id).execute();
    expect(await levels()).toEqual([]);
  });
});

describe('a watched community', () => {
  it('notifies of new posts, together until they are read', async () => {
    await set(ofCommunity(), 'watching');
    const first = await post();
    expect(await told(ada)).toMatchObject([
      {
        event: 'community_post',
        actor: { id: bo.id, name: 'Bo' },
        count: 1,
        title: 'City makers',
        path: `/communities/${community.slug}/activities/${first}`,
      },
    ]);
    await post();
    await post();
    expect(await told(ada)).toMatchObject([{ count: 3, path: `/communities/${community.slug}` }]);
    expect(await told(bo)).toEqual([]);
  });

  it('is in the daily digest, but not for those who have muted it since', async () => {
    const cleo = await makePerson(test);
    await makeMember(db, community, cleo);
    for (const { as } of [ada, cleo]) await set(ofCommunity(), 'watching', as);
    await post();
    await post();
    await notifyFollowers(db);
    await set(ofCommunity(), 'muted', cleo.as);
    const morning = new Date();
    morning.setUTCHours(8, 30);
    await mailDigests(test.ctx, morning);
    expect((await lastMail(test, ada.email, 'notification_digest')).text).toContain('2 new posts in “City makers”');
    expect(await test.mails(cleo.email)).toEqual([]);
  });

  it('notifies nobody of own posts, of a mention twice, or of posts before the choice', async () => {
    await post();
    await set(ofCommunity(), 'watching');
    await post(ada.as);
    await post(bo.as, `Hello {{${ada.id}}}`);
    expect(await events(ada)).toEqual(['mention']);
  });

  it('notifies nobody who lost access, stopped watching, or of a deleted post', async () => {
    await set(ofCommunity(), 'watching');
    const id = await post();
    expect(await events(ada)).toEqual(['community_post']);
    await db.updateTable('communities').set({ privacy: 'closed-hidden' }).where('id', '=', community.id).execute();
    await db.updateTable('community_members').set({ level: 0 }).where('user_id', '=', ada.id).execute();
    expect(await events(ada)).toEqual([]);
    await db.updateTable('community_members').set({ level: null }).where('user_id', '=', ada.id).execute();
    expect(await events(ada)).toEqual(['community_post']);
    await set(ofCommunity(), 'normal');
    expect(await events(ada)).toEqual([]);
    await set(ofCommunity(), 'watching');
    await db.updateTable('activities').set({ deleted_at: new Date() }).where('id', '=', id).execute();
    expect(await events(ada)).toEqual([]);
  });

  it('is watched no longer after leaving, and neither are its threads, but stays muted', async () => {
    const id = await makeActivity(db, community, bo, {});
    const muted = await makeActivity(db, community, bo, {});
    const elsewhere = await makeCommunity(db);
    await makeMember(db, elsewhere, ada);
    await set(ofCommunity(), 'watching');
    await set(ofThread(id), 'watching');
    await set(ofThread(muted), 'muted');
    await set({ kind: 'community', id: elsewhere.slug }, 'watching');
    await test.call(leaveCommunity, ada.as, { params: { slug: community.slug } });
    await test.call(joinCommunity, ada.as, { params: { slug: community.slug } });
    expect(await levels()).toEqual([
      ['community', elsewhere.slug, 'watching'],
      ['thread', muted, 'muted'],
    ]);
    await post();
    expect(await events(ada)).toEqual([]);
  });

  it('costs the poster one queued row however many follow, and each follower is notified once by many workers', async () => {
    await sql`
      with made as (
        insert into users (id, email, name, role, email_proven_at)
        select new_id(), 'follower' || n || ${newId()} || '@example.gov', 'F', 'public-servant', now()
        from generate_series(1, 1201) n returning id)
      insert into follows (user_id, community_id, level) select id, ${community.id}, 'watching' from made`.execute(db);
    const id = await post();
    const count = async () => {
      const { rows } = await sql<{ rows: number; people: number }>`
        select count(*)::int as rows, count(distinct user_id)::int as people from notifications
        where event = 'community_post' and object_id = ${community.id}`.execute(db);
      return rows[0];
    };
    const queued = await db.selectFrom('follow_news').selectAll().execute();
    expect(queued).toMatchObject([{ activity_id: id, notified_to: null }]);
    expect(await count()).toEqual({ rows: 0, people: 0 });
    await Promise.all([notifyFollowers(db), notifyFollowers(db), notifyFollowers(db)]);
    await notifyFollowers(db);
    expect(await count()).toEqual({ rows: 1201, people: 1201 });
    expect(await db.selectFrom('follow_news').selectAll().execute()).toEqual([]);
  });
});

describe('a watched thread', () => {
  it('notifies of new replies, at any depth, together until they are read', async () => {
    const id = await makeActivity(db, community, bo, { title: 'A plan' });
    await set(ofThread(id), 'watching');
    expect(await reply(id)).toBe(201);
    expect(await told(ada)).toMatchObject([{ event: 'thread_reply', count: 1, title: 'A plan', place: 'City makers' }]);
    const parent = await makeReaction(db, community, { activityId: id }, bo, {});
    await makeReaction(db, community, { reactionId: parent }, bo, {});
    expect(await told(ada)).toMatchObject([{ event: 'thread_reply', count: 3 }]);
  });

  it('notifies once of a reply to the viewer, and not of their own', async () => {
    const id = await makeActivity(db, community, ada, { title: 'Mine' });
    await set(ofThread(id), 'watching');
    await reply(id);
    await reply(id, ada.as);
    await reply(id, bo.as, `Look {{${ada.id}}}`);
    expect((await events(ada)).toSorted()).toEqual(['mention', 'reply']);
  });
});

describe('muting', () => {
  it.each(['thread', 'community'] as const)(
    'a %s leaves mentions only, and unmuting shows the others again',
    async (kind) => {
      const id = await makeActivity(db, community, ada, { title: 'Mine' });
      const target = kind === 'thread' ? ofThread(id) : ofCommunity();
      await set(target, 'muted');
      await reply(id);
      expect(await events(ada)).toEqual([]);
      await reply(id, bo.as, `Look {{${ada.id}}}`);
      expect(await events(ada)).toEqual(['mention']);
      await set(target, 'normal');
      expect((await events(ada)).toSorted()).toEqual(['mention', 'reply']);
    },
  );

  it('a thread leaves its post out of the news of a watched community', async () => {
    await set(ofCommunity(), 'watching');
    const id = await post();
    await set(ofThread(id), 'muted');
    expect(await events(ada)).toEqual([]);
  });
});

describe('people', () => {
  const setPerson = async (id: string, level: FollowLevel, as = ada.as) =>
    await test.call(setPersonFollow, as, { params: { id }, body: { level } });
  const publish = async (as = bo.as, tags = ['topic_Climate']) => {
    const title = `Letters to ${newId()}`;
    const body = {
      title,
      subtitle: 'What changed when we watched it',
      body: 'Plain words. '.repeat(80),
      humanTranslation: true,
      tags,
    };
    const answer = await test.call(createArticle, as, { body: { ...body, tldr: null, coverImage: null } });
    expect([answer.status, answer.body]).toEqual([201, answer.body]);
    return answer.body.slug as string;
  };

  it('are followed and muted, except oneself and accounts that do not show', async () => {
    expect((await setPerson(bo.id, 'watching')).body).toMatchObject({
      kind: 'person',
      id: bo.id,
      title: 'Bo',
      path: `/people/${bo.id}`,
      level: 'watching',
    });
    await setPerson(bo.id, 'muted');
    expect(await levels()).toEqual([['person', bo.id, 'muted']]);
    expect((await test.call(readPersonFollow, ada.as, { params: { id: bo.id } })).body.level).toBe('muted');
    expect((await read(ofCommunity())).body.mutedPeople).toEqual([bo.id]);
    expect((await read(ofCommunity(), bo.as)).body.mutedPeople).toEqual([]);
    const own = await setPerson(ada.id, 'muted');
    expect([own.status, own.body.code]).toEqual([400, 'follows.yourself']);
    const unproven = await makePerson(test);
    await db.updateTable('users').set({ email_proven_at: null }).where('id', '=', unproven.id).execute();
    const erased = await makePerson(test);
    await db.updateTable('users').set({ erased_at: new Date() }).where('id', '=', erased.id).execute();
    const missing = JSON.stringify([(await setPerson(newId(), 'muted')).status, 'request.not_found']);
    for (const id of [unproven.id, erased.id, newId()]) {
      const { status, body } = await setPerson(id, 'muted');
      expect(JSON.stringify([status, body.code])).toBe(missing);
    }
    expect(missing).toContain('404');
    // A choice that was checked before the erasure.
    for (const [user, person] of [
      [ada.id, erased.id],
      [erased.id, ada.id],
    ])
      await expect(
        sql`insert into follows (user_id, person_id, level) values (${user}, ${person}, 'muted')`.execute(db),
      ).rejects.toThrow('erased');
  });

  it('are erased with what others chose about them', async () => {
    await setPerson(bo.id, 'muted');
    await setPerson(ada.id, 'watching', bo.as);
    expect((await test.call(eraseUser, bo.as, { params: { id: 'me' } })).status).toBeLessThan(300);
    const rows = db.selectFrom('follows').select('level').where('user_id', 'in', [ada.id, bo.id]);
    expect(await rows.execute()).toEqual([]);
  });

  it('who are followed: their articles, and their posts where both may read', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    await makeMember(db, hidden, bo);
    await setPerson(bo.id, 'watching');
    await test.call(createActivity, bo.as, { params: { slug: hidden.slug }, body: { body: 'Secret' } });
    expect(await events(ada)).toEqual([]);
    const id = await post();
    expect(await told(ada)).toMatchObject([
      { event: 'person_post', count: 1, title: 'City makers', path: `/communities/${community.slug}/activities/${id}` },
    ]);
    await post();
    expect(await told(ada)).toMatchObject([{ event: 'person_post', count: 2, path: `/people/${bo.id}` }]);
    const slug = await publish();
    expect(await events(ada)).toEqual(['new_article', 'person_post']);
    await test.call(deleteArticle, bo.as, { params: { slug } });
    expect(await events(ada)).toEqual(['person_post']);
    await set(ofCommunity(), 'muted');
    expect(await events(ada)).toEqual([]);
    await set(ofCommunity(), 'watching');
    await post();
    expect(await events(ada)).toEqual(['community_post']);
  });

  it('who are followed: not when they post where the follower may not read', async () => {
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    const invited = await makeCommunity(db, { privacy: 'open-hidden', canView: 'private' });
    for (const place of [hidden, invited]) await makeMember(db, place, bo);
    await makeMember(db, invited, ada, { status: 'invited' });
    await setPerson(bo.id, 'watching');
    const postIn = async ({ slug }: TestCommunity) =>
      await test.call(createActivity, bo.as, { params: { slug }, body: { body: 'Secret' } });
    const rows = async () => {
      await notifyFollowers(db);
      return await db
        .selectFrom('notifications')
        .select(['updated_at', 'mailed_at'])
        .where('user_id', '=', ada.id)
        .where('event', '=', 'person_post')
        .execute();
    };
    await postIn(hidden);
    expect(await rows()).toEqual([]);
    await postIn(invited);
    expect(await rows()).toHaveLength(1);
    const hourAgo = sql<Date>`now() - interval '1 hour'`;
    await db.updateTable('notifications').set({ updated_at: hourAgo }).where('user_id', '=', ada.id).execute();
    const before = await rows();
    await postIn(hidden);
    expect(await rows()).toEqual(before);
    await postIn(invited);
    expect(await rows()).not.toEqual(before);
  });

  it('who are muted cause no notification, and are not told', async () => {
    const id = await makeActivity(db, community, ada, { title: 'Mine' });
    const cleo = await makePerson(test, { name: 'Cleo' });
    await makeMember(db, community, cleo);
    await set(ofCommunity(), 'watching');
    await set(ofThread(id), 'watching');
    await setPerson(bo.id, 'muted');
    await reply(id);
    await reply(id, bo.as, `Look {{${ada.id}}}`);
    await post();
    await publish();
    await test.call(askToConnect, bo.as, { body: { peerId: ada.id } });
    expect(await events(ada)).toEqual([]);
    await reply(id, cleo.as);
    expect(await told(ada)).toMatchObject([{ event: 'reply', count: 1, actor: { id: cleo.id } }]);
    expect(await events(bo)).toEqual([]);
    expect(await levels(bo.as)).toEqual([]);
  });

  it('and topics that are followed give one notification of an article', async () => {
    for (const topic of ['topic_Climate', 'Education'])
      expect((await test.call(setTopicFollow, ada.as, { params: { topic }, body: { level: 'watching' } })).status).toBe(
        200,
      );
    await setPerson(bo.id, 'watching');
    expect(await levels()).toHaveLength(3);
    await publish(bo.as, ['topic_Climate', 'topic_Education']);
    await publish(bo.as, ['topic_Innovation']);
    await setPerson(bo.id, 'normal');
    expect(await events(ada)).toEqual(['new_article']);
    await setPerson(bo.id, 'muted');
    expect(await events(ada)).toEqual([]);
    const { status } = await test.call(setTopicFollow, ada.as, {
      params: { topic: 'nothing' },
      body: { level: 'watching' },
    });
    expect(status).toBe(400);
  });
});
