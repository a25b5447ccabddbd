import type { Locale, LocalizedText } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import type { JourneyHold } from './catalogue.policy.ts';

export type JourneyFacts = JourneyHold & {
  minutes: number;
  lessons: number;
  /** How many of the lessons have a text, by locale. */
  written: Partial<Record<Locale, number>>;
};

type Covered = { cover_key: string | null; cover_alt: LocalizedText };
type Scoped = { can_view: Scope; can_join: Scope };

export type CourseFactsRow = Covered &
  Scoped & {
    id: string;
    slug: string;
    type: 'Public' | 'Private';
    /** An administrator has set its scopes. */
    is_set: boolean;
    title: LocalizedText;
    summary: LocalizedText;
    human_translation: boolean;
    journeys: JourneyFacts[];
  };

/** Of a journey whose product, if it has one, is `q`. */
export const scopesOfJourney = sql`
  case when q.entry_id is not null then jsonb_build_object('canView', q.can_view, 'canJoin', q.can_join,
    'isSet', q.is_set) end`;

/** Those of these slugs or ids; undefined: all. */
export type NamedBy = { by: 'slug' | 'id'; values: string[] } | undefined;
const isNamed = (named: NamedBy, alias: string): RawBuilder<unknown> =>
  named === undefined ? sql`true` : sql`${sql.ref(`${alias}.${named.by}`)} = any(${named.values}::text[])`;
type Asked = { userId: string; named?: NamedBy };

/**
 * Published courses with what the viewer holds of their journeys. A cohort that has the course or a journey as its
 * product makes the journey `granted`. Lessons are counted journey by journey, by index: counted all at once, a database
 * without statistics counts them anew for every course.
 */
export async function findCourseFacts(db: Db, { userId, named }: Asked): Promise<CourseFactsRow[]> {
  const { rows } = await sql<CourseFactsRow>`
    select c.id, c.slug, c.type, c.title, c.summary, c.human_translation, f.key as cover_key, c.cover_alt,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      coalesce(p.is_set, false) as is_set,
      coalesce(j.journeys, '[]') as journeys
    from courses c
    join entries x on x.id = c.id and x.status = 'published'
    left join products p on p.entry_id = c.id
    left join content_assets f on f.path = c.cover
    left join lateral (
      select jsonb_agg(jsonb_build_object('privacy', j.privacy, 'scopes', ${scopesOfJourney},
        'granted', is_granted(${userId}, c.id) or coalesce(is_granted(${userId}, j.entry_id), false),
        'enrolled', coalesce(enrolment_status(e.status, e.expires_on) = 'enrolled', false),
        'minutes', coalesce(n.minutes, 0), 'lessons', n.lessons, 'written', coalesce(w.written, '{}'))) as journeys
      from journeys j
      left join entries y on y.id = j.entry_id
      left join products q on q.entry_id = j.entry_id
      cross join lateral (
        select count(*)::int as lessons, sum(l.minutes)::int as minutes
        from lessons l where l.journey_key = j.key and l.withdrawn_at is null) n
      cross join lateral (
        select jsonb_object_agg(t.locale, t.texts) as written from (
          select b.locale, count(*)::int as texts from lessons l join bodies b on b.lesson_key = l.key
          where l.journey_key = j.key and l.withdrawn_at is null group by b.locale) t) w
      left join journey_enrolments e on e.journey_key = j.key and e.user_id = ${userId}
      where j.course_id = c.id and j.withdrawn_at is null and coalesce(y.status = 'published', true)) j on true
    where ${isNamed(named, 'c')}
    order by c.position, c.slug`.execute(db);
  return rows;
}

export type AcademyFactsRow = Covered &
  Scoped & {
    id: string;
    slug: string;
    title: LocalizedText;
    description: LocalizedText;
    course_ids: string[];
    is_member: boolean;
    /** By a cohort whose product it is. */
    is_granted: boolean;
    members: number;
  };

export async function findAcademyFacts(db: Db, { userId, named }: Asked): Promise<AcademyFactsRow[]> {
  const { rows } = await sql<AcademyFactsRow>`
    select a.id, a.slug, a.title, a.description, f.key as cover_key, a.cover_alt,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      coalesce((select jsonb_agg(m.course_id order by m.position) from academy_courses m where m.academy_id = a.id), '[]') as course_ids,
      exists (select 1 from academy_members m where m.academy_id = a.id and m.user_id = ${userId}) as is_member,
      is_granted(${userId}, a.id) as is_granted,
      (select count(*) from academy_members m where m.academy_id = a.id)::int as members
    from academies a
    join entries x on x.id = a.id and x.status = 'published'
    left join products p on p.entry_id = a.id
    left join content_assets f on f.path = a.cover
    where ${isNamed(named, 'a')}
    order by a.position, a.slug`.execute(db);
  return rows;
}

export type MicrocourseFactsRow = Covered &
  Scoped & {
    id: string;
    slug: string;
    title: LocalizedText;
    summary: LocalizedText;
    minutes: number;
    human_translation: boolean;
    locales: Locale[];
    is_granted: boolean;
  };

export async function findMicrocourseFacts(db: Db, { userId, named }: Asked): Promise<MicrocourseFactsRow[]> {
  const { rows } = await sql<MicrocourseFactsRow>`
    select m.id, m.slug, m.title, m.summary, m.minutes, m.human_translation, f.key as cover_key, m.cover_alt,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      coalesce((select jsonb_agg(b.locale order by b.locale) from bodies b where b.microcourse_id = m.id), '[]') as locales,
      is_granted(${userId}, m.id) as is_granted
    from microcourses m
    join entries x on x.id = m.id and x.status = 'published'
    left join products p on p.entry_id = m.id
    left join content_assets f on f.path = m.cover
    where ${isNamed(named, 'm')}
    order by m.position, m.slug`.execute(db);
  return rows;
}

export type MicrocourseBodyRow = {
  locale: Locale;
  title: string | null;
  html: string;
  headings: { level: number; id: string; text: string }[];
};

/** Its text in the first language of `chain` there is one in, else in any. */
export async function getMicrocourseBody(
  db: Db,
  { id, chain }: { id: string; chain: Locale[] },
): Promise<MicrocourseBodyRow | undefined> {
  const { rows } = await sql<MicrocourseBodyRow>`
    select locale, title, html, headings from bodies where microcourse_id = ${id}
    order by array_position(${chain}::text[], locale) nulls last, locale limit 1`.execute(db);
  return rows[0];
}

export async function insertAcademyMember(
  db: Db,
  { academyId, userId }: { academyId: string; userId: string },
): Promise<void> {
  await sql`insert into academy_members (academy_id, user_id) values (${academyId}, ${userId}) on conflict do nothing`.execute(
    db,
  );
}
