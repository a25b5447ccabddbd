import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Place } from './activity.repository.ts';

/** The condition that a person `u` of an active account can read what is said in a place, or what is replied there. */
function canRead(place: Place, isReply: boolean): RawBuilder<unknown> {
  if ('communityId' in place)
    return sql`(exists (
        select from community_members m
        where m.community_id = ${place.communityId} and m.user_id = u.id and m.status = 'active'
          and (m.role = 'owner' or m.level is distinct from 0) and (m.expires_on <= now()) is not true)
      or not ${isReply} and exists (
        select from communities c join products p on p.entry_id = c.entry_id
        where c.id = ${place.communityId} and c.privacy in ('open-visible', 'open-hidden')
          and (p.can_view in ('public', 'authenticated') or p.can_view = 'verified' and u.role = 'public-servant')))`;
  if ('lessonKey' in place)
    return sql`exists (
      select from lessons l join journey_enrolments e on e.journey_key = l.journey_key
      where l.key = ${place.lessonKey} and e.user_id = u.id
        and enrolment_status(e.status, e.expires_on) = 'enrolled')`;
  return sql`true`;
}

/** Which of these are people of active accounts who can read what is said, or replied, in the place. */
export async function findMentionable(
  db: Db,
  { place, isReply, ids }: { place: Place; isReply: boolean; ids: string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where u.id = any(${ids}::uuid[]) and u.erased_at is null and u.role <> 'inactive'
      and u.email_proven_at is not null and (u.role = 'administrator' or ${canRead(place, isReply)})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
