import { Activity } from '@officium/contract/community';
import { sql } from 'kysely';
import { createCommunityPoll, createPoll, readPoll, removeCommunityPoll, removePoll } from '@officium/contract/polls';
import { beforeAll, describe, expect, it } from 'vitest';
import { FULL_CONTROL } from '#server/access/can.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

let author: TestPerson;
let reduced: TestPerson;
let stranger: TestPerson;
let moderator: TestPerson;
let administrator: TestPerson;
let community: TestCommunity;

const options = [
  { position: 2, body: 'Second' },
  { position: 1, body: 'First' },
];
const poll = { title: 'Which one?', options };

beforeAll(async () => {
  author = await makePerson(test, { name: 'Ada' });
  reduced = await makePerson(test, { role: 'non-public-servant' });
  stranger = await makePerson(test);
  moderator = await makePerson(test);
  administrator = await makePerson(test, { role: 'administrator' });
  community = await makeCommunity(db);
  await makeMember(db, community, author);
  await makeMember(db, community, reduced);
  await makeMember(db, community, moderator, { level: FULL_CONTROL });
});

const create = (body: unknown, as = author.as, slug = community.slug) =>
  test.call(createCommunityPoll, as, { params: { slug }, body });
const read = async (id: string, as = author.as) => (await test.call(readPoll, as, { params: { id } })).body;
const started = async (body: object = {}) =>
  (await create({ ...poll, ...body })).body as { id: string; optionIds: string[] };
const activityCount = async () =>
  (await sql<{ n: number }>`select activity_count(${community.id}) as n`.execute(db)).rows[0]!.n;

