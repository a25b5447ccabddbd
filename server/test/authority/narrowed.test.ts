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
import { OWN_RECORDS, ACCOUNT_OPERATIONS } from './narrowed.operations.ts';
import { requestOf } from './requests.ts';
import { type Context, makeSubject, narrow, type SubjectName } from './subjects.ts';
import { readRows, type Row, type Table, TABLES } from './table.ts';
import { ask, contextOf, makeFixture, operationOf, outcomeOf } from './fixture.ts';

// A token narrows what the database grants. In every row of the authority table, a narrowed session must get the same
// result as a person who was granted less.

const fixture = await makeFixture();
const { test } = fixture;

type Narrowing = {
  who: SubjectName;
  /** Joins the community first. */
  joins?: true;
  permissions?: (context: Context) => TokenPermissions;
  as: SubjectName;
};

async function tryRow(table: Table, { name }: Row, { who, joins, permissions }: Narrowing): Promise<'yes' | number> {
  const context = contextOf(fixture, table);
  const subject = await makeSubject(context, who);
  const me = subject.person!; // narrowed subjects are persons
  if (joins) await makeMember(test.ctx.db, context.community, me);
  const narrowed = { as: permissions ? await narrow(test, me, permissions(context)) : me.as, headers: {} };
  return outcomeOf(await ask(test, narrowed, operationOf(name), await requestOf(name, { fixture, ...context, me })));
}

/** Expects each row of a table to answer like the subject `as`, except `besides`. */
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
  // A hidden community shows the difference: 403 for a member is 404 for a stranger.
  const hidden = tableOf({ community: 'hidden' });
  const claiming = (who: SubjectName, claim: unknown, as: SubjectName): Narrowing => ({
    who,
    as,
    // A token may contain any value.
    permissions: ({ community }) => ({ communities: { [community.slug]: claim as string } }),
  });

  /** Former members may read decisions about their posts, but not with a token that omits the community. */
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
  ] as const)('a %s with claim %j has the rights of a %s', async (...[who, claim, as]) => {
    await tryTable(hidden, claiming(who, claim, as));
  });

  const MEMBERS_ONLY = ['readCommunity', 'listMembers', 'createActivity', 'joinCommunity'];
  const some = { ...hidden, names: MEMBERS_ONLY };
  it.each([4, -1, 1.5, '3', '', 'Basic', 'basic ', 'owner', 'administrator', null, true, [3], { level: 3 }])(
    'a moderator with the invalid claim %j has the rights of a stranger',
    async (claim) => {
      await tryTable(some, claiming('moderator', claim, 'public-servant'));
    },
  );

  it('treats a community that the token omits as not granted', async () => {
    const communities = { [fixture.elsewhere.community.slug]: 3 };
    const narrowing: Narrowing = { who: 'moderator', as: 'public-servant', permissions: () => ({ communities }) };
    await tryTable(hidden, narrowing, DECISIONS);
  });

  it.each([0, 'none'])('treats level %j as not granted', async (claim) => {
    await tryTable(hidden, claiming('moderator', claim, 'public-servant'), DECISIONS);
  });

  it('leaves communities unchanged when the token has no community claim', async () => {
    await tryTable(hidden, { who: 'moderator', as: 'moderator', permissions: () => ({ courses: {} }) });
  });

  it.each(['public-servant', 'reduced', 'member'] as const)('gives a %s no rights beyond the database', async (who) => {
    await tryTable(hidden, claiming(who, 3, who));
  });

  it.each(['open', 'closed'] as const)(
    'treats a member as a stranger who may neither join nor report when the token omits an %s community',
    async (place) => {
      const table = tableOf({ community: place });
      await tryTable(table, claiming('moderator', 0, 'public-servant'), {
        ...DECISIONS,
        joinCommunity: 403,
        'reportContent post': 403,
      });
    },
  );
});

