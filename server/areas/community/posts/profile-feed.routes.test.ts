import { setVisibility } from '@officium/contract/account';
import * as contract from '@officium/contract/people';
import { createPoll } from '@officium/contract/polls';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, type As } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember } from '#server/test/factories/communities.ts';

const test = await createTestApp();
const { db } = test.ctx;

const profile = (as: As | undefined, id: string, query: Record<string, unknown> = {}) =>
  test.call(contract.listProfileActivities, as, { params: { id }, query });
const mine = (as: As | undefined, query: Record<string, unknown> = {}, id = 'me') =>
  test.call(contract.listMyActivities, as, { params: { id }, query });
const idsOf = async (as: As, id: string): Promise<string[]> =>
  (await profile(as, id)).body.results.map((activity: { id: string }) => activity.id);

const poll = {
  title: 'Which?',
  options: [
    { position: 1, body: 'One' },
    { position: 2, body: 'Two' },
  ],
};

/** A post in each kind of community and a poll on the profile, by a member of all. */
async function makeAuthor() {
  const author = await makePerson(test);
  const make = async (given: Parameters<typeof makeCommunity>[1]) => {
    const community = await makeCommunity(db, given);
    await makeMember(db, community, author);
    return { community, id: await makeActivity(db, community, author) };
  };
  const open = await make({ title: { en: 'Makers', fr: 'Faiseurs' } });
  const verified = await make({ canView: 'verified' });
  const unlisted = await make({ privacy: 'open-hidden' });
  const visible = await make({ privacy: 'closed-visible' });
  const closed = await make({ privacy: 'closed-hidden' });
  const { body } = await test.call(createPoll, author.as, { body: poll });
  return { author, open, verified, unlisted, visible, closed, pollId: body.id as string };
}

