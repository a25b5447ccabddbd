import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';
import { dueDay, isUnderWay } from './due-day.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; open: OpenSlugs };

const ofEnrolmentEnds = ({ head, nobody, open }: Source) => sql`
  select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['course', k.slug], null, e.expires_on, 'end'
  from v cross join n
  join journey_enrolments e on e.id = n.object_id and e.user_id = v.id
  join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'due_date' and e.completed_at is null and e.expires_on is not null
    and enrolment_status(e.status, e.expires_on) = 'enrolled'`;

const ofDueDays = ({ head, nobody, open }: Source) => sql`
  select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['course', k.slug], null, d.ends_at,
    case when d.ends_at > now() then 'due' else 'late' end
  from v cross join n
  join journeys j on j.key = n.object_id and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  cross join lateral (${dueDay(sql`v.id`)}) d
  where n.event = 'due_date' and ${isUnderWay(sql`v.id`)}`;

/** Ends of enrolments and due dates of courses, for learners who are under way. */
export function ofDueDates(source: Source): RawBuilder<unknown> {
  return sql`${ofEnrolmentEnds(source)} union all ${ofDueDays(source)}`;
}
