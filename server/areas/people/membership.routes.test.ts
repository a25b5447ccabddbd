import { setVisibility } from '@officium/contract/account';
import * as contract from '@officium/contract/people';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

describe('listCommunitiesOfUser', () => {
  const list = (as: As | undefined, id: string, query: Record<string, unknown> = {}) =>
    test.call(contract.listCommunitiesOfUser, as, { params: { id }, query });

  it('lists titles in the requested language, and only communities the viewer may see', async () => {
    const maya = await makePerson(test);
    const viewer = await makePerson(test);
    const open = await makeCommunity(db, { title: { en: 'Makers', fr: 'Faiseurs' } });
    const closed = await makeCommunity(db, { privacy: 'closed-hidden', title: { en: 'Secret' } });
    await makeMember(db, open, maya, { role: 'owner' });
    await makeMember(db, closed, maya);
    const own = await list(maya.as, 'me', { locale: 'fr' });
    expect(own.status).toBe(200);
    expect(contract.listCommunitiesOfUser.replies[200].parse(own.body)).toEqual({
      communities: [
        { slug: open.slug, title: 'Faiseurs', role: 'owner' },
        { slug: closed.slug, title: 'Secret', role: 'member' },
      ],
      total: 2,
    });
    const seen = await list(viewer.as, maya.id);
    expect(seen.body).toEqual({ communities: [{ slug: open.slug, title: 'Makers', role: 'owner' }], total: 1 });
    await test.call(setVisibility, maya.as, { body: { visibility: 'private' } });
    expect((await list(viewer.as, maya.id)).body).toEqual({ communities: [], total: 0 });
  });

  it('returns 404 for an unknown user, 400 for a malformed id or language, 401 without a session', async () => {
    const viewer = await makePerson(test);
    expect((await list(viewer.as, newId())).status).toBe(404);
    expect((await list(viewer.as, 'x')).status).toBe(400);
    expect((await list(viewer.as, 'me', { locale: 'xx' })).status).toBe(400);
    expect((await list(undefined, 'me')).status).toBe(401);
  });
});

describe('listMembershipsOfUser', () => {
  const list = (as: As | undefined, userId: string) =>
    test.call(contract.listMembershipsOfUser, as, { params: { userId } });
  const slugsIn = (answer: { body: { userCommunities: { communitySlug: string }[] } }) =>
    answer.body.userCommunities.map(({ communitySlug }) => communitySlug);

  it('lists every membership for the user and administrators, and those on the profile for others', async () => {
    const maya = await makePerson(test);
    const viewer = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    const open = await makeCommunity(db);
    const closed = await makeCommunity(db, { privacy: 'closed-hidden' });
    const pending = await makeCommunity(db, { privacy: 'closed-visible' });
    await makeMember(db, open, maya, { role: 'owner', joinedAt: new Date('2026-01-01') });
    await makeMember(db, closed, maya, { joinedAt: new Date('2026-01-02') });
    await makeMember(db, pending, maya, { status: 'pending', joinedAt: new Date('2026-01-03') });
    const own = await list(maya.as, 'me');
    expect(own.status).toBe(200);
    const records = contract.listMembershipsOfUser.replies[200].strict().parse(own.body);
    expect(records).toMatchObject({
      total: 3,
      userCommunities: [
        { userId: maya.id, communitySlug: open.slug, role: 'owner', creator: false, status: 'active' },
        { communitySlug: closed.slug, role: 'member' },
        { communitySlug: pending.slug, status: 'pending' },
      ],
    });
    expect((await list(admin.as, maya.id)).body).toEqual(own.body);
    expect(slugsIn(await list(viewer.as, maya.id))).toEqual([open.slug]);
    await makeMember(db, closed, viewer);
    expect(slugsIn(await list(viewer.as, maya.id))).toEqual([open.slug, closed.slug]);
    await test.call(setVisibility, maya.as, { body: { visibility: 'private' } });
    expect((await list(viewer.as, maya.id)).body).toEqual({ userCommunities: [], total: 0 });
  });

  it('returns 404 for an unknown user, 400 for a malformed id, 401 without a session', async () => {
    const maya = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    for (const as of [maya.as, admin.as]) expect((await list(as, newId())).status).toBe(404);
    expect((await list(maya.as, 'x')).status).toBe(400);
    expect((await list(undefined, 'me')).status).toBe(401);
  });
});
