import type { LocalizedText } from '@officium/contract/common';
import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { Db } from '#server/db/client.ts';
import { comingDay } from '#server/db/cohort-days.sql.ts';
import type { DB } from '#server/db/schema.ts';

export type AssignedRow = {
  kind: 'journey' | 'microcourse';
  /** Identifies what is to be taken: several cohorts may ask for it. */
  key: string;
  slug: string;
  title: LocalizedText;
  course_slug: string | null;
  course_title: LocalizedText | null;
  cover_key: string | null;
  cover_alt: LocalizedText;
  minutes: number;
  cohort_name: string;
  begins_on: string | null;
  due_on: string | null;
};

/** A column of texts by language: the generated types do not narrow JSON. */
const text = (column: ExpressionWrapper<DB, never, unknown>) => column.$castTo<LocalizedText>();

/** The products of a person's current cohorts, the earliest due date first. */
function wantedOf(db: Kysely<DB>, userId: string) {
  return db
    .selectFrom('cohort_members as m')
    .innerJoin('cohorts as k', 'k.id', 'm.cohort_id')
    .innerJoin('cohort_products as p', 'p.cohort_id', 'm.cohort_id')
    .where('m.user_id', '=', userId)
    .where('k.archived_at', 'is', null)
    .where('k.deleted_at', 'is', null)
    .select((eb) => [
      'k.name as cohort_name',
      comingDay(eb.ref('k.begins_on')).as('begins_on'),
      eb.cast<string | null>('p.due_on', 'text').as('due_on'),
    ])
    .orderBy('p.due_on', (by) => by.asc().nullsLast())
    .orderBy('p.position')
    .orderBy('k.id');
}

const mandatoryMinutes = (eb: ExpressionBuilder<DB & { j: DB['journeys'] }, 'j'>) =>
  eb
    .selectFrom('lessons as l')
    .select((l) => l.fn.coalesce(l.fn.sum<number>('l.minutes'), l.lit(0)).as('minutes'))
    .whereRef('l.journey_key', '=', 'j.key')
    .where('l.mandatory', '=', true)
    .where('l.withdrawn_at', 'is', null);

/** The journeys that a person's cohorts ask for, in the courses open to the session, without an enrolment of theirs. */
export async function findAssignedJourneys(
  db: Db,
  { userId, open }: { userId: string; open: string[] | null },
): Promise<AssignedRow[]> {
  return await wantedOf(db, userId)
    .innerJoin('journeys as j', (on) =>
      on.on((eb) => eb.or([eb('j.entry_id', '=', eb.ref('p.entry_id')), eb('j.course_id', '=', eb.ref('p.entry_id'))])),
    )
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .leftJoin('content_assets as f', 'f.path', 'c.cover')
    .where(sql<boolean>`${IS_PUBLISHED_JOURNEY}`)
    .where(isOpenSlug('c.slug', open))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('journey_enrolments as e')
            .select('e.id')
            .where('e.user_id', '=', userId)
            .whereRef('e.journey_key', '=', 'j.key'),
        ),
      ),
    )
    .select((eb) => [
      eb.val<'journey'>('journey').as('kind'),
      'j.key',
      'j.slug',
      text(eb.ref('j.title')).as('title'),
      'c.slug as course_slug',
      text(eb.ref('c.title')).as('course_title'),
      'f.key as cover_key',
      text(eb.ref('c.cover_alt')).as('cover_alt'),
      eb.cast<number>(mandatoryMinutes(eb), 'integer').as('minutes'),
    ])
    .execute();
}

/** The published microcourses that a person's cohorts ask for and the person has not completed. */
export async function findAssignedMicrocourses(db: Db, userId: string): Promise<AssignedRow[]> {
  return await wantedOf(db, userId)
    .innerJoin('microcourses as t', 't.id', 'p.entry_id')
    .innerJoin('entries as y', 'y.id', 't.id')
    .leftJoin('content_assets as f', 'f.path', 't.cover')
    .where('y.status', '=', 'published')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('microcourse_completions as d')
            .select('d.user_id')
            .where('d.user_id', '=', userId)
            .whereRef('d.microcourse_id', '=', 't.id'),
        ),
      ),
    )
    .select((eb) => [
      eb.val<'microcourse'>('microcourse').as('kind'),
      't.id as key',
      't.slug',
      text(eb.ref('t.title')).as('title'),
      eb.cast<string | null>(eb.val(null), 'text').as('course_slug'),
      sql<LocalizedText | null>`null::jsonb`.as('course_title'),
      'f.key as cover_key',
      text(eb.ref('t.cover_alt')).as('cover_alt'),
      't.minutes',
    ])
    .execute();
}
