import { type RawBuilder, sql } from 'kysely';
import { isWaiting } from '#server/areas/auth/registration.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; isNarrowed: boolean };

/**
 * Registrations: for administrators the number that waits now, and for people the decision on theirs. A narrowed
 * session sees neither.
 */
export function ofRegistrations({ head, nobody, isNarrowed }: Source): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, waiting.count, null, null, array['waitingPeople'], null, null::timestamptz, null
    from v cross join n
    cross join lateral (
      select count(*)::int as count from users u where n.event = 'registration_waiting' and ${sql.raw(isWaiting('u'))}) waiting
    where n.event = 'registration_waiting' and v.is_admin and waiting.count > 0 and ${!isNarrowed}
    union all
    select ${head}, ${nobody}, 1, null, null,
      case u.registration_status when 'refused' then array['refusedRegistration'] else array['home'] end,
      null, null::timestamptz, null
    from v cross join n join users u on u.id = v.id
    where n.event = 'registration_decided' and u.registration_status in ('approved', 'refused') and ${!isNarrowed}`;
}
