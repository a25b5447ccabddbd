// Raw SQL: the statement of a lesson page is prepared, with numbered values; the page of a course shares its parts.
import type { Locale, LocalizedText } from '@officium/contract/common';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, prepared } from '#server/db/client.ts';
import type { Courses, DB } from '#server/db/schema.ts';
import { anyOfUnseen } from '#server/areas/catalogue/any-of.sql.ts';
import { certificateJson } from '#server/areas/certificates/certificate.repository.ts';
import { validityJson } from '#server/areas/certificates/validity.sql.ts';
import { changesJson } from './change.repository.ts';
import { accessColumns, accessSource } from './course-access.repository.ts';
import type {
  CourseAccessRow,
  ChangesJson,
  CoursePageRow,
  JourneyPart,
  LessonPageRow,
  OutlineRow,
} from './learner.rows.ts';

function outlineJson(journeyKey: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<OutlineRow[]> {
  return sql<OutlineRow[]>`(
    select coalesce(json_agg(json_build_object(
      'sectionKey', section.key, 'heading', coalesce(section.heading, '{}'), 'slug', listed.slug, 'title', listed.title,
      'minutes', listed.minutes, 'mandatory', listed.mandatory, 'completedAt', done.completed_at) order by listed.position, listed.key), '[]')
    from lessons listed
    left join sections section on section.key = listed.section_key
    left join lesson_completions done on done.lesson_key = listed.key and done.user_id = ${userId}
      and done.lapsed_at is null
    where listed.journey_key = ${journeyKey} and listed.withdrawn_at is null)`;
}

/** The part of a journey that course and lesson pages share. */
function journeyJson(journeyKey: RawBuilder<unknown>, learner: RawBuilder<unknown>): RawBuilder<JourneyPart> {
  return sql<JourneyPart>`json_build_object(
    'outline', ${outlineJson(journeyKey, learner)},
    'certificate', ${certificateJson(journeyKey, learner)},
    'validity', ${validityJson(journeyKey, learner)})`;
}

/** Changes of a journey since the learner finished it. */
function changesOf(journeyKey: RawBuilder<unknown>, learner: RawBuilder<unknown>): RawBuilder<ChangesJson | null> {
  return sql<ChangesJson | null>`(
    select ${changesJson(sql`own`)} from journey_enrolments own
    where own.journey_key = ${journeyKey} and own.user_id = ${learner})`;
}

type OfCourse = ExpressionBuilder<DB & { c: Courses }, 'c'>;

/**
 * The contacts of a course. The address of an account is private, so it is left out. A profile is named only while it
 * exists.
 */
const contactsOf = (eb: OfCourse) =>
  jsonArrayFrom(
    eb
      .selectFrom('course_contacts as k')
      .select((contact) => {
        const account = contact.selectFrom('users as u').select('u.id').whereRef('u.email', '=', 'k.email');
        return [
          'k.name',
          'k.role',
          contact
            .case()
            .when(contact.not(contact.exists(account)))
            .then(contact.ref('k.email'))
            .end()
            .as('email'),
          contact
            .selectFrom('users as u')
            .select('u.id')
            .whereRef('u.id', '=', 'k.profile_id')
            .where('u.erased_at', 'is', null)
            .as('profileId'),
        ];
      })
      .whereRef('k.course_id', '=', 'c.id')
      .orderBy('k.position')
      .$narrowType<{ role: LocalizedText }>(),
  );

/** The published academies that hold a course, in their order. The viewer may not see all of them. */
const academiesOf = (eb: OfCourse) =>
  jsonArrayFrom(
    eb
      .selectFrom('academy_courses as m')
      .innerJoin('academies as a', 'a.id', 'm.academy_id')
      .innerJoin('entries as x', 'x.id', 'a.id')
      .select(['a.id', 'a.slug', 'a.title'])
      .whereRef('m.course_id', '=', 'c.id')
      .where('x.status', '=', 'published')
      .orderBy('a.position')
      .orderBy('a.slug')
      .$narrowType<{ title: LocalizedText }>(),
  );

/** The languages in which every lesson of the journeys has a text. */
function wholeLocales(db: Db, journeyKeys: string[]) {
  const whole = db
    .with('written', (cte) =>
      cte
        .selectFrom('bodies as b')
        .innerJoin('lessons as l', 'l.key', 'b.lesson_key')
        .select(['b.locale', 'b.lesson_key'])
        .where('l.journey_key', '=', anyOfUnseen(journeyKeys, 'uuid'))
        .where('l.withdrawn_at', 'is', null),
    )
    .selectFrom('written')
    .select('written.locale')
    .groupBy('written.locale')
    .having((eb) =>
      eb(
        eb.fn.countAll(),
        '=',
        eb.selectFrom('written').select((written) => written.fn.count('lesson_key').distinct().as('lessons')),
      ),
    );
  return db
    .selectFrom(whole.as('whole'))
    .select(({ ref }) => {
      const locale = ref('whole.locale');
      return sql<Locale[]>`coalesce(json_agg(${locale} order by ${locale}), '[]')`.as('locales');
    })
    .$asScalar()
    .$notNull();
}

/** One value for each of the journeys, by its key. */
const byJourney = <Value>(db: Db, journeyKeys: string[], value: RawBuilder<Value>) =>
  db
    .selectFrom('journeys as j')
    .select(({ ref }) =>
      sql<Record<string, Value>>`coalesce(json_object_agg(${ref('j.key')}, ${value}), '{}')`.as('values'),
    )
    .where('j.key', '=', anyOfUnseen(journeyKeys, 'uuid'))
    .$asScalar()
    .$notNull();

/** The content of a course page, without the access to it. Journeys by key. */
export async function getCoursePage(
  db: Db,
  { courseId, journeyKeys, userId }: { courseId: string; journeyKeys: string[]; userId: string },
): Promise<CoursePageRow | undefined> {
  const learner = sql`${userId}::uuid`;
  return await db
    .selectFrom('courses as c')
    .leftJoin('content_assets as f', 'f.path', 'c.cover')
    .select((eb) => [
      'c.summary',
      'c.topics',
      'f.key as cover_key',
      'c.cover_alt',
      contactsOf(eb).as('contacts'),
      academiesOf(eb).as('academies'),
      wholeLocales(db, journeyKeys).as('locales'),
      byJourney(db, journeyKeys, journeyJson(sql.ref('j.key'), learner)).as('journeys'),
      byJourney(db, journeyKeys, changesOf(sql.ref('j.key'), learner)).as('changes'),
    ])
    .where('c.id', '=', courseId)
    .$narrowType<Pick<CoursePageRow, 'summary' | 'cover_alt' | 'topics'>>()
    .executeTakeFirst();
}

/** A learner's attempts at an assessment. An attempt whose time is up is not open, even before a job ends it. */
const attemptsJson = (lessonKey: RawBuilder<unknown>, learner: RawBuilder<unknown>) => sql`(
  select json_build_object('used', count(*), 'best', max(a.score), 'passed', coalesce(bool_or(a.passed), false),
    'last', max(a.id::text), 'waits', coalesce(bool_or(a.submitted_at is not null and a.passed is null), false),
    'extraTime', (select own.extra_time from lessons timed
      join journey_enrolments own on own.journey_key = timed.journey_key
      where timed.key = ${lessonKey} and own.user_id = ${learner}),
    'open', max(a.id::text) filter (where a.submitted_at is null and (a.due_at is null or a.due_at > now())))
  from assessment_attempts a where a.lesson_key = ${lessonKey} and a.user_id = ${learner}
    and a.lapsed_at is null)`;

/** The access of each learner to each journey of a course. The row of the requested journey also has the lesson page. */
export type LessonRow = CourseAccessRow & LessonPageRow & { learner: string };

const LEARNER = sql.raw('v.id');

// The ids come from a subquery, so that one generic plan serves any number of learners.
const LESSON = prepared<LessonRow>(
  () => sql<LessonRow>`
    select v.id as learner, ${accessColumns(LEARNER)},
      l.id, l.slug, l.title, l.minutes, l.mandatory, l.discussion, b.html, b.headings, b.locale as shown_locale,
      l.assessment, coalesce(jsonb_array_length(b.questions), 0) + case when (l.assessment ->> 'bank')::boolean then coalesce(
        (select jsonb_array_length(q.questions) from course_questions q where q.course_id = c.id and q.locale = b.locale), 0)
        else 0 end as questions,
      case when l.assessment is not null then ${attemptsJson(sql.ref('l.key'), LEARNER)} end as attempts,
      (select coalesce(json_agg(o.locale order by o.locale), '[]') from bodies o where o.lesson_key = l.key) as locales,
      (select coalesce(json_agg(f.key), '[]') from content_assets f where f.entry_id = c.id) as asset_keys,
      (select a.id from activities a where a.lesson_key = l.key and a.deleted_at is null order by a.id limit 1)
        as activity_id,
      ${outlineJson(sql.ref('l.journey_key'), LEARNER)} as outline,
      ${certificateJson(sql.ref('l.journey_key'), LEARNER)} as certificate,
      ${validityJson(sql.ref('l.journey_key'), LEARNER)} as validity
    from unnest((select $1::uuid[])) v(id) cross join ${accessSource(LEARNER, sql.raw('j.slug = $3 and l.slug = $4'))}
    left join lateral (
      select o.html, o.headings, o.locale, o.questions from bodies o where o.lesson_key = l.key
      order by array_position($5::text[], o.locale) nulls last, o.locale
      limit 1) b on true
    where c.slug = $2
    order by j.position, j.key`,
);

/**
 * A lesson with its text in the first available language of `chain`, else in any, with its journey and the access of each
 * learner, in one query. The caller checks the access.
 */
export async function findLesson(
  db: Db,
  ref: { course: string; journey: string; lesson: string },
  { chain, learners }: { chain: Locale[]; learners: string[] },
): Promise<LessonRow[]> {
  return await LESSON(db, [learners, ref.course, ref.journey, ref.lesson, chain]);
}
