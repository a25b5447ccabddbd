// Raw SQL: full joins of drafts with a union of all catalogue tables.
import type { Locale, LocalizedText } from '@officium/contract/common';
import type { LISTED_KINDS, PIECE_SORTS, PIECE_STATES, PieceKind } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { academyOf } from './piece-place.sql.ts';
import type { PieceKey } from './piece.policy.ts';

type State = (typeof PIECE_STATES)[number];
export type ListedRow = {
  kind: (typeof LISTED_KINDS)[number];
  key: string;
  slug: string;
  title: LocalizedText;
  state: State;
  languages: Locale[];
  updatedAt: Date;
};
export type ListFilter = {
  kind?: ListedRow['kind'] | undefined;
  state?: State | undefined;
  language?: Locale | undefined;
  q?: string | undefined;
  sort: (typeof PIECE_SORTS)[number];
  limit: number;
  offset: number;
  /** Only pieces of these academies and courses; null: all. */
  places: { academies: string[]; courses: string[] } | null;
};

const titled = (table: string, kind: string, id: string) =>
  sql.raw(`
  select '${kind}' as kind, t.${id} as key, t.slug, t.title, x.status = 'published' as is_shown, x.updated_at,
    array(select jsonb_object_keys(t.title)) as languages, ${kind === 'course' ? 't.id' : 'null'} as course_id
  from ${table} t join entries x on x.id = t.${id}`);

/**
 * Everything in the catalogue, withdrawn or not. Journeys and lessons have no timestamp, so they use their course's.
 */
const LIVE = sql`
  ${titled('academies', 'academy', 'id')} union all ${titled('courses', 'course', 'id')}
  union all ${titled('communities', 'community', 'entry_id')}
  union all select 'microcourse', t.id, t.slug, t.title, x.status = 'published', x.updated_at,
    array(select b.locale from bodies b where b.microcourse_id = t.id), null
  from microcourses t join entries x on x.id = t.id
  union all select t.kind, t.id, t.slug, t.title, x.status = 'published', x.updated_at,
    array(select jsonb_object_keys(t.title)), null
  from editorials t join entries x on x.id = t.id
  union all select 'journey', t.key::text, t.slug, t.title, t.withdrawn_at is null, x.updated_at,
    array(select jsonb_object_keys(t.title)), t.course_id
  from journeys t join entries x on x.id = t.course_id
  union all select 'lesson', t.key::text, t.slug, t.title, t.withdrawn_at is null, x.updated_at,
    array(select b.locale from bodies b where b.lesson_key = t.key), j.course_id
  from lessons t join journeys j on j.key = t.journey_key join entries x on x.id = j.course_id`;

const STATE = sql`case when l.key is null then 'draft' when not l.is_shown then 'withdrawn'
  when p.draft is not null then 'changed' else 'published' end`;

/** A lesson has the entry of its course. */
const COURSE_OF_DRAFT = sql`case p.kind when 'course' then p.key when 'journey' then p.parent
  when 'lesson' then p.entry_id end`;

/** All pieces. Values of unpublished pieces come from their drafts. */
const PIECES = sql`
  select coalesce(l.kind, p.kind) as kind, coalesce(l.key, p.key) as key, coalesce(l.slug, p.draft->>'slug') as slug,
    coalesce(l.title, p.draft->'title') as title, ${STATE} as state,
    coalesce(l.languages, array(select jsonb_object_keys(coalesce(p.draft->'body', p.draft->'title')))) as languages,
    greatest(l.updated_at, p.changed_at) as "updatedAt", coalesce(l.course_id, ${COURSE_OF_DRAFT}) as course_id
  from (${LIVE}) l full join content_pieces p on p.kind = l.kind and p.key = l.key
  union all
  select 'article', a.slug, a.slug, jsonb_build_object(a.locale, a.title),
    case when a.withdrawn_at is null then 'published' else 'withdrawn' end, array[a.locale], a.updated_at, null
  from articles a`;

/** The condition that piece `i` belongs to one of the places. A draft course belongs to the academy it was begun in. */
const isIn = ({ academies, courses }: NonNullable<ListFilter['places']>) => sql`(i.course_id = any(${courses}::text[])
  or (i.kind = 'academy' and i.key = any(${academies}::text[]))
  or (${academyOf(sql`i.course_id`)}) = any(${academies}::text[]))`;

const TITLE = sql`lower(coalesce(i.title->>'en', (select min(value) from jsonb_each_text(i.title)), i.slug))`;
const ORDERS: Record<ListFilter['sort'], RawBuilder<unknown>> = {
  title: TITLE,
  '-title': sql`${TITLE} desc`,
  updated: sql`i."updatedAt"`,
  '-updated': sql`i."updatedAt" desc`,
  kind: sql`i.kind, ${TITLE}`,
  '-kind': sql`i.kind desc, ${TITLE}`,
};

export async function findPieces(db: Db, filter: ListFilter): Promise<{ rows: ListedRow[]; total: number }> {
  const { kind, state, language, q, sort, limit, offset, places } = filter;
  const conditions: RawBuilder<unknown>[] = [places ? isIn(places) : sql`true`];
  if (kind) conditions.push(sql`i.kind = ${kind}`);
  if (state) conditions.push(sql`i.state = ${state}`);
  if (language) conditions.push(sql`${language} = any(i.languages)`);
  if (q) {
    const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(i.slug ilike ${like}
      or exists (select from jsonb_each_text(i.title) t where t.value ilike ${like}))`);
  }
  const { rows } = await sql<ListedRow & { total: number }>`
    with found as (select * from (${PIECES}) i where ${sql.join(conditions, sql` and `)})
    select i.*, c.total from (select count(*)::int as total from found) c
    left join lateral (select * from found i order by ${ORDERS[sort]}, i.key limit ${limit} offset ${offset}) i on true
    order by ${ORDERS[sort]}, i.key`.execute(db);
  return { rows: rows.filter((row) => row.key !== null), total: rows[0]?.total ?? 0 };
}

export type PartRow = { kind: PieceKind; key: string; slug: string; title: LocalizedText; state: State };

const part = (kind: PieceKind, live: RawBuilder<unknown>, begun: RawBuilder<unknown>) => sql`
  select ${kind} as kind, coalesce(l.key, p.key) as key, coalesce(p.draft->>'slug', l.slug) as slug,
    coalesce(p.draft->'title', l.title) as title, ${STATE} as state, coalesce(l.position, 100000) as position
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
          sql`select key::text, slug, title, withdrawn_at is null as is_shown, position from lessons where journey_key = ${key}::uuid`,
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
