import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

const rank = (scope: ReturnType<typeof sql>) =>
  sql`array_position(array['public', 'authenticated', 'verified', 'private'], ${scope})`;

/** The scope that decides who takes a place by themselves; the same as in course-access.policy.ts. */
const JOIN_RANK = sql`greatest(
  case when pj.is_set then ${rank(sql`pj.can_join`)} end,
  case when not coalesce(pj.is_set, false) or coalesce(pc.is_set, false)
    then ${rank(sql`coalesce(pc.can_join, 'private')`)} end)`;

/**
 * Ends the places these people took themselves in the journeys of these products, where nothing lets them take one now:
 * no cohort, and no scope. A place that was given to them has `metadata`, and stays. How many it were.
 */
export async function endPlaces(
  db: Db,
  { userIds, entryIds }: { userIds: string[]; entryIds: string[] },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update journey_enrolments e set status = 'expired', expires_on = now(), updated_at = now()
    from journeys j join courses c on c.id = j.course_id
      left join products pj on pj.entry_id = j.entry_id left join products pc on pc.entry_id = c.id,
      users u
    where e.user_id = any(${userIds}::uuid[]) and u.id = e.user_id and e.journey_key = j.key
      and (j.entry_id = any(${entryIds}::text[]) or c.id = any(${entryIds}::text[]))
      and enrolment_status(e.status, e.expires_on) = 'enrolled' and e.metadata = '{}'
      and not is_granted(u.id, c.id) and not coalesce(is_granted(u.id, j.entry_id), false)
      and u.role <> 'administrator'
      and not (c.type = 'Public' and j.privacy like 'open-%'
        and ${JOIN_RANK} <= case when u.role = 'public-servant' then 3 else 2 end)`.execute(db);
  return Number(numAffectedRows);
}
