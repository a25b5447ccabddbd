import { ASSIGNED_ROLES, type AssignedRole, PLACES_OF_ROLE, type PlaceKind } from '@officium/contract/roles';
import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { loadJobTasks } from '#server/areas/ai/job-task-load.service.ts';
import { makePerson, type TestPerson } from '../factories/accounts.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { makeCommunity } from '../factories/communities.ts';
import { makeCourse } from '../factories/courses.ts';
import { assignRoles, type GivenPlace } from '../factories/roles.ts';
import { ask, contextOf, makeFixture, operationOf, outcomeOf, type Sent } from './fixture.ts';
import { requestOf } from './requests.ts';
import { readRoleRows, type RoleRow } from './roles.table.ts';
import { readRows, type Row, type Table, TABLES } from './table.ts';

// Every operation answers for every assigned role, in the role's own place and in another one.

const fixture = await makeFixture();
const { test } = fixture;
await loadJobTasks(test.ctx);
const otherCohort = await makeCohort(test);
const otherCourse = await makeCourse(test);
const otherCommunity = await makeCommunity(test.ctx.db);

const roleRows = readRoleRows();
const openedIn = (table: Table, name: string) =>
  roleRows.find((row) => row.name === name && (row.community ?? table.community) === table.community);

/** The places that a request may be about, and others of the same kinds. */
async function placesFor(
  table: Table,
  name: string,
  sent: Sent,
): Promise<Record<'own' | 'foreign', [PlaceKind, string?][]>> {
  const { community, course } = contextOf(fixture, table);
  const { elsewhere } = fixture;
  const id = operationOf(name).path.startsWith('/cohorts/{id}') ? String(sent.params?.['id']) : fixture.cohortId;
  return {
    own: [
      ['installation'],
      ['academy', `academy-${fixture.academy}`],
      ['course', course.id],
      ['course', elsewhere.course.id],
      ...(await coursesIn(sent)),
      ['cohort', id],
      ['cohort', fixture.cohortId],
      ['community', community.id],
      ['community', elsewhere.community.id],
    ],
    foreign: [
      ['course', otherCourse.id],
      ['cohort', otherCohort],
      ['community', otherCommunity.id],
    ],
  };
}

/** The published course that a request of authoring names. */
async function coursesIn({ params, body }: Sent): Promise<[PlaceKind, string?][]> {
  const id = params?.['key'] ?? (body as { parent?: string } | undefined)?.parent; // requests send JSON
  if (typeof id !== 'string') return [];
  const ofDraft = test.ctx.db.selectFrom('content_pieces').select('parent').where('key', '=', id);
  const ofJourney = test.ctx.db
    .selectFrom('journeys')
    .select('course_id')
    .where((eb) => eb(eb.cast<string>('key', 'text'), '=', id));
  const ofLesson = test.ctx.db
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .select('j.course_id')
    .where((eb) => eb(eb.cast<string>('l.key', 'text'), '=', id));
  const found = test.ctx.db.selectFrom('courses').select('id');
  const rows = await found
    .where((eb) =>
      eb.or([eb('id', '=', id), eb('id', 'in', ofDraft), eb('id', 'in', ofJourney), eb('id', 'in', ofLesson)]),
    )
    .execute();
  return rows.map((row) => ['course', row.id]);
}

/** `role` in all given places, but in the whole installation only if it can be nowhere else. */
function heldIn(role: AssignedRole, places: readonly [PlaceKind, string?][]): GivenPlace[] {
  const kinds = PLACES_OF_ROLE[role];
  return places
    .filter(([kind]) => kinds.includes(kind) && (kind !== 'installation' || kinds.length === 1))
    .map(([kind, id]) => ({ role, kind, id }));
}

async function answerTo(table: Table, name: string, roles: readonly AssignedRole[], where: 'own' | 'foreign') {
  const me: TestPerson = await makePerson(test);
  const context = contextOf(fixture, table);
  const sent = await requestOf(name, { fixture, ...context, me });
  const places = (await placesFor(table, name, sent))[where];
  await assignRoles(
    test,
    me,
    roles.flatMap((role) => heldIn(role, places)),
  );
  return outcomeOf(await ask(test, { as: me.as, headers: {} }, operationOf(name), sent));
}

describe('the table of roles', () => {
  it('has a row for exactly the operations that the contract opens to roles', () => {
    const named = ENDPOINTS.filter(({ capability }) => capability !== undefined).map(({ name }) => name);
    const rows = roleRows.map(({ name }) => operationOf(name)).filter(({ auth }) => auth === 'admin');
    expect([...new Set(rows.map(({ name }) => name))].toSorted()).toEqual(named.toSorted());
  });

  it('names only rows of the authority table', () => {
    const names = TABLES.flatMap(readRows).map(({ name }) => name);
    expect(roleRows.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe.each(TABLES)('$title', (table) => {
  const rows = readRows(table);
  const others = rows.filter(({ name }) => !openedIn(table, name));
  const known = rows.flatMap((row) => {
    const role = openedIn(table, row.name);
    return role ? [{ name: row.name, row, role }] : [];
  });

  it.runIf(others.length > 0)('answers a holder of all roles like anybody else, where no role opens it', async () => {
    const answers = await Promise.all(
      others.map(async ({ name }) => [name, await answerTo(table, name, ASSIGNED_ROLES, 'own')] as const),
    );
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries(others.map(({ name, cells }) => [name, cells['public-servant']])),
    );
  });

  it.runIf(known.length > 0).each(known)('$name', async ({ row, role }: { row: Row; role: RoleRow }) => {
    const plain = row.cells['public-servant'];
    for (const one of ASSIGNED_ROLES) {
      const { own, foreign = plain } = role.cells[one] ?? { own: plain };
      const expected = { own, foreign };
      const hasForeign = PLACES_OF_ROLE[one].some((kind) => kind !== 'installation');
      const got = {
        own: await answerTo(table, row.name, [one], 'own'),
        foreign: hasForeign ? await answerTo(table, row.name, [one], 'foreign') : expected.foreign,
      };
      expect([one, got]).toEqual([one, expected]);
    }
  });
});
