import { joinCommunity, leaveCommunity, removeMember, updateMember } from '@officium/contract/community';
import { listNotifications } from '@officium/contract/notifications';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

const inbox = async (as: As) =>
  listNotifications.replies[200].parse((await test.call(listNotifications, as)).body).notifications;
const join = (person: TestPerson) => test.call(joinCommunity, person.as, { params: { slug: community.slug } });
const at = (person: TestPerson) => ({ slug: community.slug, userId: person.id });

let community: TestCommunity;
let owner: TestPerson;
let manager: TestPerson;

beforeEach(async () => {
  community = await makeCommunity(db, { privacy: 'closed-visible', title: { en: 'Forms' } });
  [owner, manager] = [await makePerson(test), await makePerson(test)];
  await makeMember(db, community, owner, { role: 'owner' });
  await makeMember(db, community, manager, { level: 3 });
});

describe('a request to join', () => {
  it('is one notification for each person who can decide it, with the number that waits, until none waits', async () => {
    const [member, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    await makeMember(db, community, member);
    const [one, two] = [await makePerson(test), await makePerson(test)];
    await join(one);
    await join(one);
    const path = `/communities/${community.slug}/members`;
    const told = { event: 'join_request', title: 'Forms', path, actor: null };
    expect(await inbox(owner.as)).toMatchObject([{ ...told, count: 1 }]);
    await join(two);
    for (const { as } of [owner, manager]) expect(await inbox(as)).toMatchObject([{ ...told, count: 2 }]);
    for (const { as } of [member, admin, one, two]) expect(await inbox(as)).toEqual([]);

    await test.call(updateMember, owner.as, { params: at(one), body: { status: 'active' } });
    expect(await inbox(manager.as)).toMatchObject([{ count: 1 }]);
    expect(await inbox(one.as)).toMatchObject([{ event: 'community_membership' }]);
    await test.call(removeMember, owner.as, { params: at(two) });
    for (const { as } of [owner, manager, two]) expect(await inbox(as)).toEqual([]);
  });

  it('is not told when people join at once, and vanishes when it is withdrawn', async () => {
    const open = await makeCommunity(db, { privacy: 'open-visible' });
    await makeMember(db, open, owner, { role: 'owner' });
    const person = await makePerson(test);
    await test.call(joinCommunity, person.as, { params: { slug: open.slug } });
    expect(await inbox(owner.as)).toEqual([]);
    await join(person);
    expect(await inbox(owner.as)).toHaveLength(1);
    await test.call(leaveCommunity, person.as, { params: { slug: community.slug } });
    expect(await inbox(owner.as)).toEqual([]);
  });

  it('is not shown to a narrowed session, nor to who lost the right', async () => {
    await join(await makePerson(test));
    const token = await openSession(db, { userId: owner.id, permissions: { communities: { [community.slug]: 3 } } });
    expect(await inbox({ token })).toEqual([]);
    await test.call(updateMember, owner.as, { params: at(manager), body: { level: 'basic' } });
    expect([await inbox(manager.as), await inbox(owner.as)]).toMatchObject([[], [{ event: 'join_request' }]]);
  });

  it('is told to administrators where nobody manages the members', async () => {
    const left = await makeCommunity(db, { privacy: 'closed-visible' });
    const [member, admin] = [await makePerson(test), await makePerson(test, { role: 'administrator' })];
    await makeMember(db, left, member);
    const person = await makePerson(test);
    await test.call(joinCommunity, person.as, { params: { slug: left.slug } });
    expect(await inbox(admin.as)).toMatchObject([{ event: 'join_request', path: `/communities/${left.slug}/members` }]);
    expect(await inbox(member.as)).toEqual([]);
  });

  it('is told once of requests at the same time', async () => {
    const people = await Promise.all([makePerson(test), makePerson(test), makePerson(test)]);
    const statuses = await Promise.all([...people, ...people].map(async (person) => (await join(person)).status));
    expect(statuses).toEqual(statuses.map(() => 201));
    for (const { as } of [owner, manager]) expect(await inbox(as)).toMatchObject([{ count: 3 }]);
    const stored = db.selectFrom('notifications').select('id').where('object_id', '=', community.id);
    expect(await stored.execute()).toHaveLength(2);
  });
});