describe('createCommunityPoll', () => {
  it('returns the ids of the options in order of position and creates an activity with the defaults', async () => {
    const before = await activityCount();
    const { status, body } = await create(poll);
    expect(status).toBe(201);
    expect(createCommunityPoll.replies[201].parse(body)).toEqual(body);
    expect(await activityCount()).toBe(before + 1);
    const activity = Activity.parse(await read(body.id));
    expect(activity).toMatchObject({
      id: body.id,
      verb: 'poll',
      title: 'Which one?',
      locale: 'en',
      community: { slug: community.slug },
      poll: {
        id: body.id,
        settings: {
          allow_multiple_votes: false,
          deadline_at: null,
          hide_participants: true,
          number_of_winners: 1,
          results_visibility: 'after-voting',
        },
        closed: false,
        ownVotes: [],
      },
    });
    expect(activity.poll?.options).toEqual([
      { id: body.optionIds[0], position: 1, body: 'First' },
      { id: body.optionIds[1], position: 2, body: 'Second' },
    ]);
  });

  it('stores the given settings', async () => {
    const settings = {
      allow_multiple_votes: true,
      deadline_at: '2100-01-01T12:00:00+02:00',
      hide_participants: false,
      number_of_winners: 3,
      results_visibility: 'always',
    };
    const { id } = await started({ settings, locale: 'pt-BR' });
    const activity = await read(id);
    expect(activity.locale).toBe('pt-BR');
    expect(activity.poll.settings).toEqual({ ...settings, deadline_at: '2100-01-01T10:00:00.000Z' });
    expect(activity.poll.totalVotes).toBe(0);
  });

  const five = [1, 2, 3, 4, 5].map((position) => ({ position, body: `Option ${position}` }));
  it.each([
    ['one option', { options: [options[0]] }, 'A poll needs at least 2 options'],
    ['six options', { options: [...five, { position: 5, body: 'Six' }] }, 'A poll has at most 5 options'],
    ['no options', { options: undefined }, 'options is required'],
    ['a position twice', { options: [five[2], { position: 3, body: 'B' }] }, 'Position 3 is duplicated.'],
    ['a body twice', { options: [five[0], { position: 2, body: ' Option 1 ' }] }, 'Body is duplicated.'],
    [
      'bodies equal after NFC',
      {
        options: [
          { position: 1, body: 'Caf\u00e9' },
          { position: 2, body: 'Cafe\u0301' },
        ],
      },
      'Body is duplicated.',
    ],
    [
      'bodies equal without markup',
      {
        options: [
          { position: 1, body: '<b>Yes</b>' },
          { position: 2, body: 'Yes' },
        ],
      },
      'Body is duplicated.',
    ],
    ['position 0', { options: [five[0], { position: 0, body: 'B' }] }, undefined],
    ['position 6', { options: [five[0], { position: 6, body: 'B' }] }, undefined],
    ['position 1.5', { options: [five[0], { position: 1.5, body: 'B' }] }, undefined],
    ['a position as text', { options: [five[0], { position: '2', body: 'B' }] }, undefined],
    [
      '101 characters',
      { options: [five[0], { position: 2, body: 'x'.repeat(101) }] },
      'Body must have at most 100 characters',
    ],
    ['a blank body', { options: [five[0], { position: 2, body: '  ' }] }, 'Body must have at least 1 character'],
    [
      'a body of markup only',
      { options: [five[0], { position: 2, body: '<br>' }] },
      'Body must have at least 1 character',
    ],
    ['no title', { title: undefined }, 'title is required'],
    ['a blank title', { title: ' ' }, 'Title must have at least 1 character'],
    ['a long title', { title: 'x'.repeat(301) }, 'Title must have at most 300 characters'],
    ['no winners', { settings: { number_of_winners: 0 } }, undefined],
    ['a fractional number of winners', { settings: { number_of_winners: 1.5 } }, undefined],
    ['more winners than an integer holds', { settings: { number_of_winners: 2 ** 31 } }, undefined],
    [
      'a deadline in the past',
      { settings: { deadline_at: '2020-01-01T00:00:00Z' } },
      'The deadline must be in the future',
    ],
    [
      'a deadline of the year 0',
      { settings: { deadline_at: '0000-01-01T00:00:00Z' } },
      'The deadline must be in the future',
    ],
    ['no moment at all', { settings: { deadline_at: 'soon' } }, 'Must be an ISO 8601 date and time with its offset'],
    [
      'a date alone',
      { settings: { deadline_at: '2100-02-01' } },
      'A date alone is not enough: add the time and its offset',
    ],
    ['an impossible day', { settings: { deadline_at: '2100-02-30T00:00:00Z' } }, undefined],
    ['another visibility', { settings: { results_visibility: 'never' } }, undefined],
    ['an unknown locale', { locale: 'xx' }, undefined],
    ['a NUL', { title: 'a\0b' }, undefined],
    ['options that are no list', { options: 'two' }, undefined],
    ['settings that are no object', { settings: [] }, undefined],
  ])('refuses %s', async (_, change, message) => {
    const { status, body } = await create({ ...poll, ...change });
    expect({ status, message: message ?? body.message }).toEqual({ status: 400, message: body.message });
    expect(body.issues[0].message).toBe(body.message);
  });

  it('counts code points and accepts the longest allowed texts', async () => {
    const { status } = await create({
      title: '🗳'.repeat(300),
      options: five.map(({ position }) => ({ position, body: '🙂'.repeat(99) + position })),
      settings: { number_of_winners: 9 },
    });
    expect(status).toBe(201);
  });

  it('removes markup from the title and the options', async () => {
    const { id } = await started({
      title: '<script>alert(1)</script>Which <b>one</b>?',
      options: [{ position: 1, body: '<i>Yes</i>' }, options[0]],
    });
    const { title, poll: shown } = await read(id);
    expect([title, shown.title, shown.options[0].body]).toEqual(['Which one?', 'Which one?', 'Yes']);
  });

  it('requires the level basic', async () => {
    expect((await create(poll, {})).status).toBe(401);
    expect((await create(poll, reduced.as)).status).toBe(403);
    expect((await create(poll, stranger.as)).status).toBe(403);
    expect((await create(poll, author.as, 'nowhere')).status).toBe(404);
    const hidden = await makeCommunity(db, { privacy: 'closed-hidden' });
    expect((await create(poll, author.as, hidden.slug)).status).toBe(404);
    const closed = await makeCommunity(db, { privacy: 'closed-visible' });
    expect((await create(poll, author.as, closed.slug)).status).toBe(403);
  });

  it('starts one poll for one Idempotency-Key', async () => {
    const before = await activityCount();
    const call = () =>
      test.call(createCommunityPoll, author.as, {
        params: { slug: community.slug },
        body: poll,
        headers: { 'idempotency-key': 'poll-1' },
      });
    const [one, two] = await Promise.all([call(), call()]);
    expect(one.status).toBe(201);
    expect(two.body).toEqual(one.body);
    expect(await activityCount()).toBe(before + 1);
  });
});