describe('listProfileActivities', () => {
  it('shows posts the viewer may read, newest first', async () => {
    const { author, open, verified, unlisted, visible, closed, pollId } = await makeAuthor();
    const servant = await makePerson(test);
    const other = await makePerson(test, { role: 'non-public-servant' });
    const member = await makePerson(test, { role: 'non-public-servant' });
    for (const { community } of [unlisted, visible, closed]) await makeMember(db, community, member);
    expect(await idsOf(servant.as, author.id)).toEqual([pollId, verified.id, open.id]);
    expect(await idsOf(other.as, author.id)).toEqual([pollId, open.id]);
    expect(await idsOf(member.as, author.id)).toEqual([pollId, closed.id, visible.id, unlisted.id, open.id]);
    expect(await idsOf(author.as, 'me')).toHaveLength(6);
  });

  it('cuts a page of the largest posts, and continues at the cut', async () => {
    const author = await makePerson(test);
    const community = await makeCommunity(db);
    for (let n = 0; n < 22; n++) await makeActivity(db, community, author, { body: 'http://a.b '.repeat(5_900) });
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const { body } = await profile(author.as, author.id, { limit: 100, offset });
      expect(JSON.stringify(body).length).toBeLessThan(5 * 1024 * 1024);
      seen.push(...body.results.map(({ id }: { id: string }) => id));
      expect(body.nextOffset).toBe(seen.length < 22 ? seen.length : null);
      offset = body.nextOffset;
    }
    expect(new Set(seen).size).toBe(22);
  });

  it('returns whole activities, in the viewer’s language', async () => {
    const { author, open, pollId } = await makeAuthor();
    const viewer = await makePerson(test, { role: 'non-public-servant' });
    const { status, body } = await profile(viewer.as, author.id, { locale: 'fr' });
    expect(status).toBe(200);
    const feed = contract.listProfileActivities.replies[200].strict().parse(body);
    expect(feed).toMatchObject({ total: 2, nextOffset: null });
    expect(feed.results[0]).toMatchObject({ id: pollId, verb: 'poll', community: null, poll: { id: pollId } });
    expect(feed.results[1]).toMatchObject({
      id: open.id,
      actor: { id: author.id, name: author.name },
      community: { slug: open.community.slug, title: 'Faiseurs' },
    });
  });

  it('counts and pages only visible posts', async () => {
    const { author } = await makeAuthor();
    const viewer = await makePerson(test);
    const first = await profile(viewer.as, author.id, { limit: 2 });
    expect(first.body).toMatchObject({ total: 3, nextOffset: 2 });
    const second = await profile(viewer.as, author.id, { limit: 2, offset: 2 });
    expect(second.body.results).toHaveLength(1);
    expect(second.body).toMatchObject({ total: 3, nextOffset: null });
    expect((await profile(viewer.as, author.id, { limit: 0 })).body.results).toHaveLength(3);
    for (const query of [{ limit: -1 }, { limit: 101 }, { limit: 'x' }, { offset: -1 }, { offset: 10_001 }])
      expect((await profile(viewer.as, author.id, query)).status).toBe(400);
  });

  it('shows a private profile only to its owner and administrators', async () => {
    const { author } = await makeAuthor();
    const viewer = await makePerson(test);
    const admin = await makePerson(test, { role: 'administrator' });
    await test.call(setVisibility, author.as, { body: { visibility: 'private' } });
    expect((await profile(viewer.as, author.id)).body).toEqual({ results: [], total: 0, nextOffset: null });
    expect(await idsOf(author.as, author.id)).toHaveLength(6);
    expect(await idsOf(admin.as, author.id)).toHaveLength(6);
  });

  it('records that an administrator reads a closed community', async () => {
    const { author, visible, closed } = await makeAuthor();
    const admin = await makePerson(test, { role: 'administrator' });
    await profile(admin.as, author.id);
    await profile(admin.as, author.id);
    const logged = await db
      .selectFrom('audit_log')
      .select(['action', 'object'])
      .where('actor', '=', admin.id)
      .execute();
    expect(logged).toHaveLength(2);
    expect(logged.map(({ object }) => object).sort()).toEqual([visible.community.id, closed.community.id].sort());
  });

  it("depends on the session's token, a membership of no level and a pending one", async () => {
    const { author, open, visible, closed, pollId } = await makeAuthor();
    const viewer = await makePerson(test, { role: 'non-public-servant' });
    await makeMember(db, closed.community, viewer);
    await makeMember(db, visible.community, viewer, { status: 'pending' });
    expect(await idsOf(viewer.as, author.id)).toEqual([pollId, closed.id, open.id]);
    const permissions = { communities: { [open.community.slug]: 1 } };
    const narrow = { token: await openSession(db, { userId: viewer.id, permissions }) };
    expect(await idsOf(narrow, author.id)).toEqual([pollId, open.id]);
    await sql`update community_members set level = 0 where user_id = ${viewer.id}`.execute(db);
    expect(await idsOf(viewer.as, author.id)).toEqual([pollId, open.id]);
  });

  it('omits deleted posts and withdrawn communities', async () => {
    const { author, open, verified, pollId } = await makeAuthor();
    const viewer = await makePerson(test);
    await sql`update activities set deleted_at = now() where id = ${open.id}`.execute(db);
    await sql`update entries set status = 'withdrawn' where id = ${verified.community.entryId}`.execute(db);
    expect(await idsOf(viewer.as, author.id)).toEqual([pollId]);
  });

  it('returns 404 for unknown, unproven and erased people, 400 for a malformed id, 401 to anonymous viewers', async () => {
    const viewer = await makePerson(test);
    const unproven = await makePerson(test, { isProven: false });
    const erased = await makePerson(test);
    await test.call(contract.eraseUser, erased.as, { params: { id: 'me' } });
    for (const id of [newId(), unproven.id, erased.id]) expect((await profile(viewer.as, id)).status).toBe(404);
    expect((await profile(viewer.as, 'x')).status).toBe(400);
    expect((await profile(undefined, viewer.id)).status).toBe(401);
  });
});

describe('listMyActivities', () => {
  it('returns my posts where I may still read', async () => {
    const { author, open, verified, unlisted, visible, closed, pollId } = await makeAuthor();
    const own = await mine(author.as);
    expect(own.status).toBe(200);
    expect(contract.listMyActivities.replies[200].strict().parse(own.body).total).toBe(6);
    await sql`delete from community_members where user_id = ${author.id}`.execute(db);
    const { body } = await mine(author.as);
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([pollId, unlisted.id, verified.id, open.id]);
    expect([visible.id, closed.id].every((id) => !JSON.stringify(body).includes(id))).toBe(true);
  });

  it('accepts only me', async () => {
    const maya = await makePerson(test);
    expect((await mine(maya.as, {}, maya.id)).status).toBe(400);
    expect((await mine(maya.as, {}, newId())).status).toBe(400);
    expect((await mine(undefined)).status).toBe(401);
    const unproven = await makePerson(test, { isProven: false });
    expect((await mine(unproven.as)).status).toBe(403);
  });
});
