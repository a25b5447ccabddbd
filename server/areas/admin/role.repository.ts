import type { LocalizedText } from '@officium/contract/common';
import type { AssignedRole, PlaceKind } from '@officium/contract/roles';
import { sql } from 'kysely';
import { escapeLike } from '#server/areas/people/word.sql.ts';
import type { Db } from '#server/db/client.ts';

export type AssignmentRow = {
  id: string;
  user_id: string;
  user_name: string;
  role: string;
  kind: string;
  place_id: string | null;
  /** The title of an academy, a course or a community. */
  title: LocalizedText | null;
  /** The name of a cohort. */
  name: string | null;
  given_by: string | null;
  given_at: Date;
};

/** A place in the columns of its kind; all null for the installation. */
type PlaceColumns = Record<'academy_id' | 'course_id' | 'cohort_id' | 'community_id', string | null>;

function columnsOf(kind: PlaceKind, placeId: string | null): PlaceColumns {
  const none = { academy_id: null, course_id: null, cohort_id: null, community_id: null };
  return kind === 'installation' ? none : { ...none, [`${kind}_id`]: placeId };
}

export type AssignmentQuery = {
  id?: string;
  userId?: string;
  role?: AssignedRole;
  kind?: PlaceKind;
  placeId?: string;
  limit: number;
  offset: number;
};

/** Assignments with their people and places, newest first. Those in a cohort that is being deleted are left out. */
export async function findAssignments(
  db: Db,
  { id, userId, role, kind, placeId, limit, offset }: AssignmentQuery,
): Promise<{ rows: AssignmentRow[]; total: number }> {
  let found = db
    .selectFrom('role_assignments as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .leftJoin('users as g', (join) => join.onRef('g.id', '=', 'r.given_by').on('g.erased_at', 'is', null))
    .leftJoin('academies as a', 'a.id', 'r.academy_id')
    .leftJoin('courses as c', 'c.id', 'r.course_id')
    .leftJoin('cohorts as h', 'h.id', 'r.cohort_id')
    .leftJoin('communities as m', 'm.id', 'r.community_id')
    .where('h.deleted_at', 'is', null);
  if (id !== undefined) found = found.where('r.id', '=', id);
  if (userId !== undefined) found = found.where('r.user_id', '=', userId);
  if (role !== undefined) found = found.where('r.role', '=', role);
  if (kind !== undefined) found = found.where('r.kind', '=', kind);
  if (placeId !== undefined)
    found = found.where(
      (eb) =>
        eb.fn.coalesce(
          'r.academy_id',
          'r.course_id',
          sql<string>`r.cohort_id::text`,
          sql<string>`r.community_id::text`,
        ),
      '=',
      placeId,
    );
  const rows = await found
    .select((eb) => [
      'r.id',
      'r.user_id',
      'u.name as user_name',
      'r.role',
      'r.kind',
      sql<string | null>`coalesce(r.academy_id, r.course_id, r.cohort_id::text, r.community_id::text)`.as('place_id'),
      eb.fn.coalesce('a.title', 'c.title', 'm.title').$castTo<LocalizedText | null>().as('title'),
      'h.name',
      'g.name as given_by',
      'r.given_at',
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy('r.given_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: rows[0]?.total ?? 0 };
}

/** Stores an assignment; the id of the new row, or undefined when the person already has the role there. */
export async function insertAssignment(
  db: Db,
  given: { userId: string; role: AssignedRole; kind: PlaceKind; placeId: string | null; givenBy: string },
): Promise<string | undefined> {
  const { userId, role, kind, placeId, givenBy } = given;
  const row = await db
    .insertInto('role_assignments')
    .values({ user_id: userId, role, kind, given_by: givenBy, ...columnsOf(kind, placeId) })
    .onConflict((conflict) => conflict.constraint('role_assignments_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Deletes an assignment and returns it; undefined when the person has none with this id. */
export async function deleteAssignment(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<{ role: string; kind: string; place_id: string | null } | undefined> {
  return await db
    .deleteFrom('role_assignments')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning([
      'role',
      'kind',
      sql<string | null>`coalesce(academy_id, course_id, cohort_id::text, community_id::text)`.as('place_id'),
    ])
    .executeTakeFirst();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a place exists. */
export async function hasPlace(db: Db, kind: PlaceKind, id: string | null): Promise<boolean> {
  if (kind === 'installation') return id === null;
  if (id === null || ((kind === 'cohort' || kind === 'community') && !UUID.test(id))) return false;
  const row = await tableOf(db, kind).where('p.id', '=', id).executeTakeFirst();
  return row !== undefined;
}

type PlaceRow = { id: string; title: LocalizedText | null; name: string | null };

/** The places of a kind, as a query that can be narrowed further. */
function tableOf(db: Db, kind: Exclude<PlaceKind, 'installation'>) {
  const places =
    kind === 'cohort'
      ? sql<PlaceRow>`(select id::text, null::jsonb as title, name from cohorts where deleted_at is null)`
      : sql<PlaceRow>`(select id::text, title, null::text as name from ${sql.table(TABLES[kind])})`;
  return db.selectFrom(places.as('p')).selectAll('p');
}

const TABLES = { academy: 'academies', course: 'courses', community: 'communities' } as const;

/** Places of a kind whose title in any language, or whose name, contains a text. */
export async function findPlaces(
  db: Db,
  kind: Exclude<PlaceKind, 'installation'>,
  { match, limit }: { match: string; limit: number },
): Promise<PlaceRow[]> {
  const pattern = `%${escapeLike(match)}%`;
  return await tableOf(db, kind)
    .where(
      sql<boolean>`(p.name ilike ${pattern} or exists (select from jsonb_each_text(p.title) x where x.value ilike ${pattern}))`,
    )
    .orderBy(sql`coalesce(p.name, p.title->>'en', p.title::text)`)
    .orderBy('p.id')
    .limit(limit)
    .execute();
}

/** Courses in the order of the catalogue; `ids` null: all. */
export async function findReportedCourses(
  db: Db,
  ids: string[] | null,
  limit: number,
): Promise<{ slug: string; title: LocalizedText }[]> {
  return await db
    .selectFrom('courses as c')
    .select((eb) => ['c.slug', eb.ref('c.title').$castTo<LocalizedText>().as('title')])
    .$if(ids !== null, (courses) => courses.where('c.id', '=', sql<string>`any(${ids}::text[])`))
    .orderBy('c.position')
    .orderBy('c.id')
    .limit(limit)
    .execute();
}

/** Cohorts by name; `ids` null: all. */
export async function findReportedCohorts(
  db: Db,
  ids: string[] | null,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom('cohorts')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .where('archived_at', 'is', null)
    .$if(ids !== null, (cohorts) => cohorts.where('id', '=', sql<string>`any(${ids}::uuid[])`))
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}
