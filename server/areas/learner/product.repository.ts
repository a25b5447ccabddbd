// Raw SQL: comparisons with the database clock and the merge of JSON.
import { type SqlBool, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { newId, type Db } from '#server/db/client.ts';
import { isOver } from '#server/db/cohort-days.sql.ts';
import type { JourneyStatus } from './learner.rows.ts';

const NOW = sql<Date>`now()`;

type Learner = { userId: string; journeyKey: string };
export type StripeMetadata = { bulkEnrolment: boolean; cohortIds: string[] };
/** The fields of an enrolment that an administrator may change; undefined leaves a field as it is. */
export type ProductChanges = { locale?: string; expiresOn?: Date | null; stripeMetadata?: StripeMetadata | null };

/** The published journey with these slugs, whoever may see it. */
export async function getJourneyKey(
  db: Db,
  { courseSlug, journeySlug }: { courseSlug: string; journeySlug: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('journeys as j')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select('j.key')
    .where('c.slug', '=', courseSlug)
    .where('j.slug', '=', journeySlug)
    .where(sql<SqlBool>`${IS_PUBLISHED_JOURNEY}`)
    .executeTakeFirst();
  return row?.key;
}

/** Inserts an enrolment, or renews an expired one. Any other stays as it is, but is no longer a cohort's. */
export async function grantEnrolment(
  db: Db,
  enrolment: Learner & {
    locale: string;
    status: 'pending' | 'enrolled';
    expiresOn: Date | null;
    stripeMetadata: StripeMetadata | null;
  },
): Promise<void> {
  await db
    .insertInto('journey_enrolments')
    .values({
      id: newId(),
      user_id: enrolment.userId,
      journey_key: enrolment.journeyKey,
      locale: enrolment.locale,
      status: enrolment.status,
      expires_on: enrolment.expiresOn,
      metadata: JSON.stringify(enrolment.stripeMetadata ?? {}),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'journey_key'])
        .doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          expires_on: eb.ref('excluded.expires_on'),
          locale: eb.ref('excluded.locale'),
          metadata: eb.ref('excluded.metadata'),
          cohort_id: null,
          updated_at: NOW,
        }))
        .where(
          (eb) => eb.fn('enrolment_status', ['journey_enrolments.status', 'journey_enrolments.expires_on']),
          '=',
          'expired',
        ),
    )
    .execute();
  const metadata = JSON.stringify(enrolment.stripeMetadata ?? {});
  await db
    .updateTable('journey_enrolments')
    .set((eb) => ({
      cohort_id: null,
      metadata: sql<string>`${eb.ref('metadata')} || ${metadata}::jsonb`,
      updated_at: NOW,
    }))
    .where('user_id', '=', enrolment.userId)
    .where('journey_key', '=', enrolment.journeyKey)
    .where('cohort_id', 'is not', null)
    .execute();
}

/** Changes a locked enrolment. The end date of an expired one is now at the latest. */
export async function updateEnrolment(
  db: Db,
  id: string,
  { status, locale, expiresOn, stripeMetadata }: ProductChanges & { status: JourneyStatus },
): Promise<void> {
  await db
    .updateTable('journey_enrolments')
    .set((eb) => {
      const end = expiresOn === undefined ? eb.ref('expires_on') : sql<Date | null>`${expiresOn}::timestamptz`;
      const metadata = JSON.stringify(stripeMetadata ?? { bulkEnrolment: false, cohortIds: [] });
      return {
        status,
        updated_at: NOW,
        ...(expiresOn === undefined && stripeMetadata === undefined ? {} : { cohort_id: null }),
        expires_on: status === 'expired' ? sql<Date>`least(${end}, now())` : end,
        ...(locale === undefined ? {} : { locale }),
        ...(stripeMetadata === undefined ? {} : { metadata: sql<string>`${eb.ref('metadata')} || ${metadata}::jsonb` }),
      };
    })
    .where('id', '=', id)
    .execute();
}

/** True when an end date lies in the future by the database clock; no end date does. */
export async function isInFuture(db: Db, end: Date | null): Promise<boolean> {
  if (end === null) return true;
  const { isFuture } = await db
    .selectNoFrom(sql<boolean>`${end}::timestamptz > now()`.as('isFuture'))
    .executeTakeFirstOrThrow();
  return isFuture;
}

/** Selects the cohorts that take new members. */
export async function findCohorts(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('cohorts')
    .select('id')
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .where('archived_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.not(isOver(eb.ref('ends_on'))))
    .execute();
  return rows.map(({ id }) => id);
}
