import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  type CommunityCondition,
  canSeeProfile,
  communityConditions,
  communityLevel,
  communityVisibility,
  type CommunityPrivacy,
  FINDS_COMMUNITY,
  NONE,
  type Scope,
} from '#server/access/can.ts';
import { holds, type Rule } from '#server/access/rule.ts';
import { ANONYMOUS, isActive, isUser, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makeSubject, SUBJECTS } from '#server/test/authority/subjects.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCohort, putInCohort } from '#server/test/factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember, type TestCommunity } from '#server/test/factories/communities.ts';
import { makeCourse } from '#server/test/factories/courses.ts';
import { findMentionable } from '../posts/mention.repository.ts';
import { findProfileFeed } from '../posts/profile-feed.repository.ts';
import { showsProfile, viewerSql } from '../viewer.sql.ts';
import { type CommunityAccessRow, getAccess } from './access.repository.ts';
import { membershipOf } from './access.service.ts';
import { findCommunities } from './community.repository.ts';

const test = await createTestApp();
const { db } = test.ctx;
const course = await makeCourse(test);
const author = await makePerson(test);

const PRIVACIES: CommunityPrivacy[] = ['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden'];
const SCOPES: Scope[] = ['public', 'verified', 'private'];
const communities = await Promise.all(
  PRIVACIES.flatMap((privacy) => SCOPES.map(async (canView) => await makeCommunity(db, { privacy, canView }))),
);
for (const community of communities) await makeActivity(db, community, author);

/** A person whom a community admits in a way that no subject of the authority table covers. */
const ADMITTED: Record<string, (community: TestCommunity, person: TestPerson) => Promise<void>> = {
  invited: async (community, person) => await makeMember(db, community, person, { status: 'invited' }),
  pending: async (community, person) => await makeMember(db, community, person, { status: 'pending' }),
  muted: async (community, person) => await makeMember(db, community, person, { level: 0 }),
  expired: async (community, person) => {
    await makeMember(db, community, person);
    await sql`update community_members set expires_on = now() - interval '1 day' where user_id = ${person.id}`.execute(
      db,
    );
  },
  'cohort member': async ({ entryId }, person) =>
    await putInCohort(test, await makeCohort(test, { products: [entryId] }), person),
};

async function viewerOf(person: TestPerson | undefined): Promise<Viewer> {
  const { token } = person?.as ?? {};
  return (token === undefined ? undefined : await test.ctx.sessions.find(token)) ?? ANONYMOUS;
}

/** An account as a viewer, whatever its session allows: mentions are resolved for accounts. */
async function accountOf({ id }: TestPerson): Promise<UserViewer> {
  const viewer = await viewerOf({ id, name: '', email: '', as: await test.signIn(id) });
  if (!isUser(viewer)) throw new Error('no session');
  return viewer;
}

async function accessOf(viewer: Viewer, { slug }: TestCommunity) {
  const row = (await getAccess(db, { slug, userId: isUser(viewer) ? viewer.id : newId() }))!; // the community exists
  const membership = membershipOf(viewer, row);
  return { row, membership, visibility: communityVisibility(viewer, row, membership) };
}

async function admitted(name: string, community: TestCommunity): Promise<TestPerson | undefined> {
  const admit = ADMITTED[name];
  if (!admit) return (await makeSubject({ test, community, course }, name as (typeof SUBJECTS)[number])).person; // a key of neither is none
  const person = await makePerson(test);
  await admit(community, person);
  return person;
}

describe('the visibility of communities', () => {
  it.each([...SUBJECTS, ...Object.keys(ADMITTED)])(
    'is the same in lists, mentions and single reads for %s',
    async (name) => {
      for (const community of communities) {
        const person = await admitted(name, community);
        const viewer = await viewerOf(person);
        const { row, membership, visibility } = await accessOf(viewer, community);
        const about = { name, privacy: row.privacy, canView: row.canView };

        const page = { limit: 100, offset: 0 };
        const { rows } = await findCommunities(db, { viewer, locale: 'en' }, page);
        const isListed = rows.some(({ id }) => id === community.id);
        expect({ ...about, isListed }).toEqual({ ...about, isListed: findsIn(viewer, row) });
        if (isListed) expect({ ...about, visibility }).not.toEqual({ ...about, visibility: 'hidden' });

        if (isActive(viewer)) {
          const feed = await findProfileFeed(db, { viewer, locale: 'en' }, { authorId: author.id, ...page });
          const isShown = feed?.posts.some(([, , , , , , communityId]) => communityId === community.id);
          const hasLevel = communityLevel(viewer, row, membership) > NONE;
          const expected = visibility === 'content' && (hasLevel || row.privacy === 'open-visible');
          expect({ ...about, isShown }).toEqual({ ...about, isShown: expected });
        }
        if (person) await expectMentionable(person, community, about);
      }
    },
  );

  function findsIn(viewer: Viewer, row: CommunityAccessRow): boolean {
    const rule: Rule<CommunityCondition> = FINDS_COMMUNITY;
    return holds(rule, communityConditions(viewer, row, membershipOf(viewer, row)));
  }

  async function expectMentionable(person: TestPerson, community: TestCommunity, about: object): Promise<void> {
    const account = await accountOf(person);
    const { row, membership, visibility } = await accessOf(account, community);
    const place = { communityId: community.id };
    const inPost = await findMentionable(db, { place, isReply: false, ids: [person.id] });
    const inReply = await findMentionable(db, { place, isReply: true, ids: [person.id] });
    expect({ ...about, post: inPost.size === 1, reply: inReply.size === 1 }).toEqual({
      ...about,
      post: isActive(account) && visibility === 'content',
      reply: communityLevel(account, row, membership) > NONE,
    });
  }
});

describe('the visibility of profiles', () => {
  it('is the same in SQL and TypeScript for every viewer', async () => {
    const owner = await makePerson(test, { visibility: 'private' });
    const connected = await makePerson(test);
    const [low, high] = [owner.id, connected.id].toSorted() as [string, string]; // two ids
    await sql`insert into connections (id, low_id, high_id, asker_id, status) values (${newId()}, ${low}, ${high}, ${owner.id}, 'accepted')`.execute(
      db,
    );
    const profiles = [owner, await makePerson(test), await makePerson(test, { visibility: 'public' })];
    const viewers: Viewer[] = [
      ANONYMOUS,
      { kind: 'service', name: 'platform' },
      await viewerOf(owner),
      await viewerOf(connected),
      await viewerOf(await makePerson(test)),
      await viewerOf(await makePerson(test, { role: 'inactive' })),
      await viewerOf(await makePerson(test, { isProven: false })),
      await viewerOf(await makePerson(test, { role: 'administrator' })),
    ];
    for (const viewer of viewers)
      for (const { id } of profiles) {
        const { rows } = await sql<{ shows: boolean; visibility: 'default' | 'public' | 'private' }>`
          select ${sql.raw(showsProfile('u'))} as shows, u.visibility
          from ${viewerSql(viewer)} cross join users u where u.id = ${id}`.execute(db);
        const { shows, visibility } = rows[0]!; // the user exists
        const isConnected = isUser(viewer) && viewer.id === connected.id && id === owner.id;
        expect(shows).toBe(canSeeProfile(viewer, { userId: id, visibility }, isConnected));
      }
  });
});
