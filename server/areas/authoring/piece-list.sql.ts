import { type RawBuilder, sql } from 'kysely';
import { academyOf } from './piece-place.sql.ts';

const titled = (table: string, kind: string, id: string) =>
  sql.raw(`
  select '${kind}' as kind, t.${id} as key, t.slug, t.title, x.status = 'published' as is_shown, x.updated_at,
    array(select jsonb_object_keys(t.title)) as languages, ${kind === 'course' ? 't.id' : 'null'} as course_id,
    null as journey_key, null::integer as position
  from ${table} t join entries x on x.id = t.${id}`);

/**
 * Everything in the catalogue, withdrawn or not. Journeys and lessons have no timestamp, so they use their course's.
 */
const LIVE = sql`
  ${titled('academies', 'academy', 'id')} union all ${titled('courses', 'course', 'id')}
  union all ${titled('communities', 'community', 'entry_id')}
  union all select 'microcourse', t.id, t.slug, t.title, x.status = 'published', x.updated_at,
    array(select b.locale from bodies b where b.microcourse_id = t.id), null, null, null
  from microcourses t join entries x on x.id = t.id
  union all select t.kind, t.id, t.slug, t.title, x.status = 'published', x.updated_at,
    array(select jsonb_object_keys(t.title)), null, null, null
  from editorials t join entries x on x.id = t.id
  union all select 'journey', t.key::text, t.slug, t.title, t.withdrawn_at is null, x.updated_at,
    array(select jsonb_object_keys(t.title)), t.course_id, null, t.position
  from journeys t join entries x on x.id = t.course_id
  union all select 'lesson', t.key::text, t.slug, t.title, t.withdrawn_at is null, x.updated_at,
    array(select b.locale from bodies b where b.lesson_key = t.key), j.course_id, j.key::text, null
  from lessons t join journeys j on j.key = t.journey_key join entries x on x.id = j.course_id`;

/** The state of a draft `p` and live piece `l`. */
export const STATE = sql`case when l.key is null then 'draft' when not l.is_shown then 'withdrawn'
  when p.draft is not null then 'changed' else 'published' end`;

/** A lesson has the entry of its course. */
const COURSE_OF_DRAFT = sql`case p.kind when 'course' then p.key when 'journey' then p.parent
  when 'lesson' then p.entry_id end`;

/** The languages of a draft. The text of a course is its question bank, which readers do not see. */
const DRAFTED = sql`array(select jsonb_object_keys(coalesce(
  case when p.kind <> 'course' then p.draft->'body' end, p.draft->'title')))`;

/** All pieces. Values of unpublished pieces come from their drafts. */
export const PIECES = sql`
  select coalesce(l.kind, p.kind) as kind, coalesce(l.key, p.key) as key, coalesce(l.slug, p.draft->>'slug') as slug,
    coalesce(l.title, p.draft->'title') as title, ${STATE} as state,
    coalesce(l.languages, ${DRAFTED}) as languages,
    greatest(l.updated_at, p.changed_at) as "updatedAt", coalesce(l.course_id, ${COURSE_OF_DRAFT}) as course_id,
    coalesce(l.journey_key, case p.kind when 'lesson' then p.parent end) as journey_key, l.position,
    ${DRAFTED} as drafted
  from (${LIVE}) l full join content_pieces p on p.kind = l.kind and p.key = l.key
  union all
  select 'article', a.slug, a.slug, jsonb_build_object(a.locale, a.title),
    case when a.withdrawn_at is null then 'published' else 'withdrawn' end, array[a.locale], a.updated_at,
    null, null, null, array[]::text[]
  from articles a`;

/** Which pieces the viewer reads; null: all. */
export type Places = { academies: string[]; courses: string[] } | null;

/** The condition that piece `i` belongs to one of the places. A draft course belongs to the academy it was begun in. */
export const isIn = (places: Places): RawBuilder<unknown> =>
  places === null
    ? sql`true`
    : sql`(i.course_id = any(${places.courses}::text[])
      or (i.kind = 'academy' and i.key = any(${places.academies}::text[]))
      or (${academyOf(sql`i.course_id`)}) = any(${places.academies}::text[]))`;

