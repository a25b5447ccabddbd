// Raw SQL: JSON that several statements share, and the prepared statement of `findCurrentJourneys`, which every search and
// unread count runs.
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { newId, runPrepared, type Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';
import { certificateJson } from '#server/areas/certificates/certificate.repository.ts';
import { validityJson } from '#server/areas/certificates/validity.sql.ts';
import { evaluationState } from './evaluation.repository.ts';
import { changesJson } from './change.repository.ts';
import type { EnrolmentRow, JourneyStatus } from './learner.rows.ts';
import { progressJson } from './progress.repository.ts';

const NOW = sql<Date>`now()`;

/** An enrolment `e` with its journey `j` and course `c`. */
type FromEnrolment = ExpressionBuilder<
  DB & { e: DB['journey_enrolments']; j: DB['journeys']; c: DB['courses'] },
  'e' | 'j' | 'c'
>;

/** The earliest date by which a cohort of the learner wants the journey or its course completed. */
const dueOn = (eb: FromEnrolment) =>
  eb
    .selectFrom('cohort_members as m')
    .innerJoin('cohort_products as p', 'p.cohort_id', 'm.cohort_id')
    .select(({ cast, fn }) => cast<string>(fn.min('p.due_on'), 'text').as('due_on'))
    .whereRef('m.user_id', '=', 'e.user_id')
    .where((on) => on('p.entry_id', 'in', [on.ref('j.entry_id'), on.ref('c.id')]));

/** The first lesson that the learner has not completed, mandatory ones first. */
const firstOpenLesson = (eb: FromEnrolment) =>
  eb
    .selectFrom('lessons as l')
    .select((l) =>
      sql`json_build_object('slug', ${l.ref('l.slug')}, 'title', ${l.ref('l.title')}, 'minutes', ${l.ref('l.minutes')})`.as(
        'lesson',
      ),
    )
    .whereRef('l.journey_key', '=', 'e.journey_key')
    .where('l.withdrawn_at', 'is', null)
    .where((l) =>
      l.not(
        l.exists(
          l
            .selectFrom('lesson_completions as d')
            .select('d.id')
            .whereRef('d.lesson_key', '=', 'l.key')
            .whereRef('d.user_id', '=', 'e.user_id')
            .where('d.lapsed_at', 'is', null),
        ),
      ),
    )
    .orderBy('l.mandatory', 'desc')
    .orderBy('l.position')
    .limit(1);

/** The lesson to go on with; null without a current enrolment in a published journey. */
const nextLesson = (eb: FromEnrolment) =>
  eb
    .case()
    .when(
      eb.and([
        eb(eb.fn('enrolment_status', ['e.status', 'e.expires_on']), '=', 'enrolled'),
        sql<SqlBool>`${IS_PUBLISHED_JOURNEY}`,
      ]),
    )
    .then(firstOpenLesson(eb))
    .end();

/** The last completion of a lesson, else the enrolment. */
const lastActivityAt = (eb: FromEnrolment) =>
  eb.fn<Date>('greatest', [
    'e.created_at',
    eb
      .selectFrom('lesson_completions as d')
      .innerJoin('lessons as l', 'l.key', 'd.lesson_key')
      .select(({ fn }) => fn.max('d.completed_at').as('completed_at'))
      .whereRef('l.journey_key', '=', 'e.journey_key')
      .whereRef('d.user_id', '=', 'e.user_id'),
  ]);

/** A learner's enrolments in the courses open to the viewer, newest first; of one course or journey when given. */
export async function findEnrolments(
  db: Db,
  {
    userId,
    open,
    courseSlug,
    journeyKey,
  }: { userId: string; open: string[] | null; courseSlug?: string; journeyKey?: string },
): Promise<EnrolmentRow[]> {
  const [journey, learner] = [sql.ref('e.journey_key'), sql.ref('e.user_id')];
  return await db
    .selectFrom('journey_enrolments as e')
    .innerJoin('journeys as j', 'j.key', 'e.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .leftJoin('content_assets as f', 'f.path', 'c.cover')
    .select([
      'e.id',
      'e.locale',
      'e.expires_on',
      'e.completed_at',
      'e.metadata',
      'e.created_at',
      'e.updated_at',
      'c.id as course_id',
      'c.slug as course_slug',
      'c.title as course_title',
      'f.key as cover_key',
      'c.cover_alt',
      'j.key as journey_key',
      'j.id as journey_id',
      'j.slug as journey_slug',
      'j.title as journey_title',
    ])
    .select((eb) => [
      eb.fn<JourneyStatus>('enrolment_status', ['e.status', 'e.expires_on']).as('status'),
      dueOn(eb).as('due_on'),
      sql<boolean>`not ${IS_PUBLISHED_JOURNEY}`.as('is_withdrawn'),
      progressJson(journey, learner).as('progress'),
      certificateJson(journey, learner).as('certificate'),
      validityJson(journey, learner).as('validity'),
      changesJson(sql`e`).as('changes'),
      evaluationState().as('evaluation'),
      nextLesson(eb).as('next_lesson'),
      lastActivityAt(eb).as('last_activity_at'),
    ])
    .where('e.user_id', '=', userId)
    .where(isOpenSlug('c.slug', open))
    .$if(courseSlug !== undefined, (query) => query.where('c.slug', '=', courseSlug!)) // checked just before
    .$if(journeyKey !== undefined, (query) => query.where('e.journey_key', '=', journeyKey!)) // checked just before
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .$castTo<EnrolmentRow>() // the columns of JSON have narrower types than the schema knows
    .execute();
}

/** Enrols without an end date, or revives the enrolment. A current enrolment stays as it is. */
export async function enrol(
  db: Db,
  { userId, journeyKey, locale }: { userId: string; journeyKey: string; locale: string },
): Promise<void> {
  await db
    .insertInto('journey_enrolments')
    .values({ id: newId(), user_id: userId, journey_key: journeyKey, locale, status: 'enrolled' })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'journey_key'])
        .doUpdateSet((eb) => ({
          status: 'enrolled',
          expires_on: null,
          cohort_id: null,
          locale: eb.ref('excluded.locale'),
          updated_at: NOW,
        }))
        .where(
          (eb) => eb.fn('enrolment_status', ['journey_enrolments.status', 'journey_enrolments.expires_on']),
          '<>',
          'enrolled',
        ),
    )
    .execute();
}

