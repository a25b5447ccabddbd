import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';
import { dueDay, isUnderWay } from './due-day.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; open: OpenSlugs };

/**
 * Journeys that a cohort of the viewer asks for, until the viewer enrols. Titled by the course and the partner: the name
 * of a cohort is internal to its administrators.
 */
export function ofAssignments({ head, nobody, open }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, x.primary_partner, array['myLearning'], null,
      (x.due_on + time '23:59:59.999') at time zone 'UTC', case when x.due_on is not null then 'due' end
    from v cross join n
    join journeys j on j.key = n.object_id and ${IS_PUBLISHED_JOURNEY}
    join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
    cross join lateral (
      select c.primary_partner, p.due_on
      from cohort_members m
      join cohorts c on c.id = m.cohort_id and c.archived_at is null and c.deleted_at is null
      join cohort_products p on p.cohort_id = c.id
      where m.user_id = v.id and p.entry_id in (j.entry_id, j.course_id)
      order by p.due_on nulls last, c.id limit 1) x
    where n.event = 'assignment'
      and not exists (select from journey_enrolments e where e.user_id = v.id and e.journey_key = j.key)`;
}

/** Enrolments that a cohort made for the viewer, until the viewer completes or loses them. */
export function ofEnrolments({ head, nobody, open }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, c.primary_partner, array['course', k.slug], null,
      d.ends_at, case when d.ends_at is not null then 'due' end
    from v cross join n
    join journey_enrolments e on e.id = n.object_id and e.user_id = v.id
    join cohorts c on c.id = e.cohort_id and c.deleted_at is null
    join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
    join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
    left join lateral (${dueDay(sql`v.id`)}) d on true
    where n.event = 'enrolment' and ${isUnderWay(sql`v.id`)}`;
}
