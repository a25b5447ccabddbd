import { mintToken } from '@officium/contract/auth';
import { readCommunity } from '@officium/contract/community';
import { isStream } from '@officium/contract/endpoint';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import type { TokenPermissions } from '#server/access/viewer.ts';
import { type As, SERVICE_KEY } from '../app.ts';
import { sessionIn } from '../factories/accounts.ts';
import { makeMember } from '../factories/communities.ts';
import { READ } from '../leaks/walk.ts';
import { OF_ONES_OWN, OF_THE_ACCOUNT } from './narrowed.operations.ts';
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
  // In a hidden community the answers differ: 403 for a member is 404 for a stranger.
  const hidden = tableOf({ community: 'hidden' });
  const claiming = (who: SubjectName, claim: unknown, as: SubjectName): Narrowing => ({
    who,
    as,
    // Tokens carry whatever came.
    permissions: ({ community }) => ({ communities: { [community.slug]: claim as string } }),
  });

  /** Former members may read decisions about their posts; a token that omits the community takes that away. */
  const DECISIONS = { 'readDecision own': 404, 'appealDecision own': 404, 'decideAppeal own': 404 };

  it.each([
    ['moderator', 1, 'reduced'],
    ['moderator', 2, 'member'],
    ['moderator', 3, 'moderator'],
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
    const narrowing: Narrowing = { who: 'moderator', as: 'public-servant', permissions: () => ({ communities }) };
    await tryTable(hidden, narrowing, DECISIONS);
  });

  it.each([0, 'none'])('one of level %j is none either', async (claim) => {
    await tryTable(hidden, claiming('moderator', claim, 'public-servant'), DECISIONS);
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
      await tryTable(table, claiming('moderator', 0, 'public-servant'), { ...DECISIONS, joinCommunity: 403 });
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
  // In a hidden one everything is told apart, as above.
  const course = tableOf({ course: 'hidden' });

  it.each([
    [[], 'member'],
    [['basic'], 'member'],
    [['none', 'basic'], 'member'],
    [['reduced'], 'reduced'],
    [['reduced', 'unknown'], 'reduced'],
    [['full-control'], 'member'],
    [['none'], 'public-servant'],
    [['unknown'], 'public-servant'],
    ['basic', 'public-servant'],
    [2, 'public-servant'],
  ] as const)('a learner with %j is as good as %s', async (claim, as) => {
    await tryTable(course, claiming('member', claim, as));
  });

  it('a course that is not named is none', async () => {
    const courses = { [world.elsewhere.course.slug]: [] };
    await tryTable(course, { who: 'member', as: 'public-servant', permissions: () => ({ courses }) });
  });

  it.each(['open', 'closed'] as const)(
    'who is left out is a stranger in an %s one, who may take no place there and be given nothing',
    async (place) => {
      const no = { enrolMyself: 403, 'giveUserProduct own': 403, issueMyCertificate: 403, createMyCertificate: 403 };
      await tryTable(tableOf({ course: place }), claiming('member', ['none'], 'public-servant'), no);
    },
  );

  it('an administrator is a stranger where the token leaves a course out', async () => {
    const permissions = () => ({ courses: {} });
    const names = ['readCourse', 'readLesson', 'enrolMyself', 'listLessonActivities', 'completeLesson'];
    await tryTable({ ...course, names }, { who: 'administrator', as: 'public-servant', permissions });
  });

  it('a token that says nothing of courses leaves them as they are', async () => {
    await tryTable(course, { who: 'member', as: 'member', permissions: () => ({ communities: {} }) });
  });

  it('a stranger is not made a learner by a token', async () => {
    await tryTable(course, claiming('public-servant', ['full-control'], 'public-servant'));
  });
});

describe('an answer that is kept for an Idempotency-Key', () => {
  const hidden = [tableOf({ community: 'hidden' }), tableOf({ course: 'hidden' })];
  const posts = hidden.flatMap((table) =>
    readRows(table)
      .filter(
        ({ name, cells }) =>
          operationOf(name).method === 'POST' && cells.member === 'yes' && cells['public-servant'] !== 'yes',
      )
      .map((row) => [row.name, row, table] as const),
  );

  it.each(posts)('%s: is told to no session whose token leaves the place out', async (name, row, table) => {
    const ground = groundOf(world, table);
    const { as, person } = await makeSubject(ground, 'member');
    const me = person!; // a member is a person
    const sent = await requestOf(name, { world, ...ground, me });
    const send = async (session: As) => {
      const keyed = { ...sent, headers: { 'idempotency-key': 'one' } };
      return written(await ask(test, { as: session, headers: {} }, operationOf(name), keyed));
    };
    const narrowed = await narrow(test, me, { communities: {}, courses: {} });
    expect([await send(as), await send(narrowed), await send(as)]).toEqual(['yes', row.cells['public-servant'], 'yes']);
  });

  it('is told to another session of the same permissions', async () => {
    const ground = groundOf(world, { community: 'hidden' });
    const me = (await makeSubject(ground, 'member')).person!; // the same
    const sent = {
      ...(await requestOf('createActivity', { world, ...ground, me })),
      headers: { 'idempotency-key': 'one' },
    };
    const permissions = { communities: { [ground.community.slug]: 2 } };
    const [one, other] = [await narrow(test, me, permissions), await narrow(test, me, permissions)];
    const idOf = async (as: As) =>
      JSON.parse((await ask(test, { as, headers: {} }, operationOf('createActivity'), sent)).text).id;
    expect(await idOf(other)).toBe(await idOf(one));
    expect(await idOf(me.as)).not.toBe(await idOf(one));
  });
});

describe('every operation that people may call', () => {
  it('is tried by a session whose token leaves the place out, or touches none', () => {
    const ofPlaces = TABLES.filter(({ community, course }) => community ?? course).flatMap(readRows);
    const known = [...READ.map(({ name }) => name), ...ofPlaces.map(({ name }) => operationOf(name).name)];
    const tried = new Set([...known, ...OF_THE_ACCOUNT, ...OF_ONES_OWN]);
    // Those for administrators and services no token narrows: nobody may mint a session of an administrator.
    const callable = ENDPOINTS.filter((endpoint) => ['none', 'user'].includes(endpoint.auth) && !isStream(endpoint));
    const missing = callable.filter(({ name }) => !tried.has(name));
    expect(missing.map(({ name }) => `Say in narrowed.operations.ts what ${name} is about.`)).toEqual([]);
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
