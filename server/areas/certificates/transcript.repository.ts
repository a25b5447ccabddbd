// Raw SQL: a full join of two filtered tables and JSON aggregates.
import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { JourneyStatus, ProgressCounts } from '#server/areas/learner/learner.rows.ts';
import { progressJson } from '#server/areas/learner/progress.repository.ts';
import type { Db } from '#server/db/client.ts';

export type TranscriptJourneyRow = {
  course_id: string;
  course_slug: string;
  course_title: LocalizedText;
  journey_title: LocalizedText;
  is_published: boolean;
  /** Null when the person was withdrawn from the course after the certificate. */
  status: JourneyStatus | null;
  expires_on: Date | null;
  completed_at: Date | null;
  due_on: string | null;
  progress: ProgressCounts;
  /** The most minutes that the completions ever recorded; lessons withdrawn since count. */
  most_minutes: number;
  certificate: { publicId: string; minutes: number; isRevoked: boolean } | null;
};

/** A person's journeys by enrolment or certificate, last completed first, then by the newest enrolment. */
export async function findTranscriptJourneys(
  db: Db,
  { userId, open }: { userId: string; open: string[] | null },
): Promise<TranscriptJourneyRow[]> {
  const { rows } = await sql<TranscriptJourneyRow>`
    select c.id as course_id, c.slug as course_slug, c.title as course_title, j.title as journey_title,
      ${IS_PUBLISHED_JOURNEY} as is_published, e.expires_on,
      case when e.id is not null then enrolment_status(e.status, e.expires_on) end as status,
      coalesce(e.completed_at, t.issued_at) as completed_at,
      (select min(p.due_on)::text from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
        where m.user_id = ${userId} and p.entry_id in (j.entry_id, c.id)) as due_on,
      ${progressJson(sql`j.key`, sql`${userId}::uuid`)} as progress,
      (select coalesce(max((d.progress->>'completedTime')::int), 0) from lessons l
        join lesson_completions d on d.lesson_key = l.key and d.user_id = ${userId}
        where l.journey_key = j.key) as most_minutes,
      case when t.id is not null then json_build_object(
        'publicId', t.public_id, 'minutes', t.minutes, 'isRevoked', t.revoked_at is not null) end as certificate
    from (select * from journey_enrolments where user_id = ${userId}) e
    full join (select * from certificates where user_id = ${userId} and replaced_by is null) t
      on t.journey_key = e.journey_key
    join journeys j on j.key = coalesce(e.journey_key, t.journey_key)
    join courses c on c.id = j.course_id
    where ${isOpenSlug('c.slug', open)}
    order by coalesce(e.completed_at, t.issued_at) desc nulls last, e.id desc, j.key`.execute(db);
  return rows;
}

export type TranscriptPersonRow = {
  id: string;
  name: string;
  now: Date;
  microcourses: {
    slug: string;
    title: LocalizedText;
    minutes: number;
    completedAt: string;
    isPublished: boolean;
  }[];
};

/** A person with their completed microcourses, last completed first. Undefined for an unknown or erased account. */
export async function getTranscriptPerson(db: Db, userId: string): Promise<TranscriptPersonRow | undefined> {
  const { rows } = await sql<TranscriptPersonRow>`
    select u.id, u.name, now() as now, (
      select coalesce(json_agg(json_build_object('slug', m.slug, 'title', m.title, 'minutes', m.minutes,
        'completedAt', d.completed_at, 'isPublished', x.status = 'published') order by d.completed_at desc, m.id), '[]')
      from microcourse_completions d
      join microcourses m on m.id = d.microcourse_id
      join entries x on x.id = m.id
      where d.user_id = u.id) as microcourses
    from users u where u.id = ${userId} and u.erased_at is null`.execute(db);
  return rows[0];
}
