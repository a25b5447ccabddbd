import { sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { newId, runPrepared, type Db } from '#server/db/client.ts';
import { certificateJson } from '#server/areas/certificates/certificate.repository.ts';
import { changesJson } from './change.repository.ts';
import type { EnrolmentRow, JourneyStatus } from './learner.rows.ts';
import { progressJson } from './progress.repository.ts';

/** A learner's places in the courses that are open to who asks, newest first; in one course or one journey when told. */
export async function findEnrolments(
  db: Db,
  {
    userId,
    open,
    courseSlug,
    journeyKey,
  }: { userId: string; open: string[] | null; courseSlug?: string; journeyKey?: string },
): Promise<EnrolmentRow[]> {
  const journey = sql.ref('e.journey_key');
  const learner = sql.ref('e.user_id');
  const { rows } = await sql<EnrolmentRow>`
    select e.id, e.locale, enrolment_status(e.status, e.expires_on) as status, e.expires_on, e.completed_at, e.metadata,
      e.created_at, e.updated_at, (
        select min(p.due_on)::text from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
        where m.user_id = e.user_id and p.entry_id in (j.entry_id, c.id)) as due_on,
      c.id as course_id, c.slug as course_slug, c.title as course_title, f.key as cover_key, c.cover_alt,
      j.key as journey_key, j.id as journey_id, j.slug as journey_slug, j.title as journey_title,
      ${progressJson(journey, learner)} as progress,
      ${certificateJson(journey, learner)} as certificate,
      ${changesJson(sql`e`)} as changes,
      case when enrolment_status(e.status, e.expires_on) = 'enrolled' and ${IS_PUBLISHED_JOURNEY} then (
        select json_build_object('slug', l.slug, 'title', l.title, 'minutes', l.minutes)
        from lessons l
        where l.journey_key = e.journey_key and l.withdrawn_at is null
          and not exists (select from lesson_completions d where d.lesson_key = l.key and d.user_id = e.user_id)
        order by l.mandatory desc, l.position
        limit 1) end as next_lesson,
      greatest(e.created_at, (
        select max(d.completed_at) from lesson_completions d join lessons l on l.key = d.lesson_key
        where l.journey_key = e.journey_key and d.user_id = e.user_id)) as last_activity_at
    from journey_enrolments e
    join journeys j on j.key = e.journey_key
    join courses c on c.id = j.course_id
    left join content_assets f on f.path = c.cover
    where e.user_id = ${userId} and ${isOpenSlug('c.slug', open)}
      and (${courseSlug ?? null}::text is null or c.slug = ${courseSlug ?? null})
      and (${journeyKey ?? null}::uuid is null or e.journey_key = ${journeyKey ?? null}::uuid)
    order by e.created_at desc, e.id desc`.execute(db);
  return rows;
}

/** Gives a place without an end. One that is in force already stays as it is. */
export async function takePlace(
  db: Db,
  { userId, journeyKey, locale }: { userId: string; journeyKey: string; locale: string },
): Promise<void> {
  await sql`
    insert into journey_enrolments as e (id, user_id, journey_key, locale, status)
    values (${newId()}, ${userId}, ${journeyKey}, ${locale}, 'enrolled')
    on conflict (user_id, journey_key) do update
      set status = 'enrolled', expires_on = null, locale = excluded.locale, updated_at = now()
      where enrolment_status(e.status, e.expires_on) <> 'enrolled'`.execute(db);
}

/** Holds a place until the transaction ends, so that what is counted under it is counted one at a time. */
export async function lockEnrolment(
  db: Db,
  { userId, journeyKey }: { userId: string; journeyKey: string },
): Promise<{ id: string; status: JourneyStatus; completed_at: Date | null } | undefined> {
  const { rows } = await sql<{ id: string; status: JourneyStatus; completed_at: Date | null }>`
    select id, enrolment_status(status, expires_on) as status, completed_at
    from journey_enrolments where user_id = ${userId} and journey_key = ${journeyKey}
    for update`.execute(db);
  return rows[0];
}

/** Completes a journey for good, as it stands in a revision. */
export async function markCompleted(db: Db, enrolmentId: string, revision: number): Promise<void> {
  await sql`
    update journey_enrolments set completed_at = now(), updated_at = now(), seen_revision = ${revision}
    where id = ${enrolmentId} and completed_at is null`.execute(db);
}

/** The journeys in which somebody has a place that is in force, of what is published. */
export async function findPlacesInForce(
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
