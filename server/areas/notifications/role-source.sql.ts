import { type RawBuilder, sql } from 'kysely';
import { localText } from '#server/areas/community/viewer.sql.ts';

type RoleSource = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; isNarrowed: boolean };

/**
 * Roles given and taken away, titled by the place of a role that the person still has. Roles do not count in narrowed
 * sessions.
 */
export function ofRoles({ head, nobody, isNarrowed }: RoleSource): RawBuilder<unknown> {
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

/** New administrators, for the others, also when the role was taken back since. */
export function ofAdministrators({ head, nobody, isNarrowed }: RoleSource): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, 1, u.name, null, array['person', u.id::text], null, null::timestamptz, null
    from v cross join n
    join users u on u.id = n.object_id and u.erased_at is null
    where n.event = 'administrator' and v.is_admin and ${!isNarrowed}`;
}
