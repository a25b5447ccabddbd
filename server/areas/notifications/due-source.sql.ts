import type { NotificationEvent } from '@officium/contract/notifications';
import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';
import { EXPIRES } from '#server/areas/certificates/validity.sql.ts';
import { evaluationState } from '#server/areas/learner/evaluation.repository.ts';
import { ofAssignments, ofEnrolments } from './assignment-source.sql.ts';
import { dueDay, isUnderWay } from './due-day.sql.ts';
import { ofReminders } from './reminder-source.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; open: OpenSlugs };

const ofEnrolmentEnds = ({ head, nobody, open }: Source) => sql`
  select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['course', k.slug], null, e.expires_on, 'end'
  from v cross join n
  join journey_enrolments e on e.id = n.object_id and e.user_id = v.id
  join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'due_date' and is_under_way(e) and e.expires_on is not null
    and enrolment_status(e.status, e.expires_on) = 'enrolled'`;

const ofDueDays = ({ head, nobody, open }: Source) => sql`
  select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['course', k.slug], null, d.ends_at,
    case when d.ends_at > now() then 'due' else 'late' end
  from v cross join n
  join journeys j on j.key = n.object_id and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  cross join lateral (${dueDay(sql`v.id`)}) d
  where n.event = 'due_date' and ${isUnderWay(sql`v.id`)}`;

/** Evaluations that a learner has neither answered nor skipped. */
const ofEvaluations = ({ head, nobody, open }: Source) => sql`
  select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, null, array['evaluation', k.slug, j.slug], null, null::timestamptz, null
  from v cross join n
  join journey_enrolments e on e.id = n.object_id and e.user_id = v.id
  join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'evaluation' and ${evaluationState()} = 'open'`;

/** Certificates in force that are to be renewed. */
const ofCertificateEnds = ({ head, nobody, open }: Source) => sql`
  select ${head}, ${nobody}, 1, t.course_title, null, array['myCertificate', k.slug, j.slug], null, t.expires_at, null
  from v cross join n
  join certificates t on t.id = n.object_id and t.user_id = v.id
  join journeys j on j.key = t.journey_key and ${IS_PUBLISHED_JOURNEY}
  join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
  where n.event = 'certificate_expiry' and ${EXPIRES}`;

export const DUE_EVENTS: NotificationEvent[] = [
  'due_date',
  'assignment',
  'evaluation',
  'reminder',
  'enrolment',
  'certificate_expiry',
];

/**
 * Assignments, reminders, evaluations and certificates to renew, and for learners who are under way ends of enrolments
 * and due dates of courses.
 */
export function ofDueDates(source: Source): RawBuilder<unknown> {
  return sql`${ofEnrolmentEnds(source)} union all ${ofDueDays(source)} union all ${ofAssignments(source)}
    union all ${ofEvaluations(source)} union all ${ofReminders(source)}
    union all ${ofEnrolments(source)} union all ${ofCertificateEnds(source)}`;
}