export type LockedEnrolment = {
  id: string;
  status: JourneyStatus;
  completed_at: Date | null;
  renewal_begun_at: Date | null;
  renewal_completed_at: Date | null;
};

/** Locks an enrolment until the transaction ends, so that concurrent requests count its completions one at a time. */
export async function lockEnrolment(
  db: Db,
  { userId, journeyKey }: { userId: string; journeyKey: string },
): Promise<LockedEnrolment | undefined> {
  return await db
    .selectFrom('journey_enrolments')
    .select((eb) => [
      'id',
      eb.fn<JourneyStatus>('enrolment_status', ['status', 'expires_on']).as('status'),
      'completed_at',
      'renewal_begun_at',
      'renewal_completed_at',
    ])
    .where('user_id', '=', userId)
    .where('journey_key', '=', journeyKey)
    .forUpdate()
    .executeTakeFirst();
}

/** Completes a journey permanently, at this revision. */
export async function markCompleted(db: Db, enrolmentId: string, revision: number): Promise<void> {
  await sql`select complete_journey(${enrolmentId}::uuid, ${revision}::integer)`.execute(db);
}

/** The published journeys in which a user is enrolled now. */
export async function findCurrentJourneys(
  db: Db,
  userId: string,
): Promise<{ journeyKey: string; course: { slug: string } }[]> {
  return await runPrepared(
    db,
    sql<{ journeyKey: string; course: { slug: string } }>`
      select j.key as "journeyKey", json_build_object('slug', c.slug) as course
      from journey_enrolments e
      join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
      join courses c on c.id = j.course_id
      where e.user_id = ${userId} and enrolment_status(e.status, e.expires_on) = 'enrolled'`,
  );
}
