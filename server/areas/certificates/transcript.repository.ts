import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { JourneyStatus } from '#server/areas/learner/learner.rows.ts';
import { progressJson } from '#server/areas/learner/progress.repository.ts';
import { type Db, NOW } from '#server/db/client.ts';

/** The enrolments `e` and current certificates `t` of a person, with the journey `j` and course `c` of each. */
function heldBy(db: Db, userId: string) {
  return db
    .selectFrom((eb) => eb.selectFrom('journey_enrolments').selectAll().where('user_id', '=', userId).as('e'))
    .fullJoin(
      (eb) =>
        eb
          .selectFrom('certificates')
          .selectAll()
          .where('user_id', '=', userId)
          .where('replaced_by', 'is', null)
          .as('t'),
      (join) => join.onRef('t.journey_key', '=', 'e.journey_key'),
    )
    .innerJoin('journeys as j', (join) =>
      join.on((eb) => eb('j.key', '=', eb.fn.coalesce('e.journey_key', 't.journey_key'))),
    )
    .innerJoin('courses as c', 'c.id', 'j.course_id');
}

/** A person's journeys by enrolment or certificate, last completed first, then by the newest enrolment. */
export async function findTranscriptJourneys(db: Db, { userId, open }: { userId: string; open: string[] | null }) {
  return await heldBy(db, userId)
    .select((eb) => [
      'c.id as course_id',
      'c.slug as course_slug',
      'c.title as course_title',
      'j.title as journey_title',
      sql<boolean>`${IS_PUBLISHED_JOURNEY}`.as('is_published'),
      'e.expires_on',
      // Null when the person was withdrawn from the course after the certificate.
      sql<JourneyStatus | null>`case when ${eb.ref('e.id')} is not null
        then enrolment_status(${eb.ref('e.status')}, ${eb.ref('e.expires_on')}) end`.as('status'),
      eb.fn.coalesce('e.completed_at', 't.issued_at').as('completed_at'),
      eb
        .selectFrom('cohort_members as m')
        .innerJoin('cohort_products as p', 'p.cohort_id', 'm.cohort_id')
        .select((due) => due.cast<string | null>(due.fn.min('p.due_on'), 'text').as('day'))
        .where('m.user_id', '=', userId)
        .where((due) => due('p.entry_id', 'in', [due.ref('j.entry_id'), due.ref('c.id')]))
        .as('due_on'),
      progressJson(sql`j.key`, sql`${userId}::uuid`).as('progress'),
      // The most minutes that the completions ever recorded; lessons withdrawn since count.
      eb
        .selectFrom('lessons as l')
        .innerJoin('lesson_completions as d', 'd.lesson_key', 'l.key')
        .select(({ ref }) => sql<number>`coalesce(max((${ref('d.progress')}->>'completedTime')::int), 0)`.as('minutes'))
        .where('d.user_id', '=', userId)
        .whereRef('l.journey_key', '=', 'j.key')
        .$asScalar()
        .$notNull()
        .as('most_minutes'),
      eb
        .case()
        .when('t.id', 'is not', null)
        .then(
          jsonBuildObject({
            publicId: eb.ref('t.public_id').$notNull(),
            minutes: eb.ref('t.minutes').$notNull(),
            isRevoked: sql<boolean>`${eb.ref('t.revoked_at')} is not null`,
            isExpired: sql<boolean>`coalesce(${eb.ref('t.expires_at')} <= now(), false)`,
            expiresAt: sql<string | null>`${eb.ref('t.expires_at')}`,
          }),
        )
        .end()
        .as('certificate'),
    ])
    .where(isOpenSlug('c.slug', open))
    .orderBy(
      (eb) => eb.fn.coalesce('e.completed_at', 't.issued_at'),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('e.id', 'desc')
    .orderBy('j.key')
    .$narrowType<{ course_title: LocalizedText; journey_title: LocalizedText }>()
    .execute();
}

export type TranscriptJourneyRow = Awaited<ReturnType<typeof findTranscriptJourneys>>[number];

/** A person with their completed microcourses, last completed first. Undefined for an unknown or erased account. */
export async function getTranscriptPerson(db: Db, userId: string) {
  return await db
    .selectFrom('users as u')
    .select((eb) => [
      'u.id',
      'u.name',
      NOW.as('now'),
      jsonArrayFrom(
        eb
          .selectFrom('microcourse_completions as d')
          .innerJoin('microcourses as m', 'm.id', 'd.microcourse_id')
          .innerJoin('entries as x', 'x.id', 'm.id')
          .select((done) => [
            'm.slug',
            'm.title',
            'm.minutes',
            'd.completed_at as completedAt',
            done('x.status', '=', 'published').$castTo<boolean>().as('isPublished'),
          ])
          .whereRef('d.user_id', '=', 'u.id')
          .orderBy('d.completed_at', 'desc')
          .orderBy('m.id')
          .$narrowType<{ title: LocalizedText }>(),
      ).as('microcourses'),
    ])
    .where('u.id', '=', userId)
    .where('u.erased_at', 'is', null)
    .executeTakeFirst();
}

export type TranscriptPersonRow = NonNullable<Awaited<ReturnType<typeof getTranscriptPerson>>>;
