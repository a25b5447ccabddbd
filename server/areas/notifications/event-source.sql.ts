import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#server/access/can.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown>; scopes: Scope[] };

/** Seats, changes and reminders, for people who are registered and may see the event. A reminder ends with the session. */
export function ofEvents({ head, nobody, scopes }: Source): RawBuilder<unknown> {
  return sql`
  select ${head}, ${nobody}, 1, ${sql.raw(localText('e.title', `'en'`))}, null, array['event', e.slug], null, s.starts_at, null
  from v cross join n
  join event_sessions s on s.id = n.object_id
  join event_registrations g on g.session_id = s.id and g.user_id = v.id
  join editorials e on e.id = s.event_id
  join entries x on x.id = e.id and x.status = 'published'
  left join products p on p.entry_id = e.id
  where (coalesce(p.can_view, 'private') = any(${scopes}::text[]) or is_granted(v.id, e.id)) and case n.event
    when 'event_cancelled' then s.cancelled_at is not null
    when 'event_changed' then s.cancelled_at is null
    when 'event_reminder' then g.status = 'seat' and s.cancelled_at is null and s.ends_at > now()
    when 'event_seat' then g.status = 'seat' and s.cancelled_at is null
    when 'event_promoted' then g.status = 'seat' and s.cancelled_at is null
    else false end`;
}
