import { type RawBuilder, sql } from 'kysely';
import { localText } from '#server/areas/community/viewer.sql.ts';

/**
 * Roles given and taken away, titled by the place of a role that the person still has. Roles do not count in narrowed
 * sessions.
 */
export function ofRoles({
  head,
  nobody,
  isNarrowed,
}: {
  head: RawBuilder<unknown>;
  nobody: RawBuilder<unknown>;
  isNarrowed: boolean;
}): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, 1,
      coalesce(h.name, ${sql.raw(localText('coalesce(a.title, k.title, c.title)', `coalesce(c.locale, 'en')`))}), null,
      case when exists (select from role_assignments o where o.user_id = v.id) then array['administration']
        else array['myLearning'] end,
      null, null::timestamptz, null
    from v cross join n
    left join role_assignments r on r.id = n.object_id and r.user_id = v.id
    left join academies a on a.id = r.academy_id
    left join courses k on k.id = r.course_id
    left join cohorts h on h.id = r.cohort_id and h.deleted_at is null
    left join communities c on c.id = r.community_id
    where n.event = 'role_change' and ${!isNarrowed}`;
}
