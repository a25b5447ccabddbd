import { type RawBuilder, sql } from 'kysely';
import { isMuted } from './muted.sql.ts';

type Source = { head: RawBuilder<unknown>; actor: RawBuilder<unknown> };

/** Requests to connect that wait, and those that were accepted. */
export function ofConnections({ head, actor }: Source): RawBuilder<unknown> {
  return sql`
  select ${head}, ${actor}, 1, null, null, array['person', u.id::text], null, null::timestamptz, null
  from v cross join n
  join connections x on x.id = n.object_id and v.id in (x.low_id, x.high_id)
  join users u on u.id = case x.low_id when v.id then x.high_id else x.low_id end and u.erased_at is null
  where not ${isMuted('person_id', 'u.id')} and (
    n.event = 'connection_request' and x.status = 'pending' and x.asker_id <> v.id
    or n.event = 'connection_accepted' and x.status = 'accepted' and x.asker_id = v.id)`;
}