describe('by role', () => {
  it.each(['open', 'closed', 'hidden'] as const)(
    'gives a member who is not a public servant the reduced level in an %s community',
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
    permissions: ({ course }) => ({ courses: { [course.slug]: claim as string[] } }), // may be any value
  });
  // A hidden course shows every difference, as above.
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
  ] as const)('a learner with claim %j has the rights of a %s', async (claim, as) => {
    await tryTable(course, claiming('member', claim, as));
  });

  it('treats a course that the token omits as not granted', async () => {
    const courses = { [fixture.elsewhere.course.slug]: [] };
    await tryTable(course, { who: 'member', as: 'public-servant', permissions: () => ({ courses }) });
  });

  it.each(['open', 'closed'] as const)(
    'treats a learner as a stranger who may neither enrol nor be enrolled when the token omits an %s course',
    async (place) => {
      const evaluation = { readMyEvaluation: 403, answerEvaluation: 403, skipEvaluation: 403 };
      const certificate = { issueMyCertificate: 403, createMyCertificate: 403, renewMyCertificate: 403 };
      const no = { enrolMyself: 403, 'giveUserProduct own': 403, ...certificate, ...evaluation };
      await tryTable(tableOf({ course: place }), claiming('member', ['none'], 'public-servant'), no);
    },
  );

  it('treats an administrator as a stranger in a course that the token omits', async () => {
    const permissions = () => ({ courses: {} });
    const names = ['readCourse', 'readLesson', 'checkAnswer', 'enrolMyself', 'listLessonActivities', 'completeLesson'];
    await tryTable({ ...course, names }, { who: 'administrator', as: 'public-servant', permissions });
  });

  it('leaves courses unchanged when the token has no course claim', async () => {
    await tryTable(course, { who: 'member', as: 'member', permissions: () => ({ communities: {} }) });
  });

  it('does not make a stranger a learner', async () => {
    await tryTable(course, claiming('public-servant', ['full-control'], 'public-servant'));
  });
});

describe('a stored response for an Idempotency-Key', () => {
  const hidden = [tableOf({ community: 'hidden' }), tableOf({ course: 'hidden' })];
  const posts = hidden.flatMap((table) =>
    readRows(table)
      .filter(
        ({ name, cells }) =>
          operationOf(name).method === 'POST' && cells.member === 'yes' && cells['public-servant'] !== 'yes',
      )
      .map((row) => [row.name, row, table] as const),
  );

  it.each(posts)('%s: is not replayed to a session whose token omits the place', async (name, row, table) => {
    const context = contextOf(fixture, table);
    const { as, person } = await makeSubject(context, 'member');
    const me = person!; // a member is a person
    const sent = await requestOf(name, { fixture, ...context, me });
    const send = async (session: As) => {
      const keyed = { ...sent, headers: { 'idempotency-key': 'one' } };
      return outcomeOf(await ask(test, { as: session, headers: {} }, operationOf(name), keyed));
    };
    const narrowed = await narrow(test, me, { communities: {}, courses: {} });
    expect([await send(as), await send(narrowed), await send(as)]).toEqual(['yes', row.cells['public-servant'], 'yes']);
  });

  it('is replayed to another session with the same permissions', async () => {
    const context = contextOf(fixture, { community: 'hidden' });
    const me = (await makeSubject(context, 'member')).person!; // a member is a person
    const sent = {
      ...(await requestOf('createActivity', { fixture, ...context, me })),
      headers: { 'idempotency-key': 'one' },
    };
    const permissions = { communities: { [context.community.slug]: 2 } };
    const [one, other] = [await narrow(test, me, permissions), await narrow(test, me, permissions)];
    const idOf = async (as: As) =>
      JSON.parse((await ask(test, { as, headers: {} }, operationOf('createActivity'), sent)).text).id;
    expect(await idOf(other)).toBe(await idOf(one));
    expect(await idOf(me.as)).not.toBe(await idOf(one));
  });
});

describe('every operation that users may call', () => {
  it('is covered for sessions whose token omits the place, or concerns no place', () => {
    const ofPlaces = TABLES.filter(({ community, course }) => community ?? course).flatMap(readRows);
    const known = [...READ.map(({ name }) => name), ...ofPlaces.map(({ name }) => operationOf(name).name)];
    const tried = new Set([...known, ...ACCOUNT_OPERATIONS, ...OWN_RECORDS]);
    // Tokens cannot narrow operations of administrators and services: no one can mint an administrator's session.
    const callable = ENDPOINTS.filter((endpoint) => ['none', 'user'].includes(endpoint.auth) && !isStream(endpoint));
    const missing = callable.filter(({ name }) => !tried.has(name));
    expect(missing.map(({ name }) => `Classify ${name} in narrowed.operations.ts.`)).toEqual([]);
  });
});

describe('a minted session', () => {
  it('carries the permissions that the service set', async () => {
    const context = contextOf(fixture, { community: 'closed' });
    const { slug } = context.community;
    const owner = (await makeSubject(context, 'owner')).person!; // owners are persons
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