/** The academies of courses, with those of courses that were begun in one and are not published yet. */
const IN_ACADEMY = sql`
  select m.academy_id, m.course_id, m.position from academy_courses m
  union
  select b.academy_id, b.key, 100000 from content_pieces b
    where b.kind = 'course' and b.academy_id is not null and not exists (select from courses c where c.id = b.key)`;

/** Lessons in the outlines of journeys: in that of the draft, else in the published one. */
const OUTLINE = sql`
  select p.key as journey_key, l.key, s.nth as number, l.nth, s.value->'heading' as heading
  from content_pieces p
  cross join jsonb_array_elements(p.draft->'sections') with ordinality s (value, nth)
  cross join jsonb_array_elements_text(s.value->'lessons') with ordinality l (key, nth)
  where p.kind = 'journey' and p.draft is not null and 'journey:' || p.key = any(select unnest from open)
  union all
  select l.journey_key::text, l.key::text, s.position + 1, l.position + 1, s.heading
  from unnest(array(select substr(unnest, 9)::uuid from open where unnest like 'journey:%')) j (key)
  join lessons l on l.journey_key = j.key join sections s on s.key = l.section_key
  where not exists (select from content_pieces p where p.kind = 'journey' and p.key = j.key::text and p.draft is not null)`;

const isAcademyIn = (places: Places) =>
  places === null ? sql`true` : sql`m.academy_id = any(${places.academies}::text[])`;

/** The place of each piece: its parent, their rank below it and their section. The highest kinds have no parent. */
export function placedUnder(under: readonly string[], places: Places): RawBuilder<unknown> {
  if (under[0] === 'top')
    return sql`placed as (
      select i.kind, i.key, 'top' as under, null::jsonb as section,
        case i.kind when 'academy' then '1' when 'course' then '2' else '3' || i.kind || ' ' end || ${TITLE} as rank
      from pieces i where i.kind not in ('journey', 'lesson') and not (i.kind = 'course' and exists (
        select from (${IN_ACADEMY}) m where m.course_id = i.key and ${isAcademyIn(places)})))`;
  return sql`open as (select unnest(${[...under]}::text[])),
    placed as (
      select 'course' as kind, m.course_id as key, 'academy:' || m.academy_id as under, null::jsonb as section,
        lpad(m.position::text, 6, '0') as rank
      from (${IN_ACADEMY}) m where 'academy:' || m.academy_id = any(select unnest from open)
      union all
      select i.kind, i.key, 'course:' || i.course_id, null, lpad(coalesce(i.position, 100000)::text, 6, '0')
      from pieces i where i.kind = 'journey' and 'course:' || i.course_id = any(select unnest from open)
      union all
      select i.kind, i.key, 'journey:' || i.journey_key,
        case when o.key is not null then jsonb_build_object('number', o.number, 'heading', o.heading) end,
        case when o.key is null then '999' else lpad(o.number::text, 3, '0') || lpad(o.nth::text, 6, '0') end
      from pieces i left join (${OUTLINE}) o on o.key = i.key and o.journey_key = i.journey_key
      where i.kind = 'lesson' and 'journey:' || i.journey_key = any(select unnest from open))`;
}

export const TITLE = sql`lower(coalesce(i.title->>'en', (select min(value) from jsonb_each_text(i.title)), i.slug))`;

/** The number of direct parts of pieces. */
export const PART_COUNTS = sql`
  select 'academy' as kind, m.academy_id as key, count(*)::int as parts from (${IN_ACADEMY}) m group by m.academy_id
  union all
  select 'course', i.course_id, count(*)::int from pieces i where i.kind = 'journey' group by i.course_id
  union all
  select 'journey', i.journey_key, count(*)::int from pieces i where i.kind = 'lesson' group by i.journey_key`;
