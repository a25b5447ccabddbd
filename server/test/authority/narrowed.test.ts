import { mintToken } from '@officium/contract/auth';
import { readCommunity } from '@officium/contract/community';
import { describe, expect, it } from 'vitest';
import type { TokenPermissions } from '#server/access/viewer.ts';
import { SERVICE_KEY } from '#server/test/app.ts';
import { sessionIn } from '#server/test/factories/accounts.ts';
import { makeMember } from '#server/test/factories/communities.ts';
import { requestOf } from './requests.ts';
import { type Ground, makeSubject, narrow, type SubjectName } from './subjects.ts';
import { readRows, type Row, type Table, TABLES } from './table.ts';
import { ask, groundOf, makeWorld, operationOf, written } from './world.ts';

// A token narrows what the database grants, as a role does: with it a person is as good as somebody who was granted
// less, in every row of the authority table.

const world = await makeWorld();
const { test } = world;

type Narrowing = {
  who: SubjectName;
  /** Becomes a member of the community first. */
  joins?: true;
  permissions?: (ground: Ground) => TokenPermissions;
  as: SubjectName;
};

async function tryRow(table: Table, { name }: Row, { who, joins, permissions }: Narrowing): Promise<'yes' | number> {
  const ground = groundOf(world, table);
  const subject = await makeSubject(ground, who);
  const me = subject.person!; // whoever is narrowed is a person
  if (joins) await makeMember(test.ctx.db, ground.community, me);
  const narrowed = { as: permissions ? await narrow(test, me, permissions(ground)) : me.as, headers: {} };
  return written(await ask(test, narrowed, operationOf(name), await requestOf(name, { world, ...ground, me })));
}

/** The rows of a table, all or some, answer as they do the subject a narrowed person is as good as, save `besides`. */
async function tryTable(
  table: Table & { names?: string[] },
  narrowing: Narrowing,
  besides: Record<string, number> = {},
): Promise<void> {
  const rows = readRows(table).filter(({ name }) => table.names?.includes(name) ?? true);
  const tried = await Promise.all(rows.map(async (row) => [row.name, await tryRow(table, row, narrowing)] as const));
  const expected = rows.map(({ name, cells }) => [name, besides[name] ?? cells[narrowing.as]] as const);
  expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(expected));
}

const tableOf = (at: Pick<Table, 'community' | 'course'>): Table =>
  TABLES.find((table) => table.community === at.community && table.course === at.course)!; // there is one for each

describe('in communities', () => {
  // In a hidden one everything is told apart: what is 403 to a member is 404 to a stranger.
  const hidden = tableOf({ community: 'hidden' });
  const claiming = (who: SubjectName, claim: unknown, as: SubjectName): Narrowing => ({
    who,
    as,
    // Tokens carry whatever came.
    permissions: ({ community }) => ({ communities: { [community.slug]: claim as string } }),
  });

  it.each([
    ['moderator', 0, 'public-servant'],
    ['moderator', 1, 'reduced'],
    ['moderator', 2, 'member'],
    ['moderator', 3, 'moderator'],
    ['moderator', 'none', 'public-servant'],
    ['moderator', 'reduced', 'reduced'],
    ['moderator', 'basic', 'member'],
    ['moderator', 'full-control', 'moderator'],
    ['owner', 'reduced', 'reduced'],
    ['owner', 2, 'member'],
    ['owner', 3, 'owner'],
  ] as const)('%s with %j is as good as %s', async (...[who, claim, as]) => {
    await tryTable(hidden, claiming(who, claim, as));
  });

  const MEMBERS_ONLY = ['readCommunity', 'listMembers', 'createActivity', 'joinCommunity'];
  const some = { ...hidden, names: MEMBERS_ONLY };
  it.each([4, -1, 1.5, '3', '', 'Basic', 'basic ', 'owner', 'administrator', null, true, [3], { level: 3 }])(
    'moderator with %j, which is no level, is as good as a stranger',
    async (claim) => {
      await tryTable(some, claiming('moderator', claim, 'public-servant'));
    },
  );

  it('a community that is not named is none', async () => {
    const communities = { [world.elsewhere.community.slug]: 3 };
    await tryTable(hidden, { who: 'moderator', as: 'public-servant', permissions: () => ({ communities }) });
  });

  it('a token that says nothing of communities leaves them as they are', async () => {
    await tryTable(hidden, { who: 'moderator', as: 'moderator', permissions: () => ({ courses: {} }) });
  });

  it.each(['public-servant', 'reduced', 'member'] as const)('%s is not made more by a token', async (who) => {
    await tryTable(hidden, claiming(who, 3, who));
  });

  it.each(['open', 'closed'] as const)(
    'who is left out is a stranger in an %s one, and may not join',
    async (place) => {
      const table = tableOf({ community: place });
      await tryTable(table, claiming('moderator', 0, 'public-servant'), { joinCommunity: 403 });
    },
  );
});

describe('by role', () => {
  it.each(['open', 'closed', 'hidden'] as const)(
    'a member who is no public servant is as good as reduced in an %s community',
    async (place) => {
      const table = tableOf({ community: place });
      await tryTable(table, { who: 'non-public-servant', joins: true, as: 'reduced' });
    },
  );
});

describe('in courses', () => {
  const claiming = (who: SubjectName, claim: unknown, as: SubjectName): Narrowing => ({
    who,
    as,
    permissions: ({ course }) => ({ courses: { [course.slug]: claim as string[] } }), // the same
  });
  const course = tableOf({ course: 'open' });

  it.each([
    [[], 'member'],
    [['basic'], 'member'],
    [['none', 'basic'], 'member'],
    [['reduced'], 'reduced'],
    [['reduced', 'unknown'], 'reduced'],
    [['full-control'], 'member'],
    [['none'], 'narrowed-token'],
    [['unknown'], 'narrowed-token'],
    ['basic', 'narrowed-token'],
    [2, 'narrowed-token'],
  ] as const)('a learner with %j is as good as %s', async (claim, as) => {
    await tryTable(course, claiming('member', claim, as));
  });

  it('a course that is not named is none', async () => {
    const courses = { [world.elsewhere.course.slug]: [] };
    await tryTable(course, { who: 'member', as: 'narrowed-token', permissions: () => ({ courses }) });
  });

  it('a token that says nothing of courses leaves them as they are', async () => {
    await tryTable(course, { who: 'member', as: 'member', permissions: () => ({ communities: {} }) });
  });

  it('a stranger is not made a learner by a token', async () => {
    const hidden = tableOf({ course: 'hidden' });
    await tryTable(hidden, claiming('public-servant', ['full-control'], 'public-servant'));
  });
});

describe('a minted session', () => {
  it('carries what the service said', async () => {
    const ground = groundOf(world, { community: 'closed' });
    const { slug } = ground.community;
    const owner = (await makeSubject(ground, 'owner')).person!; // owners are persons
    for (const [claim, level] of [
      [3, 'full-control'],
      ['basic', 'basic'],
      ['unheard-of', 'none'],
    ] as const) {
      const { id, email, name } = owner;
      const body = { id, email, name, permissions: { communities: { [slug]: claim } } };
      const minted = await test.call(mintToken, { serviceKey: SERVICE_KEY }, { body });
      const page = await test.call(readCommunity, sessionIn(minted), { params: { slug } });
      expect([claim, page.status, page.body.permissions.level]).toEqual([claim, 200, level]);
    }
  });
});
