import { sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { newId, type Db } from '#server/db/client.ts';
import type { JourneyStatus } from './learner.rows.ts';

type Learner = { userId: string; journeyKey: string };
export type StripeMetadata = { bulkEnrolment: boolean; cohortIds: string[] };
/** What of a place an administrator may set; undefined: as it is. */
export type ProductChanges = { locale?: string; expiresOn?: Date | null; stripeMetadata?: StripeMetadata | null };

/** The journey of two slugs that is in the catalogue, hidden from people or not. */
export async function getJourneyKey(
  db: Db,
  { courseSlug, journeySlug }: { courseSlug: string; journeySlug: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    select j.key from journeys j join courses c on c.id = j.course_id
    where c.slug = ${courseSlug} and j.slug = ${journeySlug} and ${IS_PUBLISHED_JOURNEY}`.execute(db);
  return rows[0]?.key;
}

/** Gives a place; who has one that has not ended keeps it as it is. */
export async function givePlace(
  db: Db,
  place: Learner & {
    locale: string;
    status: 'pending' | 'enrolled';
    expiresOn: Date | null;
    stripeMetadata: StripeMetadata | null;
  },
): Promise<void> {
  await sql`
    insert into journey_enrolments as e (id, user_id, journey_key, locale, status, expires_on, metadata)
    values (${newId()}, ${place.userId}, ${place.journeyKey}, ${place.locale}, ${place.status}, ${place.expiresOn},
      ${JSON.stringify(place.stripeMetadata ?? {})})
    on conflict (user_id, journey_key) do update set status = excluded.status, expires_on = excluded.expires_on,
      locale = excluded.locale, metadata = excluded.metadata, updated_at = now()
    where enrolment_status(e.status, e.expires_on) = 'expired'`.execute(db);
}

/** Changes a place that is locked. What is expired ends now at the latest. */
export async function updatePlace(
  db: Db,
  id: string,
  { status, locale, expiresOn, stripeMetadata }: ProductChanges & { status: JourneyStatus },
): Promise<void> {
  const end = expiresOn === undefined ? sql`expires_on` : sql`${expiresOn}::timestamptz`;
  await sql`
    update journey_enrolments set status = ${status}, updated_at = now(), locale = coalesce(${locale ?? null}, locale),
      expires_on = case when ${status} = 'expired' then least(${end}, now()) else ${end} end,
      metadata = case when ${stripeMetadata === undefined} then metadata
        else metadata || ${JSON.stringify(stripeMetadata ?? { bulkEnrolment: false, cohortIds: [] })}::jsonb end
    where id = ${id}`.execute(db);
}

/** Does a place that ends then last beyond this moment, by the clock of the database? Without an end it does. */
export async function lasts(db: Db, end: Date | null): Promise<boolean> {
  if (end === null) return true;
  const { rows } = await sql<{ lasts: boolean }>`select ${end}::timestamptz > now() as lasts`.execute(db);
  return rows[0]?.lasts ?? false;
}

/** Which of these cohorts there are. */
export async function findCohorts(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from cohorts where id = any(${ids}::uuid[])`.execute(db);
  return rows.map(({ id }) => id);
}