describe('removeCommunityPoll', () => {
  const remove = (id: string, as = author.as, slug = community.slug) =>
    test.call(removeCommunityPoll, as, { params: { slug, id } });

  it('is allowed to the author, moderators and administrators', async () => {
    for (const person of [author, moderator, administrator]) {
      const { id } = await started();
      const before = await activityCount();
      expect((await remove(id, {})).status).toBe(401);
      expect((await remove(id, reduced.as)).status).toBe(403);
      expect((await remove(id, stranger.as)).status).toBe(403);
      const { status, body } = await remove(id, person.as);
      expect({ status, body }).toEqual({ status: 200, body: { id } });
      expect(await activityCount()).toBe(before - 1);
      expect((await remove(id, person.as)).status).toBe(404);
      expect((await test.call(readPoll, author.as, { params: { id } })).status).toBe(404);
    }
  });

  it('finds a poll in its own community only, and no post', async () => {
    const other = await makeCommunity(db);
    await makeMember(db, other, author);
    const { id } = await started();
    const { body: onProfile } = await test.call(createPoll, author.as, { body: poll });
    expect((await remove(id, author.as, other.slug)).status).toBe(404);
    expect((await remove(onProfile.id)).status).toBe(404);
    expect((await remove(newId())).status).toBe(404);
    expect((await remove('not-a-uuid')).status).toBe(400);
  });

  it('removes once when called many times at once', async () => {
    const { id } = await started();
    const before = await activityCount();
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => remove(id)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(404)]);
    expect(await activityCount()).toBe(before - 1);
  });
});

describe('polls outside communities', () => {
  it('may be started by any active user', async () => {
    const { status, body } = await test.call(createPoll, reduced.as, { body: poll });
    expect(status).toBe(201);
    expect(createPoll.replies[201].parse(body)).toEqual(body);
    expect(Activity.parse(await read(body.id, stranger.as))).toMatchObject({ community: null, verb: 'poll' });
    expect((await test.call(createPoll, {}, { body: poll })).status).toBe(401);
    expect((await test.call(createPoll, author.as, { body: {} })).status).toBe(400);
  });

  it('are removed by their author or an administrator', async () => {
    for (const person of [author, administrator]) {
      const { body: made } = await test.call(createPoll, author.as, { body: poll });
      const call = (as: TestPerson['as']) => test.call(removePoll, as, { params: { id: made.id } });
      expect((await call({})).status).toBe(401);
      expect((await call(moderator.as)).status).toBe(403);
      const { status, body } = await call(person.as);
      expect({ status, body: removePoll.replies[200].parse(body) }).toEqual({ status: 200, body: { id: made.id } });
      expect((await call(person.as)).status).toBe(404);
    }
  });

  it('are hidden with the profile they belong to', async () => {
    const shy = await makePerson(test, { visibility: 'private' });
    const { body: made } = await test.call(createPoll, shy.as, { body: poll });
    const params = { id: made.id };
    expect((await test.call(readPoll, stranger.as, { params })).status).toBe(404);
    expect((await test.call(removePoll, stranger.as, { params })).status).toBe(404);
    expect((await test.call(readPoll, shy.as, { params })).status).toBe(200);
  });

  it('include those of a community, with the rights that are needed there', async () => {
    const { id } = await started();
    expect((await test.call(removePoll, reduced.as, { params: { id } })).status).toBe(403);
    expect((await test.call(removePoll, moderator.as, { params: { id } })).status).toBe(200);
  });
});
