import {
  createUserCommunity,
  listUserCommunities,
  readUserCommunity,
  updateUserCommunity,
} from '@officium/contract/people-records';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;
const service = { serviceKey: SERVICE_KEY };

const membersOf = async (community: { id: string }) =>
  (await db.selectFrom('communities').select('member_count').where('id', '=', community.id).executeTakeFirstOrThrow())
    .member_count;

describe('membership records', () => {
  it('make a person a member and count them once, for any number of requests', async () => {
    const [maya, community] = [await makePerson(test), await makeCommunity(db)];
    const body = { userId: maya.id, communitySlug: community.slug, contentfulMetadata: { entryId: 'x1' } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.call(createUserCommunity, service, { body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const record = createUserCommunity.replies[201].parse(answers[0]?.body);
    expect(record).toMatchObject({ ...body, creator: false, role: 'member', status: 'active' });
    expect(await membersOf(community)).toBe(1);
    const read = await test.call(readUserCommunity, service, { params: { id: record.id } });
    expect(readUserCommunity.replies[200].parse(read.body)).toEqual(record);
  });

  it.each([
    ['none', 'member'],
    ['pending', 'member'],
    ['invited', 'member'],
    ['active', 'owner'],
  ] as const)('of %s make an active %s', async (former, role) => {
    const [maya, community] = [await makePerson(test), await makeCommunity(db)];
    if (former !== 'none')
      await makeMember(db, community, maya, { status: former, role: former === 'active' ? 'owner' : 'member' });
    const body = { userId: maya.id, communitySlug: community.slug };
    for (let nth = 0; nth < 2; nth += 1) {
      const answer = await test.call(createUserCommunity, service, { body });
      expect([answer.status, answer.body]).toMatchObject([201, { role, status: 'active' }]);
    }
    expect(await membersOf(community)).toBe(1);
  });

  it('admit a person whose request is pending', async () => {
    const [maya, community] = [await makePerson(test), await makeCommunity(db)];
    await makeMember(db, community, maya, { status: 'pending' });
    const body = { userId: maya.id, communitySlug: community.slug, role: 'owner', creator: true };
    const answer = await test.call(createUserCommunity, service, { body });
    expect(answer.body).toMatchObject({ role: 'owner', creator: true, status: 'active' });
    expect(await membersOf(community)).toBe(1);
  });

  it('are listed by person, community and role', async () => {
    const [maya, noor, community] = [await makePerson(test), await makePerson(test), await makeCommunity(db)];
    await makeMember(db, community, maya, { role: 'owner' });
    await makeMember(db, community, noor);
    const list = async (query: Record<string, string>) => {
      const answer = await test.call(listUserCommunities, service, { query });
      return listUserCommunities.replies[200].parse(answer.body);
    };
    expect((await list({ communitySlug: community.slug })).total).toBe(2);
    expect((await list({ userId: maya.id })).userCommunities).toMatchObject([{ communitySlug: community.slug }]);
    expect((await list({ communitySlug: community.slug, role: 'owner', limit: '1' })).total).toBe(1);
    for (const query of [{ limit: '0' }, { offset: '10001' }, { userId: 'x' }, { role: 'king' }])
      expect((await test.call(listUserCommunities, service, { query })).status).toBe(400);
  });

  it('change role and metadata, and keep the last owner of a community', async () => {
    const [maya, noor, community] = [await makePerson(test), await makePerson(test), await makeCommunity(db)];
    await makeMember(db, community, maya, { role: 'owner' });
    await makeMember(db, community, noor, { role: 'owner' });
    const { body } = await test.call(listUserCommunities, service, { query: { communitySlug: community.slug } });
    const answers = await Promise.all(
      body.userCommunities.map(({ id }: { id: string }) =>
        test.call(updateUserCommunity, service, { params: { id }, body: { role: 'member' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('community.last_owner');
    const changed = answers.find(({ status }) => status === 200)?.body;
    expect(updateUserCommunity.replies[200].parse(changed)).toMatchObject({ role: 'member', contentfulMetadata: {} });
  });

  it('refuse malformed and unknown values and a change of person', async () => {
    const [maya, community] = [await makePerson(test), await makeCommunity(db)];
    const good = { userId: maya.id, communitySlug: community.slug };
    for (const change of [
      { userId: newId() },
      { userId: 'me' },
      { userId: undefined },
      { communitySlug: 'none' },
      { communitySlug: undefined },
      { role: 'king' },
      { creator: 'yes' },
      { extra: 1 },
      { contentfulMetadata: { text: 'a\0' } },
      { contentfulMetadata: { text: 'x'.repeat(20_000) } },
      { contentfulMetadata: [] },
    ])
      expect((await test.call(createUserCommunity, service, { body: { ...good, ...change } })).status).toBe(400);
    const { body: record } = await test.call(createUserCommunity, service, { body: good });
    const update = (id: string, body: object) => test.call(updateUserCommunity, service, { params: { id }, body });
    for (const body of [{ userId: newId() }, { communitySlug: 'other' }, { role: 'king' }, { extra: 1 }])
      expect((await update(record.id, body)).status).toBe(400);
    expect((await update(newId(), {})).status).toBe(404);
    expect((await test.call(readUserCommunity, service, { params: { id: newId() } })).status).toBe(404);
    expect((await test.call(readUserCommunity, service, { params: { id: 'x' } })).status).toBe(400);
  });
});
