import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';
import { isUnderWay } from './due-day.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; open: OpenSlugs };

/** The viewer's last reminder of each journey, until the viewer completes it. Titled by the course and the partner. */
export function ofReminders({ head, nobody, open }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, 1, ${sql.raw(localText('k.title', `'en'`))}, c.primary_partner, array['course', k.slug], null,
      null::timestamptz, null
    from v cross join n
    join learner_reminders l on l.user_id = v.id and l.reminder_id = n.object_id
    join cohort_reminders r on r.id = l.reminder_id
    join cohorts c on c.id = r.cohort_id and c.deleted_at is null
    join cohort_members m on m.cohort_id = c.id and m.user_id = v.id
    join journeys j on j.key = r.journey_key and ${IS_PUBLISHED_JOURNEY}
    join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
    where n.event = 'reminder' and ${isUnderWay(sql`v.id`)}`;
}

/** The words of the sender of the shown reminder. */
export const REMINDER_WORDS = sql`(
  select r.words from notifications n join cohort_reminders r on r.id = n.object_id where n.id = shown.id)`;
