// Raw SQL: full joins of drafts with the catalogue.
import type { LocalizedText } from '@officium/contract/common';
import type { PIECE_STATES, PieceKind } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { STATE } from './piece-list.sql.ts';
import { academyOf } from './piece-place.sql.ts';
import type { PieceKey } from './piece.policy.ts';

type State = (typeof PIECE_STATES)[number];
export type PartRow = {
  kind: PieceKind;
  key: string;
  slug: string;
  title: LocalizedText;
  state: State;
  minutes?: number;
  mandatory?: boolean;
};

const OF_LESSON = sql`, coalesce((p.draft->>'minutes')::int, l.minutes) as minutes,
  coalesce((p.draft->>'mandatory')::boolean, l.mandatory) as mandatory`;

const part = (kind: PieceKind, live: RawBuilder<unknown>, begun: RawBuilder<unknown>) => sql`
  select ${kind} as kind, coalesce(l.key, p.key) as key, coalesce(p.draft->>'slug', l.slug) as slug,
    coalesce(p.draft->'title', l.title) as title, ${STATE} as state, coalesce(l.position, 100000) as position${kind === 'lesson' ? OF_LESSON : sql``}
  from (${live}) l full join (select * from content_pieces p where p.kind = ${kind} and ${begun}) p on p.key = l.key`;

/** Returns the parts of a course or journey: published ones in their order, then drafts. */
export async function findParts(db: Db, { kind, key }: PieceKey): Promise<PartRow[]> {
  if (kind !== 'course' && kind !== 'journey') return [];
  const begun = sql`p.parent = ${key}`;
  const found =
    kind === 'course'
      ? part(
          'journey',
          sql`select key::text, slug, title, withdrawn_at is null as is_shown, position from journeys where course_id = ${key}`,
          begun,
        )
      : part(
          'lesson',
          sql`select key::text, slug, title, withdrawn_at is null as is_shown, position, minutes, mandatory from lessons where journey_key = ${key}::uuid`,
          begun,
        );
  const { rows } = await sql<PartRow>`select * from (${found}) i order by i.position, i.key`.execute(db);
  return rows;
}

/** Returns the parents of a journey or lesson, the course first. */
export async function findParents(db: Db, { kind, key }: PieceKey, parent: string | null): Promise<PartRow[]> {
  if (parent === null || key === '') return [];
  const course = (id: RawBuilder<unknown>) =>
    part(
      'course',
      sql`select t.id as key, t.slug, t.title, x.status = 'published' as is_shown, 0 as position
      from courses t join entries x on x.id = t.id where t.id = ${id}`,
      sql`p.key = ${id}`,
    );
  if (kind === 'journey') {
    const { rows } = await sql<PartRow>`${course(sql`${parent}`)}`.execute(db);
    return rows;
  }
  const courseId = sql`coalesce((select j.course_id from journeys j where j.key = ${parent}::uuid),
    (select q.parent from content_pieces q where q.kind = 'journey' and q.key = ${parent}))`;
  const journey = part(
    'journey',
    sql`select key::text, slug, title, withdrawn_at is null as is_shown, 1 as position
    from journeys where key = ${parent}::uuid`,
    sql`p.key = ${parent}`,
  );
  const { rows } = await sql<PartRow>`
    select * from (${course(courseId)} union all ${journey}) i order by i.kind`.execute(db);
  return rows;
}

/** Returns all courses that an academy can include. */
export async function findAllCourses(db: Db): Promise<PartRow[]> {
  const live = sql`select t.id as key, t.slug, t.title, x.status = 'published' as is_shown, t.position
    from courses t join entries x on x.id = t.id`;
  const { rows } = await sql<PartRow>`
    select * from (${part('course', live, sql`true`)}) i where i.state <> 'draft' order by i.position, i.key`.execute(
    db,
  );
  return rows;
}

/** Returns the courses of an academy in order, then those begun in it. */
export async function findCoursesOf(db: Db, academyId: string): Promise<PartRow[]> {
  const live = sql`select t.id as key, t.slug, t.title, x.status = 'published' as is_shown, m.position
    from academy_courses m join courses t on t.id = m.course_id join entries x on x.id = t.id
    where m.academy_id = ${academyId}`;
  const begun = sql`(p.key in (select m.course_id from academy_courses m where m.academy_id = ${academyId})
    or (${academyOf(sql`p.key`)}) = ${academyId})`;
  const { rows } = await sql<PartRow>`
    select * from (${part('course', live, begun)}) i order by i.position, i.key`.execute(db);
  return rows;
}
